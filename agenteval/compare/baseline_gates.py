"""Gates against the baseline: drops of rates, non-inferiority, increases of cost and tokens, missing cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from agenteval._format import count, p_value, percent_change, points, rate, tokens, usd
from agenteval.compare.drops import RateChange, interval_of
from agenteval.compare.evidence import Evidence, by_cases, exact, told, without_evidence
from agenteval.compare.multiplicity import holm
from agenteval.model.gates import GateOutcome, GateResult
from agenteval.model.run import Outcome

DROPS = {"max_correctness_drop": "correctness_rate", "max_pass_rate_drop": "pass_rate"}
"""Gates on a drop, and the rate that each limits."""

_INCREASES = ("max_cost_increase_pct", "max_token_increase_pct")


def baseline_gates(evidence: Evidence) -> list[GateResult]:
    """Every gate that looks at the baseline; each ``not evaluated`` where there is none."""
    limits = evidence.limits
    named = [gate for gate in (*DROPS, "non_inferiority_margin", *_INCREASES) if getattr(limits, gate) is not None]
    named += ["fail_on_missing"] if limits.fail_on_missing else []
    if evidence.baseline is None:
        return [told(gate, GateOutcome.NOT_EVALUATED, "not evaluated", "no baseline") for gate in named]
    adjusted = adjusted_p(evidence)
    return [result for gate in named if (result := _judge(gate, evidence, adjusted)) is not None]


def adjusted_p(evidence: Evidence) -> dict[str, float]:
    """Holm-adjusted p by gate, over the gates that require a test and nothing else; empty where significance is not required."""
    if not evidence.limits.require_statistical_significance:
        return {}
    tests = {gate: evidence.changes[name].test.p for gate, name in DROPS.items() if getattr(evidence.limits, gate) is not None}
    known = {gate: p for gate, p in tests.items() if p is not None}
    return dict(zip(known, holm(list(known.values())), strict=True))


def _judge(gate: str, evidence: Evidence, adjusted: Mapping[str, float]) -> GateResult | None:
    if gate in DROPS:
        return _drop(gate, evidence, adjusted.get(gate))
    if gate == "non_inferiority_margin":
        return _non_inferiority(evidence)
    if gate == "fail_on_missing":
        assert evidence.pairing is not None
        missing = [outcome.case_id for outcome in evidence.pairing.missing]
        return by_cases(gate, missing, len(missing) + len(evidence.pairing.pairs), "cases of the baseline missing")
    return _increase(gate, evidence)


def _drop(gate: str, evidence: Evidence, p: float | None) -> GateResult | None:
    change = evidence.changes[DROPS[gate]]
    limit = getattr(evidence.limits, gate)
    unrecorded = _not_recorded(change.name, evidence)
    if unrecorded:
        return without_evidence(gate, f"{unrecorded} does not record {change.name}")
    if change.drop is None or change.now is None or change.then is None:
        return _undecided_drop(gate, evidence)
    outcome, tail = _drop_outcome(change, exact(limit), evidence, p)
    return told(
        gate,
        outcome,
        f"{change.name} {rate(float(change.now))}",
        f"{points(-float(change.drop))} over {count(len(change.cases), 'case')}",
        f"limit {points(-limit)}",
        f"baseline {rate(float(change.then))}",
        tail=tail,
        value=float(change.drop),
        limit=limit,
        baseline=float(change.then),
        p=p,
        cases=change.fell,
    )


def _not_recorded(name: str, evidence: Evidence) -> str | None:
    """The older file of the two, by run id, that has no such rate; its statuses mean something else."""
    heads = [run.head for run in (evidence.current, evidence.baseline) if run is not None and run.head.legacy]
    return next((head.run_id for head in heads if name not in head.metrics), None)


def _undecided_drop(gate: str, evidence: Evidence) -> GateResult | None:
    why = "no case was decided in both runs"
    if not evidence.decided and (evidence.unscored_by_request or not evidence.must_have(gate)):
        return without_evidence(gate, why, GateOutcome.NOT_EVALUATED)
    return without_evidence(gate, why, GateOutcome.FAIL if evidence.must_have(gate) else GateOutcome.INCONCLUSIVE)


def _drop_outcome(change: RateChange, limit: Fraction, evidence: Evidence, p: float | None) -> tuple[GateOutcome, str]:
    assert change.drop is not None
    limits, test = evidence.limits, change.test
    if change.drop <= limit:
        return GateOutcome.PASS, could_have_shown(change)
    tested = f"{p_value(test.p if p is None else p)} ({test.method}{', Holm-adjusted' if p is not None and p != test.p else ''})"
    if not limits.require_statistical_significance:
        return GateOutcome.FAIL, tested
    if p is None:
        return GateOutcome.INCONCLUSIVE, "no pair of equal definition to test"
    if (p <= limits.significance_alpha and test.regressed > test.improved) or _fell_for_sure(change, p, limits.significance_alpha):
        return GateOutcome.FAIL, tested
    if change.drop <= exact(limits.max_unproven_drop):
        return GateOutcome.PASS, f"within noise: {tested}"
    return GateOutcome.INCONCLUSIVE, f"{tested}, and beyond max_unproven_drop {rate(limits.max_unproven_drop)}"


def _fell_for_sure(change: RateChange, p: float, alpha: float) -> bool:
    """Significant, and the tested pairs themselves fell (edited cases can pull the rate the other way)."""
    return p <= alpha and change.test.difference is not None and change.test.difference < 0


def could_have_shown(change: RateChange) -> str:
    """What this suite could have shown: the smallest drop found four times in five."""
    smallest = change.test.minimum_detectable_drop
    if smallest is not None:
        return f"the smallest drop this suite would have shown is {points(smallest).lstrip('+')}"
    if change.test.smallest_possible_drop is not None:
        return f"no drop below {points(change.test.smallest_possible_drop).lstrip('+')} can be shown by this suite"
    return f"{count(change.test.n_pairs, 'paired case')} can show no drop, however large"


def _non_inferiority(evidence: Evidence) -> GateResult:
    gate, change = "non_inferiority_margin", evidence.changes["correctness_rate"]
    margin = evidence.limits.non_inferiority_margin
    interval = interval_of(change)
    if margin is None or interval is None or change.test.difference is None:
        outcome = GateOutcome.NOT_EVALUATED if evidence.unscored_by_request else GateOutcome.FAIL
        return without_evidence(gate, "no pair of equal definition was decided in both runs", outcome)
    low = interval[0]
    return told(
        gate,
        GateOutcome.PASS if low > -margin else GateOutcome.FAIL,
        f"correctness_rate {points(change.test.difference)}, at worst {points(low)} (95%)",
        f"limit {points(-margin)}",
        value=low,
        limit=-margin,
        baseline=None if change.then is None else float(change.then),
    )


@dataclass(frozen=True, slots=True)
class _Total:
    """What an increase is judged by: how to read it from an outcome, its metric and its words."""

    metric: str
    read: Callable[[Outcome], float | None]
    shown: Callable[[float | None], str]
    missing: str


_TOTALS = {
    "max_cost_increase_pct": _Total("total_cost_usd", lambda outcome: outcome.cost_usd, usd, "unpriced"),
    "max_token_increase_pct": _Total("total_tokens", lambda outcome: outcome.tokens, tokens, "without token counts"),
}


def _increase(gate: str, evidence: Evidence) -> GateResult:
    total = _TOTALS[gate]
    assert evidence.pairing is not None
    both = [(total.read(pair.then), total.read(pair.now)) for pair in evidence.pairing.decided]
    known = [(then, now) for then, now in both if then is not None and now is not None]
    if not known:
        outcome = GateOutcome.NOT_EVALUATED if evidence.unscored_by_request else GateOutcome.FAIL
        return without_evidence(gate, f"no case decided in both runs has {total.metric} in both", outcome)
    then, now = (_sum([pair[side] for pair in known]) for side in (0, 1))
    limit = getattr(evidence.limits, gate)
    outcome = GateOutcome.FAIL if now > then * (1 + exact(limit) / 100) else GateOutcome.PASS
    ratio = float((now - then) / then) if then else (0.0 if not now else None)
    change = "from nothing" if ratio is None else percent_change(ratio)
    left = len(both) - len(known)
    return told(
        gate,
        outcome,
        f"{total.metric} {total.shown(float(now))}",
        f"{change} over {count(len(known), 'case')}",
        f"limit {percent_change(limit / 100)}",
        f"baseline {total.shown(float(then))}",
        tail=f"{count(left, 'case')} {total.missing} in either run left out" if left else "",
        value=None if ratio is None else ratio * 100,
        limit=limit,
        baseline=float(then),
    )


def _sum(values: Sequence[float]) -> Fraction:
    """Exact, so that an increase of exactly the limit is within it."""
    return sum((exact(value) for value in values), Fraction(0))
