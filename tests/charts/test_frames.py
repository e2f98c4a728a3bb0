"""Stored values become tables: shape, order, and what is absent stays absent."""

from __future__ import annotations

import math

import pytest

from agenteval.model.gates import GateOutcome, Verdict
from agenteval.model.run import Measure, RunHead
from tests.builders import a_run, an_attempt

pytest.importorskip("pandas")

RATE = Measure(0.88, 50, "rate", "higher", low=0.762, high=0.944)


def a_head(run_id: str, value: Measure | None = RATE, **changes: object) -> RunHead:
    metrics = {} if value is None else {"correctness_rate": value}
    return a_run([an_attempt()], run_id=run_id, metrics=metrics, **changes).head


def test_a_run_that_measured_nothing_is_a_gap_not_a_zero() -> None:
    from agenteval.charts.frames import metric_points

    points = metric_points([a_head("a"), a_head("b", None)], "correctness_rate")

    assert points["value"].tolist()[0] == 0.88
    assert math.isnan(points["value"].tolist()[1])
    assert points["text"].tolist() == ["88% · 44 of 50 · 76–94%", "not measured"]


def test_points_know_their_gate_and_whether_the_file_is_left() -> None:
    from agenteval.charts.frames import metric_points

    heads = [a_head("a", gate=Verdict(GateOutcome.FAIL, "worse")), a_head("b")]

    points = metric_points(heads, "correctness_rate", stored=["b"])

    assert points["gate"].tolist() == ["fail", ""]
    assert points["stored"].tolist() == [False, True]


def test_points_of_no_runs_keep_their_columns() -> None:
    from agenteval.charts.frames import POINT_COLUMNS, metric_points

    assert tuple(metric_points([], "correctness_rate").columns) == POINT_COLUMNS


def test_a_change_of_model_is_marked_and_a_commit_alone_is_not() -> None:
    from agenteval.charts.frames import changes, metric_points

    heads = [
        a_head("a", git={"commit": "1" * 40}, parameters={"model": "small"}),
        a_head("b", git={"commit": "2" * 40}, parameters={"model": "small"}),
        a_head("c", git={"commit": "3" * 40}, parameters={"model": "large"}),
        a_head("d", git={"commit": "3" * 40}),
    ]

    assert changes(metric_points(heads, "correctness_rate")) == [(2, "model large, commit 3333333")]


def test_the_grid_puts_the_most_troubled_case_first() -> None:
    from agenteval.charts.frames import outcome_grid

    first = a_run([an_attempt("a"), an_attempt("b", False), an_attempt("c", None)]).outcomes
    second = a_run([an_attempt("a"), an_attempt("b", False), an_attempt("c")]).outcomes

    grid = outcome_grid([("one", first), ("two", second)])

    assert list(dict.fromkeys(grid["case_id"])) == ["b", "c", "a"]
    assert grid[grid["case_id"] == "c"]["status"].tolist() == ["agent_error", "passed"]
