"""Where a series of runs changes its level, without an assumption about how its values spread.

Runs are taken as independent of each other; a series that wanders by itself (a cache that warms up over days) shows changes that are none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agenteval.compare.distributions import normal_two_sided
from agenteval.compare.maxima import max_rank_split_p, max_rate_split_p, rank_split, rate_split
from agenteval.compare.percentiles import percentile
from agenteval.compare.trend import dead_band

MINIMUM_RUNS = 3
"""The shortest level: what happened in fewer runs may be a bad day, see ``last_runs``."""
ALPHA = 0.01
"""Below .05, because a page tells of about ten measures at once."""
_WINDOW = 200


@dataclass(frozen=True, slots=True)
class Change:
    """A lasting change of a measure's level.

    Attributes:
        at: Place in the series of the first run of the new level.
        before, after: The levels, in the measure's unit: pooled rates, or medians.
        runs_before, runs_after: Runs that measured, up to the neighbouring changes.
        p: Chance of a change as clear as this anywhere in its stretch, if there were none.
        better: Whether the new level is the better one.
    """

    at: int
    before: float
    after: float
    runs_before: int
    runs_after: int
    p: float
    better: bool


@dataclass(frozen=True, slots=True)
class _Split:
    at: int
    p: float


def change_points(values: Sequence[float | None], counts: Sequence[int] | None = None, *, unit: str, better: str) -> tuple[Change, ...]:
    """The changes of level in the latest 200 points of a series, oldest first; None (nothing measured) is no point.

    Binary segmentation (Scott and Knott 1974, Biometrics 30; Vostrikova 1981): the clearest split of a stretch is a change if its p is at
    most .01 divided by the number of stretches then open (Holm's step), both sides have three runs, and the levels differ by more than the
    dead band of ``trend``. The statistic of a split and the p of the best of all splits are, for rates with ``counts``, the score test of
    the pooled counts and Worsley's exact distribution of its maximum, widened where runs differ more than counts can; for everything else
    the standardised Mann-Whitney statistic and its permutation distribution, the change being placed where both sides lie closest around
    their medians. See ``maxima``.

    Args:
        counts: Cases behind each value of a rate, so that many cases weigh more than few; None for other measures.
        unit, better: As of ``Measure``.

    >>> [(found.at, found.before, found.after) for found in change_points(
    ...     [0.94] * 8 + [0.8] * 6, [50] * 14, unit="rate", better="higher")]
    [(8, 0.94, 0.8)]
    """
    places, series, sizes = measured(values, counts)
    places, series = places[-_WINDOW:], series[-_WINDOW:]
    sizes = sizes[-_WINDOW:] if sizes is not None else None
    best = _rate_split(series, sizes) if sizes is not None else _value_split(series)
    level = _pooled(series, sizes) if sizes is not None else _median(series)
    band = dead_band(series, unit) if series else 0.0
    cuts = _cuts(len(series), best, lambda start, cut, end: abs(level(cut, end) - level(start, cut)) > band)
    edges = [0, *(cut.at for cut in cuts), len(series)]
    found = []
    for place, cut in enumerate(cuts, start=1):
        before, after = level(edges[place - 1], cut.at), level(cut.at, edges[place + 1])
        up = (after > before) == (better == "higher")
        found.append(Change(places[cut.at], before, after, cut.at - edges[place - 1], edges[place + 1] - cut.at, cut.p, up))
    return tuple(found)


def measured(values: Sequence[float | None], counts: Sequence[int] | None) -> tuple[list[int], list[float], list[int] | None]:
    """Places, values and counts of the runs that measured; no counts where a value is not a number of cases over its count."""
    places = [place for place, value in enumerate(values) if value is not None and math.isfinite(value)]
    series = [float(value) for place in places if (value := values[place]) is not None]
    if counts is None:
        return places, series, None
    sizes = [counts[place] for place in places]
    whole = all(size > 0 and abs(value * size - round(value * size)) < 1e-6 * size for value, size in zip(series, sizes, strict=True))
    return places, series, sizes if whole else None


def _cuts(runs: int, best: Callable[[int, int], _Split | None], differs: Callable[[int, int, int], bool]) -> list[_Split]:
    """The accepted splits in order of place."""
    open_ = {(0, runs): best(0, runs)}
    accepted: list[_Split] = []
    while True:
        tested = [(split.p, start, end, split) for (start, end), split in open_.items() if split is not None]
        if not tested:
            break
        p, start, end, split = min(tested, key=lambda item: item[:3])
        if p * len(tested) > ALPHA:
            break
        del open_[start, end]
        if differs(start, split.at, end):
            accepted.append(split)
            open_[start, split.at] = best(start, split.at)
            open_[split.at, end] = best(split.at, end)
    return sorted(accepted, key=lambda split: split.at)


def _rate_split(series: Sequence[float], sizes: Sequence[int]) -> Callable[[int, int], _Split | None]:
    hits = [round(value * size) for value, size in zip(series, sizes, strict=True)]

    def best(start: int, end: int) -> _Split | None:
        if end - start < 2 * MINIMUM_RUNS:
            return None
        part, whole = hits[start:end], sizes[start:end]
        at, z = rate_split(part, whole, MINIMUM_RUNS)
        # The best of several splits is never clearer than one split that was named before: most series end here.
        p = normal_two_sided(z)
        return _Split(start + at, p if p > ALPHA else max_rate_split_p(z, part, whole, MINIMUM_RUNS))

    return best


def _value_split(series: Sequence[float]) -> Callable[[int, int], _Split | None]:
    def best(start: int, end: int) -> _Split | None:
        if end - start < 2 * MINIMUM_RUNS:
            return None
        part = series[start:end]
        at, z = rank_split(part, MINIMUM_RUNS)
        p = 1.0 if z == 0 else max_rank_split_p(z, part, MINIMUM_RUNS)
        return _Split(start + (_closest_split(part) if p <= ALPHA else at), p)

    return best


def _closest_split(values: Sequence[float]) -> int:
    """Where both parts lie closest around their medians: ranks know that a level changed, but not which run lies half way."""

    def scatter(part: Sequence[float]) -> float:
        middle = percentile(sorted(part), 50) or 0.0
        return math.fsum(abs(value - middle) for value in part)

    return min(range(MINIMUM_RUNS, len(values) - MINIMUM_RUNS + 1), key=lambda at: scatter(values[:at]) + scatter(values[at:]))


def _pooled(series: Sequence[float], sizes: Sequence[int]) -> Callable[[int, int], float]:
    hits = [round(value * size) for value, size in zip(series, sizes, strict=True)]
    return lambda start, end: sum(hits[start:end]) / sum(sizes[start:end])


def _median(series: Sequence[float]) -> Callable[[int, int], float]:
    return lambda start, end: percentile(sorted(series[start:end]), 50) or 0.0
