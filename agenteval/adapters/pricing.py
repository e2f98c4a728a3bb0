"""What an attempt cost: the provider's figure, else tokens times a declared price, else unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agenteval.model.response import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """USD a million tokens; ``cached_input`` None charges cached tokens like the others."""

    input: float
    output: float
    cached_input: float | None = None


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
    if price is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None, "unpriced"
    cached = min(usage.cached_tokens or 0, usage.prompt_tokens)
    cached_rate = price.input if price.cached_input is None else price.cached_input
    cost = (usage.prompt_tokens - cached) * price.input + cached * cached_rate + usage.completion_tokens * price.output
    return round(cost / 1e6, 10), "priced"


def model_of(model: str | None, raw: Mapping[str, Any]) -> str | None:
    """The model an answer came from: what the response says, else ``raw["_llm_usage"]["model"]``."""
    if model:
        return model
    usage = raw.get("_llm_usage")
    named = usage.get("model") if isinstance(usage, Mapping) else None
    return named if isinstance(named, str) else None
