"""Runs over time become tables and figures: what is absent stays absent, what changed is marked, text stays text."""

from __future__ import annotations

import math

import pytest

from agenteval.compare.case_history import case_histories
from agenteval.compare.changepoints import Change
from agenteval.compare.movement import Movement
from agenteval.compare.trend import Direction, Trend
from agenteval.model.gates import GateOutcome, Verdict
from agenteval.model.run import Measure, RunHead
from tests.builders import a_run, an_attempt

pytest.importorskip("pandas")
pytest.importorskip("plotly")

RATE = Measure(0.88, 50, "rate", "higher", low=0.762, high=0.944)


def a_head(run_id: str, value: Measure | None = RATE, **changes: object) -> RunHead:
    metrics = {} if value is None else {"correctness_rate": value}
    return a_run([an_attempt()], run_id=run_id, metrics=metrics, **changes).head


def test_a_run_that_measured_nothing_is_a_gap_not_a_zero() -> None:
    from agenteval.charts.history import metric_points

    points = metric_points([a_head("a"), a_head("b", None)], "correctness_rate")

    assert points["value"].tolist()[0] == 0.88
    assert math.isnan(points["value"].tolist()[1])
    assert points["text"].tolist() == ["88% · 44 of 50 · 76–94%", "not measured"]


def test_points_know_their_gate_and_whether_the_file_is_left() -> None:
    from agenteval.charts.history import metric_points

    heads = [a_head("a", gate=Verdict(GateOutcome.FAIL, "worse")), a_head("b")]

    points = metric_points(heads, "correctness_rate", stored=["b"])

    assert points["gate"].tolist() == ["fail", ""]
    assert points["stored"].tolist() == [False, True]


def test_points_of_no_runs_keep_their_columns() -> None:
    from agenteval.charts.history import POINT_COLUMNS, metric_points

    assert tuple(metric_points([], "correctness_rate").columns) == POINT_COLUMNS


def test_points_of_a_part_are_the_parts_measures_and_were_judged_by_no_gate() -> None:
    from agenteval.charts.history import metric_points

    part = Measure(0.5, 4, "rate", "higher", low=0.15, high=0.85)
    heads = [a_head("a", gate=Verdict(GateOutcome.FAIL, "worse"), meta={"prompt": "v3"})]

    points = metric_points(heads, "correctness_rate", measured=[{"correctness_rate": part}])

    assert points[["value", "n", "gate", "metadata"]].to_numpy().tolist() == [[0.5, 4, "part", "prompt=v3"]]


def test_a_trend_draws_values_interval_baseline_and_gate() -> None:
    from agenteval.charts.history import metric_points
    from agenteval.charts.trends import metric_trend

    points = metric_points([a_head("a"), a_head("b")], "correctness_rate")
    figure = metric_trend(points, unit="rate", labels=["Nov 1", "<i>"], baseline=0.94, limit=0.89, selected="b")

    band, line, ring = figure.data
    assert list(band.y) == [0.944, 0.944, 0.762, 0.762]
    assert list(line.y) == [0.88, 0.88]
    assert [list(item) for item in line.customdata] == [["a"], ["b"]]
    assert list(ring.x) == [1]
    assert [(shape.name, shape.y0) for shape in figure.layout.shapes] == [("baseline", 0.94), ("gate", 0.89)]
    assert list(figure.layout.xaxis.ticktext) == ["Nov 1", "&lt;i&gt;"]


def test_a_change_of_level_is_an_upright_line_with_both_levels_in_the_directions_colour() -> None:
    from agenteval.charts.history import metric_points
    from agenteval.charts.palette import DIRECTION_COLOURS
    from agenteval.charts.trends import metric_trend

    heads = [a_head(str(place)) for place in range(7)]
    change = Change(4, 0.94, 0.88, 4, 3, 0.001, False)
    figure = metric_trend(
        metric_points(heads, "correctness_rate"), unit="rate", labels=["x"] * 7, changes=[change], marks={4: ("M", "model <a>")}
    )

    upright, before, after, origin = figure.layout.shapes
    assert (upright.x0, upright.line.color) == (3.5, DIRECTION_COLOURS["worse"])
    assert [(shape.x0, shape.x1, shape.y0) for shape in (before, after)] == [(-0.5, 3.5, 0.94), (3.5, 6.5, 0.88)]
    levels, mark = figure.layout.annotations
    assert levels.text == "94% → 88%"
    assert (origin.x0, mark.text, mark.hovertext) == (3.5, "<b>M</b>", "model &lt;a&gt;")


def test_an_unreadable_moment_is_no_reason_to_fail() -> None:
    from agenteval.charts.history import metric_points
    from agenteval.charts.trends import metric_trend

    figure = metric_trend(metric_points([a_head("a", started_at="yesterday")], "correctness_rate"), unit="rate", labels=["a"])

    assert figure.data[1].hovertext[0] == "88% · 44 of 50 · 76–94%<br>a"


def test_the_heatmap_leaves_a_blank_where_a_run_has_no_such_case() -> None:
    from agenteval.charts.outcomes import outcome_heatmap

    one = a_run([an_attempt("<b>", False)]).outcomes
    two = a_run([an_attempt("<b>", False), an_attempt("z", None)]).outcomes
    figure = outcome_heatmap(case_histories([one, two]), {"r1": "Nov 1", "r2": "Nov 2"})

    assert [list(row) for row in figure.data[0].z] == [[1, 1], [None, 2]]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "z"]
    assert [list(mark) for mark in figure.data[1].customdata] == [["<b>", "r1"], ["<b>", "r2"], ["z", "r2"]]
    assert figure.data[1].hovertext[0] == "&lt;b&gt;<br>Nov 1<br>r1<br>✕ failed"
    assert figure.layout.xaxis.tickangle == 0


def test_the_table_of_cases_has_a_column_a_run() -> None:
    from agenteval.charts.history import case_rows

    runs = [a_run([an_attempt("a"), an_attempt("b")]).outcomes] * 3 + [a_run([an_attempt("a", False)]).outcomes] * 3
    rows = case_rows(case_histories(runs), [str(place) for place in range(6)])

    assert rows.to_numpy().tolist() == [
        ["a", "began to fail", "3", 3, *["passed"] * 3, *["failed"] * 3],
        ["b", "passes", "", 0, *["passed"] * 3, *[""] * 3],
    ]


def test_the_table_of_changes_names_the_run_and_both_levels() -> None:
    from agenteval.charts.history import change_rows

    heads = [a_head(str(place), git={"commit": "c" * 40}) for place in range(7)]
    change = Change(4, 0.94, 0.88, 4, 3, 0.001, False)

    rows = change_rows(heads, {"correctness_rate": Movement(Trend(Direction.STEADY, 7), (change,), None)})

    assert rows.to_numpy().tolist() == [
        ["Correctness", "4", "2026-11-30T12:00:00.000Z", "worse", 0.94, 0.88, 4, 3, 0.001, "c" * 40],
    ]


def test_a_figure_is_handed_over_in_a_form_that_the_browser_draws_once() -> None:
    """No template, plain lists and the pointer's modes in place: each of these missing makes plotly draw everything again."""
    from agenteval.charts.history import metric_points
    from agenteval.charts.trends import metric_trend

    figures = [
        metric_trend(
            metric_points([a_head("a"), a_head("b", value)], "correctness_rate"), unit="rate", labels=["a", "b"], selected="a"
        ).to_dict()
        for value in (RATE, Measure(0.5, 50, "rate", "higher"))
    ]

    for figure in figures:
        assert "template" not in figure["layout"]
        assert figure["layout"]["clickmode"] == "event+select"
        assert [type(trace[axis]) for trace in figure["data"] for axis in ("x", "y")] == [list] * 6
    assert figures[0]["layout"]["datarevision"] != figures[1]["layout"]["datarevision"]
