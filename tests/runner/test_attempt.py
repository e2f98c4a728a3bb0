import json

import pytest

from tests.runner.project import statuses

HOOKED = """
LOG = []

def answer(prompt, *, case_id, repetition, seed, session, model, context, timeout_s):
    LOG.append(("run", case_id, repetition, model, context, timeout_s))
    return prompt

def prepare(case_id):
    LOG.append(("setup", case_id))

def tidy(case_id):
    LOG.append(("teardown", case_id))

async def prepare_async(case_id):
    LOG.append(("setup", case_id))

def broken(case_id):
    raise OSError("no database")
"""


@pytest.fixture
def hooked(project, request):
    name = "hooked_" + "".join(char if char.isalnum() else "_" for char in request.node.name)
    (project.root / f"{name}.py").write_text(HOOKED)
    return name


def write(project, **case):
    expects = {"correctness_type": "exact", "ground_truth": "hi"}
    (project.root / "suite.yaml").write_text(json.dumps([{"id": "a", "prompt": "hi", "expects": expects, **case}]))


def log(name):
    return __import__(name).LOG


def test_the_agent_is_told_what_its_signature_takes(project, hooked):
    write(project, model="m-1", context={"user": "ann"}, timeout_s=7)

    project.run(agent=f"{hooked}:answer")

    assert log(hooked) == [("run", "a", 0, "m-1", {"user": "ann"}, 7)]


@pytest.mark.parametrize("prepare", ["prepare", "prepare_async"])
def test_setup_and_teardown_stand_around_every_attempt(project, hooked, prepare):
    write(project, setup=f"{hooked}:{prepare}", teardown=f"{hooked}:tidy")

    project.run(agent=f"{hooked}:answer", repeat=2, repeat_all=True, concurrency=1)

    assert [entry[0] for entry in log(hooked)] == ["setup", "run", "teardown"] * 2


def test_a_failed_setup_is_an_error_and_nothing_is_called(project, hooked):
    write(project, setup=f"{hooked}:broken", teardown=f"{hooked}:tidy")

    result = project.run(agent=f"{hooked}:answer")

    assert statuses(result.run) == {"a": "agent_error"}
    assert result.run.cases[0].error.message == "setup: no database"
    assert log(hooked) == []


def test_a_failed_teardown_keeps_the_answer_and_is_no_pass(project, hooked):
    write(project, teardown=f"{hooked}:broken")

    result = project.run(agent=f"{hooked}:answer")

    attempt = result.run.cases[0]
    assert (attempt.status, attempt.output, attempt.error.message) == ("evaluator_error", "hi", "teardown: no database")


def test_a_turn_that_raises_keeps_the_turns_before_it(project):
    turns = [{"prompt": "fine"}, {"prompt": "raise"}, {"prompt": "never asked"}]
    (project.root / "talker.py").write_text(
        "def answer(prompt, *, session):\n    if prompt == 'raise':\n        raise ValueError('broke')\n    return prompt\n"
    )
    case = {"id": "talk", "turns": turns, "expects": {"correctness_type": "contains", "ground_truth": "fine"}}
    (project.root / "suite.yaml").write_text(json.dumps([case]))

    result = project.run(agent="talker:answer")

    talk = result.run.cases[0]
    assert talk.status == "agent_error"
    assert [turn.status for turn in talk.turns] == ["unscored", "agent_error"]
    assert talk.output == "fine"


def test_a_quarantined_case_runs_and_gates_nothing(project):
    cases = [
        {"id": "a", "prompt": "a", "expects": {"correctness_type": "exact", "ground_truth": "a"}},
        {
            "id": "q",
            "prompt": "q",
            "expects": {"correctness_type": "exact", "ground_truth": "never"},
            "quarantine": {"until": "2999-01-01", "reason": "known fault"},
        },
    ]
    (project.root / "suite.yaml").write_text(json.dumps(cases))

    result = project.run()

    assert statuses(result.run) == {"a": "passed", "q": "failed"}
    assert result.run.head.metrics["pass_rate"].n == 1
    assert result.comparison.verdict.passed
    assert result.run.cases[1].quarantine == {"until": "2999-01-01", "reason": "known fault"}


def test_a_quarantine_that_is_over_gates_again(project):
    case = {"id": "q", "prompt": "q", "expects": {"correctness_type": "exact", "ground_truth": "never"}}
    (project.root / "suite.yaml").write_text(json.dumps([{**case, "quarantine": {"until": "2020-01-01", "reason": "old"}}]))

    result = project.run()

    assert result.run.outcomes[0].role is None
    assert not result.comparison.verdict.passed


def test_candidates_run_on_request_and_gate_nothing(project):
    expects = {"correctness_type": "exact", "ground_truth": "a"}
    cases = [
        {"id": "a", "prompt": "a", "expects": expects},
        {"id": "c", "prompt": "c", "expects": expects, "review_status": "candidate"},
    ]
    (project.root / "suite.yaml").write_text(json.dumps(cases))

    without, with_candidates = project.run(), project.run(include_candidates=True)

    assert list(statuses(without.run)) == ["a"]
    assert statuses(with_candidates.run) == {"a": "passed", "c": "failed"}
    assert with_candidates.run.outcomes[1].role == "candidate"
    assert with_candidates.comparison.verdict.passed


def test_declared_prices_cost_an_attempt(project):
    (project.root / "priced.py").write_text(
        "from agenteval import AgentResponse\n"
        "def answer(prompt):\n"
        "    return AgentResponse(prompt, prompt_tokens=20212, completion_tokens=931, cached_tokens=16298, model='m')\n"
    )
    (project.root / "agents.yaml").write_text(
        "version: 1\nagents:\n  bot:\n    adapter: priced:answer\n    pricing: {m: {input: 0.5, output: 3.0, cached_input: 0.05}}\n"
    )
    project.suite("hi")

    result = project.run(agent="bot")

    assert result.run.cases[0].cost_usd == pytest.approx(0.0055649)
    assert result.run.cases[0].cost_source == "priced"


def test_an_unpriced_attempt_costs_nothing_known(project):
    (project.root / "unpriced.py").write_text(
        "from agenteval import AgentResponse\n"
        "def answer(prompt):\n"
        "    return AgentResponse(prompt, prompt_tokens=10, completion_tokens=5, model='m')\n"
    )
    project.suite("hi")

    result = project.run(agent="unpriced:answer")

    assert (result.run.cases[0].cost_usd, result.run.cases[0].cost_source) == (None, "unpriced")
    assert result.run.head.metrics["total_cost_usd"].value is None
    assert result.run.head.metrics["total_tokens"].value == 15


def test_the_cost_limit_stops_the_run_and_says_so(project):
    (project.root / "dear.py").write_text(
        "from agenteval import AgentResponse\ndef answer(prompt):\n    return AgentResponse(prompt, cost_usd=0.4)\n"
    )
    project.suite("a", "b", "c", "d")

    result = project.run(agent="dear:answer", max_cost_usd=0.7, concurrency=1)

    assert list(statuses(result.run).values()) == ["passed", "passed", "skipped", "skipped"]
    assert result.run.head.status == "stopped"
    assert result.run.cases[2].notes == ("not executed: --max-cost-usd stopped the run",)
