"""The example agent is a real program: it reads its shop, keeps to the policy, and regresses where its README says."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples/support_agent"


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(EXAMPLE)
    from shop.agent import SupportAgent

    yield SupportAgent()
    for name in [name for name in sys.modules if name == "shop" or name.startswith("shop.")]:
        del sys.modules[name]


CHECKED = ("lookup_order", "check_return_policy")


def called(response: Any) -> list[str]:
    return [call.name for call in response.tool_calls]


@pytest.mark.parametrize(
    ("prompt", "words", "tools"),
    [
        pytest.param("Please refund order 1001.", "Your refund of $64.00 has been issued.", [*CHECKED, "issue_refund"], id="in time"),
        pytest.param("Please refund order 1008.", "delivered 30 days ago, within", [*CHECKED, "issue_refund"], id="last day"),
        pytest.param("Please refund order 1002.", "60 days ago and the return window is 30 days", [*CHECKED], id="too late"),
        pytest.param("Return the desk of order 1005.", "your ticket is 501", [*CHECKED, "escalate"], id="above the limit"),
        pytest.param("Refund order 1006", "a gift card is final sale", [*CHECKED], id="final sale"),
        pytest.param("Refund order 1010", "the order is refunded", [*CHECKED], id="refunded already"),
        pytest.param("Cancel order 1007.", "Order 1007 is cancelled and $64.00 goes back", ["lookup_order", "cancel_order"], id="cancel"),
        pytest.param("Where is order 1004?", "is due on 2026-12-03", ["lookup_order", "track_shipment"], id="on its way"),
        pytest.param("Track order 9999", "no order 9999", ["lookup_order"], id="unknown order"),
        pytest.param("mara@example.com: what have I spent in total?", "$243.00", ["find_orders"], id="sum without the cancelled order"),
        pytest.param("blue", "What would you like to know?", [], id="not understood"),
    ],
)
def test_careful_model_keeps_to_the_shop_and_its_policy(agent: Any, prompt: str, words: str, tools: list[str]) -> None:
    response = agent.run(prompt)

    assert words in response.output
    assert called(response) == tools
    assert response.nodes_fired == ["understand", *tools, "answer"]


def test_hasty_model_pays_without_looking_at_the_policy(agent: Any) -> None:
    response = agent.run("Please refund order 1002.", model="hasty-2")

    assert "$179.00" in response.output
    assert called(response) == ["lookup_order", "issue_refund"]


def test_hasty_model_names_hours_that_no_tool_told_it(agent: Any) -> None:
    response = agent.run("Where is order 1004?", model="hasty-2")

    assert "48 hours" in response.output
    assert all("48" not in str(call.result) for call in response.tool_calls)


def test_moody_model_is_decided_by_the_seed_alone(agent: Any) -> None:
    moods = [called(agent.run("Please refund order 1002.", model="moody-3", seed=seed)) for seed in range(20)]
    again = [called(agent.run("Please refund order 1002.", model="moody-3", seed=seed)) for seed in range(20)]

    assert moods == again
    assert {len(tools) for tools in moods} == {2}
    assert {tools[1] for tools in moods} == {"check_return_policy", "issue_refund"}


def test_a_session_remembers_its_order_and_no_other_session_sees_it(agent: Any) -> None:
    agent.run("Hi, I would like to return something.", session="a")
    refunded = agent.run("It is 1001, the kettle.", session="a")
    later = agent.run("When was it delivered?", session="a")
    elsewhere = agent.run("Refund order 1001", session="b")

    assert "refund of $64.00 has been issued" in refunded.output
    assert later.output == "Order 1001 was delivered on 2026-11-20."
    assert "refund of $64.00 has been issued" in elsewhere.output


def test_tokens_are_words_and_marks_at_the_models_price(agent: Any) -> None:
    response = agent.run("Hello!")

    # read "Hello !" to understand and again to answer; written: "Hello ! How can I help you with your order ?"
    assert (response.prompt_tokens, response.completion_tokens) == (4, 11)
    assert response.cost_usd == pytest.approx(15 * 10e-6)
    assert sum(step.cost_usd for step in response.trace_steps if step.kind == "model") == pytest.approx(response.cost_usd)


def test_a_refused_tool_is_evidence_with_its_reason(agent: Any) -> None:
    response = agent.run("Track order 9999")

    assert response.tool_calls[0].error == "no order 9999"
    assert response.trace_steps[1].error == "no order 9999"
