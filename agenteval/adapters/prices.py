"""The prices that come with the product: few, dated, and always second to those of ``agents.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from agenteval.adapters.pricing import Price, price_of
from agenteval.compare.costs import Pricing
from agenteval.model.response import Usage

VERSION = "2026-11-30"
"""Changes with the table. A run records it, so that the same tokens at another cost can be told from other tokens."""

_LISTED = "2026-11-30"

TABLE: Mapping[str, Price] = {
    "gpt-4o": Price(2.50, 10.00, valid_from=_LISTED),
    "gpt-4o-mini": Price(0.15, 0.60, valid_from=_LISTED),
    "gpt-4.1": Price(2.00, 8.00, valid_from=_LISTED),
    "gpt-4.1-mini": Price(0.40, 1.60, valid_from=_LISTED),
    "gemini-1.5-pro": Price(1.25, 5.00, valid_from=_LISTED),
    "gemini-1.5-flash": Price(0.075, 0.30, valid_from=_LISTED),
    "llama-3.3-70b-versatile": Price(0.59, 0.79, valid_from=_LISTED),
    "llama-3.1-8b-instant": Price(0.05, 0.08, valid_from=_LISTED),
}
"""List prices by the model's exact name. No rate of cached tokens is listed: they are charged like the others, never too little."""


def price_list(own: Mapping[str, Price]) -> dict[str, Price]:
    """The prices that hold: the table's, and before them the user's own."""
    return {**TABLE, **own}


def price_provenance(own: Mapping[str, Price]) -> dict[str, Any]:
    """What a run records of its prices: the table's version, and the user's own by model, without what they leave open."""
    if not own:
        return {"table": VERSION}
    return {"table": VERSION, "own": {model: _written(price) for model, price in own.items()}}


def _written(price: Price) -> dict[str, Any]:
    return {name: value for name, value in asdict(price).items() if value is not None and value is not False}


def recorded_prices(recorded: Any) -> dict[str, Price]:
    """The prices of a stored run, by ``provenance["prices"]``; empty where it records none, or a version that is not known here."""
    if not isinstance(recorded, Mapping):
        return {}
    own = recorded.get("own")
    found = dict(TABLE) if recorded.get("table") == VERSION else {}
    for model, price in own.items() if isinstance(own, Mapping) else ():
        try:
            found[model] = Price(**price)
        except TypeError:
            continue  # written by a later version
    return found


def step_pricing(prices: Mapping[str, Price]) -> Pricing:
    """What tokens of a model cost by these prices."""

    def cost(model: str | None, usage: Usage) -> float | None:
        price = prices.get(model or "")
        return None if price is None else price_of(usage, price)

    return cost


def run_pricing(provenance: Mapping[str, Any]) -> Pricing:
    """What tokens cost by the prices that a stored run records."""
    return step_pricing(recorded_prices(provenance.get("prices")))
