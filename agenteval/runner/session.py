"""A run from beginning to end: plan, execute, judge, keep. Read ``run_suite`` first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from agenteval._collection import collection_of_new_objects_only, collection_paused
from agenteval._imports import import_path_kept
from agenteval.adapters.loading import Agent, load_agent
from agenteval.adapters.prices import price_list
from agenteval.artifacts.provenance import GitProbe
from agenteval.artifacts.reading import load_run
from agenteval.model.run import Run
from agenteval.runner.attempt import attempt_dialogue
from agenteval.runner.dialogue import Dialogue, Progress, Settings
from agenteval.runner.engine import Stop, run_units
from agenteval.runner.events import Finished, Observer, Started
from agenteval.runner.finish import RunResult, finish
from agenteval.runner.interrupts import interruptible
from agenteval.runner.judges import make_judge
from agenteval.runner.keeping import Keeper
from agenteval.runner.limits import limits
from agenteval.runner.opening import Opening, open_run
from agenteval.runner.plan import Plan, PlannedCase, model_of
from agenteval.runner.request import RunRequest
from agenteval.runner.rescoring import StoredAttempts, rescored, stored_agent


def run_suite(request: RunRequest, observer: Observer | None = None) -> RunResult:
    """Execute a suite, store the run, and judge it.

    Everything the user wrote is checked before the first call; what finished is on disk when it finished.

    Raises:
        InputError: A mistake in suite, configuration or flags; nothing was called.
        HarnessError: The evidence could not be kept; what was written before is.
    """
    probe = GitProbe(request.root)
    if request.rescore is not None:
        agent = stored_agent(request.rescore)
    else:
        agent = load_agent(request.agent, request.adapter_options, where=request.where, repo_path=request.repo_path)
    baseline = load_run(request.baseline) if request.baseline is not None and request.baseline.exists() else None
    git = probe.finish()
    with collection_paused():
        opening = open_run(request, agent, git)
    plan = opening.plan
    stop = Stop()
    with interruptible(stop), opening.journal:
        keeper = Keeper(opening.journal, plan.attempts, observer=observer, on_attempt=limits(request.choice, stop))
        for key, kept in opening.kept.items():
            keeper.remember(key, kept)
        if observer is not None:
            observer(
                Started(opening.head.run_id, request.suite.name, request.agent_name, len(plan.cases), plan.attempts, len(opening.kept))
            )
        settings = _settings(request, opening, agent)
        try:
            with import_path_kept(), collection_of_new_objects_only():
                abandoned = run_units(
                    _units(plan, keeper, settings, request.rescore),
                    concurrency=plan.concurrency,
                    is_async=agent.is_async,
                    settle=keeper.settle,
                    stop=stop,
                )
        finally:
            _closed(agent)
        if settings.judge is not None:
            settings.judge.client.close()
        with collection_paused():
            result = finish(request, opening, keeper, stop, agent, git, baseline)
    opening.discard_journal()
    if observer is not None:
        observer(Finished(result.run.head, str(result.run.path)))
    return replace(result, abandoned=abandoned, warnings=(*opening.warnings, *result.warnings))


def _closed(agent: Agent) -> None:
    if agent.close is not None:
        with suppress(Exception):  # every attempt is stored; how the agent goes home changes none
            agent.close()


@dataclass(frozen=True, slots=True)
class _PlannedAttempt:
    planned: PlannedCase
    repetition: int
    settings: Settings
    stored: StoredAttempts | None = None

    @property
    def case_id(self) -> str:
        return self.planned.case.id

    def begin(self, progress: Progress) -> Dialogue:
        if self.stored is not None:
            return rescored(self.planned, self.stored.get(self.case_id, self.repetition), self.settings, progress)
        return attempt_dialogue(self.planned, self.repetition, self.settings, progress)


def _units(plan: Plan, keeper: Keeper, settings: Settings, parent: Run | None) -> list[_PlannedAttempt]:
    """What is left to execute: first every case once, then the repeats."""
    stored = None if parent is None else StoredAttempts(parent)
    rounds = max((planned.repeat for planned in plan.cases), default=0)
    return [
        _PlannedAttempt(planned, repetition, settings, stored)
        for repetition in range(rounds)
        for planned in plan.cases
        if repetition < planned.repeat and (planned.case.id, repetition) not in keeper.kept
    ]


def _settings(request: RunRequest, opening: Opening, agent: Agent) -> Settings:
    choice = request.choice
    return Settings(
        agent=agent,
        prices=price_list(request.prices),
        run_id=opening.head.run_id,
        model=model_of(request),
        skip_judges=choice.skip_judges,
        no_score=choice.no_score,
        judge=make_judge(request.judge, request.runs_dir, choice.judge_repeat),
    )
