"""Costs by step and tool, added up by hand."""

from __future__ import annotations

import pytest

from agenteval.adapters.prices import run_pricing, step_pricing
from agenteval.adapters.pricing import Price
from agenteval.compare.costs import attribution, by_tool, run_costs
from agenteval.model.response import Step
from agenteval.model.status import Role
from agenteval.reports.costs import attributed_lines, attributed_text
from tests.builders import an_attempt

PRICES = step_pricing({"m": Price(1.0, 2.0), "other": Price(10.0, 20.0)})


def model(name: str = "m", tokens: tuple[int, int] | None = None, cost: float | None = None, parent: int | None = None) -> Step:
    given, made = tokens or (None, None)
    return Step("model", name, prompt_tokens=given, completion_tokens=made, cost_usd=cost, parent=parent)


def tool(name: str, cost: float | None = None, parent: int | None = None) -> Step:
    return Step("tool_call", name, cost_usd=cost, parent=parent)


def costs(*steps: Step, **changes: object) -> list[float | None]:
    return [step.cost_usd for step in attribution(an_attempt(steps=steps, **changes), PRICES).steps]


def test_a_step_costs_what_it_reports_else_its_tokens_times_the_price() -> None:
    found = attribution(an_attempt(steps=(model(cost=0.5), model(tokens=(1000, 100)), tool("look")), cost_usd=0.6), PRICES)

    # 1000 x 1 + 100 x 2 a million
    assert [(step.cost_usd, step.source) for step in found.steps] == [(0.5, "reported"), (0.0012, "priced"), (None, None)]
    assert (found.total_usd, found.known) == (0.6, 2)
    assert found.attributed_usd == pytest.approx(0.5012)


def test_a_step_of_another_name_is_priced_by_the_model_that_answered() -> None:
    assert costs(model("call 1", (1000, 100)), Step("node", "plan", prompt_tokens=1000, completion_tokens=0), model="other") == [
        0.012,
        0.01,
    ]
    assert costs(model("call 1", (1000, 100)), model=None) == [None]


def test_tokens_without_a_completion_are_not_priced() -> None:
    assert costs(Step("model", "m", prompt_tokens=1000)) == [None]


def test_a_step_that_holds_others_keeps_the_rest() -> None:
    outer = Step("node", "agent", cost_usd=0.010)
    inner = Step("node", "team", cost_usd=0.007, parent=0)

    assert costs(outer, inner, model(cost=0.004, parent=1), model(cost=0.002, parent=1)) == [0.003, 0.001, 0.004, 0.002]


def test_a_step_that_costs_less_than_those_inside_it_does_not_include_them() -> None:
    assert costs(Step("node", "agent", cost_usd=0.001), model(cost=0.004, parent=0)) == [0.001, 0.004]
    assert costs(Step("node", "a"), Step("node", "b", cost_usd=0.001, parent=0), model(cost=0.004, parent=1)) == [None, 0.001, 0.004]


def test_a_parent_that_is_no_earlier_step_is_none() -> None:
    assert costs(model(cost=0.1, parent=5), model(cost=0.2, parent=1)) == [0.1, 0.2]


def test_what_runs_inside_a_tool_call_is_the_tools() -> None:
    steps = (
        model(cost=0.002),
        tool("research"),
        model(cost=0.005, parent=1),
        Step("node", "rank", cost_usd=0.001, parent=2),
        tool("search", cost=0.003, parent=1),
        tool("look"),
    )

    found = by_tool([attribution(an_attempt(steps=steps), PRICES)])

    assert [(one.kind, one.name, round(one.cost_usd, 6), one.steps, one.unknown) for one in found] == [
        ("tool_call", "research", 0.005, 2, 1),  # model 0.005 holds rank 0.001: 0.004 + 0.001
        ("tool_call", "search", 0.003, 1, 0),
        ("model", "m", 0.002, 1, 0),
        ("tool_call", "look", 0.0, 0, 1),
    ]


def test_the_turns_of_a_conversation_follow_each_other() -> None:
    turns = (
        an_attempt("a::turn0", steps=(tool("look", 0.1), model(cost=0.2, parent=0))),
        an_attempt("a::turn1", steps=(model(tokens=(1000, 0)),), model="m"),
    )

    found = attribution(an_attempt(turns=turns, cost_usd=0.3), PRICES)

    assert [(step.place, step.owner[1], step.cost_usd) for step in found.steps] == [(1, "look", 0.1), (2, "look", 0.2), (3, "m", 0.001)]


def test_a_run_adds_up_the_attempts_that_count() -> None:
    attempts = [
        an_attempt("a", steps=(model(cost=0.002), tool("look", 0.001)), cost_usd=0.004),
        an_attempt("b", steps=(model(cost=0.001), tool("look")), cost_usd=None),
        an_attempt("c", cost_usd=0.5),
        an_attempt("q", steps=(model(cost=9.0),), cost_usd=9.0, role=Role.QUARANTINED),
    ]

    found = run_costs(attempts, PRICES)

    assert (found.total_usd, found.attempts, found.unpriced) == (pytest.approx(0.504), 2, 1)
    assert (found.attributed_usd, found.known, found.steps) == (pytest.approx(0.004), 3, 4)
    assert [(one.name, one.cost_usd, one.steps, one.unknown) for one in found.tools] == [
        ("m", pytest.approx(0.003), 2, 0),
        ("look", pytest.approx(0.001), 1, 1),
    ]


@pytest.mark.parametrize(
    ("steps", "total", "text"),
    [
        ((), 0.0042, ""),
        ((tool("a"), tool("b")), 0.0042, "no step tells a cost or tokens with a price, so none of the $0.0042 is attributed"),
        ((tool("a"),), None, "no step tells a cost, and the attempt is unpriced too"),
        ((tool("a", 0.0031), tool("b")), 0.0042, "$0.0031 of $0.0042 attributed to 1 of 2 steps"),
        ((tool("a", 0.0042),), 0.0042, "$0.0042 of $0.0042 attributed to 1 of 1 step"),
        ((tool("a", 0.0031), tool("b")), None, "$0.0031 attributed to 1 of 2 steps; the attempt itself is unpriced"),
        ((tool("a", 0.0050),), 0.0042, "$0.005 attributed to 1 of 1 step, more than the $0.0042 of the attempt"),
    ],
)
def test_the_sentence_says_what_is_attributed_and_what_is_not(steps: tuple[Step, ...], total: float | None, text: str) -> None:
    assert attributed_text(attribution(an_attempt(steps=steps, cost_usd=total))) == text


def test_tokens_in_the_cache_are_blamed_only_where_steps_are_priced_by_their_tokens() -> None:
    found = attribution(an_attempt(steps=(model(tokens=(1000, 100)),), cost_usd=0.001), PRICES)

    more = "$0.0012 attributed to 1 of 1 step, more than the $0.001 of the attempt"
    assert attributed_text(found) == f"{more}: steps do not tell which tokens were cached"


def test_the_trace_names_the_dearest_first() -> None:
    steps = (model(cost=0.003), tool("look\nup", 0.001), tool("free"))

    assert attributed_lines(attribution(an_attempt(steps=steps, cost_usd=0.005))) == [
        "  $0.004 of $0.005 attributed to 2 of 3 steps",
        "      $0.003   60%     model m (1 step)",
        "      $0.001   20%     tool_call look up (1 step)",
    ]
    assert attributed_lines(attribution(an_attempt(steps=(tool("a"),)))) == []


def test_a_stored_run_is_priced_by_the_prices_it_records() -> None:
    pricing = run_pricing({"prices": {"table": "unknown", "own": {"m": {"input": 1.0, "output": 2.0}}}})
    attempt = an_attempt(steps=(model(tokens=(1000, 100)), model("gpt-4o", (1000, 100))))

    assert [step.cost_usd for step in attribution(attempt, pricing).steps] == [0.0012, None]
    assert [step.cost_usd for step in attribution(attempt, run_pricing({})).steps] == [None, None]
