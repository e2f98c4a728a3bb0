"""Tool efficiency: the right tools, and what was called twice for nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from agenteval.evaluators import Context, compile_case, observe
from agenteval.model.attempt import Attempt
from agenteval.model.response import Step, ToolCall
from agenteval.model.score import Score
from agenteval.model.status import Status
from tests.evaluators.judging import a_case, score, spec
from tests.evaluators.test_docs import SECTIONS


def calls(*steps: tuple[str, Any]) -> dict[str, Any]:
    """The evidence of an agent that made these calls, as steps and as tool calls."""
    return {
        "steps": tuple(Step("tool_call", name, arguments) for name, arguments in steps),
        "tool_calls": tuple(ToolCall(name, arguments) for name, arguments in steps),
    }


def efficiency(*steps: tuple[str, Any], tools: tuple[str, ...] = ("search", "book")) -> Score:
    return score("tool_efficiency", {"min": 0.5, "tools": list(tools)}, **calls(*steps))


def observed(case: Any, **evidence: Any) -> list[Score]:
    attempt = Attempt("a", Status.UNSCORED, **evidence)
    return list(observe(compile_case(case)[0].checks, Context(attempt, case.prompt, case.expects)))


@pytest.mark.parametrize(
    ("steps", "value", "redundant"),
    [
        pytest.param([("search", {"q": 1}), ("book", {})], 1.0, 0, id="each once"),
        pytest.param([("search", {"q": 1}), ("search", {"q": 1}), ("book", {})], 2 / 3, 1, id="one of three repeated"),
        pytest.param([("search", {"q": 1}), ("search", {"q": 2}), ("book", {})], 1.0, 0, id="other arguments"),
        pytest.param([("search", {"q": 1}), ("book", {"q": 1})], 1.0, 0, id="other tool"),
        pytest.param([("search", {"a": 1, "b": [2]}), ("search", {"b": [2], "a": 1}), ("book", 1)], 2 / 3, 1, id="order of keys"),
        pytest.param([("search", {"a": [1, 2]}), ("search", {"a": [2, 1]}), ("book", 1)], 1.0, 0, id="order of a list counts"),
        pytest.param([("search", '{"a": 1}'), ("search", {"a": 1}), ("book", 1)], 2 / 3, 1, id="arguments as JSON text"),
        pytest.param([("search", 1), ("search", 1), ("search", 1), ("search", 1)], 2 / 3 * 0.25, 3, id="a loop, one tool missing"),
        pytest.param([("other", 1)], 0.0, 0, id="no right tool"),
    ],
)
def test_the_value_is_f1_times_the_share_of_calls_that_are_new(steps: list[tuple[str, Any]], value: float, redundant: int) -> None:
    found = efficiency(*steps)

    assert found.value == pytest.approx(value)
    assert (found.evidence["redundant_calls"], found.evidence["calls"]) == (redundant, len(steps))


def test_what_was_repeated_is_named_with_its_arguments() -> None:
    found = efficiency(("search", {"q": "x"}), ("search", {"q": "x"}), ("search", {"q": "x"}), ("book", {}))

    assert found.evidence["repeated"] == [{"name": "search", "arguments": '{"q": "x"}', "calls": 3}]
    assert found.reason == "2 of 4 calls redundant, tool F1 1.00; repeated: search"


def test_without_recorded_calls_or_declared_tools_nothing_is_measured() -> None:
    no_steps = score("tool_efficiency", {"min": 1, "tools": ["search"]}, tool_calls=(ToolCall("search"),))
    no_tools = score("tool_efficiency", 1, **calls(("search", 1)))

    assert (no_steps.value, no_steps.reason) == (None, "not applicable: no tool-call step is recorded")
    assert (no_tools.value, no_tools.reason) == (None, "not applicable: the case declares no tools")


def test_it_is_observed_where_the_case_declares_tools_and_steps_are_recorded() -> None:
    declared = a_case({"ground_truth": "x", "must_call_tools": ["search"]})
    listed = a_case({"ground_truth": "x"}, evaluators=(spec("must_call_tools", ["search"]),))

    for case in (declared, listed):
        (found,) = observed(case, **calls(("search", 1), ("search", 1)))
        assert (found.name, found.value, found.passed, found.required) == ("tool_efficiency", 0.5, None, False)
    assert observed(declared, tool_calls=(ToolCall("search"),)) == []
    assert observed(declared, steps=(Step("model", "gpt"),)) == []
    assert observed(a_case({"ground_truth": "x"}), **calls(("search", 1))) == []


def test_a_conversation_counts_the_steps_of_all_its_turns() -> None:
    turn = Attempt("a::turn0", Status.PASSED, steps=(Step("tool_call", "search", 1),))
    (found,) = observed(
        a_case({"ground_truth": "x", "must_call_tools": ["search"]}),
        tool_calls=(ToolCall("search"), ToolCall("search")),
        turns=(turn, turn),
    )

    assert (found.value, found.evidence["redundant_calls"]) == (0.5, 1)


def test_the_example_in_the_docs_is_right() -> None:
    (block,) = re.findall(r"```text\n(.*?)```", SECTIONS["tool_efficiency"], re.DOTALL)
    lines = [re.split(r"\s+", line, maxsplit=1) for line in block.splitlines()]
    steps = [(name, json.loads(arguments)) for word, text in lines if word == "step" for name, arguments in [text.split(" ", 1)]]
    said = dict(lines)

    assert efficiency(*steps, tools=tuple(said["tools"].split(", "))).value == pytest.approx(float(said["value"]), abs=5e-5)
