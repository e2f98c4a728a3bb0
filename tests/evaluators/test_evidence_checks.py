"""Checks of recorded evidence: fields, limits, steps, figures."""

from __future__ import annotations

from typing import Any

import pytest

from agenteval.evaluators import decide
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.status import Status
from tests.evaluators.judging import a_case, score, scores_of, spec


@pytest.mark.parametrize(
    ("params", "passed"),
    [
        ({"path": "raw.reward", "equals": 1}, True),
        ({"path": "raw.reward", "equals": 0}, False),
        ({"path": "raw.done", "equals": 1}, False),
        ({"path": "raw.reward", "min": 0.5, "max": 1}, True),
        ({"path": "raw.reward", "one_of": [2, 3]}, False),
        ({"path": "output.total", "equals": 42}, True),
        ({"path": "tool_calls[0].arguments.city", "equals": "Rome"}, True),
        ({"path": "tool_calls[-1].name", "equals": "book"}, True),
        ({"path": "usage.prompt_tokens", "max": 10}, True),
        ({"path": "raw.absent", "equals": 1}, None),
        ({"path": "tool_calls[5].name", "equals": "book"}, None),
        ({"path": "cost_usd", "max": 1}, None),
    ],
)
def test_field(params: dict[str, Any], passed: bool | None) -> None:
    found = score(
        "field",
        params,
        output='{"total": 42}',
        raw={"reward": 1.0, "done": True},
        tool_calls=(ToolCall("book", {"city": "Rome"}),),
        usage=Usage(prompt_tokens=7),
    )

    assert (found.passed, found.error) == (passed, None)


def test_an_absent_field_alone_cannot_decide_a_case() -> None:
    scores = scores_of(a_case(evaluators=(spec("field", {"path": "raw.reward", "equals": 1}),)))

    assert scores[0].reason == "not applicable: the attempt holds no raw.reward"
    assert decide(scores) == (Status.EVALUATOR_ERROR, None)


STEPS = tuple(Step("node", name) for name in ("plan", "search", "search", "write"))


@pytest.mark.parametrize(
    ("name", "limit", "evidence", "passed"),
    [
        ("max_steps", 4, {"steps": STEPS}, True),
        ("max_steps", 3, {"steps": STEPS}, False),
        ("max_steps", 1, {"tool_calls": (ToolCall("a"), ToolCall("a"))}, False),
        ("max_steps", 1, {}, None),
        ("max_latency_ms", 100, {"latency_ms": 100.0}, True),
        ("max_latency_ms", 99, {"latency_ms": 100.0}, False),
        ("max_latency_ms", 99, {}, None),
        ("max_cost_usd", 0.01, {"cost_usd": 0.02}, False),
        ("max_cost_usd", 0.01, {}, None),
        ("max_tokens", 10, {"usage": Usage(4, 6)}, True),
        ("max_tokens", 10, {"usage": Usage(prompt_tokens=4)}, None),
    ],
)
def test_limits(name: str, limit: float, evidence: dict[str, Any], passed: bool | None) -> None:
    assert score(name, limit, **evidence).passed is passed


@pytest.mark.parametrize(
    ("mode", "steps", "passed"),
    [
        ("lcs", ["plan", "search", "write"], False),
        ("strict", ["plan", "search", "search", "write"], True),
        ("strict", ["plan", "search", "write"], False),
        ("in_order", ["plan", "write"], True),
        ("in_order", ["write", "plan"], False),
        ("any_order", ["write", "search", "plan", "search"], True),
        ("subset", ["plan", "search", "search", "write", "publish"], True),
        ("subset", ["plan", "search", "write"], False),
        ("superset", ["write", "plan"], True),
        ("superset", ["publish"], False),
    ],
)
def test_trajectory(mode: str, steps: list[str], passed: bool) -> None:
    found = score("trajectory", {"steps": steps, "mode": mode}, nodes_fired=("plan", "search", "search", "write"))

    assert found.passed is passed


def test_trajectory_value_and_bar() -> None:
    found = score("trajectory", {"steps": ["plan", "search", "write"], "min_f1": 0.8}, nodes_fired=("plan", "search", "search", "write"))

    assert found.value == pytest.approx(6 / 7)
    assert (found.passed, found.evidence["extra"]) == (True, ["search"])


def test_a_trajectory_without_evidence_is_not_applicable() -> None:
    assert score("trajectory", ["plan"]).reason == "not applicable: the agent reports no nodes"


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ("The total is 1,234.50.", True),
        ("The total is 1,235.", False),
        ("12% of them", True),
        ("Since 2024 it is 1,234.5.", True),
        ("Founded in 1850.", False),
        ("See order #99 of 2031-01-01.", True),
        ("Two of them.", True),
        ("There are 3 of 7 left.", True),
        ("1 row was found.", True),
        ("It is not 500.", True),
    ],
)
def test_figures_need_support(answer: str, passed: bool) -> None:
    calls = (ToolCall("sql", {"limit": 3}, result={"total": "1234.5", "share": 0.12, "rows": [7]}),)

    found = scores_of(a_case({"must_not_hallucinate": True}), answer, tool_calls=calls)[0]

    assert found.passed is passed


def test_retrieved_context_and_prompt_support_figures() -> None:
    found = scores_of(
        a_case({"must_not_hallucinate": True}, prompt="Is it 77?"), "77 or 88, not 99; 55", retrieved_context=({"text": "88 days"},)
    )[0]

    assert found.evidence["unsupported"] == ["55"]


def test_no_judge_is_an_evaluator_error() -> None:
    (found,) = scores_of(a_case({"correctness_type": "llm_judge", "ground_truth": "polite"}), "hi")

    assert (found.name, str(found.error).startswith("no judge configured; ")) == ("llm_judge", True)
