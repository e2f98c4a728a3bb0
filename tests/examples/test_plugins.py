"""The evaluators of the example packages, from their sources."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from agenteval.evaluators import Context
from agenteval.evaluators.functions import as_evaluator
from agenteval.model.attempt import Attempt
from agenteval.model.response import ToolCall
from agenteval.model.score import Score
from agenteval.model.status import Status
from agenteval.suites import shape

PLUGINS = Path(__file__).parents[2] / "examples" / "plugins"
STATUS = {"type": "object", "required": ["status"], "properties": {"status": {"enum": ["ok", "failed"]}, "count": {"minimum": 0}}}


@pytest.fixture(autouse=True)
def _on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in PLUGINS.glob("*/src"):
        monkeypatch.syspath_prepend(str(folder))


def build(name: str, params: Any) -> tuple[Any, list[str]]:
    """The evaluator of that name with its parameters, or None and what is wrong with them."""
    import agenteval_json_schema
    import agenteval_pattern_presence

    named = {
        "json_schema": agenteval_json_schema.JsonSchema,
        "pattern_presence": agenteval_pattern_presence.PatternPresence,
        "keyword_contains": agenteval_pattern_presence.keyword_contains,
    }
    evaluator, problems = shape.build(as_evaluator(named[name]), params, "")
    return evaluator, [problem.what for problem in problems]


def judge(name: str, params: Any, output: str, **evidence: Any) -> Score:
    """What the evaluator says of an answer."""
    evaluator, problems = build(name, params)
    assert problems == []
    score: Score = evaluator.evaluate(Context(Attempt("a", Status.UNSCORED, output=output, **evidence)))
    return score


@pytest.mark.parametrize(
    ("output", "passed", "reason"),
    [
        ('{"status": "ok"}', True, "the schema accepts the answer"),
        ('```json\n{"status": "ok"}\n```', True, "the schema accepts the answer"),
        ('{"status": "lost"}', False, "$.status: 'lost' is not one of ['ok', 'failed']"),
        ("[]", False, "$: [] is not of type 'object'"),
        ('{"status": "lost", "count": -1}', False, "$.count: -1 is less than the minimum of 0 (and 1 more)"),
        ('Sure: {"status": "ok"}', False, "the answer is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("", False, "the answer is not JSON: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_json_schema_judges_the_whole_answer(output: str, passed: bool, reason: str) -> None:
    found = judge("json_schema", {"schema": STATUS}, output)

    assert (found.passed, found.value, found.reason) == (passed, float(passed), reason)


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({}, "the schema is empty: it would accept every JSON"),
        ({"schema": {"type": "object"}}, "'schema' is no keyword of JSON Schema"),
        ({"type": "objekt"}, "this is no JSON Schema: $.type: 'objekt' is not valid under any of the given schemas"),
        ("object", "must be a mapping of keys to values, not the text 'object'"),
    ],
)
def test_json_schema_refuses_a_schema_that_judges_nothing(schema: Any, told: str) -> None:
    assert build("json_schema", {"schema": schema}) == (None, [told])


def test_json_schema_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)

    assert build("json_schema", {"schema": STATUS}) == (
        None,
        ["needs the package jsonschema: pip install 'agenteval-json-schema[jsonschema]'"],
    )


def test_json_schema_fetches_no_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    import urllib.request

    monkeypatch.setattr(urllib.request, "urlopen", lambda *arguments, **options: pytest.fail("an address was opened"))

    with pytest.raises(Exception, match="Unresolvable"):
        judge("json_schema", {"schema": {"$ref": "http://localhost:9/schema.json"}}, "{}")


def test_patterns_are_searched_where_they_are_said_to_be() -> None:
    evidence: dict[str, Any] = {"tool_calls": (ToolCall("refund_lookup"),), "nodes_fired": ("planner",)}

    def passed(**params: Any) -> bool | None:
        return judge("pattern_presence", params, "Our policy: 30 days", **evidence).passed

    assert passed(must_contain=["POLICY", "refund", "planner"]) is True
    assert passed(must_contain=["POLICY"], case_sensitive=True) is False
    assert passed(must_contain=["refund"], search_in=["output"]) is False
    assert passed(must_contain=["planner"], search_in=["trajectory"]) is True
    assert passed(must_match=[r"\d+ days"], must_not_match=["guarantee"], must_not_contain=["30 weeks"]) is True
    assert passed(must_not_contain=["30 d"]) is False
    assert passed(must_contain=["3."]) is False


def test_the_score_of_patterns_is_the_share_of_rules_that_hold() -> None:
    found = judge("pattern_presence", {"must_contain": ["a", "b"], "must_not_contain": ["c"], "must_match": ["^x"]}, "a c")

    assert (found.value, found.passed) == (0.25, False)
    assert found.reason == "missing: 'b'; forbidden but there: 'c'; missing: '^x'"


@pytest.mark.parametrize(
    ("params", "told"),
    [
        (None, "name at least one of must_contain, must_not_contain, must_match, must_not_match"),
        ({"must_match": ["("]}, "must_match: '(' is no regular expression: missing ), unterminated subpattern at position 0"),
        ({"must_contain": [""]}, "an empty text is found everywhere"),
        ({"must_contain": ["a"], "search_in": []}, "search_in names no place"),
        ({"must_contain": ["a"], "search_in": ["answer"]}, "unknown value 'answer'"),
    ],
)
def test_patterns_that_could_only_fail_are_refused_early(params: Any, told: str) -> None:
    assert build("pattern_presence", params) == (None, [told])


def test_keyword_contains_ignores_case() -> None:
    assert judge("keyword_contains", "welcome", "WELCOME back").passed is True
    assert judge("keyword_contains", "welcome", "hello").reason == "the answer does not hold 'welcome'"
    with pytest.raises(ValueError, match="the keyword is empty"):
        judge("keyword_contains", " ", "x")
