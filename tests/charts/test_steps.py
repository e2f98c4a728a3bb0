"""Steps on a time line: order, nesting, what is folded, and errors that stay in sight."""

from __future__ import annotations

import math

import pytest

from agenteval.charts.palette import look
from agenteval.model.response import Step
from agenteval.model.score import Score
from tests.builders import an_attempt

pytest.importorskip("plotly")

NESTED = [
    Step("node", "round 1", timestamp_ms=0.0, duration_ms=100.0),
    Step("model", "m", timestamp_ms=0.0, duration_ms=40.0, parent=0),
    Step("tool_call", "t", timestamp_ms=40.0, duration_ms=50.0, parent=1, error="down"),
    Step("node", "round 2", timestamp_ms=100.0, duration_ms=10.0),
]


def test_steps_without_a_start_follow_the_one_before() -> None:
    from agenteval.charts.timeline import step_rows

    rows = step_rows(
        [Step("model", "m", duration_ms=100.0), Step("tool_call", "t", parent=0), Step("model", "m", timestamp_ms=50.0, duration_ms=10.0)]
    )

    assert rows["start_ms"].tolist() == [0.0, 100.0, 50.0]
    assert rows["depth"].tolist() == [0, 1, 0]
    assert rows["timed"].tolist() == [True, False, True]


def test_a_parent_that_is_no_earlier_step_is_no_parent() -> None:
    from agenteval.charts.timeline import step_rows

    rows = step_rows([Step("model", "m", parent=5), Step("model", "m", parent=1)])

    assert rows["depth"].tolist() == [0, 0]
    assert rows["inside"].tolist() == [0, 0]


def test_a_step_knows_what_it_encloses_at_any_depth() -> None:
    from agenteval.charts.timeline import step_rows

    rows = step_rows(NESTED)

    assert rows["inside"].tolist() == [2, 1, 0, 0]
    assert rows["errors_inside"].tolist() == [1, 1, 0, 0]


def test_a_folded_step_says_how_many_it_hides_and_that_one_failed() -> None:
    from agenteval.charts.timeline import folded, step_rows

    assert folded(step_rows(NESTED), 1)[["place", "text"]].values.tolist() == [
        [1, "node · 100 ms · 2 steps inside, 1 error"],
        [4, "node · 10 ms"],
    ]
    assert folded(step_rows(NESTED), 3)["text"].tolist()[0] == "node · 100 ms"


@pytest.mark.parametrize(("most", "levels"), [(1, 1), (2, 1), (3, 2), (4, 3), (100, 3)])
def test_as_many_levels_are_drawn_as_fit(most: int, levels: int) -> None:
    from agenteval.charts.timeline import levels_that_fit, step_rows

    # Two steps at the top, one below, one below that.
    assert levels_that_fit(step_rows(NESTED), most) == levels


def test_a_conversations_clock_goes_on_from_turn_to_turn() -> None:
    from agenteval.charts.timeline import conversation_steps

    first = [Step("model", "m", timestamp_ms=0.0, duration_ms=100.0), Step("tool_call", "t", timestamp_ms=20.0, duration_ms=5.0, parent=0)]
    steps = conversation_steps([first, [Step("model", "m", timestamp_ms=1.0, duration_ms=10.0), Step("tool_call", "u", parent=0)]])

    assert [step.timestamp_ms for step in steps] == [0.0, 20.0, 101.0, None]
    assert [step.parent for step in steps] == [None, 0, None, 2]


def test_the_waterfall_shows_errors_and_keeps_an_instant_step_visible() -> None:
    from agenteval.charts.steps import waterfall
    from agenteval.charts.timeline import step_rows

    figure = waterfall(
        step_rows([Step("model", "m", timestamp_ms=0.0, duration_ms=1000.0), Step("tool_call", "<t>", timestamp_ms=1000.0, error="down")])
    )

    assert list(figure.data[0].x) == [1000.0, 4.0]
    assert list(figure.layout.yaxis.ticktext) == ["m", "! &lt;t&gt;"]
    assert figure.data[0].marker.color[1] == look("agent_error").colour
    assert figure.data[0].hovertext[1].endswith("starts at 1.0 s<br>error: down")


def test_a_later_part_of_the_steps_begins_where_it_begins() -> None:
    from agenteval.charts.steps import waterfall
    from agenteval.charts.timeline import step_rows

    rows = step_rows([Step("model", f"m{place}", timestamp_ms=place * 100.0, duration_ms=100.0) for place in range(20)])

    assert tuple(waterfall(rows.iloc[10:]).layout.xaxis.range) == (1000.0, 1000.0 + 1000.0 * 1.4)


def test_files_of_a_case_hold_every_check_of_every_turn_and_every_step() -> None:
    from agenteval.charts.case_tables import attempt_table, score_table, step_table

    turn = an_attempt("a::turn0", scores=(Score("contains", 1.0, True, "found"),))
    case = an_attempt("a", False, turns=(turn,), scores=(Score("judge", error="no judge"),))

    scores = score_table(case)
    assert scores["check"].tolist() == ["judge", "contains"]
    assert math.isnan(scores["turn"].tolist()[0])
    assert scores["error"].tolist() == ["no judge", ""]
    steps = step_table([Step("tool_call", "t", {"q": 1}, "text"), Step("model", "m", parent=0)])
    assert steps[["step", "input", "output"]].values.tolist() == [[1, '{"q": 1}', "text"], [2, "", ""]]
    assert steps["inside_step"].tolist()[1] == 1
    assert attempt_table([case])["status"].tolist() == ["failed"]
