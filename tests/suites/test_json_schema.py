"""The JSON Schema accepts what is read, and refuses what is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import jsonschema
import pytest

from agenteval.suites import schema
from agenteval.suites.json_schema import registry_schema


@dataclass(frozen=True)
class Contains:
    """The answer holds a text.

    Attributes:
        text: What it must hold.
        whole_words: Whether it must stand alone.
    """

    text: str
    whole_words: bool = False


@dataclass(frozen=True)
class NoError:
    """The agent raised nothing."""


SCHEMA = schema({"contains": Contains, "no_error": NoError})
GOOD_CASE = {
    "id": "a",
    "prompt": "x",
    "tags": ["t"],
    "expects": {"correctness_type": "numeric", "ground_truth": 1, "numeric_tolerance": 0},
    "evaluators": [
        "no_error",
        {"contains": "x", "required": False},
        {"contains": {"text": "x", "whole_words": True}, "not": True},
        {"no_error": None},
    ],
    "quarantine": {"until": "2026-12-31"},
    "timeout_s": None,
    "tools": ["a", {"name": "b", "description": "c"}],
}


def problems(document: Any, of: dict[str, Any] = SCHEMA) -> list[str]:
    validator = jsonschema.Draft202012Validator(of)
    return [error.message for error in validator.iter_errors(document)]


def test_the_schemas_are_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(registry_schema())
    json.dumps(SCHEMA, allow_nan=False)


@pytest.mark.parametrize(
    "document",
    [
        [GOOD_CASE],
        {"name": "s", "cases": [GOOD_CASE], "defaults": {"tags": ["x"], "evaluators": [{"contains": "y"}]}},
        {"cases": "data.csv"},
        {"include": ["more.yaml"]},
        [{"id": "a", "turns": [{"prompt": "x", "expects": {"retained_facts": ["f"]}}]}],
    ],
)
def test_good_suites_validate(document: Any) -> None:
    assert problems(document) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"promt": "x"},
        {"expects": {"correctnes_type": "numeric"}},
        {"expects": {"correctness_type": "fuzzy"}},
        {"expects": {"must_call_tools": "sql"}},
        {"expects": {"must_not_hallucinate": "false"}},
        {"tags": "smoke"},
        {"prompt": ["x", "y"]},
        {"timeout_s": 0},
        {"repeat": 0},
        {"evaluators": ["contians"]},
        {"evaluators": ["contains"]},
        {"evaluators": [{"contains": {"txt": "x"}}]},
        {"evaluators": [{"contains": "x", "no_error": None}]},
        {"evaluators": [{"contains": "x", "require": False}]},
        {"quarantine": {"until": "soon"}},
        {"turns": []},
        {"id": ""},
    ],
    ids=str,
)
def test_misspelt_suites_do_not(changes: dict[str, Any]) -> None:
    assert problems([{**GOOD_CASE, **changes}]) != []


def test_a_suite_needs_cases() -> None:
    assert problems([]) != []
    assert problems({"name": "s"}) != []
    assert problems([{"id": "a"}]) != []


def test_every_key_is_described() -> None:
    undescribed = [
        f"{name}.{key}"
        for name in ("suite", "case")
        for key, value in SCHEMA["$defs"][name]["properties"].items()
        if not value.get("description")
    ]
    expects = SCHEMA["$defs"]["case"]["properties"]["expects"]["properties"]
    agent = registry_schema()["properties"]["agents"]["additionalProperties"]["properties"]

    gates = agent["gates"]["properties"]

    assert undescribed + [key for key, value in {**expects, **agent, **gates}.items() if not value.get("description")] == []
    assert expects["correctness_type"]["enum"] == ["exact", "contains", "numeric", "numeric_table", "regex", "json", "llm_judge"]


def test_agents_are_described_too() -> None:
    good = {
        "version": 1,
        "agents": {"bot": {"adapter": "m:f", "gates": {"max_correctness_drop": 0.1, "min_pass_hat_k": {"k": 2, "value": 0.5}}}},
    }

    assert problems(good, registry_schema()) == []
    assert problems({"version": 1, "agents": {"bot": {"adapter": "m:f", "gates": {"max_corectness_drop": 0.1}}}}, registry_schema()) != []
    assert problems({"version": 1, "agents": {"Bot": {"adapter": "m:f"}}}, registry_schema()) != []
