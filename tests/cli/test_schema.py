"""``agenteval schema`` prints schemas that accept what the product reads."""

from __future__ import annotations

import json

import jsonschema
import pytest

from agenteval.cli.main import invoke


def test_the_suite_schema_knows_the_evaluators(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["schema", "suite"]) == 0

    schema = json.loads(capsys.readouterr().out)
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid([{"id": "a", "prompt": "x", "evaluators": [{"contains": "y", "required": False}]}])
    assert not validator.is_valid([{"id": "a", "prompt": "x", "evaluators": [{"contians": "y"}]}])


def test_the_schema_of_agents(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["schema", "agents"]) == 0

    assert json.loads(capsys.readouterr().out)["title"] == "AgentEval agents"


def test_an_unknown_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["schema", "suites"]) == 2

    assert "suite" in capsys.readouterr().err
