"""An adapter is told when a conversation and when the run is over, and is found under the names that users know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import agenteval.adapters as adapters
from agenteval.adapters.loading import load_agent
from agenteval.errors import InputError, Problem
from tests.runner.project import Project, statuses

ADAPTER = """
from agenteval.adapters import AgentAdapter

class Talker(AgentAdapter):
    def __init__(self):
        self.open, self.log = {}, []

    def run(self, prompt, *, session):
        said = self.open.setdefault(session, [])
        said.append(prompt)
        return " ".join(said)

    def end_session(self, session):
        self.log.append(" ".join(self.open.pop(session)))
        raise RuntimeError("no good bye")

    def close(self):
        with open("ended.txt", "a") as file:
            print(sorted(self.log), self.open, file=file)
        raise RuntimeError("gone in anger")
"""


def test_each_session_ends_once_and_the_run_once_whatever_that_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / ".git").mkdir()
    (tmp_path / "talker_that_ends.py").write_text(ADAPTER)
    talk = {"id": "talk", "turns": [{"prompt": "hello"}, {"prompt": "again"}], "evaluators": ["no_error"]}
    one = {"id": "one", "prompt": "short", "evaluators": ["no_error"]}
    (tmp_path / "suite.yaml").write_text(json.dumps({"cases": [talk, one]}))

    run = Project(tmp_path).run(agent="talker_that_ends:Talker").run

    assert statuses(run) == {"talk": "passed", "one": "passed"}
    assert (tmp_path / "ended.txt").read_text() == "['hello again', 'short'] {}\n"


def test_a_problem_of_a_constructor_without_a_place_gets_the_place_that_named_it() -> None:
    class Picky:
        def __init__(self) -> None:
            raise InputError(Problem("the key is not set", "set it"))

        def run(self, prompt: str) -> str:
            return prompt

    with pytest.raises(InputError) as raised:
        load_agent(Picky, where="agents.yaml:4:14")
    assert str(raised.value) == "agents.yaml:4:14: the key is not set; set it"


def test_adapters_are_imported_from_the_package_by_name() -> None:
    assert adapters.Replay.__name__ == "Replay"
    with pytest.raises(AttributeError):
        adapters.Nothing  # noqa: B018 - asked for on purpose
