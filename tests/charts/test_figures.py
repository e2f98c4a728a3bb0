"""Figures hold the data they were given, in the looks of the palette, and never read text as HTML."""

from __future__ import annotations

import pytest

from agenteval.charts.palette import STATUSES, look
from agenteval.model.run import Measure
from tests.builders import a_run, an_attempt

pytest.importorskip("plotly")

RATE = Measure(0.88, 50, "rate", "higher", low=0.762, high=0.944)


def test_every_status_differs_in_colour_symbol_and_word() -> None:
    looks = [look(status) for status in STATUSES]

    assert len({shown.colour for shown in looks}) == len({shown.symbol for shown in looks}) == len({shown.word for shown in looks}) == 6


def test_the_heatmap_leaves_a_blank_where_a_run_has_no_such_case() -> None:
    from agenteval.charts.frames import outcome_grid
    from agenteval.charts.outcomes import outcome_heatmap

    one = a_run([an_attempt("<b>", False)]).outcomes
    two = a_run([an_attempt("<b>"), an_attempt("z")]).outcomes
    figure = outcome_heatmap(outcome_grid([("r1", one), ("r2", two)]), {"r1": "Nov 1", "r2": "Nov 2"})

    assert [list(row) for row in figure.data[0].z] == [[1.0, 0.0], [None, 0.0]]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "z"]
    assert [list(mark) for mark in figure.data[1].customdata] == [["<b>", "r1"]]
    assert figure.data[1].hovertext[0] == "&lt;b&gt;<br>r1<br>✕ failed"


def test_a_trend_draws_values_interval_baseline_and_gate() -> None:
    from agenteval.charts.frames import metric_points
    from agenteval.charts.trends import metric_trend

    heads = [a_run([an_attempt()], run_id=name, metrics={"correctness_rate": RATE}).head for name in ("a", "b")]
    figure = metric_trend(metric_points(heads, "correctness_rate"), unit="rate", baseline=0.94, limit=0.89, selected="b")

    band, line, ring = figure.data
    assert list(band.y) == [0.944, 0.944, 0.762, 0.762]
    assert list(line.y) == [0.88, 0.88]
    assert [list(item) for item in line.customdata] == [["a"], ["b"]]
    assert list(ring.x) == [1]
    assert [(shape.name, shape.y0) for shape in figure.layout.shapes] == [("baseline", 0.94), ("gate", 0.89)]


def test_ticks_are_written_as_numbers_are_everywhere() -> None:
    from agenteval.charts.layout import value_ticks

    assert value_ticks([0.75, 0.99], "rate")["ticktext"] == ["80%", "90%", "100%"]
    assert value_ticks([0.0134, 0.0139], "usd")["ticktext"] == ["$0.0134", "$0.0136", "$0.0138"]
    assert value_ticks([], "ms") == {}
