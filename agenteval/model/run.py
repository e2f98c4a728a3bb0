"""A run: the primary attempt of every selected case of one suite, with provenance and the measures made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from agenteval.model.attempt import Attempt
from agenteval.model.gates import Verdict
from agenteval.model.status import Role, RunStatus, Status


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric's value with its denominator.

    Attributes:
        value: None where nothing was measured.
        n: How many cases (calls, turns) the value stands on.
        left_out: Why the others are not in ``n``: ``errors``, ``skipped``, ``unscored``, ``not_applicable``; zeros are left out.
        low, high: 95% interval (Wilson for rates); None where there is none.
        unit: ``rate`` (in [0, 1]), ``ms``, ``usd``, ``tokens`` or ``score`` (in [0, 1], a mean).
        better: ``higher`` or ``lower``.
        estimated: True of a rate that is no count of cases: the true share behind what a judge with known errors counted.
    """

    value: float | None
    n: int
    unit: str
    better: str
    left_out: Mapping[str, int] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class SuiteRef:
    """Which suite a run executed. ``cases`` counts the whole suite; ``hash`` and ``path`` are None where not recorded."""

    name: str
    path: str | None = None
    hash: str | None = None
    cases: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The filter of a run and how many cases it left out. An empty ``filter`` is the whole suite."""

    filter: Mapping[str, Any] = field(default_factory=dict)
    left_out: int = 0

    @property
    def partial(self) -> bool:
        """True where at least one case of the suite was left out."""
        return self.left_out > 0


class Outcome(NamedTuple):
    """One row of a run's table of outcomes: what lists, heatmaps and pairings need without reading the case."""

    case_id: str
    status: Status
    correct: bool | None
    score: float | None
    latency_ms: float | None
    cost_usd: float | None
    tokens: int | None
    tags: tuple[str, ...]
    role: Role | None
    critical: bool
    definition: str | None
    line: str | None


@dataclass(frozen=True, slots=True)
class Repeats:
    """Figures over repeated cases. ``pass_hat_k`` and ``pass_at_k`` map k (1..k) to the mean over cases; None where undefined.

    ``clustered_se`` is the standard error of pass^1 with cases as clusters. ``short`` maps k to the cases left out of its figures
    because fewer than k of their attempts were decided; zeros are left out.
    """

    k: int
    cases: int
    pass_hat_k: Mapping[int, float | None] = field(default_factory=dict)
    pass_at_k: Mapping[int, float | None] = field(default_factory=dict)
    clustered_se: float | None = None
    short: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunHead:
    """What every list of runs shows: the first line of a run file."""

    run_id: str
    agent: str
    suite: SuiteRef
    started_at: str
    status: RunStatus = RunStatus.COMPLETED
    selection: Selection = field(default_factory=Selection)
    duration_s: float | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    metrics: Mapping[str, Measure] = field(default_factory=dict)
    repeats: Repeats | None = None
    gate: Verdict | None = None
    label: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    parent: str | None = None
    resumed: int = 0
    digest: str | None = None
    git: Mapping[str, Any] = field(default_factory=dict)
    """``commit`` and ``dirty`` of the tested project, as in the provenance."""
    legacy: str | None = None
    """Set for files of an older format: what they are, and what they do not record."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run. ``cases`` and ``repetitions`` are read from the file when they are first used.

    Attributes:
        cases: The primary attempts in suite order.
        repetitions: Attempts 1 and on of repeated cases, from the sidecar; empty where there is none.
        left_out: Ids of deselected cases.
        path: Where it was read from, None for a run not yet stored.
    """

    head: RunHead
    provenance: Mapping[str, Any]
    outcomes: tuple[Outcome, ...]
    cases: Sequence[Attempt]
    repetitions: Sequence[Attempt] = ()
    left_out: tuple[str, ...] = ()
    path: Path | None = None

    def case(self, case_id: str) -> Attempt | None:
        """The primary attempt of a case, or None."""
        for row, outcome in enumerate(self.outcomes):
            if outcome.case_id == case_id:
                return self.cases[row]
        return None

    def observations(self) -> dict[str, list[Attempt]]:
        """Every attempt by case id, primary first, for cases with at least two attempts."""
        found: dict[str, list[Attempt]] = {}
        for attempt in self.repetitions:
            found.setdefault(attempt.case_id, []).append(attempt)
        rows = {outcome.case_id: row for row, outcome in enumerate(self.outcomes)}
        return {
            case_id: [self.cases[rows[case_id]], *sorted(rest, key=lambda attempt: attempt.repetition)]
            for case_id, rest in found.items()
            if case_id in rows
        }
