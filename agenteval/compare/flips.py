"""How often cases flip between pass and fail from run to run, without any repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from agenteval.model.run import Outcome
from agenteval.model.status import Status


class RunOutcomes(NamedTuple):
    """One run of a suite's history. ``version`` is equal where the same code and model ran; None where that is not known."""

    run_id: str
    outcomes: Sequence[Outcome]
    version: str | None = None


@dataclass(frozen=True, slots=True)
class CaseFlips:
    """One case over the runs of its suite.

    Attributes:
        flips, transitions: Transitions that turned pass into fail or back, of all transitions. A transition is two runs, one after the
            other, that decided the case under one definition (or a definition that a file does not record); runs that did not decide
            it are passed over.
        same_version, same_version_transitions: Those among them where code and model stayed the same, so that chance or the world did it.
        passed, decided: Runs that passed the case, and runs that decided it.
        last_run: The run in which the last flip was seen; None without flips.
        last_from, last_to: What it flipped from and to.
    """

    case_id: str
    flips: int
    transitions: int
    same_version: int
    same_version_transitions: int
    passed: int
    decided: int
    last_run: str | None = None
    last_from: Status | None = None
    last_to: Status | None = None


def flip_history(history: Sequence[RunOutcomes]) -> list[CaseFlips]:
    """Every case that a run decided, the one with the most flips first; then the larger share of flips, then the case's name.

    Args:
        history: Runs of one suite, oldest first.
    """
    seen: dict[str, list[tuple[RunOutcomes, Outcome]]] = {}
    for run in history:
        for outcome in run.outcomes:
            if outcome.status.decided:
                seen.setdefault(outcome.case_id, []).append((run, outcome))
    found = [_case(case_id, observed) for case_id, observed in seen.items()]
    return sorted(found, key=lambda case: (-case.flips, case.transitions, case.case_id))


def _case(case_id: str, observed: Sequence[tuple[RunOutcomes, Outcome]]) -> CaseFlips:
    flips = transitions = same_flips = same = 0
    last: tuple[str, Status, Status] | None = None
    for (run_before, before), (run, after) in pairwise(observed):
        if not same_definition(before, after):
            continue
        flipped = before.status is not after.status
        unchanged = run.version is not None and run.version == run_before.version
        transitions += 1
        flips += flipped
        same += unchanged
        same_flips += flipped and unchanged
        if flipped:
            last = (run.run_id, before.status, after.status)
    passed = sum(outcome.status is Status.PASSED for _, outcome in observed)
    return CaseFlips(case_id, flips, transitions, same_flips, same, passed, len(observed), *(last or ()))


def same_definition(before: Outcome, after: Outcome) -> bool:
    """False where both runs recorded the case's definition and it differs."""
    return before.definition is None or after.definition is None or before.definition == after.definition
