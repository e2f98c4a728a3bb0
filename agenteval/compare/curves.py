"""pass^k and pass@k over k with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from agenteval.compare.intervals import wilson
from agenteval.compare.paired import bootstrap_interval
from agenteval.compare.repeated import pass_at_k, pass_hat_k


class CurvePoint(NamedTuple):
    """A mean over cases at one k.

    Attributes:
        value: In [0, 1].
        low, high: Its 95% interval; None for fewer than two cases.
        cases: Cases with at least k decided attempts.
        short: Cases left out for having fewer.
    """

    k: int
    value: float
    low: float | None
    high: float | None
    cases: int
    short: int


def pass_curve(counts: Mapping[str, tuple[int, int]], *, every: bool) -> list[CurvePoint]:
    """pass^k (``every``) or pass@k for each k that at least one case has enough attempts for, from 1 on.

    The interval is the percentile bootstrap over cases: a case is drawn with all its attempts, because they are no independent evidence.
    Where every case has the same value, resampling would show no doubt at all; then Wilson's interval stands in, as if the cases were
    single passes and failures, which is the most that values in [0, 1] with that mean can vary.

    Args:
        counts: Decided attempts and passed ones by case.

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13; cases as clusters: Miller (2024), arXiv:2411.00640.

    >>> point = pass_curve({"a": (2, 2), "b": (2, 1)}, every=True)[1]
    >>> point.k, point.value, point.low, point.high, point.cases
    (2, 0.5, 0.0, 1.0, 2)
    """
    figure = pass_hat_k if every else pass_at_k
    points = []
    for k in range(1, max((n for n, _ in counts.values()), default=0) + 1):
        values = [value for n, passed in counts.values() if (value := figure(n, passed, k)) is not None]
        low, high = _interval(values)
        points.append(CurvePoint(k, math.fsum(values) / len(values), low, high, len(values), len(counts) - len(values)))
    return points


def _interval(values: list[float]) -> tuple[float | None, float | None]:
    n = len(values)
    if n < 2:
        return None, None
    if len(set(values)) == 1:
        return _wilson_of_share(values[0], n)
    return bootstrap_interval(values) or (None, None)


def _wilson_of_share(share: float, n: int) -> tuple[float, float]:
    """Wilson's interval of a share that need not be whole cases: between those of the whole numbers around it."""
    below, above = math.floor(share * n), math.ceil(share * n)
    return wilson(below, n)[0], wilson(above, n)[1]
