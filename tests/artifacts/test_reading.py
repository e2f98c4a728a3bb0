"""Stored runs as values, whatever the file holds."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agenteval._files import dumps
from agenteval.artifacts.codec import head_from_json, head_to_json
from agenteval.artifacts.reading import NotARunError, load_head, load_run
from agenteval.artifacts.schemas import Schema
from agenteval.artifacts.store import Store
from agenteval.errors import InputError
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.gates import GateOutcome, GateResult, Verdict
from agenteval.model.record import from_record, to_record
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.run import Measure, Repeats, RunHead, Selection, SuiteRef
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Role, RunStatus, Status
from tests.artifacts.stored import store
from tests.builders import an_attempt

text = st.text(max_size=20)
number = st.none() | st.floats(0, 1e9)
count = st.none() | st.integers(0, 10**9)
plain = st.recursive(st.none() | st.booleans() | st.integers(-5, 5) | text, lambda part: st.lists(part, max_size=3), max_leaves=5)
mapping = st.dictionaries(text, plain, max_size=3)
scores = st.builds(
    Score, text, number, st.none() | st.booleans(), text, mapping, st.booleans(), st.none() | st.sampled_from(Feeds), st.none() | text
)
attempts = st.builds(
    Attempt,
    case_id=text,
    status=st.sampled_from(Status),
    repetition=st.integers(0, 9),
    correct=st.none() | st.booleans(),
    prompt=text,
    output=text,
    scores=st.lists(scores, max_size=3).map(tuple),
    error=st.none() | st.builds(Failure, text, text, text, st.none() | text),
    latency_ms=number,
    usage=st.builds(Usage, count, count, count, count),
    cost_usd=number,
    tool_calls=st.lists(st.builds(ToolCall, text, plain, plain, st.none() | text), max_size=2).map(tuple),
    steps=st.lists(st.builds(Step, text, text, plain, plain, number, number), max_size=2).map(tuple),
    nodes_fired=st.lists(text, max_size=2).map(tuple),
    raw=mapping,
    expects=mapping,
    tags=st.lists(text, max_size=2).map(tuple),
    role=st.none() | st.sampled_from(Role),
    critical=st.booleans(),
    notes=st.lists(text, max_size=2).map(tuple),
)
measured = st.builds(Measure, number, st.integers(0, 99), text, text, st.dictionaries(text, st.integers(1, 9), max_size=2), number, number)
gates = st.builds(
    GateResult, text, st.sampled_from(GateOutcome), text, number, number, number, number, st.lists(text, max_size=2).map(tuple)
)
heads = st.builds(
    RunHead,
    run_id=text,
    agent=text,
    suite=st.builds(SuiteRef, text, st.none() | text, st.none() | text, count),
    started_at=text,
    status=st.sampled_from([RunStatus.COMPLETED, RunStatus.STOPPED, RunStatus.INTERRUPTED]),
    selection=st.builds(Selection, mapping, st.integers(0, 9)),
    duration_s=number,
    counts=st.dictionaries(text, st.integers(0, 9), max_size=3),
    metrics=st.dictionaries(text, measured, max_size=3),
    repeats=st.none() | st.builds(Repeats, st.integers(1, 9), st.integers(0, 9), st.dictionaries(st.integers(1, 9), number, max_size=2)),
    gate=st.none() | st.builds(Verdict, st.sampled_from(GateOutcome), text, st.lists(gates, max_size=2).map(tuple), st.none() | text),
    label=st.none() | text,
    meta=st.dictionaries(text, text, max_size=2),
    resumed=st.integers(0, 3),
    digest=st.none() | text,
)


@given(attempts)
def test_an_attempt_survives_its_record(attempt):
    assert from_record(json.loads(dumps(to_record(attempt)))) == attempt


@given(heads)
def test_a_head_survives_its_json(head):
    assert head_from_json(json.loads(dumps(head_to_json(head)))) == head


def test_a_stored_run_is_the_run_that_was_written(tmp_path):
    cases = [an_attempt("a"), an_attempt("b", False), an_attempt("c", None)]
    run = load_run(store(tmp_path, attempts=cases))

    assert list(run.cases) == cases
    assert (run.cases[1], run.cases[-1], list(run.cases[:2])) == (cases[1], cases[2], cases[:2])
    assert run.case("b") == cases[1]
    assert run.left_out == ("left",)
    assert [outcome.status for outcome in run.outcomes] == [Status.PASSED, Status.FAILED, Status.AGENT_ERROR]
    assert run.head.metrics["correctness_rate"].value == 0.5
    with pytest.raises(IndexError):
        run.cases[3]


def test_a_head_is_read_from_the_first_line(tmp_path):
    path = store(tmp_path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], b"not json at all", b"]}", b""]))

    assert load_head(path).agent == "bot"


def test_a_reformatted_file_is_still_read(tmp_path):
    path = store(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()), indent=2))

    run = load_run(path)

    assert load_head(path) == run.head
    assert [attempt.case_id for attempt in run.cases] == ["a", "b"]


def test_line_ends_of_another_system_are_read(tmp_path):
    path = store(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert [attempt.case_id for attempt in load_run(path).cases] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"\x89PNG\xff\x00", "is not text: byte 0 is no UTF-8"),
        (b'{"schema":"agenteval.run/2","head":', "written with schema 2, this version reads up to 1; upgrade agenteval"),
        (b'{"schema":"agenteval.run/1","head":{},"cases":[]}', "is a damaged run: 'outcomes' is missing"),
        (b'{"run_id":"x","case_results":[{"latency_ms":NaN}]}', "holds NaN, which is not JSON"),
        (b'{"run_id":"x","case_results":[{}],"timestamp":"2026-11-30T12:00:00Z"}', "is a damaged run"),
        (b'{"run_id":"x","case_results"', "is cut off"),
        (b"{a}", "is not JSON"),
        (b"[1,2]", "is not a run but a JSON list"),
        (b'{"case_transitions":[]}', "is not a run but a comparison of AgentEval 0.3"),
        (b"[" * 100_000, "is nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_reason(tmp_path, content, reason):
    path = tmp_path / "x.json"
    path.write_bytes(content)

    for load in (load_head, load_run):
        with pytest.raises(InputError) as caught:
            load(path)
        message = str(caught.value)
        assert message.startswith(str(path))
        assert reason in message


def test_a_newer_schema_is_refused_with_the_way_out(tmp_path):
    path = tmp_path / "r.json"
    path.write_bytes(b'{"schema":"agenteval.run/2","head":{},\n')

    with pytest.raises(InputError) as caught:
        load_run(path)

    assert str(caught.value) == f"{path}: written with schema 2, this version reads up to 1; upgrade agenteval"


@pytest.mark.parametrize("cut", [3, 60, 2000])
def test_a_truncated_run_is_not_taken_for_a_shorter_one(tmp_path, cut):
    path = store(tmp_path)
    path.write_bytes(path.read_bytes()[:-cut])

    with pytest.raises(InputError, match="is cut off"):
        load_head(path)


def test_a_damaged_case_names_its_line_and_the_others_are_read(tmp_path):
    path = store(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'{"case_id":"b"', b'{"case_id":b"'))

    run = load_run(path)

    assert run.cases[0].case_id == "a"
    with pytest.raises(InputError, match=r"x?\.json:6:1: the case record is damaged"):
        run.cases[1]


def test_a_run_that_was_replaced_meanwhile_is_told(tmp_path):
    path = store(tmp_path)
    run = load_run(path)
    path.write_bytes(path.read_bytes() + b"\n")

    with pytest.raises(InputError, match="was replaced while it was being read"):
        list(run.cases)


def test_older_schemas_are_upgraded_step_by_step(tmp_path):
    schema = Schema("agenteval.run", 3, {1: lambda old: {**old, "two": True}, 2: lambda old: {**old, "three": True}})

    assert schema.upgraded({"schema": "agenteval.run/1"}, tmp_path) == {"schema": "agenteval.run/1", "two": True, "three": True}


def test_other_documents_say_what_they_are(tmp_path):
    path = tmp_path / "package.json"
    path.write_text('{"name": "x"}')

    with pytest.raises(NotARunError, match="is not a run but another JSON document"):
        load_head(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(st.binary(max_size=300), st.sampled_from([b"", b'{"schema":"agenteval.run/1","head":', b'{"run_id":"x","case_results":', b"[{"]))
def test_any_bytes_are_listed_or_named_and_never_crash_the_store(tmp_path, content, start):
    (tmp_path / "x.json").write_bytes(start + content)
    (tmp_path / "journal").mkdir(exist_ok=True)
    (tmp_path / "journal" / "y.jsonl").write_bytes(start + content)

    listing = Store([tmp_path]).heads()

    assert len(listing.runs) + len(listing.unreadable) + len(listing.running) <= 3


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(st.data())
def test_a_flipped_byte_is_never_a_crash(tmp_path, data):
    path = tmp_path / "bot" / "20261130T120001Z-abc1234-000001.json"
    content = bytearray((path if path.exists() else store(tmp_path)).read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255))
    other = tmp_path / "flipped"
    other.mkdir(exist_ok=True)
    (other / "x.json").write_bytes(content)

    listing = Store([other]).heads()

    for item in listing.runs:
        dict(item.head.metrics)
        try:
            list(load_run(item.path).cases)
        except InputError:
            continue
