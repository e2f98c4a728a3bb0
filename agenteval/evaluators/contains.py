"""``contains``: the answer says these words."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.exact import plain_truth
from agenteval.evaluators.folding import Phrase, folded
from agenteval.evaluators.quantities import read
from agenteval.model.score import Score

_FOUND = Score("contains", 1.0, True, "the answer says it")


@dataclass(frozen=True)
class Contains:
    """The answer says these words, as whole words and not denied ("not Paris"); a number is found by value, however it is written.

    Attributes:
        value: Text, a number, or a list of them.
        match: substring looks for the characters anywhere, also inside words.
        require: Of a list, whether all or any one must be there.
    """

    value: Any
    match: Literal["words", "substring"] = "words"
    require: Literal["all", "any"] = "all"
    wanted: tuple[Phrase | Decimal | str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values = self.value if isinstance(self.value, (list, tuple)) else [self.value]
        if not values:
            raise ValueError("the list is empty, so every answer would do")
        object.__setattr__(self, "wanted", tuple(self._prepared(value) for value in values))

    def _prepared(self, value: Any) -> Phrase | Decimal | str:
        if self.match == "substring":
            return folded(str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(plain_truth(value)))
        truth = plain_truth(value)
        return Phrase(truth) if isinstance(truth, str) else truth

    def evaluate(self, context: Context) -> Score:
        """The share of what is said; of any, 1 or 0."""
        answer = context.output
        text = folded(answer)
        missing = [index for index, wanted in enumerate(self.wanted) if not says(wanted, text, answer)]
        if not missing:
            return _FOUND
        total = len(self.wanted)
        if self.require == "any" and len(missing) < total:
            return _FOUND
        values = list(self.value) if isinstance(self.value, (list, tuple)) else [self.value]
        absent = [values[index] for index in missing]
        share = 0.0 if self.require == "any" else (total - len(missing)) / total
        return Score("contains", share, False, _why(absent, [self.wanted[index] for index in missing], text), {"missing": absent[:20]})


def says(wanted: Phrase | Decimal | str, text: str, answer: str) -> bool:
    """Whether an answer, and the same folded, says a phrase, a number or characters."""
    if isinstance(wanted, str):
        return wanted in text
    if isinstance(wanted, Decimal):
        return any(found.value == wanted for found in read(answer).asserted)
    return wanted.found_in(text) is not None


def _why(absent: list[Any], wanted: list[Phrase | Decimal | str], text: str) -> str:
    shown = ", ".join(repr(clip(str(value), 60)) for value in absent[:5])
    more = f" and {len(absent) - 5} more" if len(absent) > 5 else ""
    denied = len(wanted) == 1 and isinstance(wanted[0], Phrase) and wanted[0].denied_in(text)
    return f"the answer {'only denies' if denied else 'does not say'} {shown}{more}"
