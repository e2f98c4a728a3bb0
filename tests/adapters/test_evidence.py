import itertools
import math
from datetime import date
from pathlib import Path

import pytest

from agenteval.adapters.evidence import InvalidResponse, ReportedFailure, collect
from agenteval.adapters.safe import MAX_TEXT
from agenteval.model.response import AgentResponse, Step, ToolCall, Usage
from tests.builders import planted_secrets
from tests.runner.agents import Exploding, Unserialisable, cyclic


def test_text_is_an_answer():
    assert collect("42").output == "42"


def test_a_response_keeps_all_its_evidence():
    evidence = collect(
        AgentResponse(
            output="done",
            tool_calls=[{"name": "search", "arguments": {"q": 1}, "result": [1], "id": "t1"}, "write"],
            nodes_fired=["plan"],
            prompt_tokens=10,
            completion_tokens=5,
            cost_usd=0.5,
            latency_ms=12.5,
            retrieved_context=["text", {"id": "d1", "text": "more"}],
            citations=["d1"],
            trace_steps=[{"kind": "tool_call", "name": "search", "duration_ms": 3}],
            model="m-1",
        )
    )

    assert evidence.tool_calls == (ToolCall("search", {"q": 1}, [1], None, "t1"), ToolCall("write"))
    assert evidence.nodes_fired == ("plan",)
    assert evidence.usage == Usage(10, 5)
    assert evidence.usage.total == 15
    assert evidence.cost_usd == 0.5
    assert evidence.claimed_latency_ms == 12.5
    assert evidence.retrieved_context == ({"text": "text"}, {"id": "d1", "text": "more"})
    assert evidence.citations == ("d1",)
    assert evidence.steps == (Step("tool_call", "search", duration_ms=3.0),)
    assert evidence.model == "m-1"


def test_tool_calls_and_nodes_come_from_the_steps_where_they_are_not_given():
    evidence = collect(
        AgentResponse(
            "x",
            trace_steps=[
                {"kind": "node", "name": "plan"},
                {"kind": "tool_call", "name": "search", "input": {"q": "a"}, "output": "b", "id": "7"},
                {"kind": "node", "name": "write"},
            ],
        )
    )

    assert evidence.tool_calls == (ToolCall("search", {"q": "a"}, "b", None, "7"),)
    assert evidence.nodes_fired == ("plan", "write")


def test_the_path_is_the_tool_calls_where_nothing_else_is_known():
    assert collect(AgentResponse("x", tool_calls=["a", "b"])).nodes_fired == ("a", "b")


@pytest.mark.parametrize(
    "returned",
    [{"output": "hi"}, {"final_answer": "hi", "tools_called": ["t"]}, AgentResponse("hi")],
    ids=["mapping", "aliases", "response"],
)
def test_shapes_of_a_response(returned):
    assert collect(returned).output == "hi"


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "NoneType returned where text or an AgentResponse is due"),
        (42, "int returned where text or an AgentResponse is due"),
        ({"answer": "x"}, "a mapping without 'output' (keys: answer)"),
        ({"output": "x", "tols": []}, "a mapping with unknown keys: tols; put them under 'raw'"),
        (AgentResponse("x", tool_calls="search"), "tool_calls is a str; a list is due"),
        (AgentResponse("x", tool_calls=[{"args": {}}]), "a tool call without a name"),
        (AgentResponse("x", trace_steps=[{"name": "a"}]), "a step needs 'kind' and 'name'"),
        (AgentResponse(None), "the response's output is None"),
    ],
    ids=["none", "number", "no output", "unknown key", "calls as text", "nameless call", "kindless step", "output none"],
)
def test_what_is_no_answer_is_refused_with_its_reason(returned, message):
    with pytest.raises(InvalidResponse) as error:
        collect(returned)

    assert str(error.value) == message


def test_an_agent_can_report_its_own_failure_and_keep_its_evidence():
    with pytest.raises(ReportedFailure) as error:
        collect(AgentResponse("", raw={"success": False, "error": "quota"}, prompt_tokens=3, completion_tokens=0))

    assert str(error.value) == "quota"
    assert error.value.evidence.usage.total == 3


def test_values_without_json_form_are_named_not_fatal():
    evidence = collect(
        AgentResponse("x", raw={"thing": Unserialisable(), "path": Path("a/b"), "day": date(2026, 1, 2), "b": b"q", "s": {3}})
    )

    assert evidence.raw == {"thing": "<Unserialisable: no JSON form>", "path": "a/b", "day": "2026-01-02", "b": "q", "s": [3]}
    assert evidence.notes == ("a Unserialisable could not be stored (no JSON form)",)


def test_a_cycle_is_cut_where_it_closes():
    assert collect(AgentResponse("x", raw=cyclic())).raw == {"a": 1, "self": "<dict: refers to itself>"}


def test_nan_and_infinity_are_absent():
    evidence = collect(AgentResponse("x", latency_ms=math.nan, cost_usd=math.inf, raw={"v": math.nan}))

    assert evidence.claimed_latency_ms is None
    assert evidence.cost_usd is None
    assert evidence.raw == {"v": None}
    assert "latency_ms was nan: left out" in evidence.notes


def test_a_lone_surrogate_is_replaced():
    evidence = collect("a\ud800b")

    assert evidence.output == "a\ufffd\ufffd\ufffdb" or evidence.output == "a\ufffdb"
    assert evidence.output.encode("utf-8")
    assert evidence.notes == ("answer: lone surrogates replaced",)


def test_a_huge_answer_is_cut_with_a_note():
    evidence = collect("x" * 10_000_000)

    assert len(evidence.output) == MAX_TEXT
    assert evidence.notes == ("answer cut from 10,000,000 to 200,000 characters",)


def test_an_object_whose_attributes_raise_is_no_answer():
    with pytest.raises(RuntimeError):
        collect(Exploding())


def test_an_endless_iterator_of_tool_calls_is_cut_with_a_note():
    evidence = collect(AgentResponse(output="ok", tool_calls=itertools.repeat("search")))  # type: ignore[arg-type]

    assert len(evidence.tool_calls) == 100_000
    assert evidence.notes == ("tool_calls cut after 100,000 entries",)


def test_a_secret_that_the_cut_would_halve_is_redacted():
    key = next(iter(planted_secrets().values()))

    answer = collect("a " * (100_000 - len(key) // 4) + key + " and more")

    assert key[:8] not in answer.output
    assert len(answer.output) == 200_000
