"""Tables and figures of several agents hold what they were given, and draw nobody at a price of zero for lack of one."""

from __future__ import annotations

import math

import pytest

from agenteval.compare.contenders import Contender, contender, duels
from agenteval.compare.curves import CurvePoint
from agenteval.compare.flakiness import flakiness
from agenteval.compare.front import Mean
from agenteval.model.run import Measure
from agenteval.model.status import Role
from tests.builders import a_run, an_attempt
from tests.compare.runs import case, run

pytest.importorskip("plotly")

RATE = Measure(0.88, 50, "rate", "higher", low=0.762, high=0.944)


def one(name: str, cost: Mean | None, rate: Measure = RATE) -> Contender:
    metrics = {"correctness_rate": rate, "total_tokens": Measure(600.0, 3, "tokens", "lower")}
    return Contender(name, a_run([an_attempt()], agent="bot", metrics=metrics, parameters={"model": "m"}).head, None, cost)


def test_a_contender_is_made_of_what_counts_in_its_run() -> None:
    attempts = [
        an_attempt("a", cost_usd=0.01),
        an_attempt("b", cost_usd=0.03),
        an_attempt("c", None),
        an_attempt("q", cost_usd=9.0, role=Role.QUARANTINED),
    ]
    stored = a_run(attempts, [an_attempt("a", False, repetition=1), an_attempt("q", False, repetition=1)])

    found = contender("x", stored.head, stored.outcomes, flakiness(stored.observations()))

    assert found.hat == CurvePoint(2, 0.0, None, None, 1, 0)
    assert found.cost is not None
    assert found.cost.value == pytest.approx(0.02)
    assert found.undecided == 1


def test_the_table_has_a_row_an_agent_and_gaps_where_nothing_was_measured() -> None:
    from agenteval.charts.models import contender_rows

    rows = contender_rows([one("x", Mean(0.02, 0.01, 0.03)), one("y", None)])

    assert rows["name"].tolist() == ["x", "y"]
    assert rows["cost_per_case_usd"].tolist()[0] == 0.02
    assert math.isnan(rows["cost_per_case_usd"].tolist()[1])
    assert math.isnan(rows["pass_hat_k"].tolist()[0])
    assert rows["tokens_per_case"].tolist() == [200.0, 200.0]
    assert rows["correctness_n"].tolist() == [50, 50]


def test_pairs_say_the_difference_its_interval_and_whether_it_is_one() -> None:
    from agenteval.charts.models import duel_rows

    found = duels({"a": run("1" * 20), "b": run("0" * 10 + "1" * 10), "c": run("0" + "1" * 19), "d": run("", case("other"))})
    rows = duel_rows(found)

    told = {(first, second): verdict for first, second, verdict in zip(rows["first"], rows["second"], rows["verdict"], strict=True)}
    assert told["a", "b"] == "▲ first is better"
    assert told["a", "c"] == "= not distinguishable"
    assert told["a", "d"] == "? no common case"
    pair = rows[(rows["first"] == "a") & (rows["second"] == "b")].iloc[0]
    assert (pair["cases"], pair["correctness"], pair["difference"], pair["split"]) == (20, "100% – 50%", "+50 pts", "10 – 0")


def test_the_front_is_drawn_in_steps_and_the_beaten_are_hollow() -> None:
    from agenteval.charts.models import cost_quality

    low = Measure(0.5, 50, "rate", "higher", low=0.37, high=0.63)
    contenders = [
        one("<cheap>", Mean(0.01, 0.008, 0.012), low),
        one("best", Mean(0.04, None, None)),
        one("beaten", Mean(0.05, 0.04, 0.06), low),
    ]

    figure = cost_quality([*contenders, one("unpriced", None)], ["<cheap>", "best"])

    line, *marks = figure.data
    assert (list(line.x), list(line.y), line.line.shape) == ([0.01, 0.04], [0.5, 0.88], "hv")
    assert [mark.text[0] for mark in marks] == ["&lt;cheap&gt;", "best", "beaten"]
    assert [mark.marker.symbol for mark in marks] == ["diamond", "diamond", "circle-open"]
    assert marks[0].error_x.array[0] == pytest.approx(0.002)
    assert marks[0].error_y.arrayminus[0] == pytest.approx(0.13)
    assert marks[1].error_x.array is None
