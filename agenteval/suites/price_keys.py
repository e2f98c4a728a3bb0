"""The keys of a price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from agenteval.suites.gate_keys import Positive
from agenteval.suites.shape import IsoDate


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


@dataclass(frozen=True)
class AgentPriceKeys(PriceKeys):
    """USD a million tokens of one model.

    Attributes:
        input: Price of prompt tokens.
        output: Price of completion tokens.
        cached_input: Price of prompt tokens read from the provider's cache; input's where not given.
        cached_outside_prompt: true where the provider does not count cached tokens among those of the prompt.
        valid_from: First day on which the price holds, in quotes, e.g. "2026-12-01"; kept with the runs.
    """

    cached_outside_prompt: bool = False
    valid_from: Annotated[str, IsoDate()] | None = None
