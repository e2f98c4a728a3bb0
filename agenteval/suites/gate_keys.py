"""Every key of ``gates``, for ``agents.yaml`` and whoever else reads limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from agenteval.model.gates import GateLimits, PassHatK
from agenteval.suites.rules import Range, Word

Rate = Annotated[float, Range(ge=0, le=1)]
Positive = Annotated[float, Range(ge=0)]


@dataclass(frozen=True)
class PassHatKKeys:
    """At least ``value`` of pass^k.

    Attributes:
        k: How many executions of a case must all pass.
        value: Smallest mean over the repeated cases, in [0, 1].
    """

    k: Annotated[int, Range(ge=1)]
    value: Rate


@dataclass(frozen=True)
class GateKeys:
    """Limits that a run must keep; null switches a limit off. Names and defaults are those of ``GateLimits``.

    Attributes:
        max_correctness_drop: Largest drop of correctness against the baseline, in [0, 1].
        max_hallucination_rate: Largest share of cases with an unsupported figure.
        min_tool_accuracy: Smallest tool-call accuracy.
        fail_on_agent_error: Whether an agent's error fails the gate.
        fail_on_evaluator_error: Whether an evaluator's error fails the gate.
        fail_on_skipped: Whether a skipped case fails the gate.
        fail_on_missing: Whether a case of the baseline that is gone fails the gate.
        max_cost_increase_pct: Largest increase of cost against the baseline, in percent.
        max_token_increase_pct: Largest increase of tokens against the baseline, in percent.
        max_latency_p95_ms: Largest 95th percentile of latency, in milliseconds.
        max_flakiness_rate: Largest flakiness (1 - consistency) of any repeated case.
        min_trajectory_f1: Smallest trajectory F1 of any case that declares one.
        require_statistical_significance: Whether a drop fails only where it is significant.
        significance_alpha: Largest p-value that counts as significant.
        max_unproven_drop: Largest drop that passes although it is not significant.
        max_pass_rate_drop: Largest drop of the pass rate against the baseline, in [0, 1].
        min_pass_rate: Smallest share of passed cases.
        min_pass_hat_k: Smallest pass^k over the repeated cases.
        non_inferiority_margin: Largest drop that the interval of the correctness difference may reach.
        critical_tags: Any failure among cases with one of these tags fails the gate.
        max_break_rate: Largest share of adversarial cases that fail.
        min_faithfulness: Smallest mean faithfulness.
        min_retrieval_f1: Smallest mean retrieval F1.
        min_citation_f1: Smallest mean citation F1.
        min_tool_efficiency: Smallest mean tool efficiency.
        min_judge_kappa: Smallest kappa of the judge against people.
        min_judged_pass_rate: Smallest share of answers that a judge passes, corrected by its calibration.
    """

    max_correctness_drop: Rate | None = 0.05
    max_hallucination_rate: Rate | None = 0.10
    min_tool_accuracy: Rate | None = 0.90
    fail_on_agent_error: bool = True
    fail_on_evaluator_error: bool = True
    fail_on_skipped: bool = True
    fail_on_missing: bool = True
    max_cost_increase_pct: Positive | None = None
    max_token_increase_pct: Positive | None = None
    max_latency_p95_ms: Positive | None = None
    max_flakiness_rate: Rate | None = None
    min_trajectory_f1: Rate | None = None
    require_statistical_significance: bool = False
    significance_alpha: Rate = 0.05
    max_unproven_drop: Rate = 0.10
    max_pass_rate_drop: Rate | None = None
    min_pass_rate: Rate | None = None
    min_pass_hat_k: PassHatKKeys | None = None
    non_inferiority_margin: Rate | None = None
    critical_tags: list[Word] = field(default_factory=list)
    max_break_rate: Rate | None = None
    min_faithfulness: Rate | None = None
    min_retrieval_f1: Rate | None = None
    min_citation_f1: Rate | None = None
    min_tool_efficiency: Rate | None = None
    min_judge_kappa: Annotated[float, Range(ge=-1, le=1)] | None = None
    min_judged_pass_rate: Rate | None = None


def limits_from(values: Mapping[str, Any]) -> GateLimits:
    """The limits with these checked values; all of them that are not null count as written."""
    made = dict(values)
    if isinstance(made.get("min_pass_hat_k"), PassHatKKeys):
        made["min_pass_hat_k"] = PassHatK(made["min_pass_hat_k"].k, made["min_pass_hat_k"].value)
    if "critical_tags" in made:
        made["critical_tags"] = tuple(made["critical_tags"])
    return GateLimits(**made, written=frozenset(key for key, value in values.items() if value is not None))
