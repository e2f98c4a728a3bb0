"""Figures of runs with thousands of cases: few marks, and no case lost."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from agenteval.compare.breakdown import Latencies
from agenteval.compare.ratios import CaseRatio, Ratios
from agenteval.model.status import Status

pytest.importorskip("plotly")


def pair(case_id: str, then: float, now: float) -> CaseRatio:
    return CaseRatio(case_id, then, now, Status.PASSED, Status.PASSED)


def test_of_many_cases_those_that_changed_most_are_points_and_the_others_are_counted_in_cells() -> None:
    from agenteval.charts.comparison import case_scatter
    from agenteval.charts.deltas import case_points

    steady = [pair(f"steady{place}", 100.0 + place % 700, 100.0 + place % 700) for place in range(4800)]
    slow = [pair(f"slow{place}", 100.0 + place, 300.0 + 3 * place) for place in range(120)]
    quick = [pair(f"quick{place}", 300.0 + 3 * place, 150.0 + 1.5 * place) for place in range(80)]

    figure = case_scatter(case_points(Ratios((*steady[:2400], *slow, *steady[2400:], *quick)), "ms"), "ms")

    assert [trace.name for trace in figure.data] == ["cells", "the same", "more", "less"]
    cells, _, more, less = figure.data
    assert {case for (case,) in more.customdata} == {case.case_id for case in slow}
    assert {case for (case,) in less.customdata} == {case.case_id for case in quick}
    counted = [int(re.sub(r"[^\d]", "", words.split(" case")[0])) for row in cells.text for words in row if words]
    assert sum(counted) == 4800
    # What did not change lies in cells on the line alone.
    assert all(row == column for row, line in enumerate(cells.z) for column, shade in enumerate(line) if shade is not None)


def test_a_cell_tells_how_many_cases_lie_between_which_values() -> None:
    from agenteval.charts.comparison import case_scatter
    from agenteval.charts.deltas import case_points

    found = Ratios(
        (*(pair(f"c{place}", 1000.0, 1000.0) for place in range(900)), *(pair(f"d{place}", 500.0, 1500.0) for place in range(200)))
    )

    cells = case_scatter(case_points(found, "ms"), "ms").data[0]

    (row, column), *others = [(row, column) for row, line in enumerate(cells.text) for column, words in enumerate(line) if words]
    assert not others
    assert cells.text[row][column].startswith("900 cases<br>then ")
    assert cells.x[column] <= 1000.0 < cells.x[column + 1]
    assert cells.y[row] <= 1000.0 < cells.y[row + 1]


def test_four_hundred_cases_are_a_point_each() -> None:
    from agenteval.charts.comparison import case_scatter
    from agenteval.charts.deltas import case_points

    figure = case_scatter(case_points(Ratios(tuple(pair(f"c{place}", 100.0 + place, 101.0 + place) for place in range(400))), "ms"), "ms")

    assert [(trace.name, len(trace.x)) for trace in figure.data] == [("the same", 2), ("near", 400)]


def curve(values: list[float], p50: float, p95: float) -> tuple[list[float], list[float]]:
    from agenteval.charts.one_run import latency_curve

    found = Latencies(tuple((f"c{place}", value) for place, value in enumerate(values)), p50, p95, 0)
    line = latency_curve(found, "run-1").data[0]
    return list(line.x), list(line.y)


def test_a_curve_of_thousands_of_calls_keeps_its_ends_its_percentiles_and_its_shape() -> None:
    # The n-th of 5,000 calls took n² / 1,000 ms: dense below, wide above.
    values = [(place + 1) ** 2 / 1000 for place in range(5000)]
    # Half way between the 2,500th and the 2,501st; 95% lie between the 4,750th and the 4,751st.
    x, y = curve(values, 6252.5, 22567.25)

    assert len(x) <= 310
    assert (x[0], y[0], x[-1], y[-1]) == (0.001, 0.0, 25000.0, 1.0)
    drawn = dict(zip(x[1:], y[1:], strict=True))
    assert drawn[6250.0] == 0.5
    assert drawn[22562.5] == 0.95
    # Every drawn share is the share of calls that took at most so long, and none is passed over by more than half a percent.
    assert all(share == round((value * 1000) ** 0.5) / 5000 for value, share in drawn.items())
    assert max(after - before for before, after in pairwise(y)) <= 0.005


def test_calls_that_took_the_same_make_one_step_and_none_is_lost() -> None:
    x, y = curve([10.0] * 3000 + [20.0] * 1500 + [40.0] * 500, 10.0, 22.0)

    assert x == [10.0, 10.0, 20.0, 40.0]
    assert y == [0.0, 0.6, 0.9, 1.0]
