"""Runs whose cases a model judges, against a scripted endpoint that also fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.errors import InputError
from agenteval.model.run import Run
from tests.llm.server import Answer, Endpoint, endpoint, said
from tests.runner.project import Project, statuses

POLITE = {"evaluators": [{"llm_judge": {"criteria": "polite"}}]}


@pytest.fixture
def model() -> Iterator[Endpoint]:
    with endpoint() as served:
        yield served


@pytest.fixture
def judged(tmp_path: Path, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose suite judges each case by its prompt: ``down`` breaks the judge, ``bad`` fails, the rest passes."""
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghij")

    def reply(request: dict[str, Any], number: int) -> Answer:
        words = said(request)
        if "down" in words:
            return Answer("out of order", status=401)
        return Answer(json.dumps({"passed": "bad" not in words, "reason": "it is what it is"}))

    model.reply = reply
    return Project(tmp_path)


def a_suite(project: Project, model: Endpoint, *prompts: str, case: dict[str, Any] = POLITE, **judge: Any) -> None:
    cases = [{"id": prompt, "prompt": prompt, **case} for prompt in prompts]
    settings = {"model": "judge-1", "base_url": model.url, "retries": 2, **judge}
    (project.root / "suite.yaml").write_text(json.dumps({"judge": settings, "cases": cases}))


def errors(run: Run) -> dict[str, str | None]:
    return {case.case_id: next((score.error for score in case.scores), None) for case in run.cases}


@pytest.mark.parametrize("agent", ["tests.runner.agents:echo", "tests.runner.agents:echo_async"])
def test_a_judge_that_is_down_costs_its_own_cases_alone(judged: Project, model: Endpoint, agent: str) -> None:
    a_suite(judged, model, "fine", "down", "bad", "down_too", "good")
    result = judged.run(agent=agent)
    assert statuses(result.run) == {
        "fine": "passed",
        "down": "evaluator_error",
        "bad": "failed",
        "down_too": "evaluator_error",
        "good": "passed",
    }
    stored = load_run(judged.stored()[0])
    assert [case.output for case in stored.cases] == ["fine", "down", "bad", "down_too", "good"]
    assert errors(stored)["down"] == "http: HTTP 401: out of order"
    measured = stored.head.metrics["correctness_rate"]
    assert (measured.value, measured.n, measured.left_out) == (2 / 3, 3, {"errors": 2})


def test_negation_never_turns_a_failed_judge_into_a_verdict(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine", "down", "bad", case={"evaluators": [{"not": {"llm_judge": {"criteria": "polite"}}}]})
    assert statuses(judged.run().run) == {"fine": "failed", "down": "evaluator_error", "bad": "passed"}


def test_an_expected_failure_does_not_turn_one_either(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "down", case={**POLITE, "expect_pass": False})
    assert statuses(judged.run().run) == {"down": "evaluator_error"}


def test_left_out_by_request_a_judged_case_is_unscored(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine", "bad")
    assert statuses(judged.run(skip_judges=True).run) == {"fine": "unscored", "bad": "unscored"}
    assert not model.requests


def test_without_a_judge_the_case_says_how_to_name_one(judged: Project) -> None:
    (judged.root / "suite.yaml").write_text(json.dumps([{"id": "a", "prompt": "a", **POLITE}]))
    run = judged.run().run
    assert statuses(run) == {"a": "evaluator_error"}
    assert str(errors(run)["a"]).startswith("no judge configured; name its model under `judge:`")


def test_the_environment_names_a_judge(judged: Project, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTEVAL_JUDGE_MODEL", "judge-of-the-environment")
    monkeypatch.setenv("AGENTEVAL_JUDGE_BASE_URL", model.url)
    (judged.root / "suite.yaml").write_text(json.dumps([{"id": "a", "prompt": "a", **POLITE}]))
    assert statuses(judged.run().run) == {"a": "passed"}
    assert model.requests[0]["model"] == "judge-of-the-environment"


def test_the_second_run_asks_nothing_and_costs_nothing(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine", "bad", price={"input": 1, "output": 1})
    first, second = judged.run().run, judged.run().run
    assert len(model.requests) == 2
    assert [case.scores[0].passed for case in second.cases] == [case.scores[0].passed for case in first.cases] == [True, False]
    told = [case.scores[0].evidence["judge"]["votes"][0] for case in second.cases]
    assert [(vote["cached"], vote["cost_usd"]) for vote in told] == [(True, 0.0), (True, 0.0)]


def test_a_failure_is_not_kept(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "down")
    judged.run()
    judged.run()
    assert len(model.requests) == 2


def test_the_judge_can_be_asked_several_times(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine")
    run = judged.run(judge_repeat=3).run
    (case,) = run.cases
    assert len(case.scores[0].evidence["judge"]["votes"]) == len(model.requests) == 3
    assert run.provenance["judge"]["votes"] == 3


def test_a_run_records_whom_it_asked(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine", temperature=0.5)
    told = load_run(Path(str(judged.run().run.path))).provenance["judge"]
    assert (told["model"], told["base_url"], told["temperature"], told["votes"]) == ("judge-1", model.url, 0.5, 1)
    assert told["prompt_version"]


def test_every_turn_and_the_whole_conversation_can_be_judged(judged: Project, model: Endpoint) -> None:
    turns = [{"prompt": "hello", **POLITE}, {"prompt": "good bye", **POLITE}]
    case = {"id": "talk", "turns": turns, "evaluators": [{"llm_judge": {"criteria": "friendly"}}]}
    settings = {"model": "judge-1", "base_url": model.url}
    (judged.root / "suite.yaml").write_text(json.dumps({"judge": settings, "cases": [case]}))
    assert statuses(judged.run().run) == {"talk": "passed"}
    first, second, whole = (said(request) for request in model.requests)
    assert "<<<answer" in first
    assert "User: hello\nAgent: hello\n\nUser: good bye" in second
    assert "User: hello\nAgent: hello\n\nUser: good bye" in whole
    assert "friendly" in whole


def test_a_budget_without_a_price_is_refused(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine", max_cost_usd=1)
    with pytest.raises(InputError, match=r"judge.max_cost_usd: needs the judge's price"):
        judged.run()


def test_a_judge_without_a_price_of_its_own_costs_what_the_table_says(
    judged: Project, model: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTEVAL_JUDGE_MODEL", "gpt-4o-mini")
    a_suite(judged, model, "fine", max_cost_usd=1)
    # 100 tokens at 0.15 and 10 at 0.60 USD a million.
    assert judged.run().run.head.metrics["judge_cost_usd"].value == pytest.approx(21e-6)


def test_half_a_surrogate_pair_in_a_reason_costs_no_judgement(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine")
    model.script(Answer('{"passed": true, "reason": "so \\ud800 it is"}'))
    (case,) = judged.run().run.cases
    assert (case.status, case.scores[0].reason) == ("passed", "so ? it is")


def test_a_spent_budget_leaves_the_rest_undecided(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "one", "two", "three", price={"input": 1000, "output": 1000}, max_cost_usd=0.2)
    found = statuses(judged.run(concurrency=1).run)
    assert list(found.values()) == ["passed", "passed", "evaluator_error"]


def test_a_secret_in_a_judges_reason_is_in_no_file(judged: Project, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-live-zyxwvutsrqponmlkjihgfedc"
    monkeypatch.setenv("SERVICE_API_KEY", secret)
    model.script(Answer(json.dumps({"passed": True, "reason": f"it used {secret}"})))
    a_suite(judged, model, "fine")
    judged.run()
    files = [path for path in judged.root.rglob("*") if path.is_file()]
    assert not [path for path in files if secret in path.read_text(encoding="utf-8", errors="replace")]


def test_an_unknown_key_of_the_judge_is_told_with_its_place(judged: Project, model: Endpoint) -> None:
    a_suite(judged, model, "fine", modell="x")
    with pytest.raises(InputError, match=r"suite\.yaml:1:\d+: judge\.modell: unknown key 'modell'; did you mean 'model'\?"):
        judged.run()


def test_judges_are_asked_side_by_side_behind_an_async_agent(judged: Project, model: Endpoint) -> None:
    model.script(Answer('{"passed": true}', delay_s=0.2))
    a_suite(judged, model, *[f"case{number}" for number in range(16)])
    result = judged.run(agent="tests.runner.agents:echo_async", concurrency=16)
    assert set(statuses(result.run).values()) == {"passed"}
    assert result.run.head.duration_s is not None
    assert result.run.head.duration_s < 16 * 0.2 / 2
