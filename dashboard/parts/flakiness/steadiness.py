"""What the stored runs say about a suite's steadiness, read once and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from agenteval._time import now
from agenteval.artifacts.reading import Sidecar
from agenteval.compare.curves import CurvePoint, pass_curve
from agenteval.compare.flakiness import flakiness
from agenteval.compare.flips import CaseFlips, RunOutcomes, flip_history
from agenteval.compare.quarantine import Quarantined, quarantined
from agenteval.compare.read_numbers import CaseNumbers, case_numbers
from agenteval.compare.together import FlakeGroup, flake_groups
from agenteval.compare.variance import VarianceSplit, judged_variance
from agenteval.errors import AgentEvalError
from agenteval.model.attempt import Attempt
from agenteval.model.flakiness import CaseFlakiness
from agenteval.model.run import Run, RunHead
from agenteval.model.status import Role, Status
from parts import stored
from parts.stored import Fingerprint, fingerprint
from parts.view import View

RUNS = 30
"""Runs of the suite whose flips are counted, the newest ones."""
_RUNS_FOR_CAUSES = 10
"""Of so many of the newest runs the failed attempts are read, for what flaky cases share."""

_Place = tuple[str, Path, Fingerprint, str | None]


@dataclass(frozen=True, slots=True)
class Steadiness:
    """One run's repeats and its suite's history.

    Attributes:
        k: Attempts a case, 0 without repeats.
        cases: Repeated cases in suite order; () without repeats.
        statuses: Status of every attempt by case and repetition.
        numbers: Of the cases whose answers hold numbers.
        hat, at: pass^k and pass@k over the cases that count.
        runs: Runs in the history, oldest first: id and start.
        flips: Every case over these runs, the most restless first.
        groups: Cases that flake together.
        quarantined: Overdue ones first.
        problem: Why the run's repeats can't be read; "" where they can, or where there are none.
        broken: What else can't be read.
        variance: Of the run's judged answers, between attempts and votes; None without repeats or without several votes an answer.
    """

    k: int
    cases: tuple[CaseFlakiness, ...]
    statuses: Mapping[str, Mapping[int, Status]]
    numbers: Mapping[str, CaseNumbers]
    hat: tuple[CurvePoint, ...]
    at: tuple[CurvePoint, ...]
    runs: Mapping[str, str]
    flips: tuple[CaseFlips, ...]
    groups: tuple[FlakeGroup, ...]
    quarantined: tuple[Quarantined, ...]
    problem: str
    broken: tuple[str, ...]
    variance: VarianceSplit | None = None


def steadiness(view: View) -> Steadiness:
    """Everything that the page Flakiness says of the view's run and of the runs of its suite.

    Raises:
        InputError: The run can't be read.
    """
    heads = [item for item in view.runs.values() if item[0].suite.name == view.head.suite.name][-RUNS:]
    sidecar, problem = _sidecar(stored.run_at(view.path))
    places = tuple((head.run_id, path, fingerprint(path), _version(head)) for head, path in heads)
    started = {head.run_id: head.started_at for head, _ in heads}
    identity = (fingerprint(view.path), sidecar.digest if sidecar else None, problem)
    return _studied(view.path, identity, places, now().date().isoformat(), started)


def _sidecar(run: Run) -> tuple[Sidecar | None, str]:
    """The run's repeats, or why they can't be read."""
    try:
        return stored.sidecar_of(run), ""
    except AgentEvalError as error:
        return None, str(error)


def _version(head: RunHead) -> str | None:
    """Equal where the same code and model ran; None where the commit is not known or had edits."""
    commit = head.git.get("commit")
    return None if not commit or head.git.get("dirty") else f"{commit} {head.parameters.get('model')}"


@st.cache_resource(max_entries=12, show_spinner=False)
def _studied(path: Path, identity: object, places: tuple[_Place, ...], today: str, _started: Mapping[str, str]) -> Steadiness:
    from datetime import date

    run = stored.run_at(path)
    sidecar, problem = _sidecar(run)
    observations: dict[str, list[Attempt]] = {}
    if sidecar is not None:
        try:
            observations = run.observations()
        except AgentEvalError as error:
            problem = str(error)
    cases = (sidecar.cases or tuple(flakiness(observations))) if sidecar is not None else ()
    counted = {outcome.case_id for outcome in run.outcomes if outcome.role is None}
    counts = {case.case_id: (case.total, case.passed) for case in cases if case.case_id in counted}
    runs, broken = _read(places)
    history = [RunOutcomes(other.head.run_id, other.outcomes, version) for other, version in runs]
    flips = flip_history(history)
    return Steadiness(
        k=sidecar.k if sidecar is not None else 0,
        cases=cases,
        statuses={case_id: {a.repetition: a.status for a in attempts} for case_id, attempts in observations.items()},
        numbers={case_id: found for case_id, attempts in observations.items() if (found := case_numbers(attempts)) is not None},
        hat=tuple(pass_curve(counts, every=True)),
        at=tuple(pass_curve(counts, every=False)),
        runs={run_id: _started[run_id] for run_id, *_ in places},
        flips=tuple(flips),
        groups=tuple(_groups(run, observations, [other for other, _ in runs], {case.case_id for case in flips if case.flips})),
        quarantined=tuple(quarantined(_with_terms(run), date.fromisoformat(today))),
        problem=problem,
        broken=tuple(broken),
        variance=judged_variance(observations.items()),
    )


def _read(places: Sequence[_Place]) -> tuple[list[tuple[Run, str | None]], list[str]]:
    runs, broken = [], []
    for _, path, _, version in places:
        try:
            runs.append((stored.run_at(path), version))
        except AgentEvalError as error:
            broken.append(str(error))
    return runs, broken


def _groups(run: Run, observations: Mapping[str, Sequence[Attempt]], runs: Sequence[Run], flipped: set[str]) -> list[FlakeGroup]:
    # The chosen run's own attempts are among the repetitions already: they count once.
    history = [[o for o in other.outcomes if other.head.run_id != run.head.run_id or o.case_id not in observations] for other in runs]
    failures: dict[str, list[Attempt]] = {}
    for other in runs[-_RUNS_FOR_CAUSES:]:
        for row, outcome in enumerate(other.outcomes):
            if outcome.case_id in flipped and outcome.status in (Status.FAILED, Status.AGENT_ERROR):
                failures.setdefault(outcome.case_id, []).append(other.cases[row])
    return flake_groups(observations, history, failures)


def _with_terms(run: Run) -> Iterable[Attempt]:
    """The cases that may be in quarantine: by role, and those whose record holds terms (an overdue one has no role any more)."""
    raw = getattr(run.cases, "raw", None)
    if raw is None:
        return [attempt for attempt in run.cases if attempt.quarantine or attempt.role is Role.QUARANTINED]
    # Parsing every record of a large run costs a second; looking for the word costs little.
    rows = [row for row, line in enumerate(raw()) if b'"quarantine' in line]
    return [run.cases[row] for row in rows]
