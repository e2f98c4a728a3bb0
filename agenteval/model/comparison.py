"""What changed between two runs of one suite, case by case and metric by metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agenteval.model.gates import Verdict
from agenteval.model.run import Measure, RunHead


@dataclass(frozen=True, slots=True)
class Transition:
    """One case in both runs.

    Attributes:
        before, after: A ``Status`` or ``Standing`` value; None where the case is not in that run.
        kind: ``regressed``, ``improved``, ``errored``, ``recovered``, ``unchanged``, ``changed_definition``, ``new``, ``missing``,
            ``not_selected`` or ``no_verdict``.
        reason: The first failed check's reason now, or the error.
        definition_known: False where one of the files did not record the definition, so the pairing is by id alone.
    """

    case_id: str
    before: str | None
    after: str | None
    kind: str
    reason: str = ""
    critical: bool = False
    tags: tuple[str, ...] = ()
    role: str | None = None
    definition_known: bool = True


@dataclass(frozen=True, slots=True)
class MetricDelta:
    """One metric then and now over the cases that both runs decided.

    Attributes:
        baseline, current: The measures; None where that run did not record the metric (``note`` says so).
        delta: current - baseline in the metric's own unit; None where either is missing.
        low, high: 95% interval of ``delta``, of correctness and pass rate a paired one; None where there is none.
        p, p_adjusted: Two-sided p of the paired test and its Holm adjustment over the gates that require one.
        direction: ``better``, ``worse``, ``within noise``, ``same`` or ``unknown``.
    """

    name: str
    baseline: Measure | None
    current: Measure | None
    delta: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    direction: str = "unknown"
    note: str = ""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The test of a drop in a pass/fail rate over paired cases.

    Attributes:
        method: ``exact McNemar`` or ``sign-flip over cases``.
        n_pairs, regressed, improved: Counts of cases (for sign-flip: cases whose mean fell or rose).
        p: Two-sided p of ``method``; 1.0 where nothing changed; None where there are no pairs.
        mid_p, chi_square, chi_square_p: McNemar's other forms; None for sign-flip.
        bootstrap_low, bootstrap_high: 95% percentile interval of the paired difference.
        newcombe_low, newcombe_high: 95% interval of the paired difference (method 10).
        t_p: Paired t-test over case means, with repeats only.
        minimum_detectable_drop: Smallest drop that this test finds with power 0.8, given ``changed_share``; None where no drop is.
        smallest_possible_drop: Smallest drop that could reach alpha at all on this many pairs; None where none can.
    """

    method: str
    n_pairs: int
    regressed: int
    improved: int
    difference: float | None = None
    p: float | None = None
    mid_p: float | None = None
    chi_square: float | None = None
    chi_square_p: float | None = None
    bootstrap_low: float | None = None
    bootstrap_high: float | None = None
    newcombe_low: float | None = None
    newcombe_high: float | None = None
    t_p: float | None = None
    minimum_detectable_drop: float | None = None
    smallest_possible_drop: float | None = None
    changed_share: float | None = None
    alpha: float = 0.05
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs paired case by case. ``baseline`` is None for a run judged alone."""

    current: RunHead
    baseline: RunHead | None
    metrics: tuple[MetricDelta, ...]
    transitions: tuple[Transition, ...]
    verdict: Verdict
    test: PairedTest | None = None
    matrix: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Counts of cases by status then (outer key) and now (inner key)."""
    notes: tuple[str, ...] = ()

    def of_kind(self, *kinds: str) -> tuple[Transition, ...]:
        """Transitions of these kinds, in suite order."""
        return tuple(transition for transition in self.transitions if transition.kind in kinds)
