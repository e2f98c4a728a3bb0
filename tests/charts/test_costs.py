"""Tables and figure of costs, from costs added up by hand."""

from __future__ import annotations

import math

import pytest

from agenteval.charts.costs import MOST_BARS, REST, cost_rows, tool_pareto, tool_rows, variance_rows
from agenteval.compare.costs import attribution, run_costs
from agenteval.compare.variance import VarianceSplit
from agenteval.model.response import Step
from tests.builders import an_attempt

STEPS = (
    Step("model", "m", cost_usd=0.004),
    Step("tool_call", "<b>look</b>", cost_usd=None),
    Step("model", "m", cost_usd=0.002, parent=1),
)


def test_every_step_is_a_row_with_the_tool_it_counts_for() -> None:
    frame = cost_rows(attribution(an_attempt(steps=STEPS)))

    assert frame["counts_for"].tolist() == ["m", "<b>look</b>", "<b>look</b>"]
    assert frame["source"].tolist() == ["reported", "", "reported"]
    assert frame["cost_usd"].tolist()[::2] == [0.004, 0.002]
    assert math.isnan(frame["cost_usd"][1])


def test_shares_are_of_the_whole_cost() -> None:
    found = run_costs([an_attempt(steps=(*STEPS, Step("node", "plan")), cost_usd=0.010)])

    frame = tool_rows(found.tools, found.total_usd)

    assert frame["name"].tolist() == ["m", "<b>look</b>", "plan"]
    assert frame["share"].tolist()[:2] == [pytest.approx(0.4), pytest.approx(0.2)]
    assert frame.iloc[2][["cost_usd", "share"]].isna().all()
    assert frame[["steps", "unknown"]].to_numpy().tolist() == [[1, 0], [1, 1], [0, 1]]


def test_shares_never_exceed_all_where_steps_tell_more_than_the_attempt() -> None:
    found = run_costs([an_attempt(steps=STEPS, cost_usd=0.003)])

    assert tool_rows(found.tools, found.total_usd)["share"].sum() == pytest.approx(1.0)


def test_the_figure_shows_what_no_step_tells_as_the_last_bar() -> None:
    figure = tool_pareto(run_costs([an_attempt(steps=STEPS, cost_usd=0.010)]))

    (bar,) = figure.data
    assert list(bar.x) == [pytest.approx(0.004), pytest.approx(0.002), pytest.approx(0.004)]
    assert list(bar.text) == ["$0.004 · 40%", "$0.002 · 20%", "$0.004 · 40%"]
    assert list(figure.layout.yaxis.ticktext) == ["model m", "tool &lt;b&gt;look&lt;/b&gt;", REST]


def test_of_many_tools_the_dearest_are_drawn_and_the_others_counted() -> None:
    steps = tuple(Step("tool_call", f"t{number}", cost_usd=0.001 * (number + 1)) for number in range(MOST_BARS + 3))

    figure = tool_pareto(run_costs([an_attempt(steps=steps)]))

    (bar,) = figure.data
    assert len(bar.x) == MOST_BARS + 1
    assert bar.x[-1] == pytest.approx(0.001 + 0.002 + 0.003)
    assert figure.layout.yaxis.ticktext[-1] == "3 other tools and models"


def test_a_split_of_variance_is_a_row() -> None:
    row = variance_rows(VarianceSplit(0.3, 0.1, 2, 4, 8)).iloc[0]

    assert row[["agent", "judge", "judge_share", "cases", "attempts", "votes"]].tolist() == [0.3, 0.1, pytest.approx(0.25), 2, 4, 8]
