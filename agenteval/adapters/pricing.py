"""What an attempt cost: the provider's figure, else tokens times a price, else unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agenteval.model.response import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """USD a million tokens.

    Attributes:
        cached_input: Of tokens read from the provider's cache; None charges them like the others.
        cached_outside_prompt: The provider does not count cached tokens among those of the prompt.
        valid_from: First day (ISO date) on which the price is known to hold; None where nobody said.
    """

    input: float
    output: float
    cached_input: float | None = None
    cached_outside_prompt: bool = False
    valid_from: str | None = None


def cost_of(reported: float | None, usage: Usage, model: str | None, prices: Mapping[str, Price]) -> tuple[float | None, str | None]:
    """The cost in USD and where it comes from: ``reported``, ``priced``, ``unpriced`` (then None), or None where nothing is known to cost.

    >>> cost_of(None, Usage(20212, 931, cached_tokens=16298), "m", {"m": Price(0.50, 3.00, 0.05)})
    (0.0055649, 'priced')
    """
    if reported is not None:
        return reported, "reported"
    if usage.prompt_tokens is None and usage.completion_tokens is None and usage.total_tokens is None:
        return None, None
    price = prices.get(model or "")
    cost = None if price is None else price_of(usage, price)
    return cost, "unpriced" if cost is None else "priced"


def price_of(usage: Usage, price: Price) -> float | None:
    """USD of these tokens, never negative; None where the prompt's or the completion's are not known.

    A provider that reports more cached tokens than the prompt has is taken to have cached the whole prompt.

    >>> price_of(Usage(3914, 931, cached_tokens=16298), Price(0.50, 3.00, 0.05, cached_outside_prompt=True))
    0.0055649
    """
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    cached = usage.cached_tokens or 0
    fresh = usage.prompt_tokens
    if not price.cached_outside_prompt:
        cached = min(cached, fresh)
        fresh -= cached
    cached_rate = price.input if price.cached_input is None else price.cached_input
    return round((fresh * price.input + cached * cached_rate + usage.completion_tokens * price.output) / 1e6, 10)


def model_of(model: str | None, raw: Mapping[str, Any]) -> str | None:
    """The model an answer came from: what the response says, else ``raw["_llm_usage"]["model"]``."""
    if model:
        return model
    usage = raw.get("_llm_usage")
    named = usage.get("model") if isinstance(usage, Mapping) else None
    return named if isinstance(named, str) else None
