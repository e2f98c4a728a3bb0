"""How steady repeated cases are: by verdict, by the numbers read from the answers, and by what the answers say."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import groupby

from agenteval.compare.read_numbers import DEFAULT_TOLERANCE, only_number
from agenteval.model.attempt import Attempt
from agenteval.model.flakiness import AnswerCluster, CaseFlakiness, NumericCluster
from agenteval.model.status import Status

STABLE, FLAKY, UNSTABLE, NO_EVIDENCE = "stable", "flaky", "unstable", "no evidence"

_FLAKY_FROM = 0.8
_EDGES = " \t\n.,;:!?\"'`*()[]"
_Numbered = tuple[Decimal, str, int]


def flakiness(observations: Mapping[str, Sequence[Attempt]], tolerance_of: Callable[[Attempt], float] | None = None) -> list[CaseFlakiness]:
    """The class of every repeated case, in the given order; candidates and quarantined cases included.

    Consistency is the share of the decided attempts that agree: in their verdict, and where every one holds one number, also in a
    cluster of numbers no further apart than the tolerance. Errors, skipped and unscored attempts are counted and in no ratio.

    Args:
        observations: All attempts by case id, primary first.
        tolerance_of: Tolerance of a case's numbers; by default its ``numeric_tolerance``, else 0.01.
    """
    tolerance = tolerance_of or _declared_tolerance
    return [_classify(case_id, attempts, tolerance) for case_id, attempts in observations.items() if attempts]


def _classify(case_id: str, attempts: Sequence[Attempt], tolerance_of: Callable[[Attempt], float]) -> CaseFlakiness:
    decided = [attempt for attempt in attempts if attempt.status.decided]
    passed = sum(attempt.status is Status.PASSED for attempt in decided)
    cluster = _numeric_cluster(decided, tolerance_of(attempts[0]))
    consistent = max(passed, len(decided) - passed) if cluster is None else len(cluster.members)
    return CaseFlakiness(
        case_id=case_id,
        classification=_class(consistent, len(decided)),
        consistent=consistent,
        total=len(decided),
        passed=passed,
        errors=len(attempts) - len(decided),
        basis="verdict" if cluster is None else "verdict_and_numeric_majority_cluster",
        numeric=cluster,
        answers=_answers(decided),
    )


def _class(consistent: int, total: int) -> str:
    if total < 2:
        return NO_EVIDENCE
    if consistent == total:
        return STABLE
    return FLAKY if consistent / total >= _FLAKY_FROM else UNSTABLE


def _declared_tolerance(attempt: Attempt) -> float:
    declared = attempt.expects.get("numeric_tolerance")
    return declared if isinstance(declared, (int, float)) and not isinstance(declared, bool) else DEFAULT_TOLERANCE


def _numeric_cluster(decided: Sequence[Attempt], tolerance: float) -> NumericCluster | None:
    """The largest set of equal verdict whose numbers are all within the tolerance of each other; None unless every answer has one number.

    Ties go to the smaller spread, then the smaller minimum, the verdict's name and the earlier repetitions.
    """
    numbered = [(number, attempt.status.value, attempt.repetition) for attempt in decided if (number := only_number(attempt)) is not None]
    if not numbered or len(numbered) < len(decided):
        return None
    windows = [window for same in _by_verdict(numbered) for window in _windows(same, Decimal(str(tolerance)))]
    best = min(windows, key=lambda window: (-len(window), window[-1][0] - window[0][0], window[0][0], window[0][1], _indices(window)))
    return NumericCluster(tolerance, _indices(best), float(best[0][0]), float(best[-1][0]))


def _by_verdict(numbered: Sequence[_Numbered]) -> list[list[_Numbered]]:
    ordered = sorted(numbered, key=lambda item: (item[1], item[0], item[2]))
    return [list(same) for _, same in groupby(ordered, key=lambda item: item[1])]


def _windows(ordered: Sequence[_Numbered], tolerance: Decimal) -> list[Sequence[_Numbered]]:
    """For every start the longest stretch of sorted numbers that spans no more than the tolerance."""
    windows, end = [], 0
    for start, (lowest, _, _) in enumerate(ordered):
        while end < len(ordered) and ordered[end][0] - lowest <= tolerance:
            end += 1
        windows.append(ordered[start:end])
    return windows


def _indices(window: Sequence[_Numbered]) -> tuple[int, ...]:
    return tuple(sorted(repetition for _, _, repetition in window))


def _answers(decided: Sequence[Attempt]) -> tuple[AnswerCluster, ...]:
    """Answers grouped by what they say, the most frequent first, then the earliest."""
    groups: dict[str, list[Attempt]] = {}
    for attempt in decided:
        groups.setdefault(normalised(attempt.output), []).append(attempt)
    ranked = sorted(groups.values(), key=lambda group: -len(group))
    return tuple(AnswerCluster(group[0].output, tuple(attempt.repetition for attempt in group)) for group in ranked)


def normalised(answer: str) -> str:
    """An answer without the differences that carry no meaning: case, width, white space, closing punctuation.

    >>> normalised(" The answer is\\n4. ") == normalised("the answer is 4")
    True
    """
    text = unicodedata.normalize("NFKC", answer).casefold().translate(_QUOTES)
    return " ".join(text.split()).strip(_EDGES)


_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\N{MINUS SIGN}": "-"})  # noqa: RUF001
