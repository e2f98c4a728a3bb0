"""Cost against quality: the front by definition, the mean's interval by other code."""

from __future__ import annotations

import random

import pytest
import scipy.stats

from agenteval.compare.front import mean_cost, pareto_front


def test_no_point_of_the_front_is_beaten_and_every_other_one_is() -> None:
    draw = random.Random(3)
    points = {f"p{i}": (float(draw.randint(1, 12)), draw.randint(1, 12) / 12) for i in range(60)}
    front = pareto_front(points)

    def beats(a: tuple[float, float], b: tuple[float, float]) -> bool:
        return a != b and a[0] <= b[0] and a[1] >= b[1]

    assert front
    for name, point in points.items():
        assert any(beats(other, point) for other in points.values()) is (name not in front)
    assert [points[name][0] for name in front] == sorted(points[name][0] for name in front)


def test_equal_choices_are_both_on_the_front() -> None:
    assert pareto_front({"b": (1.0, 0.9), "a": (1.0, 0.9)}) == ["a", "b"]


def test_a_mean_cost_has_students_interval() -> None:
    costs = [0.01, 0.02, 0.04, 0.03]

    found = mean_cost(costs)

    assert found is not None
    low, high = scipy.stats.t.interval(0.95, 3, scipy.stats.tmean(costs), scipy.stats.sem(costs))
    assert tuple(found) == pytest.approx((0.025, low, high))


def test_a_cost_is_never_negative_and_one_case_has_no_interval() -> None:
    spread = mean_cost([0.0, 0.1])

    assert spread is not None
    assert spread.low == 0.0
    assert mean_cost([0.5]) == (0.5, None, None)
    assert mean_cost([]) is None
