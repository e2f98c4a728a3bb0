"""Stored evidence judged again by today's checks."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.compare import compare_runs
from agenteval.errors import InputError
from agenteval.model.attempt import Attempt
from agenteval.model.run import Run
from agenteval.runner.rescoring import Rescore, not_applicable, rescore_request
from agenteval.runner.session import run_suite
from tests.runner.project import Project, statuses

JUDGED = {"status", "correct", "scores", "expects", "evaluators", "definition", "tags", "critical"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


def rescored(project: Project, run: str = "latest", **options: Any) -> Run:
    return run_suite(rescore_request(Rescore(project.root, run, **options))).run


def evidence(attempt: Attempt) -> dict[str, Any]:
    return {field.name: getattr(attempt, field.name) for field in fields(Attempt) if field.name not in JUDGED | {"turns"}}


def test_the_evidence_stays_and_the_verdict_is_todays(project: Project) -> None:
    project.suite("one", "two")
    before = project.run(agent="tests.runner.agents:echo").run
    cases = json.loads((project.root / "suite.yaml").read_text())
    cases["cases"][1]["expects"]["ground_truth"] = "something else"
    (project.root / "suite.yaml").write_text(json.dumps(cases))
    after = rescored(project)
    assert statuses(before) == {"one": "passed", "two": "passed"}
    assert statuses(after) == {"one": "passed", "two": "failed"}
    assert [evidence(case) for case in after.cases] == [evidence(case) for case in before.cases]
    assert after.head.parent == before.head.run_id
    assert after.head.run_id != before.head.run_id


def test_an_unchanged_suite_gives_the_same_figures(project: Project) -> None:
    project.suite("one", "two", "three")
    before = project.run(agent="tests.runner.agents:by_seed", repeat=3, repeat_all=True).run
    after = rescored(project)
    assert statuses(after) == statuses(before)
    assert after.head.metrics == before.head.metrics
    assert after.head.repeats == before.head.repeats
    assert [evidence(case) for case in after.repetitions] == [evidence(case) for case in before.repetitions]


def test_the_new_run_compares_with_its_parent(project: Project) -> None:
    project.suite("one", "two")
    before = project.run().run
    found = compare_runs(rescored(project), load_run(Path(str(before.path))))
    assert found.verdict.passed
    assert {item.kind for item in found.transitions} == {"unchanged"}


def test_no_agent_is_called(project: Project) -> None:
    project.suite("one")
    project.run(agent="tests.runner.agents:echo")
    stored = project.stored()[0]
    text = stored.read_text().replace("tests.runner.agents:echo", "no.such.module:agent")
    stored.write_text(text)
    assert statuses(rescored(project)) == {"one": "passed"}


def test_agent_errors_stay_errors(project: Project) -> None:
    project.suite("good", "raise")
    project.run(agent="tests.runner.agents:hostile")
    after = rescored(project)
    assert statuses(after) == {"good": "passed", "raise": "agent_error"}
    assert after.cases[1].error is not None


def test_a_conversation_is_judged_again_turn_by_turn(project: Project) -> None:
    turns = [{"prompt": "hello", "expects": {"ground_truth": "hello"}}, {"prompt": "bye", "expects": {"ground_truth": "bye"}}]
    (project.root / "suite.yaml").write_text(json.dumps([{"id": "talk", "turns": turns}]))
    project.run(agent="tests.runner.agents:last_line")
    turns[1]["expects"]["ground_truth"] = "see you"  # type: ignore[index]
    (project.root / "suite.yaml").write_text(json.dumps([{"id": "talk", "turns": turns}]))
    after = rescored(project)
    assert statuses(after) == {"talk": "failed"}
    assert [turn.status.value for turn in after.cases[0].turns] == ["passed", "failed"]


def test_a_changed_number_of_turns_cannot_be_judged(project: Project) -> None:
    turns = [{"prompt": "hello", "expects": {"ground_truth": "hello"}}]
    (project.root / "suite.yaml").write_text(json.dumps([{"id": "talk", "turns": turns}]))
    project.run()
    (project.root / "suite.yaml").write_text(json.dumps([{"id": "talk", "turns": turns * 2}]))
    after = rescored(project)
    assert statuses(after) == {"talk": "evaluator_error"}
    assert after.cases[0].output == "hello"


def test_a_case_that_the_run_lacks_is_left_out_and_named(project: Project) -> None:
    project.suite("one")
    project.run()
    project.suite("one", "two")
    after = rescored(project)
    assert statuses(after) == {"one": "passed"}
    assert after.left_out == ("two",)


def test_a_check_without_its_evidence_is_counted(project: Project) -> None:
    project.suite("one", "two")
    project.run()
    cases = json.loads((project.root / "suite.yaml").read_text())
    for case in cases["cases"]:
        case["evaluators"] = [{"max_cost_usd": 0.1}]
    (project.root / "suite.yaml").write_text(json.dumps(cases))
    assert not_applicable(rescored(project)) == {"max_cost_usd": 2}


def test_costs_stay_as_they_were_priced(project: Project) -> None:
    (project.root / "agents.yaml").write_text(
        "version: 1\nagents:\n  bot: {adapter: 'tests.runner.agents:priced', pricing: {m: {input: 1, output: 1}}}\n"
    )
    project.suite("one")
    before = project.run(agent="bot").run
    (project.root / "agents.yaml").write_text(
        "version: 1\nagents:\n  bot: {adapter: 'tests.runner.agents:priced', pricing: {m: {input: 9, output: 9}}}\n"
    )
    after = rescored(project)
    assert (after.cases[0].cost_usd, after.cases[0].cost_source) == (before.cases[0].cost_usd, "priced")


def test_another_suite_is_refused(project: Project) -> None:
    project.suite("one")
    project.run()
    project.suite("one", name="other.yaml")
    with pytest.raises(InputError, match="is one of suite 'suite', not of 'other'"):
        rescored(project, suite="other.yaml")


def test_a_suite_that_is_gone_is_told(project: Project) -> None:
    project.suite("one")
    project.run()
    (project.root / "suite.yaml").unlink()
    with pytest.raises(InputError, match="--cases FILE"):
        rescored(project)
