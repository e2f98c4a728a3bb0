"""The limits a run must keep, and what became of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class PassHatK:
    """At least ``value`` (in [0, 1]) of pass^k."""

    k: int
    value: float


@dataclass(frozen=True, slots=True)
class GateLimits:
    """Every gate key with its default; None is off.

    ``written`` names the keys that someone wrote (YAML or command line): a written gate fails without its evidence, a default one
    applies where its metric has n > 0 now or in the baseline.
    """

    max_correctness_drop: float | None = 0.05
    max_hallucination_rate: float | None = 0.10
    min_tool_accuracy: float | None = 0.90
    fail_on_agent_error: bool = True
    fail_on_evaluator_error: bool = True
    fail_on_skipped: bool = True
    fail_on_missing: bool = True
    max_cost_increase_pct: float | None = None
    max_token_increase_pct: float | None = None
    max_latency_p95_ms: float | None = None
    max_flakiness_rate: float | None = None
    min_trajectory_f1: float | None = None
    require_statistical_significance: bool = False
    significance_alpha: float = 0.05
    max_unproven_drop: float = 0.10
    max_pass_rate_drop: float | None = None
    min_pass_rate: float | None = None
    min_pass_hat_k: PassHatK | None = None
    non_inferiority_margin: float | None = None
    critical_tags: tuple[str, ...] = ()
    max_break_rate: float | None = None
    min_faithfulness: float | None = None
    min_retrieval_f1: float | None = None
    min_citation_f1: float | None = None
    min_tool_efficiency: float | None = None
    min_judge_kappa: float | None = None
    min_judged_pass_rate: float | None = None
    written: frozenset[str] = frozenset()


NUMERIC_GATES = frozenset(
    {
        *("max_correctness_drop", "max_hallucination_rate", "min_tool_accuracy", "max_cost_increase_pct", "max_token_increase_pct"),
        *("max_latency_p95_ms", "max_flakiness_rate", "min_trajectory_f1", "max_pass_rate_drop", "min_pass_rate", "max_break_rate"),
        *("non_inferiority_margin", "min_faithfulness", "min_retrieval_f1", "min_citation_f1", "min_tool_efficiency", "min_judge_kappa"),
        "min_judged_pass_rate",
    }
)
"""Gates whose result holds the limit as it was written."""


class GateOutcome(StrEnum):
    """What became of one gate. INCONCLUSIVE counts as not passed; NOT_EVALUATED has no say and says why."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    NOT_EVALUATED = "not_evaluated"


class GateResult(NamedTuple):
    """One gate's outcome; ``message`` is ``gate: case or metric, value, limit, baseline`` in words.

    ``value``, ``limit`` and ``baseline`` are in the metric's own unit; ``p`` is the adjusted p-value where the gate tests.
    """

    gate: str
    outcome: GateOutcome
    message: str
    value: float | None = None
    limit: float | None = None
    baseline: float | None = None
    p: float | None = None
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Pass, fail or inconclusive (``not_evaluated``: nothing could be decided), with the sentence a colleague would say."""

    outcome: GateOutcome
    sentence: str
    gates: Sequence[GateResult] = ()
    baseline: str | None = None
    """Run id of the baseline; None where there is none."""
    details: Mapping[str, float | int | str | None] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """True for PASS alone."""
        return self.outcome is GateOutcome.PASS
