import json

import pytest

from agenteval.adapters.contract import AgentFailure
from agenteval.adapters.replay import Replay, recorded
from agenteval.errors import InputError
from agenteval.model.attempt import Failure
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.status import ErrorKind
from tests.builders import an_attempt


def write(path, *records):
    path.write_text("\n".join(json.dumps(record) for record in records) + "\n")
    return path


def test_an_attempt_is_found_by_case_and_repetition(tmp_path):
    replay = Replay(write(tmp_path / "r.jsonl", {"case_id": "a", "output": "one"}, {"case_id": "a", "repetition": 1, "output": "two"}))

    assert replay.run("q", case_id="a", repetition=0, session="s").output == "one"
    assert replay.run("q", case_id="a", repetition=1, session="s").output == "two"


def test_an_attempt_that_was_not_recorded_is_an_error_of_its_own(tmp_path):
    replay = Replay(write(tmp_path / "r.jsonl", {"case_id": "a", "output": "one"}))

    with pytest.raises(AgentFailure, match="the recording holds no attempt of 'b', repetition 0"):
        replay.run("q", case_id="b", repetition=0, session="s")


def test_a_recorded_error_comes_back_with_its_kind(tmp_path):
    replay = Replay(write(tmp_path / "r.jsonl", {"case_id": "a", "error": {"kind": "timeout", "type": "TimeoutError", "message": "30 s"}}))

    with pytest.raises(AgentFailure, match="30 s") as error:
        replay.run("q", case_id="a", repetition=0, session="s")
    assert (error.value.kind, error.value.type_name) == ("timeout", "TimeoutError")


def test_turns_come_back_one_a_call(tmp_path):
    replay = Replay(write(tmp_path / "r.jsonl", {"case_id": "a", "turns": [{"output": "one"}, {"output": "two"}]}))

    answers = [replay.run("q", case_id="a", repetition=0, session="s").output for _ in range(2)]

    assert answers == ["one", "two"]


def test_every_bad_line_is_named(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"case_id": "a", "output": "x"}\n[1]\n{"case_id": "a", "output": "y"}\n{"case_id": "b", "outptu": 1}\nnot json\n')

    with pytest.raises(InputError) as error:
        Replay(path)

    lines = str(error.value).splitlines()
    assert lines[0] == f"{path}:2:1: not a JSON object; write one JSON object a line"
    assert lines[1] == f"{path}:3:1: 'a' repetition 0 is recorded twice; write one JSON object a line"
    assert lines[2].startswith(f"{path}:4:1: unknown key 'outptu'; known: ")
    assert lines[3].startswith(f"{path}:5:1: Expecting value")


def test_an_empty_recording_is_refused(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text("")

    with pytest.raises(InputError, match="holds no attempts"):
        Replay(path)


def test_a_recorded_attempt_replays_as_itself(tmp_path):
    attempt = an_attempt(
        "a",
        output="x",
        tool_calls=(ToolCall("t", {"q": 1}),),
        steps=(Step("tool_call", "t", duration_ms=2.0),),
        usage=Usage(10, 5),
        cost_usd=0.5,
        cost_source="reported",
        raw={"reward": 1},
    )
    response = Replay(write(tmp_path / "r.jsonl", recorded(attempt))).run("q", case_id="a", repetition=0, session="s")

    assert response.output == "x"
    assert response.tool_calls == [{"name": "t", "arguments": {"q": 1}}]
    assert response.trace_steps == [{"kind": "tool_call", "name": "t", "duration_ms": 2.0}]
    assert (response.prompt_tokens, response.completion_tokens, response.cost_usd, response.latency_ms) == (10, 5, 0.5, 100.0)
    assert response.raw == {"reward": 1}


def test_a_recorded_failure_replays_as_itself(tmp_path):
    attempt = an_attempt("a", passed=None, error=Failure(ErrorKind.TIMEOUT, "TimeoutError", "no answer"))

    with pytest.raises(AgentFailure, match="no answer"):
        Replay(write(tmp_path / "r.jsonl", recorded(attempt))).run("q", case_id="a", repetition=0, session="s")
