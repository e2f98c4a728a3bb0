"""Conversations with a user who follows a script, the state that the agent leaves behind, and both judged again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.model.run import Run
from agenteval.reports.planned import planned_text
from agenteval.runner.configure import Wanted, run_requests
from agenteval.runner.listing import planned
from agenteval.runner.rescoring import Rescore, rescore_request
from agenteval.runner.session import RunResult, run_suite
from tests.runner.project import Project, statuses

SHOP = """
import asyncio

HEARD = []
STATE = {"refunded": ["4821"]}

def answer(prompt):
    HEARD.append(prompt)
    last = prompt.rpartition("User: ")[2]
    if "return" in last:
        return "Sure. I need your order number first."
    if "4821" in last:
        return "What is wrong with it?"
    if "broken" in last:
        return "The label is on its way. Goodbye!"
    if "crash" in last:
        raise ValueError("lost the thread")
    return "How can I help?"

def with_session(prompt, *, session):
    HEARD.append((session, prompt))
    return answer(prompt)

async def at_once(prompt):
    return answer(prompt)

def state(case_id, *, repetition, session):
    return {**STATE, "case": case_id, "repetition": repetition, "session": session}

def plain_state(case_id):
    return STATE

async def async_state(case_id):
    await asyncio.sleep(0)
    return STATE

def no_state(case_id):
    raise ConnectionError("the database is gone, password=hunter2hunter2")

def odd_state(case_id):
    return {"set": {1}, "nan": float("nan"), "key": "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}
"""
SCRIPT = [
    {"say": "I want to return my blender."},
    {"when_matches": "(?i)what is wrong", "say": "It is broken."},
    {"when": "order number", "say": "It is 4821."},
]


@pytest.fixture
def shop(project: Project, request: pytest.FixtureRequest) -> str:
    name = "shop_" + "".join(char if char.isalnum() else "_" for char in request.node.name)
    (project.root / f"{name}.py").write_text(SHOP)
    return name


def write(project: Project, **case: Any) -> None:
    whole = {"id": "talk", "expects": {"correctness_type": "contains", "ground_truth": "label"}, **case}
    (project.root / "suite.yaml").write_text(json.dumps([whole]))


def said(run: Run) -> list[tuple[str, str]]:
    return [(turn.prompt, turn.output) for turn in run.cases[0].turns]


def rescored(project: Project, run: Run) -> RunResult:
    return run_suite(rescore_request(Rescore(cwd=project.root, run=run.head.run_id)))


TALK = [
    ("I want to return my blender.", "Sure. I need your order number first."),
    ("It is 4821.", "What is wrong with it?"),
    ("It is broken.", "The label is on its way. Goodbye!"),
]


@pytest.mark.parametrize("agent", ["answer", "with_session", "at_once"])
def test_the_user_says_what_the_agent_asks_for(project: Project, shop: str, agent: str) -> None:
    write(project, user={"script": SCRIPT})

    result = project.run(agent=f"{shop}:{agent}")

    stored = load_run(project.stored()[0])
    assert statuses(stored) == {"talk": "passed"}
    assert said(stored) == TALK
    assert stored.cases[0].raw == {"conversation": {"stopped": "script_exhausted"}}
    assert stored.cases[0].output == "\n\n".join(answer for _, answer in TALK)
    assert result.run.head.counts["passed"] == 1


def test_an_agent_with_a_session_hears_one_line_at_a_time_and_another_the_whole_talk(project: Project, shop: str) -> None:
    write(project, user={"script": SCRIPT})

    project.run(agent=f"{shop}:with_session")
    sessions = [heard for heard in __import__(shop).HEARD if isinstance(heard, tuple)]
    __import__(shop).HEARD.clear()
    project.run(agent=f"{shop}:answer")

    assert [prompt for _, prompt in sessions] == [asked for asked, _ in TALK]
    assert len({session for session, _ in sessions}) == 1
    assert __import__(shop).HEARD[1] == (
        "User: I want to return my blender.\nAssistant: Sure. I need your order number first.\n\nUser: It is 4821."
    )


@pytest.mark.parametrize(
    ("user", "stopped", "turns", "unsaid"),
    [
        ({"script": SCRIPT, "stop_when": "WHAT is wrong"}, "stop_when", 2, ["It is broken."]),
        ({"script": SCRIPT, "max_turns": 2}, "max_turns", 2, ["It is broken."]),
        ({"script": [*SCRIPT, {"when": "tracking", "say": "x"}]}, "script_exhausted", 3, ["x"]),
        ({"script": [{"say": "hello"}, {"say": "crash"}, {"say": "more"}]}, "agent_error", 2, ["more"]),
        ({"script": [{"say": "hello"}, {"when": "elp", "say": "half a word asks for nothing"}]}, "script_exhausted", 1, None),
        ({"script": [{"say": "hello"}], "max_turns": 9}, "script_exhausted", 1, None),
    ],
)
def test_the_attempt_says_why_the_conversation_ended(
    project: Project, shop: str, user: dict[str, Any], stopped: str, turns: int, unsaid: list[str] | None
) -> None:
    write(project, user=user)

    run = project.run(agent=f"{shop}:answer").run

    talk = run.cases[0]
    assert (talk.raw["conversation"]["stopped"], len(talk.turns)) == (stopped, turns)
    if unsaid is not None:
        assert talk.raw["conversation"].get("unsaid") == unsaid
    assert statuses(run)["talk"] == ("agent_error" if stopped == "agent_error" else "passed" if turns == 3 else "failed")


def test_a_line_that_waits_is_said_before_the_next_that_does_not(project: Project, shop: str) -> None:
    script = [{"say": "I want to return it"}, {"say": "hello again"}, {"when": "order number", "say": "4821"}]
    write(project, user={"script": script})

    run = project.run(agent=f"{shop}:answer").run

    assert [asked for asked, _ in said(run)] == ["I want to return it", "4821", "hello again"]


def test_only_what_was_said_supports_a_figure(project: Project, shop: str) -> None:
    (project.root / f"{shop}_2.py").write_text("def answer(prompt):\n    return 'That makes 77 dollars.'\n")
    script = [{"say": "hello"}, {"when": "order", "say": "I paid 77 dollars"}]
    write(project, user={"script": script}, expects={"must_not_hallucinate": True})

    run = project.run(agent=f"{shop}_2:answer").run

    assert statuses(run) == {"talk": "failed"}


def test_a_pattern_that_runs_away_is_an_evaluator_error_and_the_answers_are_kept(project: Project, shop: str) -> None:
    (project.root / f"{shop}_2.py").write_text("def answer(prompt):\n    return 'a' * 60\n")
    write(project, user={"script": [{"say": "hello"}, {"when_matches": "(a+)+b", "say": "x"}]})

    run = project.run(agent=f"{shop}_2:answer").run
    again = rescored(project, run).run

    for attempt in (run.cases[0], again.cases[0]):
        assert (attempt.status, attempt.output) == ("evaluator_error", "a" * 60)
        assert attempt.error is not None
        assert attempt.error.message.startswith("user.script: the pattern took longer than 2 s")
    assert run.cases[0].raw["conversation"]["stopped"] == "pattern_error"


def test_a_stored_conversation_is_judged_again_without_the_script(project: Project, shop: str) -> None:
    write(project, user={"script": SCRIPT}, final_state=f"{shop}:plain_state")
    first = project.run(agent=f"{shop}:answer", repeat=2, repeat_all=True).run
    heard = len(__import__(shop).HEARD)
    write(
        project,
        user={"script": [{"say": "quite another script"}]},
        final_state=f"{shop}:no_state",
        evaluators=[{"field": {"path": "raw.conversation.stopped", "equals": "max_turns"}}],
    )

    again = rescored(project, first)

    stored = load_run(again.run.path)
    assert said(stored) == TALK
    assert stored.cases[0].raw == first.cases[0].raw
    assert statuses(stored) == {"talk": "failed"}
    assert [attempt.status for attempt in stored.repetitions] == ["failed"]
    assert len(__import__(shop).HEARD) == heard


def test_a_single_answer_is_no_conversation_when_judged_again(project: Project, shop: str) -> None:
    write(project, prompt="I want to return it")
    first = project.run(agent=f"{shop}:answer").run
    write(project, user={"script": SCRIPT})

    attempt = rescored(project, first).run.cases[0]

    assert attempt.status == "evaluator_error"
    assert attempt.error is not None
    assert attempt.error.message == "the stored conversation has 0 turns, the case a user who follows a script: execute it again"


def test_what_the_agent_leaves_behind_decides(project: Project, shop: str) -> None:
    checks = [{"field": {"path": "raw.final_state.refunded[0]", "equals": "4821"}}]
    write(project, prompt="return it", expects={}, evaluators=checks, final_state=f"{shop}:state")

    run = project.run(agent=f"{shop}:answer", repeat=2, repeat_all=True).run

    assert statuses(run) == {"talk": "passed"}
    found = [attempt.raw["final_state"] for attempt in (run.cases[0], *run.repetitions)]
    assert [(state["case"], state["repetition"]) for state in found] == [("talk", 0), ("talk", 1)]
    assert [state["session"] for state in found] == [f"{run.head.run_id}/talk/0", f"{run.head.run_id}/talk/1"]


@pytest.mark.parametrize("agent", ["answer", "at_once"])
@pytest.mark.parametrize("state", ["plain_state", "async_state"])
def test_a_state_may_block_or_be_awaited_beside_any_agent(project: Project, shop: str, agent: str, state: str) -> None:
    checks = [{"field": {"path": "raw.final_state", "equals": {"refunded": ["4821"]}}}]
    write(project, user={"script": SCRIPT}, evaluators=checks, final_state=f"{shop}:{state}")

    assert statuses(project.run(agent=f"{shop}:{agent}").run) == {"talk": "passed"}


def test_a_state_that_cannot_be_read_is_an_evaluator_error_and_stays_one(project: Project, shop: str) -> None:
    write(project, prompt="broken", final_state=f"{shop}:no_state")

    run = project.run(agent=f"{shop}:answer").run
    again = rescored(project, run).run

    attempt = run.cases[0]
    assert (attempt.status, attempt.correct, attempt.output) == ("evaluator_error", None, "The label is on its way. Goodbye!")
    assert attempt.error is not None
    assert attempt.error.message.startswith("final_state: the database is gone")
    assert "hunter2hunter2" not in project.stored()[0].read_text()
    assert (again.cases[0].status, again.cases[0].output) == ("evaluator_error", attempt.output)


def test_a_state_is_made_safe_and_redacted(project: Project, shop: str) -> None:
    write(project, prompt="broken", final_state=f"{shop}:odd_state")

    attempt = project.run(agent=f"{shop}:answer").run.cases[0]

    state = attempt.raw["final_state"]
    assert (state["set"], state["nan"]) == ([1], None)
    assert "a1B2c3D4e5F6" not in state["key"]
    assert "final_state: nan stored as null" in attempt.notes


def test_a_state_is_not_asked_for_where_the_agent_failed(project: Project, shop: str) -> None:
    write(project, prompt="crash", final_state=f"{shop}:no_state")

    attempt = project.run(agent=f"{shop}:answer").run.cases[0]

    assert attempt.status == "agent_error"
    assert attempt.error is not None
    assert attempt.error.message == "lost the thread"


def test_a_state_that_does_not_exist_is_refused_before_anything_runs(project: Project, shop: str) -> None:
    write(project, prompt="broken", final_state=f"{shop}:nowhere")

    with pytest.raises(Exception, match=r"suite\.yaml:1:\d+: cases\[0\]\.final_state"):
        project.run(agent=f"{shop}:answer")
    assert __import__(shop).HEARD == []


@pytest.mark.parametrize("case", [{"user": {"script": SCRIPT}}, {"prompt": "broken"}], ids=["conversation", "single"])
def test_a_recording_holds_conversation_and_state(project: Project, shop: str, case: dict[str, Any]) -> None:
    write(project, **case, final_state=f"{shop}:plain_state")
    first = project.run(agent=f"{shop}:answer", record_to="talk.jsonl").run
    write(project, **case, final_state=f"{shop}:no_state")
    (project.root / "agents.yaml").write_text(
        "version: 1\nagents:\n  replay:\n    adapter: agenteval.adapters.replay:Replay\n    adapter_options: {recording: talk.jsonl}\n"
    )

    again = project.run(agent="replay").run

    assert statuses(again) == {"talk": "passed"}
    assert again.cases[0].raw == first.cases[0].raw
    assert [replace(turn, started_at=None, latency_ms=None).output for turn in again.cases[0].turns] == [
        turn.output for turn in first.cases[0].turns
    ]
    assert again.cases[0].notes == ()


@pytest.mark.parametrize(("more", "calls"), [({}, 3), ({"max_turns": 2}, 2), ({"max_turns": 9}, 3)])
def test_a_dry_run_counts_the_calls_that_there_can_be(project: Project, shop: str, more: dict[str, Any], calls: int) -> None:
    write(project, user={"script": SCRIPT, **more})
    (request,) = run_requests(Wanted(cwd=project.root, suite="suite.yaml", agent=f"{shop}:answer"))

    listing = planned(request)

    assert f"at most {calls} calls of the agent" in planned_text(listing, calls=True)
