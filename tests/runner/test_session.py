import json
import sys

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.artifacts.store import Store
from agenteval.errors import InputError
from agenteval.model.status import RunStatus
from agenteval.runner.events import AttemptFinished, Finished, Started
from agenteval.runner.opening import Opening
from tests.builders import planted_secrets
from tests.runner.project import statuses


def test_a_run_is_one_file_a_ledger_entry_and_nothing_else(project):
    project.suite("a", "b", "c")

    result = project.run()

    assert statuses(result.run) == {"a": "passed", "b": "passed", "c": "passed"}
    assert result.run.head.status is RunStatus.COMPLETED
    assert sorted(path.name for path in project.folder.iterdir() if path.suffix != ".lock") == sorted(
        [f"{result.run.head.run_id}.json", "history.json"]
    )
    ledger = json.loads((project.folder / "history.json").read_text())
    assert [entry["run_id"] for entry in ledger["entries"]] == [result.run.head.run_id]
    assert ledger["entries"][0]["digest"] == result.run.head.digest


def test_results_are_in_suite_order_whatever_finished_first(project):
    project.suite(*[f"case {number}" for number in range(40)])

    result = project.run(agent="tests.runner.agents:slow_echo", concurrency=10)

    assert [outcome.case_id for outcome in result.run.outcomes] == [f"case_{number}" for number in range(40)]
    assert [attempt.output for attempt in result.run.cases] == [f"case {number}" for number in range(40)]


@pytest.mark.parametrize("agent", ["tests.runner.agents:hostile", "tests.runner.agents:hostile_async"], ids=["blocking", "async"])
def test_whatever_an_agent_does_costs_its_own_attempt_alone(project, agent):
    vices = ["raise", "exit", "interrupt", "none", "exploding", "hang"]
    kept = ["cyclic", "unserialisable", "nan", "deep", "good"]
    project.suite(*vices, *kept)

    result = project.run(agent=agent, timeout_s=0.3, concurrency=3)

    assert statuses(result.run) == {**dict.fromkeys(vices, "agent_error"), **dict.fromkeys(kept, "passed")}
    kinds = {attempt.case_id: str(attempt.error.kind) for attempt in result.run.cases if attempt.error is not None}
    assert kinds == {
        "raise": "exception",
        "exit": "exit",
        "interrupt": "exit",
        "none": "invalid_response",
        "exploding": "invalid_response",
        "hang": "timeout",
    }
    json.loads(result.run.path.read_text(), parse_constant=lambda name: pytest.fail(f"{name} in the file"))


def test_a_ten_megabyte_answer_is_cut_and_the_rest_goes_on(project):
    project.suite("huge", "good")

    result = project.run(agent="tests.runner.agents:hostile")

    assert statuses(result.run) == {"huge": "failed", "good": "passed"}
    assert result.run.path.stat().st_size < 500_000
    huge = result.run.case("huge")
    assert huge is not None and huge.notes == ("answer cut from 10,000,000 to 200,000 characters",)


def test_a_lone_surrogate_costs_nothing_else(project):
    project.suite("surrogate", "good")

    result = project.run(agent="tests.runner.agents:hostile")

    assert statuses(result.run) == {"surrogate": "failed", "good": "passed"}
    assert load_run(result.run.path).case("surrogate").output.startswith("surrogate\ufffd")


def test_repeats_lie_in_the_sidecar_and_their_figures_in_the_head(project):
    project.suite("a", "b", "c", "d")

    result = project.run(agent="tests.runner.agents:by_seed", repeat=5, repeat_all=True)
    run = load_run(result.run.path)

    observations = run.observations()
    assert {case_id: len(attempts) for case_id, attempts in observations.items()} == {"a": 5, "b": 5, "c": 5, "d": 5}
    assert run.head.repeats is not None
    assert (run.head.repeats.k, run.head.repeats.cases) == (5, 4)
    passed = [sum(attempt.status == "passed" for attempt in attempts) for attempts in observations.values()]
    assert run.head.repeats.pass_hat_k[1] == pytest.approx(sum(passed) / 20)


def test_seeds_depend_on_case_and_repetition_alone(project):
    project.suite("a", "b", "c", "d", "e")

    first = project.run(agent="tests.runner.agents:by_seed", repeat=4, repeat_all=True, concurrency=1)
    second = project.run(agent="tests.runner.agents:by_seed", repeat=4, repeat_all=True, concurrency=5)

    def seen(run):
        return {case_id: [(a.seed, a.status) for a in attempts] for case_id, attempts in run.observations().items()}

    assert seen(first.run) == seen(second.run)


def test_fail_fast_stops_and_names_the_rest_as_skipped(project):
    project.suite("raise", "b", "c")

    result = project.run(agent="tests.runner.agents:hostile", fail_fast=True, concurrency=1)

    assert statuses(result.run) == {"raise": "agent_error", "b": "skipped", "c": "skipped"}
    assert result.run.head.status is RunStatus.STOPPED


def test_a_stopped_run_goes_on_where_it_stopped(project):
    project.suite("raise", "b", "c")
    stopped = project.run(agent="tests.runner.agents:hostile", fail_fast=True, concurrency=1)

    resumed = project.run(agent="tests.runner.agents:hostile", resume="")

    assert resumed.run.head.run_id == stopped.run.head.run_id
    assert resumed.run.head.resumed == 1
    assert statuses(resumed.run) == {"raise": "agent_error", "b": "passed", "c": "passed"}
    assert len(project.stored()) == 1
    ledger = json.loads((project.folder / "history.json").read_text())
    assert [entry["status"] for entry in ledger["entries"]] == ["completed"]


def test_a_changed_suite_is_not_resumed(project):
    project.suite("raise", "b")
    project.run(agent="tests.runner.agents:hostile", fail_fast=True, concurrency=1)
    project.suite("raise", "b", "c")

    with pytest.raises(InputError, match="the suite 'suite' changed since run"):
        project.run(agent="tests.runner.agents:hostile", resume="")


def test_another_agent_does_not_go_on_with_a_run(project, monkeypatch):
    project.suite("raise", "b")
    project.run(agent="tests.runner.agents:hostile", fail_fast=True, concurrency=1)

    with pytest.raises(InputError, match="there is no unfinished run"):
        project.run(agent="tests.runner.agents:echo", resume="")


def test_retrying_errors_makes_a_new_run_that_names_its_parent(project):
    project.suite("raise", "b")
    first = project.run(agent="tests.runner.agents:hostile")

    retried = project.run(agent="tests.runner.agents:hostile", retry_errors="")

    assert retried.run.head.parent == first.run.head.run_id
    assert retried.run.head.run_id != first.run.head.run_id
    assert statuses(retried.run) == {"raise": "agent_error", "b": "passed"}
    assert retried.run.case("b") == first.run.case("b")
    assert len(project.stored()) == 2


def test_last_failed_selects_what_did_not_pass(project):
    project.suite("raise", "b", "none")
    project.run(agent="tests.runner.agents:hostile")

    again = project.run(agent="tests.runner.agents:hostile", last_failed=True)

    assert list(statuses(again.run)) == ["raise", "none"]
    assert again.run.head.selection.left_out == 1
    assert again.run.left_out == ("b",)


def test_a_recording_judges_to_the_same_outcomes(project):
    project.suite("a", "raise", "cyclic")
    live = project.run(agent="tests.runner.agents:hostile", record_to="recording.jsonl")
    (project.root / "agents.yaml").write_text(
        "version: 1\nagents:\n  replayed:\n"
        "    adapter: agenteval.adapters.replay:Replay\n    adapter_options: {recording: recording.jsonl}\n"
    )

    replayed = project.run(agent="replayed")

    assert statuses(replayed.run) == statuses(live.run)
    assert [a.output for a in replayed.run.cases] == [a.output for a in live.run.cases]
    assert [a.latency_ms for a in replayed.run.cases] == [a.latency_ms for a in live.run.cases]


def test_events_tell_the_whole_run(project):
    project.suite("a", "b")
    seen = []

    project.run(observer=seen.append, concurrency=1)

    assert [type(event) for event in seen] == [Started, AttemptFinished, AttemptFinished, Finished]
    assert [(event.done, event.total, event.case_id) for event in seen[1:3]] == [(1, 2, "a"), (2, 2, "b")]


def test_a_conversation_gets_the_transcript_where_the_agent_keeps_no_state(project):
    turns = [{"prompt": "one", "expects": {"correctness_type": "contains", "ground_truth": "one"}}, {"prompt": "two"}]
    case = {"id": "talk", "turns": turns, "expects": {"correctness_type": "contains", "ground_truth": "two"}}
    (project.root / "suite.yaml").write_text(json.dumps([case]))

    result = project.run()

    talk = result.run.case("talk")
    assert talk is not None and [turn.case_id for turn in talk.turns] == ["talk::turn0", "talk::turn1"]
    assert talk.turns[1].output == "User: one\nAssistant: one\n\nUser: two"
    assert statuses(result.run) == {"talk": "passed"}


def test_the_ledger_is_left_alone_on_request(project):
    project.suite("a")

    project.run(keep_history=False)

    assert not (project.folder / "history.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repeat": 3}, "--repeat: says how often, not what; add --repeat-case ID or --repeat-all"),
        ({"repeat_all": True}, "--repeat-all: says what to repeat, not how often; add --repeat N with N of at least 2"),
        ({"repeat": 3, "repeat_cases": ("aa",)}, "--repeat-case: no case 'aa'; did you mean 'a'?"),
        ({"repeat": 2, "repeat_cases": ("b",), "case_ids": ("a",)}, "--repeat-case: case 'b' is not selected; select it too"),
        ({"smoke": True}, "--smoke: the agent has no smoke_case_ids; list them in agents.yaml"),
        ({"resume": ""}, "--resume: there is no unfinished run; start one without --resume"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else None,
)
def test_flags_that_fit_nothing_are_refused_before_any_call(project, options, message):
    project.suite("a", "b")

    with pytest.raises(InputError) as error:
        project.run(agent="tests.runner.agents:hostile", **options)

    assert str(error.value) == message
    assert not (project.root / "runs").exists()


def test_a_journal_that_a_kill_left_beside_its_finished_run_is_not_gone_on_with(project, monkeypatch):
    project.suite("one")
    monkeypatch.setattr(Opening, "discard_journal", lambda opening: None)
    project.run()

    with pytest.raises(InputError, match="there is no unfinished run"):
        project.run(resume="")


def test_a_journal_that_a_kill_left_empty_is_no_run(project):
    project.suite("one")
    project.run()
    left = project.folder / "journal" / "20261201T000000Z-nogit-000000.jsonl"
    left.parent.mkdir()
    left.touch()

    listing = Store([project.root / "runs"]).heads()

    assert (len(listing.runs), listing.unreadable, listing.running) == (1, (), ())


CHECKS = """
from agenteval.evaluators import Context, evaluator
from agenteval.model.score import Score

@evaluator
def looked_up(context: Context) -> Score:
    return Score("looked_up", 1.0, True, f"asked with {context.context['key']}", {"key": context.context["key"], "found": {1}})

@evaluator
def refused(context: Context) -> bool:
    raise ValueError(f"refused {context.context['key']}")
"""


def test_secrets_in_what_an_evaluator_from_elsewhere_says_are_not_stored(project, monkeypatch):
    monkeypatch.setattr(sys.modules["agenteval.evaluators.table"], "_defined", {})
    secret = next(iter(planted_secrets().values()))
    (project.root / "checks_with_a_key.py").write_text(CHECKS)
    case = {"id": "a", "prompt": "hi", "context": {"key": secret}, "evaluators": ["looked_up", "refused"]}
    (project.root / "suite.yaml").write_text(json.dumps({"imports": ["checks_with_a_key"], "cases": [case]}))

    (attempt,) = project.run().run.cases

    assert secret not in project.stored()[0].read_text()
    assert attempt.scores[0].reason.startswith("asked with ")
    assert attempt.scores[0].evidence["found"] == [1]
    assert attempt.scores[1].error.startswith("ValueError: refused ")


def test_secrets_in_names_are_replaced_before_the_names_are_used(project):
    secret = next(iter(planted_secrets().values()))
    expects = {"correctness_type": "exact", "ground_truth": "hi"}
    case = {"id": f"id {secret}", "prompt": "hi", "expects": expects, "tags": [secret], "model": secret}
    (project.root / "suite.yaml").write_text(json.dumps({"name": secret, "cases": [case]}))

    run = project.run(model=secret).run

    assert run.head.counts["passed"] == 1
    assert not [path for path in project.root.rglob("*") if path.is_file() and path.name != "suite.yaml" and secret in path.read_text()]
    assert not [path for path in project.root.rglob("*") if secret in path.name]
