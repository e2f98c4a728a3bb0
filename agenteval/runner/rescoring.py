"""Stored evidence judged again by today's checks; no agent is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agenteval.adapters.loading import Agent
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.run import Run
from agenteval.model.status import ErrorKind, Status
from agenteval.runner.configure import stored_request
from agenteval.runner.conversation import as_said, spoken
from agenteval.runner.dialogue import Dialogue, Progress, Settings
from agenteval.runner.final_state import KEY
from agenteval.runner.plan import Plan, PlannedCase
from agenteval.runner.request import Choice, RunRequest
from agenteval.runner.scoring import judged_case, judged_turn, shared_fields
from agenteval.runner.workspace import open_workspace

_OF_THE_CASE = frozenset(
    (
        *("case_id", "status", "correct", "scores", "turns", "prompt", "expects", "evaluators", "expect_pass", "tags", "role"),
        *("critical", "definition", "source", "parent_id", "mutation_type", "quarantine", "metadata"),
    )
)
"""Fields that today's case and today's checks decide; everything else is evidence and stays as it was."""


@dataclass(frozen=True, slots=True)
class Rescore:
    """Which run to judge again, as typed. ``cwd`` is absolute; ``suite`` replaces the file that the run names."""

    cwd: Path
    run: str
    agent: str | None = None
    suite: str | None = None
    registry: str | None = None
    runs_dir: str | None = None
    baseline: str | None = None
    choice: Choice = field(default_factory=Choice)
    label: str | None = None
    meta: Mapping[str, str] | None = None
    command_line: tuple[str, ...] = ()
    keep_history: bool = True


def rescore_request(wanted: Rescore) -> RunRequest:
    """The run that judges a stored one again.

    Raises:
        InputError: The run or its suite can't be found or read, or none of its cases is in the suite.
    """
    workspace = open_workspace(wanted.cwd, registry=wanted.registry, runs_dirs=[] if wanted.runs_dir is None else [wanted.runs_dir])
    parent = workspace.run(wanted.run, wanted.agent)
    if parent.head.legacy is not None and not any(map(_told, parent.cases)):
        raise InputError(Problem(f"run {parent.head.run_id} holds no evidence to judge", "name another run", file="RUN"))
    path, shown = _suite(wanted, parent, workspace.root)
    return stored_request(
        workspace,
        parent,
        path,
        shown,
        choice=replace(wanted.choice, model=parent.head.parameters.get("model"), include_candidates=True),
        runs_dir=None if wanted.runs_dir is None else wanted.cwd / wanted.runs_dir,
        label=wanted.label,
        meta=wanted.meta or {},
        command_line=wanted.command_line,
        keep_history=wanted.keep_history,
    )


def _told(attempt: Attempt) -> bool:
    """Whether an attempt of an older file says what the agent did; its baselines keep verdicts alone."""
    return bool(attempt.output or attempt.tool_calls or attempt.turns or attempt.error is not None)


def _suite(wanted: Rescore, parent: Run, root: Path) -> tuple[Path, str]:
    if wanted.suite is not None:
        return wanted.cwd / wanted.suite, wanted.suite
    named = parent.head.suite.path
    path = None if named is None else root / named
    if path is None or not path.is_file():
        what = f"the suite of run {parent.head.run_id} is not recorded" if named is None else f"the run's suite {named!r} is not there"
        raise InputError(Problem(what, "name it with --cases FILE", file="RUN"))
    return path, str(named)


def stored_agent(parent: Run) -> Agent:
    """Stands for the agent of a stored run: its name and its claims; it can't be called."""

    def never(prompt: str) -> str:
        raise AssertionError("a stored run is judged without calling its agent")

    return Agent(
        never, False, frozenset(), str(parent.head.parameters.get("adapter") or parent.provenance.get("adapter") or ""), recorded=True
    )


class StoredAttempts:
    """The attempts of a stored run by case id and repetition, read when they are asked for."""

    def __init__(self, parent: Run) -> None:
        self._parent = parent
        self._places = {outcome.case_id: place for place, outcome in enumerate(parent.outcomes)}
        self._further = {(attempt.case_id, attempt.repetition): place for place, attempt in enumerate(parent.repetitions)}

    def __contains__(self, case_id: object) -> bool:
        return case_id in self._places

    def count(self, case_id: str) -> int:
        """How many attempts there are of a case, numbered from 0 without a gap."""
        number = 1
        while (case_id, number) in self._further:
            number += 1
        return number

    def get(self, case_id: str, repetition: int) -> Attempt:
        """One attempt."""
        if repetition == 0:
            return self._parent.cases[self._places[case_id]]
        return self._parent.repetitions[self._further[case_id, repetition]]


def narrowed(plan: Plan, stored: StoredAttempts) -> Plan:
    """The plan for the cases and attempts that the stored run holds.

    Raises:
        InputError: It holds none of them.
    """
    cases = tuple(replace(planned, repeat=stored.count(planned.case.id)) for planned in plan.cases if planned.case.id in stored)
    if not cases:
        raise InputError(Problem("the run holds no case of this suite", "name the suite it was made with: --cases FILE", file="RUN"))
    held = {planned.case.id for planned in cases}
    left_out = tuple(dict.fromkeys([*plan.left_out, *(planned.case.id for planned in plan.cases if planned.case.id not in held)]))
    return replace(plan, cases=cases, left_out=left_out, selection=replace(plan.selection, left_out=len(left_out)))


def rescored(planned: PlannedCase, stored: Attempt, settings: Settings, progress: Progress) -> Dialogue:
    """An attempt with its stored evidence and today's verdict. What was never executed or failed stays what it was."""
    fields: dict[str, Any] = {name: getattr(stored, name) for name in Attempt.__dataclass_fields__ if name not in _OF_THE_CASE}
    fields.update(shared_fields(planned, stored.repetition))
    if stored.status is Status.SKIPPED:
        return Attempt(planned.case.id, Status.SKIPPED, **fields)
    if fields.pop("error", None) is not None and stored.status is Status.AGENT_ERROR:
        return Attempt(planned.case.id, Status.AGENT_ERROR, error=stored.error, turns=stored.turns, **fields)
    if (incomplete := _incomplete(planned, stored)) is not None:
        return Attempt(planned.case.id, Status.EVALUATOR_ERROR, error=incomplete, turns=stored.turns, **fields)
    if stored.turns:
        fields["turns"] = yield from _turns(planned, stored, settings)
        planned = as_said(planned, fields["turns"])
    return (yield from judged_case(planned, fields, settings, progress))


def _incomplete(planned: PlannedCase, stored: Attempt) -> Failure | None:
    """Why today's checks can't be made on the stored evidence; a script that was changed since is no reason."""
    ended = stored.raw.get("conversation")
    if planned.user is not None and isinstance(ended, Mapping) and ended.get("stopped") == "pattern_error" and stored.error is not None:
        return stored.error
    if len(planned.turns) != len(stored.turns) if planned.user is None else not stored.turns:
        has = "a user who follows a script" if planned.user is not None else f"{len(planned.turns)}"
        what = f"the stored conversation has {len(stored.turns)} turns, the case {has}: execute it again"
        return Failure(ErrorKind.EXCEPTION, "ChangedTurns", what)
    if planned.final_state is not None and KEY not in stored.raw:
        told = stored.error.message if stored.error is not None else "the stored attempt holds no final state"
        return Failure(ErrorKind.EXCEPTION, "NoFinalState", f"{told}: execute it again")
    return None


def _turns(planned: PlannedCase, stored: Attempt, settings: Settings) -> Any:
    turns: list[Attempt] = []
    history: list[tuple[str, str]] = []
    said = planned.turns if planned.user is None else [spoken(turn.prompt, safe=True) for turn in stored.turns]
    for number, (turn, kept) in enumerate(zip(said, stored.turns, strict=True)):
        fields = {name: getattr(kept, name) for name in Attempt.__dataclass_fields__ if name not in _OF_THE_CASE}
        if fields["error"] is None:
            del fields["error"]
        judged = yield from judged_turn(planned, turn, number, fields, kept.started_at or "", settings, tuple(history))
        turns.append(judged)
        history.append((turn.prompt, judged.output))
    return tuple(turns)


def not_applicable(run: Run) -> dict[str, int]:
    """How many attempts lack the evidence for a check, by its name."""
    found: Counter[str] = Counter()
    for part in (run.cases, run.repetitions):
        for attempt in part:
            for score in (*attempt.scores, *(score for turn in attempt.turns for score in turn.scores)):
                found[score.name] += not score.applicable
    return {name: number for name, number in sorted(found.items()) if number}
