"""Stored values become tables: shape, order, and what is absent stays absent."""

from __future__ import annotations

import math

import pytest

from agenteval.model.comparison import MetricDelta
from agenteval.model.gates import GateOutcome, Verdict
from agenteval.model.response import Step
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


def test_the_metric_table_says_what_was_not_recorded() -> None:
    from agenteval.charts.frames import metric_rows

    before = Measure(0.94, 50, "rate", "higher", low=0.838, high=0.979)
    rows = metric_rows(
        [
            MetricDelta("correctness_rate", before, RATE, -0.06, -0.15, 0.03, 0.25, None, "worse"),
            MetricDelta("latency_p95_ms", None, Measure(1900.0, 50, "ms", "lower")),
        ]
    )

    assert rows.iloc[0].tolist() == [
        "Correctness",
        "94% · 47 of 50 · 84–98%",
        "88% · 44 of 50 · 76–94%",
        "−6 pts",
        "worse",
        "[−15, +3] pts",
        "p = .25",
        "",
        "",
    ]
    assert rows.iloc[1].tolist() == ["Latency p95", "not recorded", "1.9 s · n 50", "n/a", "unknown", "–", "–", "", ""]


def test_steps_without_a_start_follow_the_one_before() -> None:
    from agenteval.charts.frames import step_rows

    rows = step_rows(
        [Step("model", "m", duration_ms=100.0), Step("tool_call", "t", parent=0), Step("model", "m", timestamp_ms=50.0, duration_ms=10.0)]
    )

    assert rows["start_ms"].tolist() == [0.0, 100.0, 50.0]
    assert rows["depth"].tolist() == [0, 1, 0]
    assert rows["timed"].tolist() == [True, False, True]


def test_a_parent_that_is_no_earlier_step_is_no_parent() -> None:
    from agenteval.charts.frames import step_rows

    assert step_rows([Step("model", "m", parent=5), Step("model", "m", parent=1)])["depth"].tolist() == [0, 0]


def test_a_conversations_clock_goes_on_from_turn_to_turn() -> None:
    from agenteval.charts.frames import conversation_steps

    first = [Step("model", "m", timestamp_ms=0.0, duration_ms=100.0), Step("tool_call", "t", timestamp_ms=20.0, duration_ms=5.0, parent=0)]
    steps = conversation_steps([first, [Step("model", "m", timestamp_ms=1.0, duration_ms=10.0), Step("tool_call", "u", parent=0)]])

    assert [step.timestamp_ms for step in steps] == [0.0, 20.0, 101.0, None]
    assert [step.parent for step in steps] == [None, 0, None, 2]


def test_what_a_measure_leaves_out_has_a_column_and_says_so_where_it_changed() -> None:
    from agenteval.charts.frames import metric_rows

    before = Measure(0.5, 4, "score", "higher", {"not_applicable": 19})
    now = Measure(0.5, 3, "score", "higher", {"not_applicable": 19, "errors": 1})

    assert metric_rows([MetricDelta("f1", before, before)])["left_out"].tolist() == ["19 not applicable"]
    assert metric_rows([MetricDelta("f1", before, now)])["left_out"].tolist() == ["19 not applicable, 1 error; then 19 not applicable"]
