"""From scores to the status of a case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status

_UNDECIDED_TURNS = (Status.AGENT_ERROR, Status.EVALUATOR_ERROR, Status.SKIPPED)


def decide(
    scores: Iterable[Score], *, expect_pass: bool = True, turn_statuses: Sequence[Status] = (), turns_required: bool = True
) -> tuple[Status, bool | None]:
    """The status of an attempt that was executed, and whether it is correct.

    Every required check must hold, and every turn unless ``turns_required`` is false. A required check that failed to work, or an
    error in a turn, leaves the case undecided; so does the lack of any decision. Correctness is the verdict of the correctness check
    alone, or the case's where it has none; None where the case is undecided. ``expect_pass`` false inverts both verdicts.
    """
    for status in _UNDECIDED_TURNS if turn_statuses else ():
        if status in turn_statuses:
            return status, None
    holds = True
    decided = asked = has_correctness = False
    correct: bool | None = None
    for score in scores:
        passed = score.passed
        if score.feeds is Feeds.CORRECTNESS:
            has_correctness, correct = True, passed
        if not score.required:
            continue
        if score.error is not None:
            return Status.EVALUATOR_ERROR, None
        if passed is not None:
            decided = True
            holds = holds and passed
        elif score.skipped:
            asked = True
    if turn_statuses and turns_required:
        decided = decided or Status.PASSED in turn_statuses or Status.FAILED in turn_statuses
        holds = holds and Status.FAILED not in turn_statuses
    if not decided:
        return (Status.UNSCORED if asked or Status.UNSCORED in turn_statuses else Status.EVALUATOR_ERROR), None
    passes = holds is expect_pass
    if not has_correctness:
        correct = passes
    elif correct is not None:
        correct = correct is expect_pass
    return (Status.PASSED if passes else Status.FAILED), correct
