"""Percentiles: the one rule by which the product takes them."""

from __future__ import annotations

import math
from collections.abc import Sequence


def percentile(ordered: Sequence[float], percent: float) -> float | None:
    """The percentile of values in ascending order, interpolated linearly between neighbours; None of none.

    Source: Hyndman and Fan (1996), The American Statistician 50(4), definition 7.

    >>> percentile([10, 20, 30, 40], 95)
    38.5
    """
    if not ordered:
        return None
    place = (len(ordered) - 1) * percent / 100
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (ordered[above] - ordered[below]) * (place - below))
