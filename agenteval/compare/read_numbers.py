"""The numbers that the attempts at a case hold, beside the one that was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from agenteval.model.attempt import Attempt
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status

DEFAULT_TOLERANCE = 0.01


class NumberRead(NamedTuple):
    """The number that counts in one attempt's answer."""

    repetition: int
    value: float
    status: Status


@dataclass(frozen=True, slots=True)
class CaseNumbers:
    """The numbers of one case.

    Attributes:
        numbers: One an attempt, by repetition.
        unread: Decided attempts without one: the answer states none, or several of which none was accepted.
        expected, tolerance: What is accepted: ``expected`` ± ``tolerance``; None where the suite does not write the number as one.
    """

    case_id: str
    numbers: tuple[NumberRead, ...]
    unread: int
    expected: float | None
    tolerance: float | None


def case_numbers(attempts: Sequence[Attempt]) -> CaseNumbers | None:
    """The numbers of a case's decided attempts; None where none of them holds any."""
    decided = [attempt for attempt in attempts if attempt.status.decided]
    found = [NumberRead(a.repetition, float(number), a.status) for a in decided if (number := _accepted_or_only(a)) is not None]
    if not found:
        return None
    expected, tolerance = _accepted(decided[0])
    return CaseNumbers(attempts[0].case_id, tuple(sorted(found)), len(decided) - len(found), expected, tolerance)


def only_number(attempt: Attempt) -> Decimal | None:
    """The one number that a numeric correctness check read from the answer; None where it read none or several."""
    score = _numeric_score(attempt)
    if score is None or len(score.evidence.get("candidates") or (None,)) > 1:
        return None
    return _finite(score.evidence.get("value"))


def _accepted_or_only(attempt: Attempt) -> Decimal | None:
    """The accepted one of several numbers counts too: it is the one that the verdict stands on."""
    score = _numeric_score(attempt)
    number = None if score is None else _finite(score.evidence.get("value"))
    if score is None or number is None:
        return None
    return number / 100 if _options(attempt).get("unit") == "rate" and _written_as_percent(attempt.output, score) else number


def _numeric_score(attempt: Attempt) -> Score | None:
    score = attempt.score(Feeds.CORRECTNESS)
    if score is None or "numeric" not in (score.name, attempt.expects.get("correctness_type")):
        return None
    return score


def _written_as_percent(answer: str, score: Score) -> bool:
    span = score.evidence.get("span")
    return span is not None and any(sign in answer[span[0] : span[1]].casefold() for sign in ("%", "percent"))


def _accepted(attempt: Attempt) -> tuple[float | None, float | None]:
    options = _options(attempt)
    truth, tolerance = _finite(options.get("value")), _finite(options.get("tolerance", DEFAULT_TOLERANCE))
    return (None, None) if truth is None or tolerance is None else (float(truth), float(tolerance))


def _options(attempt: Attempt) -> Mapping[str, Any]:
    """``value``, ``tolerance`` and ``unit`` of the numeric check, from ``expects`` or the list of evaluators; {} where neither has it."""
    expects = attempt.expects
    if expects.get("correctness_type") == "numeric":
        return {
            "value": expects.get("ground_truth"),
            "tolerance": expects.get("numeric_tolerance", DEFAULT_TOLERANCE),
            "unit": expects.get("unit"),
        }
    for item in attempt.evaluators:
        if isinstance(item, Mapping) and "numeric" in item:
            given = item["numeric"]
            return given if isinstance(given, Mapping) else {"value": given}
    return {}


def _finite(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
