"""Trends: direction from all points, with a dead band, never the first against the last."""

from __future__ import annotations

import doctest
import random

import pytest
import scipy.stats

from agenteval.compare import trend as module
from agenteval.compare.trend import mann_kendall, trend


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([0.9] * 19 + [0.8999], "steady", id="a hundredth of a point is no change"),
        pytest.param([0.9, 0.3, 0.3, 0.3, 0.9], "unsteady", id="equal ends do not make it steady"),
        pytest.param([0.5, 0.9, 0.9, 0.9, 0.6], "unsteady", id="a better end does not make it improve"),
        pytest.param([0.5, 0.6, 0.7, 0.8, 0.9], "improving", id="every run better"),
        pytest.param([0.95, 0.93, 0.94, 0.9, 0.88, 0.86, 0.87, 0.82], "worsening", id="a decline with noise"),
        pytest.param([0.9] * 5 + [0.6] * 5, "worsening", id="a step down that lasts"),
        pytest.param([0.9] * 10 + [0.2] + [0.9] * 9, "steady", id="one bad run among many"),
        pytest.param([0.9, 0.8, 0.7, 0.6], "too few points", id="four runs"),
        pytest.param([0.9, None, 0.9, None, 0.9, None, 0.9], "too few points", id="runs that measured nothing are no points"),
        pytest.param([0.9, None, 0.9, None, 0.9, None, 0.9, None, 0.9], "steady", id="nor zeros"),
        pytest.param([float("nan")] * 6, "too few points", id="nor is NaN"),
        pytest.param([], "too few points", id="none"),
    ],
)
def test_rates(values: list[float | None], expected: str) -> None:
    assert trend(values, unit="rate", better="higher").direction == expected


@pytest.mark.parametrize(
    ("values", "unit", "expected"),
    [
        pytest.param([100.0, 100.0, 100.0, 100.0, 100.001], "ms", "steady", id="a microsecond"),
        pytest.param([100.0, 110.0, 120.0, 130.0, 140.0], "ms", "worsening", id="slower"),
        pytest.param([0.05, 0.04, 0.03, 0.02, 0.01], "usd", "improving", id="cheaper"),
        pytest.param([1000.0, 1004.0, 1008.0, 1012.0, 1016.0], "tokens", "steady", id="a rise within 5%"),
        pytest.param([0.0] * 6, "usd", "steady", id="always free"),
    ],
)
def test_units_where_lower_is_better(values: list[float], unit: str, expected: str) -> None:
    assert trend(values, unit=unit, better="lower").direction == expected


def test_slope_is_per_run_even_across_gaps() -> None:
    found = trend([0.5, None, 0.7, 0.8, 0.9, 1.0], unit="rate", better="higher")

    assert found.slope == pytest.approx(0.1)
    assert found.change == pytest.approx(0.5)
    assert found.points == 5


def test_slope_agrees_with_scipy() -> None:
    draw = random.Random(11)
    values = [0.5 + 0.01 * i + draw.gauss(0, 0.05) for i in range(25)]

    assert trend(values, unit="rate", better="higher").slope == pytest.approx(scipy.stats.theilslopes(values).slope)


def test_mann_kendall_agrees_with_kendalls_tau_in_large_series() -> None:
    draw = random.Random(2)
    values = [0.002 * i + draw.random() for i in range(200)]

    assert mann_kendall(values) == pytest.approx(scipy.stats.kendalltau(range(200), values).pvalue, abs=0.003)
    assert mann_kendall([1.0] * 9) == 1.0


def test_two_thousand_runs_look_at_the_latest() -> None:
    assert trend([0.1] * 1800 + [0.9] * 200, unit="rate", better="higher").direction == "steady"
