"""Where a metric is heading over many runs: a robust slope with a dead band, never the first run against the last."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from agenteval.compare.distributions import normal_two_sided
from agenteval.compare.percentiles import percentile

MINIMUM_POINTS = 5

_WINDOW = 200
"""All pairs of points are compared; what lies further back says little about where the metric is heading."""

_ALPHA = 0.05
_POINTS_BAND = 0.02
"""Change over the whole window that is no change, for rates and scores."""
_RELATIVE_BAND = 0.05
"""The same for times, costs and tokens, as a share of their median."""
_UNSTEADY_BANDS = 3
"""From how many dead bands on the middle half of the points is called unsteady."""


class Direction(StrEnum):
    """Where a metric is heading. UNSTEADY: no direction, but the runs differ a lot."""

    IMPROVING = "improving"
    WORSENING = "worsening"
    STEADY = "steady"
    UNSTEADY = "unsteady"
    TOO_FEW = "too few points"


@dataclass(frozen=True, slots=True)
class Trend:
    """A metric over runs.

    Attributes:
        slope: Theil-Sen slope in the metric's unit a run; None with too few points.
        change: The slope times the runs from the first point to the last.
        p: Two-sided p of the Mann-Kendall test.
        points: Runs that measured the metric.
    """

    direction: Direction
    points: int
    slope: float | None = None
    change: float | None = None
    p: float | None = None


def trend(values: Sequence[float | None], *, unit: str, better: str) -> Trend:
    """The trend of a metric over its latest 200 points, oldest first; None (nothing measured) is no point.

    A direction needs both a slope beyond the dead band (2 points of a rate or score, 5% of other medians) and Mann-Kendall's p <= .05.

    Args:
        unit: As of ``Measure``: ``rate``, ``score``, ``ms``, ``usd`` or ``tokens``.
        better: ``higher`` or ``lower``.

    Source: Theil (1950), Sen (1968), Journal of the American Statistical Association 63; Mann (1945), Econometrica 13; Kendall (1975).

    >>> trend([0.9] * 19 + [0.8999], unit="rate", better="higher").direction.value
    'steady'
    """
    measured = [(run, value) for run, value in enumerate(values) if value is not None and math.isfinite(value)][-_WINDOW:]
    series = [value for _, value in measured]
    if len(series) < MINIMUM_POINTS:
        return Trend(Direction.TOO_FEW, len(series))
    slope = median((after - before) / (later - run) for i, (run, before) in enumerate(measured) for later, after in measured[i + 1 :])
    change, p, band = slope * (measured[-1][0] - measured[0][0]), mann_kendall(series), dead_band(series, unit)
    return Trend(_direction(change, p, band, series, better), len(series), slope, change, p)


def dead_band(series: Sequence[float], unit: str) -> float:
    """The change that counts as none, in the metric's unit."""
    return _POINTS_BAND if unit in ("rate", "score") else _RELATIVE_BAND * abs(median(series))


def mann_kendall(series: Sequence[float]) -> float:
    """Two-sided p that a series has no monotone trend, by the normal approximation with ties and continuity corrected."""
    n = len(series)
    s = sum((after > before) - (after < before) for i, before in enumerate(series) for after in series[i + 1 :])
    ties = sum(count * (count - 1) * (2 * count + 5) for count in Counter(series).values())
    variance = (n * (n - 1) * (2 * n + 5) - ties) / 18
    return normal_two_sided(max(0, abs(s) - 1) / math.sqrt(variance)) if variance > 0 else 1.0


def _direction(change: float, p: float, band: float, series: Sequence[float], better: str) -> Direction:
    if abs(change) > band and p <= _ALPHA:
        return Direction.IMPROVING if (change > 0) == (better == "higher") else Direction.WORSENING
    ordered = sorted(series)
    spread = (percentile(ordered, 75) or 0.0) - (percentile(ordered, 25) or 0.0)
    return Direction.UNSTEADY if spread > _UNSTEADY_BANDS * band else Direction.STEADY
