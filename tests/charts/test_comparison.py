"""A comparison's tables and figures: words, axes, and points that can be clicked."""

from __future__ import annotations

import math

import pytest

from agenteval.compare.ratios import CaseRatio, Ratios
from agenteval.model.comparison import MetricDelta, Transition
from agenteval.model.run import Measure
from agenteval.model.status import Status

pytest.importorskip("plotly")

BEFORE = Measure(0.94, 50, "rate", "higher", low=0.838, high=0.979)
RATE = Measure(0.88, 50, "rate", "higher", low=0.762, high=0.944)


def ratio(case_id: str, then: float, now: float) -> CaseRatio:
    return CaseRatio(case_id, then, now, Status.PASSED, Status.FAILED)


def test_the_metric_table_says_what_was_not_recorded() -> None:
    from agenteval.charts.deltas import metric_rows

    rows = metric_rows(
        [
            MetricDelta("correctness_rate", BEFORE, RATE, -0.06, -0.15, 0.03, 0.25, None, "within noise"),
            MetricDelta("latency_p95_ms", None, Measure(1900.0, 50, "ms", "lower")),
        ]
    )

    assert rows.iloc[0].tolist() == [
        "Correctness",
        "94% · 47 of 50 · 84–98%",
        "88% · 44 of 50 · 76–94%",
        "−6 pts",
        "within noise",
        "[−15, +3] pts",
        "p = .25",
        "",
        "",
    ]
    assert rows.iloc[1].tolist() == ["Latency p95", "not recorded", "1.9 s · n 50", "n/a", "unknown", "–", "–", "", ""]


def test_a_change_whose_interval_leaves_zero_out_is_no_noise() -> None:
    from agenteval.charts.deltas import metric_rows

    rows = metric_rows([MetricDelta("correctness_rate", BEFORE, RATE, -0.06, -0.11, -0.01, direction="worse")])

    assert rows["direction"].tolist() == ["worse"]


def test_what_a_measure_leaves_out_has_a_column_and_says_so_where_it_changed() -> None:
    from agenteval.charts.deltas import metric_rows

    before = Measure(0.5, 4, "score", "higher", {"not_applicable": 19})
    now = Measure(0.5, 3, "score", "higher", {"not_applicable": 19, "errors": 1})

    assert metric_rows([MetricDelta("f1", before, before)])["left_out"].tolist() == ["19 not applicable"]
    assert metric_rows([MetricDelta("f1", before, now)])["left_out"].tolist() == ["19 not applicable, 1 error; then 19 not applicable"]


def test_each_unit_has_a_forest_of_its_own() -> None:
    from agenteval.charts.comparison import delta_forest
    from agenteval.charts.deltas import forest_rows

    rows = forest_rows(
        [
            MetricDelta("correctness_rate", BEFORE, RATE, -0.06, -0.15, 0.03, direction="worse"),
            MetricDelta("latency_p95_ms", Measure(1600.0, 50, "ms", "lower"), Measure(2000.0, 50, "ms", "lower"), 400.0, direction="worse"),
            MetricDelta("f1", Measure(0.5, 9, "score", "higher"), Measure(0.7, 9, "score", "higher"), 0.2, direction="better"),
            MetricDelta("pass_rate", None, RATE),
        ]
    )

    drawn = {family: delta_forest(rows, family).data for family in ("points", "score", "percent")}
    assert {family: [trace.name for trace in traces] for family, traces in drawn.items()} == {
        "points": ["correctness_rate"],
        "score": ["f1"],
        "percent": ["latency_p95_ms"],
    }
    assert [drawn[family][0].x[0] for family in ("points", "score", "percent")] == pytest.approx([-6.0, 0.2, 25.0])
    assert drawn["points"][0].error_x.array[0] == pytest.approx(9.0)
    assert drawn["points"][0].error_x.arrayminus[0] == pytest.approx(9.0)


def test_a_dot_is_full_only_where_its_interval_leaves_zero_out() -> None:
    from agenteval.charts.comparison import delta_forest
    from agenteval.charts.deltas import forest_rows

    rows = forest_rows(
        [
            MetricDelta("correctness_rate", BEFORE, RATE, -0.06, -0.11, -0.01, direction="worse"),
            MetricDelta("pass_rate", BEFORE, RATE, -0.06, -0.15, 0.03, direction="worse"),
        ]
    )

    assert [trace.marker.symbol for trace in delta_forest(rows, "points").data] == ["circle", "circle-open"]


def test_the_percent_forest_ends_with_what_a_typical_case_takes() -> None:
    from agenteval.charts.deltas import forest_rows

    rows = forest_rows([], {"latency_ms": Ratios((ratio("a", 1, 2),), {}, 1.25, 1.1, 1.5), "cost_usd": Ratios(())})

    assert rows[["title", "family", "direction", "text"]].values.tolist() == [["Latency, typical case", "percent", "worse", "+25%"]]
    assert rows[["value", "low", "high"]].values.tolist() == [pytest.approx([25.0, 10.0, 50.0])]


def test_a_change_from_nothing_has_no_percent() -> None:
    from agenteval.charts.deltas import forest_rows

    free, dear = Measure(0.0, 5, "usd", "lower"), Measure(1.0, 5, "usd", "lower")

    assert forest_rows([MetricDelta("total_cost_usd", free, dear, 1.0, direction="worse")]).empty


def test_far_points_are_named_and_told_apart_by_shape() -> None:
    from agenteval.charts.comparison import case_scatter
    from agenteval.charts.deltas import case_points

    found = Ratios((ratio("<b>", 100.0, 300.0), ratio("same", 500.0, 510.0), ratio("quick", 900.0, 300.0)))
    figure = case_scatter(case_points(found, "ms"), "ms")

    line, near, more, less = figure.data
    assert list(line.x) == list(line.y)
    assert [(group.marker.symbol, list(group.text)) for group in (near, more, less)] == [
        ("circle", [""]),
        ("triangle-up", ["&lt;b&gt;"]),
        ("triangle-down", ["quick"]),
    ]
    assert [list(case) for case in more.customdata] == [["<b>"]]
    assert more.hovertext[0] == "&lt;b&gt;<br>100 ms → 300 ms, +200%<br>passed → ✕ failed"
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert tuple(figure.layout.xaxis.range) == tuple(figure.layout.yaxis.range) == pytest.approx((math.log10(80), math.log10(1125)))


def test_only_the_farthest_points_are_named() -> None:
    from agenteval.charts.comparison import MOST_NAMES, case_scatter
    from agenteval.charts.deltas import case_points

    # Each takes three times what the one before takes, so that no name stands over another.
    found = Ratios(tuple(ratio(f"c{place}", 1.0, 3.0 * 3.0**place) for place in range(10)))
    figure = case_scatter(case_points(found, "ms"), "ms")

    assert [name for name in figure.data[1].text if name] == [f"c{place}" for place in range(10 - MOST_NAMES, 10)]


def test_a_name_never_stands_over_another() -> None:
    from agenteval.charts.comparison import case_scatter
    from agenteval.charts.deltas import case_points

    found = Ratios((ratio("farthest", 100.0, 420.0), ratio("beside", 101.0, 420.0), ratio("below", 100.0, 220.0), ratio("low", 10.0, 11.0)))
    figure = case_scatter(case_points(found, "ms"), "ms")

    assert [name for name in figure.data[2].text if name] == ["farthest", "below"]


def test_ticks_of_the_scatter_are_written_as_everywhere() -> None:
    from agenteval.charts.comparison import case_scatter
    from agenteval.charts.deltas import case_points

    figure = case_scatter(case_points(Ratios((ratio("a", 100.0, 1600.0),)), "ms"), "ms")

    assert list(figure.layout.xaxis.ticktext) == ["100 ms", "200 ms", "500 ms", "1.0 s", "2.0 s"]


def test_tables_for_files_hold_numbers_and_every_case() -> None:
    from agenteval.charts.deltas import metric_numbers, transition_rows

    numbers = metric_numbers([MetricDelta("correctness_rate", BEFORE, RATE, -0.06, -0.15, 0.03, 0.25, 0.5, "worse")])
    rows = transition_rows(
        [Transition("a", "passed", "failed", "regressed", "no '30 days'", tags=("x", "y")), Transition("b", None, "passed", "new")]
    )

    assert numbers.iloc[0][["then", "then_n", "now", "change", "p", "p_holm"]].tolist() == [0.94, 50, 0.88, -0.06, 0.25, 0.5]
    assert rows[["case", "then", "now", "kind", "tags"]].values.tolist() == [
        ["a", "passed", "failed", "regressed", "x, y"],
        ["b", "", "passed", "new", ""],
    ]
