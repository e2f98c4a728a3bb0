"""When a change is called better or worse."""

from __future__ import annotations

import pytest

from agenteval.compare.deltas import direction, metric_deltas
from agenteval.compare.intervals import wilson
from agenteval.compare.pairing import pair_cases
from agenteval.model.run import Measure
from tests.compare.runs import run


@pytest.mark.parametrize(
    ("unit", "then", "now", "n", "word"),
    [
        pytest.param("ms", 0.017, 0.020, 50, "within noise", id="less than a millisecond"),
        pytest.param("ms", 1000.0, 1300.0, 4, "within noise", id="four cases"),
        pytest.param("ms", 1000.0, 1030.0, 50, "within noise", id="three percent"),
        pytest.param("ms", 1000.0, 1300.0, 50, "worse", id="slower"),
        pytest.param("score", 0.95, 0.85, 8, "within noise", id="one case of eight can make it"),
        pytest.param("score", 0.95, 0.85, 50, "worse", id="five cases' worth"),
        pytest.param("score", 0.95, 0.95, 50, "same", id="same"),
    ],
)
def test_without_an_interval_small_changes_are_noise(unit: str, then: float, now: float, n: int, word: str) -> None:
    better = "lower" if unit == "ms" else "higher"

    found = direction("any", Measure(then, n, unit, better), Measure(now, n, unit, better), now - then, None, None)

    assert found == word


def test_an_interval_decides_alone() -> None:
    then, now = Measure(0.9, 50, "rate", "higher"), Measure(0.8, 50, "rate", "higher")

    assert direction("any", then, now, -0.1, -0.2, 0.01) == "within noise"
    assert direction("any", then, now, -0.1, -0.2, -0.01) == "worse"


def test_the_slowest_of_thirteen_cases_is_no_percentile() -> None:
    then, now = Measure(1000.0, 13, "ms", "lower"), Measure(500.0, 13, "ms", "lower")

    assert direction("latency_p95_ms", then, now, -500.0, None, None) == "within noise"
    assert direction("latency_p50_ms", then, now, -500.0, None, None) == "better"


def test_what_the_judge_cost_has_no_direction() -> None:
    then, now = Measure(0.0, 50, "usd", "lower"), Measure(1.0, 50, "usd", "lower")

    assert direction("judge_cost_usd", then, now, 1.0, None, None) == "unknown"


def test_the_change_of_any_rate_has_an_interval() -> None:
    # Newcombe (1998), method 10, his example (a): 56 of 70 against 48 of 80 is 0.2, 95% 0.0524 to 0.3339.
    then = run(metrics={"shown_rate": Measure(48 / 80, 80, "rate", "higher", {}, *wilson(48, 80))})
    now = run(metrics={"shown_rate": Measure(56 / 70, 70, "rate", "higher", {}, *wilson(56, 70))})

    (found,) = metric_deltas(now, then, pair_cases(now, then), {}, {})

    assert (found.low, found.high) == (pytest.approx(0.0524, abs=2e-4), pytest.approx(0.3339, abs=2e-4))
    assert found.direction == "better"
