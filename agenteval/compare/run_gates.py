"""Gates on this run alone: errors, rates and means, critical cases, repeats, trajectories."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from agenteval._format import count, joined, left_out, rate, score, value
from agenteval._format import evidence as stands_on
from agenteval.compare.evidence import Evidence, beside, beyond, by_cases, exact, told, without_evidence
from agenteval.compare.flakiness import flakiness
from agenteval.compare.measures import repeats
from agenteval.model.facts import Facts, facts_of
from agenteval.model.gates import GateOutcome, GateResult
from agenteval.model.status import Status

CORRECTED = "judged_pass_rate_corrected"
_METRIC_GATES = (
    ("min_pass_rate", "pass_rate"),
    ("max_hallucination_rate", "hallucination_rate"),
    ("min_tool_accuracy", "tool_call_accuracy"),
    ("max_latency_p95_ms", "latency_p95_ms"),
    ("max_break_rate", "break_rate"),
    ("min_faithfulness", "faithfulness_avg"),
    ("min_retrieval_f1", "retrieval_f1_avg"),
    ("min_citation_f1", "citation_f1_avg"),
    ("min_tool_efficiency", "tool_efficiency_avg"),
    ("min_judge_kappa", "judge_kappa"),
    ("min_judged_pass_rate", CORRECTED),
)
_STATUS_GATES = (
    ("fail_on_agent_error", Status.AGENT_ERROR, "cases with an agent error"),
    ("fail_on_evaluator_error", Status.EVALUATOR_ERROR, "cases with an evaluator error"),
    ("fail_on_skipped", Status.SKIPPED, "cases skipped"),
)
_HELD: dict[str, Callable[[Facts], bool]] = {
    "hallucination_rate": lambda facts: facts.hallucinated is not None,
    "tool_call_accuracy": lambda facts: facts.tool_f1 is not None,
}
_HOW = {
    "judge_kappa": "the judge that this run asked was not calibrated, or no answer was judged; see `agenteval calibrate`",
    CORRECTED: "no calibration of this run's judge allows a corrected rate, or no answer was judged; see `agenteval calibrate`",
}
_SLACK = 1e-12


def run_gates(evidence: Evidence) -> list[GateResult]:
    """Every gate that this run alone decides, in the order in which they are shown."""
    limits = evidence.limits
    found: list[GateResult | None] = []
    if evidence.baseline is None:
        found.append(_every_case_passes(evidence))
    found += [_metric(gate, name, evidence) for gate, name in _METRIC_GATES if getattr(limits, gate) is not None]
    for gate, status, what in _STATUS_GATES:
        if getattr(limits, gate):
            found.append(by_cases(gate, evidence.of_status(status), len(evidence.counted), what))
    found.append(_critical(evidence))
    if limits.max_flakiness_rate is not None:
        found.append(_flakiness(evidence, limits.max_flakiness_rate))
    if limits.min_pass_hat_k is not None:
        found.append(_pass_hat_k(evidence, limits.min_pass_hat_k.k, limits.min_pass_hat_k.value))
    if limits.min_trajectory_f1 is not None:
        found.append(_trajectory(evidence, limits.min_trajectory_f1))
    return [result for result in found if result is not None]


def _every_case_passes(evidence: Evidence) -> GateResult:
    """What takes the baseline's place while there is none."""
    if not evidence.decided:
        return told("every_case_passes", GateOutcome.NOT_EVALUATED, "no case was decided")
    return by_cases("every_case_passes", evidence.of_status(Status.FAILED), evidence.decided, "decided cases failed")


def _metric(gate: str, name: str, evidence: Evidence) -> GateResult | None:
    measure = evidence.metrics.get(name)
    limit = getattr(evidence.limits, gate)
    if measure is None or measure.value is None:
        return _unmeasured(gate, name, evidence)
    before = evidence.baseline.head.metrics.get(name) if evidence.baseline else None
    known = before is not None and before.value is not None
    return told(
        gate,
        GateOutcome.FAIL if beyond(measure, limit, lowest=gate.startswith("min_")) else GateOutcome.PASS,
        f"{name} {beside(measure.value, limit, measure.unit)} ({stands_on(measure)})",
        f"limit {value(limit, measure.unit)}",
        f"baseline {value(before.value, before.unit)}" if before is not None and known else "",
        tail=_calibrated(evidence) if name == CORRECTED else "",
        value=measure.value,
        limit=limit,
        baseline=before.value if before is not None else None,
    )


def _calibrated(evidence: Evidence) -> str:
    """By which errors of the judge a rate was corrected; "" where the run does not record them."""
    known = [(word, evidence.metrics.get(f"judge_{word}")) for word in ("sensitivity", "specificity")]
    told = [f"{word} {value(found.value, found.unit)} ({stands_on(found)})" for word, found in known if found is not None]
    return f"corrected by the judge's {' and '.join(told)}" if told else ""


def _unmeasured(gate: str, name: str, evidence: Evidence) -> GateResult | None:
    """A written gate fails without its evidence; a default one applies only where the baseline measured it on these cases."""
    measure = evidence.metrics.get(name)
    reasons = left_out(measure.left_out) if measure is not None else "not recorded"
    why = _HOW.get(name) or f"no case measured {name}{f' ({reasons})' if reasons else ''}"
    if evidence.unscored_by_request:
        return without_evidence(gate, why, GateOutcome.NOT_EVALUATED) if evidence.must_have(gate) else None
    if evidence.must_have(gate):
        return without_evidence(gate, why)
    return without_evidence(gate, f"{why}, the baseline did") if _baseline_measured(name, evidence) else None


def _baseline_measured(name: str, evidence: Evidence) -> bool:
    baseline, pairing = evidence.baseline, evidence.pairing
    if baseline is None or pairing is None:
        return False
    before = baseline.head.metrics.get(name)
    if before is None or not before.n:
        return False
    excused = {outcome.case_id for outcome in pairing.not_selected} | set(evidence.of_status(Status.UNSCORED))
    if not excused:
        return True
    held = _HELD[name]
    rows = (row for row, outcome in enumerate(baseline.outcomes) if outcome.role is None and outcome.case_id not in excused)
    return any(held(facts_of(baseline.cases[row])) for row in rows)


def _critical(evidence: Evidence) -> GateResult | None:
    tags = frozenset(evidence.limits.critical_tags)
    critical = [outcome for outcome in evidence.counted if outcome.critical or tags.intersection(outcome.tags)]
    borne = {tag for outcome in evidence.current.outcomes for tag in outcome.tags}
    unborne = sorted(tags - borne)
    if unborne and not evidence.current.head.selection.partial:
        return without_evidence("critical_tags", f"no case of the suite has the tag {joined(unborne)}")
    if not critical:
        return without_evidence("critical_tags", "no critical case was selected", GateOutcome.NOT_EVALUATED) if tags else None
    failing = [outcome.case_id for outcome in critical if outcome.status not in (Status.PASSED, Status.UNSCORED)]
    return by_cases("critical_tags", failing, len(critical), "critical cases did not pass")


def _flakiness(evidence: Evidence, limit: float) -> GateResult:
    gate = "max_flakiness_rate"
    classes = flakiness(evidence.observations)
    if not classes:
        return without_evidence(gate, "no repeated case; run with --repeat")
    unknown = [found.case_id for found in classes if found.rate is None or found.total < 2]
    if unknown:
        return without_evidence(gate, f"fewer than two attempts decided of {joined(unknown)}; run with --repeat")
    rates = {found.case_id: Fraction(found.total - found.consistent, found.total) for found in classes}
    return _per_case(gate, rates, exact(limit), lowest=False, shown=rate)


def _pass_hat_k(evidence: Evidence, k: int, limit: float) -> GateResult:
    found = repeats(evidence.observations)
    share = found.pass_hat_k.get(k)
    if share is None:
        return without_evidence("min_pass_hat_k", f"no case has {count(k, 'decided attempt')}; run with --repeat {k} or more")
    short = found.short.get(k, 0)
    return told(
        "min_pass_hat_k",
        GateOutcome.PASS if share >= limit - _SLACK else GateOutcome.FAIL,
        f"pass^{k} {rate(share)} over {count(found.cases - short, 'case')}",
        f"limit {rate(limit)}",
        tail=f"{count(short, 'case')} with fewer decided attempts left out" if short else "",
        value=share,
        limit=limit,
    )


def _trajectory(evidence: Evidence, limit: float) -> GateResult:
    scores = {facts.outcome.case_id: Fraction(facts.trajectory_f1) for facts in evidence.facts() if facts.trajectory_f1 is not None}
    if not scores:
        outcome = GateOutcome.NOT_EVALUATED if evidence.unscored_by_request else GateOutcome.FAIL
        return without_evidence("min_trajectory_f1", "no case has a trajectory score", outcome)
    return _per_case("min_trajectory_f1", scores, exact(limit) - Fraction(1, 10**9), lowest=True, shown=score)


def _per_case(gate: str, values: dict[str, Fraction], limit: Fraction, *, lowest: bool, shown: Callable[[float], str]) -> GateResult:
    """Every case must keep the limit; the value is the worst case's."""
    broken = [case_id for case_id, found in values.items() if (found < limit if lowest else found > limit)]
    worst = (min if lowest else max)(values, key=lambda case_id: values[case_id])
    names = joined([f"{case_id} {shown(float(values[case_id]))}" for case_id in broken], 5)
    summary = (
        f"{len(broken):,} of {count(len(values), 'case')}: {names}"
        if broken
        else f"worst of {count(len(values), 'case')} {shown(float(values[worst]))}"
    )
    return told(
        gate,
        GateOutcome.FAIL if broken else GateOutcome.PASS,
        summary,
        f"limit {shown(round(float(limit), 6))}",
        value=float(values[worst]),
        limit=round(float(limit), 6),
        cases=tuple(broken),
    )
