"""A run is judged by one judge, however often it is gone on with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenteval._files import loads
from agenteval.errors import InputError
from tests.llm.server import Answer, Endpoint, endpoint, said
from tests.runner.project import Project, statuses

JUDGED: dict[str, Any] = {"evaluators": [{"llm_judge": {"criteria": "polite"}}]}


@pytest.fixture
def model(project: Project, monkeypatch: pytest.MonkeyPatch) -> Any:
    with endpoint() as served:
        served.reply = lambda request, number: Answer("out of order", status=401) if "down" in said(request) else Answer('{"passed": true}')
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghij")
        monkeypatch.setenv("AGENTEVAL_JUDGE_MODEL", "first")
        monkeypatch.setenv("AGENTEVAL_JUDGE_BASE_URL", served.url)
        cases = [{"id": name, "prompt": name, **JUDGED} for name in ("fine", "down")]
        (project.root / "suite.yaml").write_text(json.dumps(cases))
        yield served


@pytest.mark.parametrize(("judge", "told"), [("second", "it is 'second, prompts 1'"), ("", "none is configured")])
def test_errors_are_not_retried_with_another_judge(
    project: Project, model: Endpoint, monkeypatch: pytest.MonkeyPatch, judge: str, told: str
) -> None:
    project.run()
    monkeypatch.setenv("AGENTEVAL_JUDGE_MODEL", judge)
    with pytest.raises(InputError, match=f"--retry-errors: the judge was 'first, prompts 1', and now {told}"):
        project.run(retry_errors="")
    assert len(model.requests) == 2


def test_an_unfinished_run_is_not_resumed_with_another_judge(project: Project, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    project.run()
    (path,) = project.stored()
    document = loads(path.read_bytes())
    document["head"].update(status="interrupted", digest=None)
    path.write_text(json.dumps(document))
    monkeypatch.setenv("AGENTEVAL_JUDGE_MODEL", "second")
    with pytest.raises(InputError, match="--resume: the judge was 'first, prompts 1'"):
        project.run(resume="")


def test_the_same_judge_goes_on(project: Project, model: Endpoint) -> None:
    project.run()
    model.reply = lambda request, number: Answer('{"passed": true}')
    assert statuses(project.run(retry_errors="").run) == {"fine": "passed", "down": "passed"}


def test_a_judge_that_nothing_asks_binds_no_run(project: Project, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite("one")
    project.run()
    monkeypatch.setenv("AGENTEVAL_JUDGE_MODEL", "second")
    assert statuses(project.run(retry_errors="").run) == {"one": "passed"}
