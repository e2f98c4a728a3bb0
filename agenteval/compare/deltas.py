"""Every metric then and now, over the cases that both runs decided."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from agenteval.compare.drops import RateChange, interval_of
from agenteval.compare.measures import METRICS, measures
from agenteval.compare.pairing import Pair, Pairing
from agenteval.compare.trend import dead_band
from agenteval.model.comparison import MetricDelta
from agenteval.model.facts import Facts, facts_of
from agenteval.model.run import Measure, Outcome, Run

NOT_RECORDED = "not recorded"
OWN_CASES = "over each run's own cases"
OVER_REPEATS = "means over the repeats of each case"

NOISE = "within noise"
"""The direction of a change that no evidence tells from chance."""

_EQUAL = 1e-12
_WITHOUT_DIRECTION = frozenset({"judge_cost_usd"})
"""It depends on what the cache of replies held, not on the agent."""
_FEWEST = {"latency_p95_ms": 20}
"""Measured cases from which on a change without an interval can be called one; of fewer than 20 the slowest decides the percentile."""
_FEW = 5
_FLOOR_MS = 1.0
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
    low, high = _interval(then, now, delta) or (None, None)
    return MetricDelta(name, then, now, delta, low, high, direction=direction(name, then, now, delta, low, high), note=note)


def _interval(then: Measure, now: Measure, delta: float) -> tuple[float, float] | None:
    """95% interval of the change of a rate out of the intervals of both, as if of independent cases: rather too wide than too narrow.

    Source: Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
    """
    if now.unit != "rate" or None in (then.low, then.high, now.low, now.high):
        return None
    assert then.value is not None and now.value is not None and then.low is not None and then.high is not None
    assert now.low is not None and now.high is not None
    low = delta - math.hypot(now.value - now.low, then.high - then.value)
    high = delta + math.hypot(now.high - now.value, then.value - then.low)
    return max(-1.0, low), min(1.0, high)


def _rate(name: str, then: Measure | None, now: Measure | None, change: RateChange, adjusted: float | None) -> MetricDelta:
    """A rate with the interval and the test of its change; of repeated cases as the gate takes it, the mean over cases."""
    if then is None or now is None or change.then is None or change.now is None:
        return _other(name, then, now, "")
    delta = float(change.now - change.then)
    low, high = interval_of(change) or (None, None)
    if change.repeated:
        then, now = _mean(then, change.then, change), _mean(now, change.now, change)
    note = OVER_REPEATS if change.repeated else ""
    return MetricDelta(name, then, now, delta, low, high, change.test.p, adjusted, direction(name, then, now, delta, low, high), note)


def direction(name: str, then: Measure, now: Measure, delta: float, low: float | None, high: float | None) -> str:
    """``better`` or ``worse`` where the change's interval leaves zero out, else ``within noise``; ``same``; or ``unknown``.

    Without an interval a change counts beyond the dead band of trends, over five measured cases or more, where more than one case made
    it (rates and scores), from one millisecond on (times).
    """
    if name in _WITHOUT_DIRECTION:
        return "unknown"
    if abs(delta) < _EQUAL:
        return "same"
    if low <= 0 <= high if low is not None and high is not None else _small(name, then, now, abs(delta)):
        return NOISE
    return "better" if (delta > 0) == (now.better == "higher") else "worse"


def _small(name: str, then: Measure, now: Measure, size: float) -> bool:
    n, unit = min(then.n, now.n), now.unit
    if n < _FEWEST.get(name, _FEW) or size <= dead_band([then.value or 0.0], unit) + _EQUAL:
        return True
    if unit in ("rate", "score"):
        return size * n <= 1 + 1e-9  # one case alone can make it
    return unit == "ms" and size < _FLOOR_MS


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
