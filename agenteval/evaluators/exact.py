"""``exact``: the answer is this, and nothing else."""

# ruff: noqa: RUF001 (the typographic characters that answers hold)

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.folding import folded, trimmed
from agenteval.evaluators.numeric import decimal
from agenteval.evaluators.quantities import read
from agenteval.model.score import Score

_EQUAL = Score("exact", 1.0, True, "the answer is the expected one")
_AROUND = " \t\n\"'*_`$\\.,;:!?“”‘’"


@dataclass(frozen=True)
class Exact:
    """The whole answer is this value.

    Text is compared without case, surrounding quotes, closing punctuation, white space and Unicode form; a number by value.

    Attributes:
        value: The expected answer: text or a number.
        match: verbatim compares text character by character.
    """

    value: Any
    match: Literal["normalised", "verbatim"] = "normalised"
    expected: str | Decimal = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "expected", self._prepared())

    def _prepared(self) -> str | Decimal:
        value = plain_truth(self.value)
        if isinstance(value, str) and self.match == "normalised":
            return trimmed(folded(value))
        return value

    def evaluate(self, context: Context) -> Score:
        """1 or 0."""
        answer, expected = context.attempt.output, self.expected
        if type(expected) is str:
            given = trimmed(folded(answer)) if self.match == "normalised" else answer
            holds = given == expected
        else:
            holds = lone_number(answer) == expected
        return (
            _EQUAL if holds else Score("exact", 0.0, False, f"expected {clip(str(self.value), 80)!r}, the answer is {clip(answer, 80)!r}")
        )


def lone_number(text: str) -> Decimal | None:
    """The number that a text consists of, or None."""
    if len(text) > 200:
        return None
    quantities = read(text).quantities
    if len(quantities) != 1:
        return None
    found = quantities[0]
    return None if text[: found.start].strip(_AROUND) or text[found.end :].strip(_AROUND) else found.value


def plain_truth(value: Any) -> str | Decimal:
    """A truth that is text or a number; a boolean stands for its word.

    Raises:
        ValueError: It is empty or something else.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return decimal(value)
    if isinstance(value, str):
        if not value.strip():
            raise ValueError("the expected value is empty, so every answer would do")
        return value
    raise ValueError("the expected value must be text or a number")
