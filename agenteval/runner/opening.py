"""Opening a run: a new one, an unfinished one gone on with, or a new one that retries another's errors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agenteval import _time
from agenteval._files import dumps
from agenteval._redact import redact
from agenteval.adapters.loading import Agent
from agenteval.artifacts.codec import head_to_json
from agenteval.artifacts.journal import JournalWriter, is_locked
from agenteval.artifacts.paths import agent_dir, journal_path, new_run_id
from agenteval.artifacts.provenance import GitState
from agenteval.artifacts.writing import line_hash
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.facts import facts_of
from agenteval.model.record import to_record
from agenteval.model.run import Run, RunHead, SuiteRef
from agenteval.model.status import ErrorKind, RunStatus, Status
from agenteval.runner.finding import Unfinished, newest_unfinished, run_named
from agenteval.runner.judges import judge_provenance
from agenteval.runner.keeping import Kept, Key
from agenteval.runner.plan import Plan, make_plan, plan_again
from agenteval.runner.request import Choice, RunRequest
from agenteval.runner.rescoring import StoredAttempts, narrowed


@dataclass(slots=True)
class Opening:
    """A run about to execute: its head so far, what to do, what is already done, and the journal it is written to."""

    head: RunHead
    plan: Plan
    journal: JournalWriter
    folder: Path
    kept: dict[Key, Kept] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def discard_journal(self) -> None:
        """Remove the journal once the run file holds everything."""
        with suppress(OSError):
            self.journal.path.unlink()
        with suppress(OSError):
            self.journal.path.parent.rmdir()


def open_run(request: RunRequest, agent: Agent, git: GitState) -> Opening:
    """The run that was asked for, with its journal open and locked.

    Raises:
        InputError: Nothing to resume or retry, it is still running, or suite or agent changed since.
        HarnessError: The journal can't be written.
    """
    suite = request.suite
    folder = agent_dir(request.runs_dir, request.agent_name)
    if request.resume is not None:
        return _resumed(request, agent, folder)
    parent = request.rescore
    if request.retry_errors is not None:
        parent = run_named(request.runs_dir, request.agent_name, request.retry_errors, flag="--retry-errors")
    moment = _time.now()
    if parent is not None and request.rescore is parent:
        plan = narrowed(plan_again(request, moment.date(), parent.left_out, parent.head.selection), StoredAttempts(parent))
    elif parent is not None:
        _same(parent.head, request, agent, "--retry-errors")
        request = replace(request, choice=_choice_of(parent.head, request.choice))
        plan = plan_again(request, moment.date(), parent.left_out, parent.head.selection)
    else:
        failed, failed_run = last_failed(request)
        plan = make_plan(request, moment.date(), failed, failed_run)
    head = RunHead(
        run_id=new_run_id(moment, git.commit, git.dirty),
        agent=request.agent_name,
        suite=SuiteRef(suite.name, suite.path, suite.hash, len(suite.cases)),
        started_at=_time.iso(moment),
        status=RunStatus.INTERRUPTED,
        selection=plan.selection,
        label=None if request.label is None else redact(request.label),
        meta={redact(key): redact(value) for key, value in request.meta.items()},
        parameters={
            **plan.parameters,
            **(_identity(agent) if request.rescore is None else _identity_of(request.rescore)),
            **({"judge": judge} if _asks_a_judge(plan) and (judge := _judge(request)) else {}),
        },
        parent=parent.head.run_id if parent else None,
        git=git.to_json(),
    )
    journal = JournalWriter.create(journal_path(folder, head.run_id), _journal_head(head, plan.left_out))
    opening = Opening(head, plan, journal, folder)
    if parent is not None and request.rescore is None:
        opening.kept = _copied(journal, (attempt for attempt in _attempts(parent) if _reusable(attempt)))
    return opening


def _resumed(request: RunRequest, agent: Agent, folder: Path) -> Opening:
    found = newest_unfinished(folder, request.resume or "")
    _same(found.head, request, agent, "--resume")
    request = replace(request, choice=_choice_of(found.head, request.choice))
    started = _time.parse(found.head.started_at).date()
    plan = plan_again(request, started, found.left_out, found.head.selection)
    head = replace(found.head, resumed=found.head.resumed + 1, status=RunStatus.INTERRUPTED, gate=None, digest=None, metrics={}, counts={})
    path = journal_path(folder, head.run_id)
    journal, kept = _rebuilt(path, found, head, plan.left_out)
    return Opening(head, plan, journal, folder, kept)


def _rebuilt(path: Path, found: Unfinished, head: RunHead, left_out: tuple[str, ...]) -> tuple[JournalWriter, dict[Key, Kept]]:
    """A journal with a fresh head and the attempts worth keeping; the old one is replaced only when the new one is whole."""
    fresh = path.with_suffix(".resuming")
    with suppress(FileNotFoundError):
        if _locked(fresh):
            raise InputError(Problem(f"run {head.run_id!r} is being resumed by another process", "wait for it", file="--resume"))
        fresh.unlink()
    journal = JournalWriter.create(fresh, _journal_head(head, left_out))
    try:
        kept = _copied(journal, (attempt for attempt in found.attempts() if _finished(attempt)))
        journal.sync()
        fresh.replace(path)
    except BaseException:
        journal.close()
        with suppress(OSError):
            fresh.unlink()
        raise
    journal.path = path
    return journal, kept


def _locked(path: Path) -> bool:
    with path.open("rb") as file:
        return is_locked(file.fileno())


def _copied(journal: JournalWriter, attempts: Iterable[Attempt]) -> dict[Key, Kept]:
    kept: dict[Key, Kept] = {}
    for attempt in attempts:
        line = dumps(to_record(attempt))
        offset, length = journal.append(line)
        kept[attempt.case_id, attempt.repetition] = Kept(offset, length, facts_of(attempt, line_hash(line)))
    return kept


def _finished(attempt: Attempt) -> bool:
    """Whether a resumed run keeps an attempt: executed, and not cut short by the interrupt itself."""
    if attempt.status is Status.SKIPPED:
        return False
    return attempt.error is None or attempt.error.kind != ErrorKind.INTERRUPTED


def _reusable(attempt: Attempt) -> bool:
    """Whether a retry keeps an attempt: anything but an error or a skip."""
    return attempt.status not in (Status.AGENT_ERROR, Status.EVALUATOR_ERROR, Status.SKIPPED)


def _attempts(run: Run) -> Iterator[Attempt]:
    yield from run.cases
    yield from run.repetitions


def _identity(agent: Agent) -> dict[str, Any]:
    """What tells that an agent is the same: its reference and a hash of its options."""
    options = repr(sorted((agent.options or {}).items(), key=lambda item: item[0]))
    return {"adapter": agent.reference, "adapter_options": hashlib.sha256(options.encode()).hexdigest()[:12]}


def _identity_of(parent: Run) -> dict[str, Any]:
    known = {name: value for name, value in parent.head.parameters.items() if name in ("adapter", "adapter_options")}
    return {**known, "rescored": True}  # so that no --resume calls the agent for it


def _judge(request: RunRequest) -> str | None:
    """What tells that a judge is the same; a longer reply or another pace makes no other one."""
    told = judge_provenance(request.judge)
    return None if told is None else f"{redact(told['model'])}, prompts {told['prompt_version']}"


def _asks_a_judge(plan: Plan) -> bool:
    return any(case.asks_a_model or any(check.asks_a_model for turn in case.turns for check in turn.checks) for case in plan.cases)


def _same(head: RunHead, request: RunRequest, agent: Agent, flag: str) -> None:
    suite = request.suite
    if head.suite.hash != suite.hash:
        raise InputError(
            Problem(f"the suite {suite.name!r} changed since run {head.run_id}", "start a new run without this flag", file=flag)
        )
    identity = _identity(agent)
    if any(head.parameters.get(name) != value for name, value in identity.items()):
        was = head.parameters.get("adapter")
        what = f"the agent was {was!r}, not {agent.reference!r}" if was != agent.reference else "the agent's adapter_options changed"
        raise InputError(Problem(f"{what} in run {head.run_id}", "start a new run without this flag", file=flag))
    judge, was = _judge(request), head.parameters.get("judge")
    if was is not None and judge != was:
        what = f"the judge was {was!r}, and now {'none is configured' if judge is None else f'it is {judge!r}'}: run {head.run_id}"
        raise InputError(Problem(what, "name that judge again, or start a new run without this flag", file=flag))


def _choice_of(head: RunHead, asked: Choice) -> Choice:
    """The stored run's own parameters; how fast to go is still today's choice."""
    stored = head.parameters
    return replace(
        asked,
        repeat=stored.get("repeat"),
        repeat_cases=tuple(stored.get("repeat_cases", ())),
        repeat_all=bool(stored.get("repeat_all")),
        timeout_s=stored.get("timeout_s"),
        model=stored.get("model"),
        include_candidates=bool(stored.get("include_candidates")),
        skip_judges=bool(stored.get("skip_judges")),
        no_score=bool(stored.get("no_score")),
        judge_repeat=stored.get("judge_repeat"),
    )


def last_failed(request: RunRequest) -> tuple[tuple[str, ...], str | None]:
    """Cases that did not pass in the latest run of the suite, and that run's id; nothing unless it was asked for."""
    if not request.choice.last_failed:
        return (), None
    run = run_named(request.runs_dir, request.agent_name, "", flag="--last-failed", suite=request.suite.name)
    failed = tuple(outcome.case_id for outcome in run.outcomes if outcome.status is not Status.PASSED and outcome.role is None)
    return failed, run.head.run_id


def _journal_head(head: RunHead, left_out: tuple[str, ...]) -> Mapping[str, Any]:
    return {**head_to_json(head), "left_out": list(left_out)}
