"""The keys of a price."""

from __future__ import annotations

from dataclasses import dataclass

from agenteval.suites.gate_keys import Positive


@dataclass(frozen=True)
class PriceKeys:
    """USD a million tokens.

    Attributes:
        input: Price of prompt tokens.
        output: Price of completion tokens.
        cached_input: Price of prompt tokens read from the provider's cache; input's where not given.
    """

    input: Positive
    output: Positive
    cached_input: Positive | None = None
