"""Every metric then and now, over the cases that both runs decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from agenteval.compare.drops import RateChange, interval_of
from agenteval.compare.measures import METRICS, measures
from agenteval.compare.pairing import Pair, Pairing
from agenteval.model.comparison import MetricDelta
from agenteval.model.facts import Facts, facts_of
from agenteval.model.run import Measure, Outcome, Run

NOT_RECORDED = "not recorded"
OWN_CASES = "over each run's own cases"
OVER_REPEATS = "means over the repeats of each case"

_EQUAL = 1e-12
_IN_OUTCOMES = frozenset({"correctness_rate", "pass_rate", "latency_p50_ms", "latency_p95_ms", "total_cost_usd", "total_tokens"})
"""Metrics that the table of outcomes holds; the others need the cases themselves."""


def own_metrics(run: Run) -> Mapping[str, Measure]:
    """A run's recorded metrics; computed where the head holds none (a run not finished by the harness)."""
    return run.head.metrics or measures(map(facts_of, run.cases))


def metric_deltas(
    current: Run, baseline: Run, pairing: Pairing, changes: Mapping[str, RateChange], adjusted: Mapping[str, float]
) -> tuple[MetricDelta, ...]:
    """One delta a metric that either run recorded, in the order of ``METRICS``, further ones after them.

    Args:
        adjusted: Holm-adjusted p by rate.
    """
    now, then = own_metrics(current), own_metrics(baseline)
    if not pairing.same_cases:
        now, then = _over_pairs(current, now, pairing, side=0), _over_pairs(baseline, then, pairing, side=1)
    names = [name for name in (*METRICS, *(name for name in now if name not in METRICS)) if name in now or name in then]
    return tuple(
        _rate(name, then.get(name), now.get(name), changes[name], adjusted.get(name))
        if name in changes
        else _other(name, then.get(name), now.get(name), "" if pairing.same_cases or name in METRICS else OWN_CASES)
        for name in names
    )


def _other(name: str, then: Measure | None, now: Measure | None, note: str) -> MetricDelta:
    if then is None or now is None:
        return MetricDelta(name, then, now, note=NOT_RECORDED)
    if then.value is None or now.value is None:
        return MetricDelta(name, then, now)
    delta = now.value - then.value
    return MetricDelta(name, then, now, delta, direction=_direction(delta, now.better), note=note)


def _rate(name: str, then: Measure | None, now: Measure | None, change: RateChange, adjusted: float | None) -> MetricDelta:
    """A rate with the interval and the test of its change; of repeated cases as the gate takes it, the mean over cases."""
    if then is None or now is None or change.then is None or change.now is None:
        return _other(name, then, now, "")
    delta = float(change.now - change.then)
    low, high = interval_of(change) or (None, None)
    if change.repeated:
        then, now = _mean(then, change.then, change), _mean(now, change.now, change)
    note = OVER_REPEATS if change.repeated else ""
    return MetricDelta(name, then, now, delta, low, high, change.test.p, adjusted, _direction(delta, now.better), note)


def _direction(delta: float, better: str) -> str:
    if abs(delta) < _EQUAL:
        return "same"
    return "better" if (delta > 0) == (better == "higher") else "worse"


def _mean(measure: Measure, share: Fraction, change: RateChange) -> Measure:
    return replace(measure, value=float(share), n=len(change.cases), low=None, high=None)


def _over_pairs(run: Run, recorded: Mapping[str, Measure], pairing: Pairing, *, side: int) -> dict[str, Measure]:
    """The recorded metrics computed again over the decided pairs; the cases are read only where a metric needs them."""
    rows = [_side(pair, side) for pair in pairing.decided]
    needs_cases = any(measure.n for name, measure in recorded.items() if name in METRICS and name not in _IN_OUTCOMES)
    facts: Iterable[Facts] = (facts_of(run.cases[row]) for _, row in rows) if needs_cases else (_light(outcome) for outcome, _ in rows)
    again = measures(facts)
    return {name: again.get(name, measure) for name, measure in recorded.items()}


def _side(pair: Pair, side: int) -> tuple[Outcome, int]:
    return (pair.then, pair.row_then) if side else (pair.now, pair.row_now)


def _light(outcome: Outcome) -> Facts:
    return Facts(outcome, None, None, None, 0, 0, outcome.latency_ms is not None, False)
