"""Figures of repeated cases hold what they were given, name what they stand on, and never read text as HTML."""

from __future__ import annotations

import math

import pytest

from agenteval.compare.curves import CurvePoint
from agenteval.compare.read_numbers import CaseNumbers, NumberRead
from agenteval.model.flakiness import CaseFlakiness
from agenteval.model.status import Status

pytest.importorskip("plotly")

CASES = [
    CaseFlakiness("steady", "stable", 5, 5, 5, 0, "verdict"),
    CaseFlakiness("shaky", "unstable", 3, 5, 2, 0, "verdict"),
    CaseFlakiness("broken", "no evidence", 0, 0, 0, 5, "verdict"),
]


def test_the_least_steady_case_comes_first() -> None:
    from agenteval.charts.flakiness import flakiness_rows

    rows = flakiness_rows(CASES)

    assert rows["case_id"].tolist() == ["shaky", "steady", "broken"]
    assert rows["pass_rate"].tolist()[:2] == [0.4, 1.0]
    assert math.isnan(rows["pass_rate"].tolist()[2])


def test_cases_alike_share_a_mark_that_counts_and_holds_them() -> None:
    from agenteval.charts.flakiness import flakiness_rows, steadiness

    cases = [CaseFlakiness(name, "stable", 5, 5, 5, 0, "verdict") for name in ("a", "b")] + [
        CaseFlakiness("<c>", "unstable", 3, 5, 2, 0, "verdict")
    ]
    figure = steadiness(flakiness_rows(cases))

    marks = sorted((trace.x[0], trace.y[0], trace.text[0], list(trace.customdata[0])) for trace in figure.data)
    assert marks == [(0.4, 0.6, "&lt;c&gt;", ["<c>"]), (1.0, 1.0, "2 cases", ["a", "b"])]


def test_pass_curves_carry_intervals_and_the_cases_behind_each_point() -> None:
    from agenteval.charts.flakiness import pass_curves

    hat = [CurvePoint(1, 0.8, 0.7, 0.9, 10, 0), CurvePoint(2, 0.7, 0.55, 0.85, 9, 1)]
    at = [CurvePoint(1, 0.8, 0.7, 0.9, 10, 0), CurvePoint(2, 0.9, None, None, 1, 9)]

    figure = pass_curves(hat, at)

    upper, lower = figure.data
    assert list(lower.y) == [0.8, 0.7]
    assert list(lower.error_y.arrayminus) == pytest.approx([0.1, 0.15])
    assert list(upper.error_y.array) == pytest.approx([0.1, 0.0])
    assert lower.hovertext[1] == "pass^k, k 2: 70% · 55–85% · 9 of 10 cases"
    assert upper.hovertext[1] == "pass@k, k 2: 90% · n/a · 1 of 10 cases"


def test_a_strip_has_one_dot_an_attempt_by_verdict_and_the_accepted_band() -> None:
    from agenteval.charts.number_strips import number_strips

    numbers = (NumberRead(0, 64.0, Status.PASSED), NumberRead(1, 64.0, Status.PASSED), NumberRead(2, 80.0, Status.FAILED))
    figure = number_strips([CaseNumbers("<i>", numbers, 1, 64.0, 0.5), CaseNumbers("b", numbers[2:], 0, None, None)])

    passed, failed, other = figure.data
    assert (list(passed.x), list(passed.y), passed.marker.symbol) == ([64.0, 64.0], [0, 1], "circle")
    assert (list(failed.x), failed.marker.symbol, list(failed.customdata[0])) == ([80.0], "x", ["<i>", 2])
    assert other.xaxis == "x2"
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(63.5, 64.5), (64.0, 64.0)]
    assert [note.text for note in figure.layout.annotations] == [
        "&lt;i&gt; · accepted 64 ± 0.5 · n 3, 1 without a number",
        "b · accepted number not recorded · n 1",
    ]


def test_every_number_is_a_row_with_what_was_expected() -> None:
    from agenteval.charts.number_strips import number_rows

    rows = number_rows([CaseNumbers("a", (NumberRead(2, 1.5, Status.FAILED),), 0, 1.0, 0.1)])

    assert rows.to_dict("records") == [{"case_id": "a", "attempt": 2, "value": 1.5, "status": "failed", "expected": 1.0, "tolerance": 0.1}]


def test_a_case_that_its_numbers_make_inconsistent_stays_in_the_picture() -> None:
    """Five answers, three wrong by three different numbers: the largest agreeing group is 2 of 5."""
    from agenteval.charts.flakiness import flakiness_rows, steadiness

    figure = steadiness(flakiness_rows([CaseFlakiness("n", "unstable", 2, 5, 2, 0, "verdict_and_numeric_majority_cluster")]))

    assert figure.layout.yaxis.range[0] == pytest.approx(0.3)
    assert figure.layout.yaxis.tickvals[0] == 0.4
