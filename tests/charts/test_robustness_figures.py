"""Figures of break rates."""

from __future__ import annotations

from agenteval.charts.robustness import break_history, break_rates, history_rows, mutant_rows, rate_rows
from agenteval.compare.robustness import BreakRate, Mutant
from agenteval.model.run import Measure, RunHead
from agenteval.model.status import Role, Status
from tests.builders import a_run, an_attempt


def rate(value: float | None, n: int, low: float | None = None, high: float | None = None) -> Measure:
    return Measure(value, n, "rate", "lower", {} if n else {"errors": 2}, low, high)


GROUPS = [
    BreakRate("<b>authority", 4, rate(0.5, 4, 0.15, 0.85)),
    BreakRate("persona", 2, rate(0.0, 2, 0.0, 0.66)),
    BreakRate("x", 2, rate(None, 0)),
]


def head(run_id: str, measure: Measure | None) -> RunHead:
    return a_run([an_attempt()], run_id=run_id, metrics={} if measure is None else {"break_rate": measure}).head


def test_each_decided_group_is_a_mark_with_its_interval_and_its_count() -> None:
    figure = break_rates(GROUPS)

    marks = figure.data[0]
    assert list(marks.x) == [0.5, 0.0]
    assert [round(size, 6) for size in marks.error_x.arrayminus] == [0.35, 0.0]
    assert [round(size, 6) for size in marks.error_x.array] == [0.35, 0.66]
    assert list(figure.layout.yaxis.ticktext) == ["\u2068&lt;b&gt;authority\u2069  2 of 4", "\u2068persona\u2069  0 of 2"]
    assert marks.hovertext[0] == "&lt;b&gt;authority<br>50% · 2 of 4 · 15–85%"


def test_of_many_groups_the_first_twenty_are_drawn() -> None:
    assert len(break_rates([BreakRate(str(n), 1, rate(1.0, 1, 0.2, 1.0)) for n in range(30)]).data[0].x) == 20


def test_a_run_without_adversarial_cases_leaves_a_gap_and_the_chosen_one_is_filled() -> None:
    heads = [head("one", rate(0.5, 4, 0.15, 0.85)), head("two", None), head("three", rate(0.25, 4))]

    figure = break_history(heads, ["Nov 1", "Nov 2", "Nov <3"], "three")

    marks = figure.data[0]
    assert (list(marks.x), list(marks.y)) == ([0, 2], [0.5, 0.25])
    assert list(marks.marker.symbol) == ["circle-open", "circle"]
    assert list(marks.error_y.array) == [0.35, 0.0]
    assert list(figure.layout.xaxis.ticktext) == ["Nov 1", "Nov 2", "Nov &lt;3"]


def test_of_many_runs_few_are_labelled_the_newest_among_them() -> None:
    heads = [head(f"run {n}", rate(0.0, 1, 0.0, 0.8)) for n in range(100)]

    axis = break_history(heads, [str(n) for n in range(100)], "run 7").layout.xaxis

    assert len(axis.ticktext) == 8
    assert axis.ticktext[-1] == "99"


def test_the_tables_say_what_was_measured_and_what_was_not() -> None:
    rates, runs = rate_rows(GROUPS), history_rows([head("one", GROUPS[0].measure), head("two", None)])

    assert rates[["broken", "decided"]].to_numpy().tolist() == [[2, 4], [0, 2], [0, 0]]
    assert rates["break_rate"].isna().tolist() == [False, False, True]
    assert rates["left_out"].tolist() == ["", "", "2 errors left out"]
    assert runs[["run_id", "broken", "decided", "low"]].to_numpy().tolist() == [["one", 2, 4, 0.15]]


def test_a_case_is_a_row_with_both_verdicts_in_words() -> None:
    rows = mutant_rows(
        [
            Mutant("m", "injection", "p", Status.FAILED, Status.PASSED, "exact: no"),
            Mutant("n", None, None, Status.AGENT_ERROR, None, "", Role.CANDIDATE),
        ]
    )

    assert rows.iloc[0].drop("role").tolist() == ["m", "injection", "failed", "p", "passed", "exact: no", True, True]
    assert rows["role"].isna().tolist() == [True, False]
    assert rows.iloc[1][["status", "role", "broken", "broken_by_mutation"]].tolist() == ["agent error", "candidate", False, False]
