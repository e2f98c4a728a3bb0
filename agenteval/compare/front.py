"""Cost against quality: which choices no other one beats on both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agenteval.compare.paired import paired_t


class Mean(NamedTuple):
    """A mean with its 95% interval; ``low`` and ``high`` are None where there is none."""

    value: float
    low: float | None
    high: float | None


def pareto_front(points: Mapping[str, tuple[float, float]]) -> list[str]:
    """The names that no other one beats, cheapest first: nothing costs no more and is no worse, and better in one of both.

    Args:
        points: Cost and quality by name. Equal points are both on the front.

    >>> pareto_front({"a": (1, 0.8), "b": (2, 0.9), "c": (2, 0.7), "d": (3, 0.9)})
    ['a', 'b']
    """

    def beaten(cost: float, quality: float) -> bool:
        return any(c <= cost and q >= quality and (c < cost or q > quality) for c, q in points.values())

    return sorted((name for name, point in points.items() if not beaten(*point)), key=lambda name: (*points[name], name))


def mean_cost(costs: Sequence[float]) -> Mean | None:
    """Mean cost of a case with Student's 95% interval over the cases, cut at 0; None without costs, no interval for fewer than two.

    Source: Student (1908), Biometrika 6(1).
    """
    if not costs:
        return None
    found = paired_t(costs)
    if found is None:
        return Mean(costs[0], None, None)
    if found.low is None or found.high is None:
        return Mean(found.mean, found.mean, found.mean)
    return Mean(found.mean, max(0.0, found.low), found.high)
