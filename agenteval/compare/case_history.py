"""Every case over many runs: which began to fail, when, and which only fail now and then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import comb

from agenteval.model.run import Outcome
from agenteval.model.status import Role, Status

_NOT_RUN = (Status.SKIPPED, Status.UNSCORED)
_LASTING_RUNS = 2
_PASSED_BEFORE = 3
_LUCK = 0.05


class Standing(IntEnum):
    """How a case stands at the end of the runs, the most urgent first.

    BEGAN: passed for a while and has failed ever since, for two runs or more. FAILS: failed in the newest run otherwise. NEVER: passed in
    none of the runs. MENDED: failed before, passes now. PASSES: passed whenever it ran.
    """

    BEGAN = 0
    FAILS = 1
    NEVER = 2
    MENDED = 3
    PASSES = 4


@dataclass(frozen=True, slots=True)
class CaseHistory:
    """One case over runs.

    Attributes:
        statuses: One a run, oldest first; None where the run has no such case.
        role: As in its newest run; None for a case that counts.
        since: Place of the run with which its last unbroken row of failures begins, None where it passes now (or never ran).
        failing: Runs of that row in which it was executed.
        passed_before: Runs that it passed in a row just before.
        redefined: Its definition changed between its last pass and that row.
    """

    case_id: str
    statuses: tuple[Status | None, ...]
    role: Role | None
    standing: Standing
    since: int | None = None
    failing: int = 0
    passed_before: int = 0
    redefined: bool = False

    @property
    def failures(self) -> int:
        """Runs that it did not pass, though executed."""
        return sum(status is not None and status not in _NOT_RUN and status is not Status.PASSED for status in self.statuses)


def case_histories(runs: Sequence[Sequence[Outcome]], tag: str | None = None) -> list[CaseHistory]:
    """The histories of all cases over runs (oldest first), the one to look at first on top.

    Cases that count come before others, then by standing; those that began to fail by how lately they did, then by how often they had
    passed; the others by their failures, then by id. Failed is everything executed that did not pass, errors too.

    A case began to fail if its last two or more executed runs failed and at least three before them passed, and if all its failures lying
    behind so many passes is no luck: ``C(before, passes) / C(all, passes) <= .05``, Fisher's exact probability of passes before and none
    after. So a case that fails in every other run never counts, however its last runs fell.

    Args:
        tag: Only cases that carry it.
    """
    rows: dict[str, list[Outcome | None]] = {}
    for place, outcomes in enumerate(runs):
        for outcome in outcomes:
            if tag is None or tag in outcome.tags:
                row = rows.get(outcome.case_id)
                if row is None:
                    row = rows[outcome.case_id] = [None] * len(runs)
                row[place] = outcome
    return sorted((_history(case_id, row) for case_id, row in rows.items()), key=_rank)


def _history(case_id: str, row: Sequence[Outcome | None]) -> CaseHistory:
    ran = [(place, outcome) for place, outcome in enumerate(row) if outcome is not None and outcome.status not in _NOT_RUN]
    statuses = tuple(None if outcome is None else outcome.status for outcome in row)
    newest = next(outcome for outcome in reversed(row) if outcome is not None)
    passes = [outcome.status is Status.PASSED for _, outcome in ran]
    failing = _ending(passes, False)
    if not failing:
        return CaseHistory(case_id, statuses, newest.role, Standing.PASSES if all(passes) else Standing.MENDED)
    before = passes[: len(passes) - failing]
    since, first = ran[len(before)]
    if not any(before):
        return CaseHistory(case_id, statuses, newest.role, Standing.NEVER, since, failing)
    _, last = ran[len(before) - 1]
    passed = _ending(before, True)
    began = (
        failing >= _LASTING_RUNS and passed >= _PASSED_BEFORE and comb(len(before), sum(before)) <= _LUCK * comb(len(passes), sum(before))
    )
    standing = Standing.BEGAN if began else Standing.FAILS
    return CaseHistory(case_id, statuses, newest.role, standing, since, failing, passed, first.definition != last.definition)


def _ending(passes: Sequence[bool], wanted: bool) -> int:
    """How many of the last are all ``wanted``."""
    length = 0
    for passed in reversed(passes):
        if passed is not wanted:
            break
        length += 1
    return length


def _rank(case: CaseHistory) -> tuple[bool, int, int, int, str]:
    lately = -(case.since or 0) if case.standing is Standing.BEGAN else 0
    troubled = -case.passed_before if case.standing is Standing.BEGAN else -case.failures
    return case.role is not None, case.standing, lately, troubled, case.case_id
