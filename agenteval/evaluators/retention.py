"""``retained_facts``: the answer still holds what was said before."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from agenteval._text import clip
from agenteval.evaluators.contains import says
from agenteval.evaluators.context import Context
from agenteval.evaluators.exact import lone_number
from agenteval.evaluators.folding import Phrase, folded
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Size, Word


@dataclass(frozen=True)
class RetainedFacts:
    """The answer holds every fact of earlier turns: words as whole words and not denied, numbers by value however they are written.

    Attributes:
        facts: Words or numbers, e.g. Berlin, 1200.
    """

    feeds: ClassVar[Feeds] = Feeds.RETENTION

    facts: Annotated[list[Word | float], Size(1)]
    wanted: tuple[tuple[Phrase | Decimal, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wanted", tuple(_forms(str(fact)) for fact in self.facts))

    def evaluate(self, context: Context) -> Score:
        """The share of facts that are held; passed where all are."""
        answer = context.output
        text = folded(answer)
        lost: list[Any] = [
            fact for fact, forms in zip(self.facts, self.wanted, strict=True) if not any(says(form, text, answer) for form in forms)
        ]
        share = 1 - len(lost) / len(self.facts)
        shown = ", ".join(repr(clip(str(fact), 60)) for fact in lost[:5])
        reason = f"lost: {shown}" if lost else "every fact is retained"
        return Score("retained_facts", share, not lost, reason, {"lost": lost[:20]} if lost else {})


def _forms(fact: str) -> tuple[Phrase | Decimal, ...]:
    """A fact as words and, where it is a number, as its value."""
    number = lone_number(fact)
    return (Phrase(fact),) if number is None else (Phrase(fact), number)
