"""From finished attempts to a stored, judged run: measures, repeats, comparison, run file, sidecar, ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agenteval import _time
from agenteval._files import atomic_write, dumps
from agenteval.adapters.loading import Agent
from agenteval.adapters.prices import price_provenance
from agenteval.adapters.replay import recorded
from agenteval.artifacts.history import append_entry
from agenteval.artifacts.paths import ledger_path, run_path, sidecar_path
from agenteval.artifacts.provenance import GitState, project_provenance
from agenteval.artifacts.reading import load_run
from agenteval.artifacts.writing import write_run, write_sidecar
from agenteval.compare import compare_runs
from agenteval.compare.flakiness import flakiness
from agenteval.compare.measures import measures, repeats
from agenteval.compare.variance import VarianceSplit, judged_variance
from agenteval.evaluators.judging import plugins_used
from agenteval.model.attempt import Attempt
from agenteval.model.comparison import Comparison
from agenteval.model.facts import counts_of
from agenteval.model.flakiness import CaseFlakiness
from agenteval.model.run import Measure, Repeats, Run
from agenteval.model.status import RunStatus, Status
from agenteval.runner.engine import Stop
from agenteval.runner.judge_measures import judge_cost, judge_measures
from agenteval.runner.judges import judge_provenance
from agenteval.runner.keeping import Keeper, Kept, KeptAttempts
from agenteval.runner.limits import reason_text
from agenteval.runner.opening import Opening
from agenteval.runner.plan import Plan, PlannedCase
from agenteval.runner.request import RunRequest


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run as stored, how it stands against the baseline, and how steady its repeated cases are (those that count).

    ``variance`` splits the spread of judged answers between agent and judge, where cases were repeated and answers judged several times.
    ``abandoned`` counts calls that were given up and may still hold a thread of this process. ``warnings`` are for the user.
    """

    run: Run
    comparison: Comparison
    flakiness: tuple[CaseFlakiness, ...] = ()
    abandoned: int = 0
    warnings: tuple[str, ...] = ()
    variance: VarianceSplit | None = None


def finish(
    request: RunRequest, opening: Opening, keeper: Keeper, stop: Stop, agent: Agent, git: GitState, baseline: Run | None
) -> RunResult:
    """Judge and store the run.

    Raises:
        HarnessError: The disk refused; the journal still holds every attempt.
    """
    plan = opening.plan
    status = _status(plan, keeper, stop)
    primary = [keeper.kept.get((planned.case.id, 0)) or _skipped(planned.case.id, planned.shared, keeper, stop) for planned in plan.cases]
    repeated = _repeated(plan, keeper)
    facts = [kept.facts for kept in primary]
    outcomes = tuple(kept.facts.outcome for kept in primary)
    observed = _Observed(keeper, repeated)
    head = replace(
        opening.head,
        status=status,
        duration_s=round((_time.now() - _time.parse(opening.head.started_at)).total_seconds(), 3),
        counts=counts_of(list(outcomes)),
        metrics={**measures(facts), **_judge_measures(request, opening, keeper, primary)},
        repeats=_repeats(observed),
    )
    run = Run(
        head=head,
        provenance=_provenance(request, opening, agent, git),
        outcomes=outcomes,
        cases=KeptAttempts(keeper.journal, primary),
        repetitions=KeptAttempts(keeper.journal, [kept for group in repeated.values() for kept in group[1:]]),
        left_out=plan.left_out,
    )
    comparison = compare_runs(run, baseline, request.limits)
    classes = observed.classes()
    stored, warnings = _stored(request, opening, replace(run, head=replace(head, gate=comparison.verdict)), classes)
    if request.record_to is not None:
        attempts = (attempt for part in (run.cases, run.repetitions) for attempt in part if attempt.status is not Status.SKIPPED)
        atomic_write(request.record_to, (dumps(recorded(attempt)) + b"\n" for attempt in attempts))
    counting = {planned.case.id for planned in plan.cases if planned.role is None}
    steadiness = tuple(case for case in classes if case.case_id in counting)
    variance = judged_variance(observed.cases()) if request.judge is not None and observed.groups else None
    return RunResult(stored, replace(comparison, current=stored.head), steadiness, warnings=tuple(warnings), variance=variance)


def _judge_measures(request: RunRequest, opening: Opening, keeper: Keeper, primary: Sequence[Kept]) -> dict[str, Measure]:
    """What is measured of the judge itself; of the cases alone that ask one, for they are read again."""
    if request.judge is None:
        return {}
    counted = [(planned, kept) for planned, kept in zip(opening.plan.cases, primary, strict=True) if planned.role is None]
    of_cases = [kept for planned, kept in counted if planned.asks_a_model]
    asking = [kept for planned, kept in counted if planned.asks_a_model or _asks_in_turns(planned)]
    return {
        **judge_measures(KeptAttempts(keeper.journal, of_cases), request.judge, opening.folder),
        **judge_cost(KeptAttempts(keeper.journal, asking)),
    }


def _asks_in_turns(planned: PlannedCase) -> bool:
    return any(check.asks_a_model for turn in planned.turns for check in turn.checks)


def _stored(request: RunRequest, opening: Opening, run: Run, classes: Sequence[CaseFlakiness]) -> tuple[Run, list[str]]:
    head = run.head
    path = run_path(opening.folder, head.run_id)
    if head.repeats is not None and isinstance(run.repetitions, KeptAttempts):
        write_sidecar(sidecar_path(opening.folder, head.run_id), head.run_id, head.agent, head.repeats.k, classes, run.repetitions.lines())
    cases = run.cases
    assert isinstance(cases, KeptAttempts)
    digest = write_run(path, head, run.provenance, run.outcomes, run.left_out, cases.lines())
    stored = load_run(path)
    warnings: list[str] = []
    if request.keep_history:
        warnings = append_entry(ledger_path(opening.folder), replace(head, digest=digest), path.name, request.history_limit)
    return stored, warnings


def _status(plan: Plan, keeper: Keeper, stop: Stop) -> RunStatus:
    missing = any((planned.case.id, repetition) not in keeper.kept for planned in plan.cases for repetition in range(planned.repeat))
    if stop.level > 1 or (missing and stop.reason == "interrupt"):
        return RunStatus.INTERRUPTED
    return RunStatus.STOPPED if missing else RunStatus.COMPLETED


def _skipped(case_id: str, shared: dict[str, Any], keeper: Keeper, stop: Stop) -> Kept:
    return keeper.skip(Attempt(case_id=case_id, status=Status.SKIPPED, notes=(reason_text(stop.reason),), **shared))


def _repeated(plan: Plan, keeper: Keeper) -> dict[str, list[Kept]]:
    """Every attempt of the cases that have at least two, primary first, in suite order."""
    found = {}
    for planned in plan.cases:
        if planned.repeat > 1:
            group = [kept for repetition in range(planned.repeat) if (kept := keeper.kept.get((planned.case.id, repetition))) is not None]
            if len(group) > 1 and (planned.case.id, 0) in keeper.kept:
                found[planned.case.id] = group
    return found


class _Observed:
    """Repeated cases, read from the journal one case at a time."""

    def __init__(self, keeper: Keeper, groups: dict[str, list[Kept]]) -> None:
        self._keeper = keeper
        self.groups = groups

    def cases(self) -> Iterator[tuple[str, Sequence[Attempt]]]:
        for case_id, group in self.groups.items():
            yield case_id, list(KeptAttempts(self._keeper.journal, group))

    def classes(self) -> list[CaseFlakiness]:
        return [found for case_id, attempts in self.cases() for found in flakiness({case_id: attempts})]


def _repeats(observed: _Observed) -> Repeats | None:
    return repeats(dict(_light(observed.cases()))) if observed.groups else None


def _light(cases: Iterable[tuple[str, Sequence[Attempt]]]) -> Iterator[tuple[str, Sequence[Attempt]]]:
    """Attempts without their evidence: what pass^k counts is status, role and repetition."""
    for case_id, attempts in cases:
        yield (
            case_id,
            [
                Attempt(
                    case_id=case_id,
                    status=attempt.status,
                    repetition=attempt.repetition,
                    correct=attempt.correct,
                    role=attempt.role,
                    error=attempt.error,
                )
                for attempt in attempts
            ],
        )


def _provenance(request: RunRequest, opening: Opening, agent: Agent, git: GitState) -> dict[str, Any]:
    plan = opening.plan
    return project_provenance(
        request.root,
        git=git,
        suite={"path": plan.suite.path, "hash": plan.suite.hash, "name": plan.suite.name},
        adapter=agent.reference,
        registry={"hash": request.registry_hash} if request.registry_hash else None,
        model=plan.parameters.get("model"),
        parameters={**plan.parameters, "concurrency": plan.concurrency},
        seeds={"rule": "sha256 of case id and repetition"} if "seed" in agent.accepts else {},
        meta=opening.head.meta,
        argv=request.command_line or None,
        extra={
            **({"judge": judge} if (judge := judge_provenance(request.judge, request.choice.judge_repeat)) else {}),
            "prices": price_provenance(request.prices) if request.rescore is None else request.rescore.provenance.get("prices"),
            **({"plugins": plugins} if (plugins := plugins_used(check for case in plan.cases for check in case.compiled.every())) else {}),
        },
    )
