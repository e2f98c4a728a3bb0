"""The lines a run prints, beside what the markdown report shares with them."""

from __future__ import annotations

from agenteval.model.comparison import MetricDelta
from agenteval.model.run import Measure
from agenteval.reports.console import metric_lines


def _rate(value: float, n: int) -> Measure:
    return Measure(value=value, n=n, unit="rate", better="higher")


def test_a_change_over_other_cases_than_the_run_s_own_names_both_ends() -> None:
    change = MetricDelta("pass_rate", _rate(0.97, 13), _rate(0.66, 13), -0.31, direction="worse")
    (line,) = metric_lines({"pass_rate": _rate(0.69, 13)}, [change])
    assert line.endswith("−31 pts (worse) from 97% to 66% over the paired cases")


def test_a_change_over_the_run_s_own_cases_names_where_it_came_from() -> None:
    change = MetricDelta("pass_rate", _rate(1.0, 10), _rate(0.9, 10), -0.1, direction="worse")
    (line,) = metric_lines({"pass_rate": _rate(0.9, 10)}, [change])
    assert line.endswith("−10 pts (worse) from 100%")
