"""A compiled check: an evaluator with what the case says about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agenteval.evaluators.context import Evaluator
from agenteval.model.score import Feeds


@dataclass(frozen=True, slots=True)
class Check:
    """One check of an attempt.

    Attributes:
        name: The evaluator's name, as its scores carry it.
        required: Whether the case needs it to hold.
        negate: Whether its verdict is inverted.
        feeds: The suite metric that its scores are counted in.
        path: Place in the suite, e.g. ``cases[2].evaluators[0]``.
    """

    name: str
    evaluator: Evaluator
    required: bool = True
    negate: bool = False
    feeds: Feeds | None = None
    path: str = ""

    @property
    def asks_a_model(self) -> bool:
        """Whether its evaluator needs the judge."""
        return bool(getattr(self.evaluator, "asks_a_model", False))


def bar_missing(evaluator: Evaluator) -> str | None:
    """The parameter without which an evaluator only observes a value, where it is not given; else None."""
    bar = getattr(evaluator, "bar", None)
    return bar if isinstance(bar, str) and getattr(evaluator, bar, None) is None else None


@dataclass(frozen=True, slots=True)
class CompiledCase:
    """The checks of a case and, of a conversation, of each of its turns."""

    checks: tuple[Check, ...] = ()
    turns: tuple[tuple[Check, ...], ...] = ()

    def every(self) -> Iterator[Check]:
        """The checks of the case, then those of its turns."""
        yield from self.checks
        for turn in self.turns:
            yield from turn
