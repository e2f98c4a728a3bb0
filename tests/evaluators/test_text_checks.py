"""exact, contains, numeric, regex, json, retained facts and tables beyond the usual traps."""

from __future__ import annotations

from typing import Any

import pytest

from agenteval.evaluators import bounded_search
from agenteval.evaluators.bounded_search import unbounded_repeats
from tests.evaluators.judging import correctness, score


@pytest.mark.parametrize(
    ("truth", "answer", "passed"),
    [
        ("Straße", "STRASSE", True),
        ("-5", "5", False),
        ("C", "C#", False),
        ("2⁴", "24", False),
        ("?", "!", False),
        ("true", "True.", True),
        (True, "true", True),
        (4, "4 apples", False),
        (4, "**4**.", True),
        (1200, "$1,200", True),
        ("**Paris**", "Paris", True),
    ],
)
def test_exact(truth: Any, answer: str, passed: bool) -> None:
    assert correctness("exact", truth, answer).passed is passed


def test_exact_verbatim() -> None:
    assert score("exact", {"value": "Yes", "match": "verbatim"}, output="yes").passed is False


@pytest.mark.parametrize(
    ("truth", "answer", "passed"),
    [
        ("4", "14.4", False),
        ("4", "-4", False),
        ("4", "It is 4.", True),
        ("Paris", "Paris's towers", True),
        ("refundable", "The fare is non-refundable", False),
        ("refund", "We cannot refund you", False),
        ("not eligible", "You are not eligible", True),
        ("Paris", "Not Paris. Paris!", True),
        ("東京", "答えは東京です", True),
        ("don", "don't", False),
        (12, "not 12 but 13", False),
    ],
)
def test_contains(truth: Any, answer: str, passed: bool) -> None:
    assert correctness("contains", truth, answer).passed is passed


def test_contains_any_of_a_list() -> None:
    assert score("contains", {"value": ["yes", "sure"], "require": "any"}, output="Sure!").passed is True
    assert score("contains", ["yes", "sure"], output="Sure!").value == 0.5


def test_contains_says_when_words_are_only_denied() -> None:
    assert correctness("contains", "Paris", "It is not Paris").reason == "the answer only denies 'Paris'"


def test_numeric_keeps_what_it_read() -> None:
    found = correctness("numeric", 25.23, "Average tenure is 25.23 months across 30 customers.")

    assert found.evidence == {"value": 25.23, "candidates": [25.23, 30], "span": [18, 23]}


def test_numeric_says_what_it_read_instead() -> None:
    found = correctness("numeric", 7, "The answer is 9 of 12, not 7")

    assert found.reason == "expected 7 ± 0.01, the answer gives as final value 9"
    assert found.evidence == {"value": 9, "candidates": [9], "span": [14, 15], "final": True}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("10 in North, 20 in South", None),
        ('{"North": 10, "South": 20}', None),
        ("North: 10\nSouth: 20", None),
        ("- **North**\n  10 units\n- **South**\n  20 units", None),
        ("| | North | South |\n|---|---|---|\n| Sales | 10 | 20 |", None),
        ("| | North | South |\n|---|---|---|\n| Sales | 20 | 10 |", ["North", "South"]),
        ("| North | 10 |\n| South | 20 |", None),
        ("North grew by 5% to 10, South fell to 21", ["South"]),
        ("northern 10, South 20", ["North"]),
    ],
)
def test_numbers_are_bound_to_their_labels(answer: str, wrong: list[str] | None) -> None:
    assert correctness("numeric_table", {"North": 10, "South": 20}, answer).evidence.get("wrong_cells") == wrong


def test_the_longest_label_wins() -> None:
    assert correctness("numeric_table", {"North": 1, "North East": 2}, "North East 2, North 1").passed is True


@pytest.mark.parametrize(
    ("params", "answer", "passed"),
    [
        (None, '{"a": 1}', True),
        (None, 'Here you are:\n```json\n{"a": 1}\n```\nAnything else?', True),
        (None, 'The result {"a": 1} is final.', True),
        (None, '```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', False),
        (None, "no JSON here", False),
        (None, '{"a": NaN}', False),
        (None, "[" * 100_000, False),
        ({"equals": {"a": 1, "b": [1, 2]}}, '{"b": [1, 2], "a": 1.0}', True),
        ({"equals": {"a": 1}}, '{"a": true}', False),
        ({"subset": {"b": [2]}}, '{"a": 1, "b": [1, 2]}', True),
        ({"subset": {"b": [2, 2]}}, '{"b": [1, 2]}', False),
        ({"schema": {"type": "object", "required": ["a"]}}, '{"b": 1}', False),
        ({"schema": {"$ref": "#/$defs/x", "$defs": {"x": {"type": "integer"}}}}, "3", True),
        ({"schema": False}, "3", False),
        ({"schema": True}, "3", True),
    ],
)
def test_json(params: Any, answer: str, passed: bool) -> None:
    pytest.importorskip("jsonschema")

    assert score("json", params, output=answer).passed is passed


@pytest.mark.parametrize(
    ("params", "answer", "passed"),
    [
        (r"\d{3}-\d{4}", "call 555-1234", True),
        ({"pattern": "yes|no", "match": "full"}, " no ", True),
        ({"pattern": "yes|no", "match": "full"}, "no way", False),
        ({"pattern": "YES", "ignore_case": True}, "yes", True),
        (r"(?i)yes", "YES", True),
        (r"(\w+ )+end", "a b end", True),
    ],
)
def test_regex(params: Any, answer: str, passed: bool) -> None:
    assert score("regex", params, output=answer).passed is passed


@pytest.mark.parametrize(
    ("pattern", "repeats"),
    [("abc", 0), ("a+b*", 2), (r"\d{1,3}", 0), ("a{1,900}", 1), ("(a+)+", None), ("(a|a)*", None), (r"(a)\1", None), ("(?:ab)+", 1)],
)
def test_patterns_are_weighed_before_they_run(pattern: str, repeats: int | None) -> None:
    assert unbounded_repeats(pattern, 0) == repeats


def test_a_pattern_that_never_ends_is_an_evaluator_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_search, "TIME_LIMIT_S", 0.2)

    found = score("regex", "(a+)+$", output="a" * 40 + "b")

    assert found.error == (
        "SearchTimeoutError: the pattern took longer than 0.2 s on an answer of 41 characters; make its repeats less ambiguous"
    )


@pytest.mark.parametrize(
    ("answer", "value", "lost"),
    [
        ("Berlin, for 1,200 euros", 1.0, None),
        ("Berlin it is", 0.5, ["1200"]),
        ("Not Berlin, and 12000", 0.0, ["Berlin", "1200"]),
    ],
)
def test_retained_facts(answer: str, value: float, lost: list[str] | None) -> None:
    found = score("retained_facts", ["Berlin", "1200"], output=answer)

    assert (found.value, found.evidence.get("lost")) == (value, lost)
