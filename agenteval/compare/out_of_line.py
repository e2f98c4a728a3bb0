"""Whether the newest runs are out of line with the ones before: what is too late for a change point must be told too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from agenteval.compare.changepoints import ALPHA, measured
from agenteval.compare.distributions import log_choose, t_two_sided
from agenteval.compare.trend import dead_band

MINIMUM_BEFORE = 5
MINIMUM_BEFORE_OF_COUNTS = 3
"""Counted rates bring their own spread; a mean's spread has to be learnt from the runs."""
_MOST_BEFORE = 30
_MOST_LATE = 2
"""Three runs are a level of their own: see ``changepoints``."""
_POSITIVE = ("ms", "usd", "tokens")


@dataclass(frozen=True, slots=True)
class OutOfLine:
    """The newest run, or the newest two.

    Attributes:
        runs: How many: 1 or 2.
        value: The newest value, in the measure's unit.
        low, high: The range of the runs before.
        before: How many runs these are.
        p: Chance of such a value (pooled over both for rates) if nothing had changed.
    """

    runs: int
    value: float
    low: float
    high: float
    before: int
    p: float
    better: bool


def out_of_line(values: Sequence[float | None], counts: Sequence[int] | None = None, *, unit: str, better: str) -> OutOfLine | None:
    """The newest two or one points, if they are out of line with the 5 (of counted rates 3) to 30 before; give it the points since the
    last change.

    Out of line is beyond the range of the runs before (the distribution-free prediction interval of Hahn and Meeker 1991, Statistical
    Intervals, 5.4), by more than the dead band of ``trend``, and outside a 99% prediction interval: for rates with counts the exact
    hypergeometric one (Thatcher 1964, Journal of the Royal Statistical Society B 26(2)), else Student's (Hahn and Meeker, 4.7), of
    logarithms for times, costs and tokens. With two looks, at two runs and at one, each has half the chance of a false alarm.
    """
    _, series, sizes = measured(values, counts)
    for late in range(_MOST_LATE, 0, -1):
        before, tail = series[:-late][-_MOST_BEFORE:], series[-late:]
        if len(before) < (MINIMUM_BEFORE if sizes is None else MINIMUM_BEFORE_OF_COUNTS) or len(tail) < late:
            continue
        low, high, band = min(before), max(before), dead_band(before, unit)
        above, below = min(tail) > high + band, max(tail) < low - band
        if not above and not below:
            continue
        if sizes is not None:
            p = _counts_p(before, sizes[:-late][-_MOST_BEFORE:], tail, sizes[-late:])
        else:
            p = max(_student_p(before, value, unit) for value in tail)
        if p <= ALPHA / _MOST_LATE:
            return OutOfLine(late, series[-1], low, high, len(before), p, above == (better == "higher"))
    return None


def _counts_p(before: Sequence[float], sizes: Sequence[int], tail: Sequence[float], late: Sequence[int]) -> float:
    """Twice the smaller hypergeometric tail, at most 1."""
    old = sum(round(value * size) for value, size in zip(before, sizes, strict=True))
    new = sum(round(value * size) for value, size in zip(tail, late, strict=True))
    n, m = sum(sizes), sum(late)
    hits, whole = old + new, log_choose(n + m, m)

    def chance(k: int) -> float:
        return math.exp(log_choose(hits, k) + log_choose(n + m - hits, m - k) - whole)

    first, last = max(0, m - (n + m - hits)), min(m, hits)
    lower, upper = math.fsum(map(chance, range(first, new + 1))), math.fsum(map(chance, range(new, last + 1)))
    return min(1.0, 2 * min(lower, upper))


def _student_p(before: Sequence[float], value: float, unit: str) -> float:
    if unit in _POSITIVE and min(*before, value) > 0:
        before, value = [math.log(number) for number in before], math.log(value)
    spread = stdev(before)
    if spread == 0:
        return 0.0
    return t_two_sided((value - fmean(before)) / (spread * math.sqrt(1 + 1 / len(before))), len(before) - 1)
