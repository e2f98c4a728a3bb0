"""Answers that evaluators of this kind get wrong, each with the verdict that is right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenteval.evaluators import compile_case
from agenteval.model.response import ToolCall
from tests.builders import shared_data
from tests.evaluators.judging import a_case, correctness, scores_of, spec

# ruff: noqa: RUF001 (the typographic characters that answers hold)

NUMERIC = [
    pytest.param(
        30,
        {"numeric_tolerance": 0.01},
        "The dataset contains 30 unique customers. This means there are 30 individual customers.",
        True,
        id="restated-value",
    ),
    pytest.param(
        25.23,
        {"numeric_tolerance": 0.05},
        "Average tenure is 25.23 months across 30 customers.",
        True,
        id="other-quantities-beside-the-right-one",
    ),
    pytest.param(25.23, {"numeric_tolerance": 0.05}, "The average tenure is about 25 months.", False, id="outside-tolerance"),
    pytest.param(25.23, {"numeric_tolerance": 0.05}, "25.28", True, id="exactly-at-the-tolerance-decimal-not-binary-arithm"),
    pytest.param(7, {"numeric_tolerance": 0.01}, "7 is wrong; the answer is 9", False, id="a-marked-final-answer-decides"),
    pytest.param(9, {"numeric_tolerance": 0.01}, "7 is wrong; the answer is 9", True, id="a-marked-final-answer-decides-2"),
    pytest.param(72, {"numeric_tolerance": 0.01}, "It is **not** 72, it is 73", False, id="negated-value-does-not-count"),
    pytest.param(73, {"numeric_tolerance": 0.01}, "It is **not** 72, it is 73", True, id="asserted-value-counts"),
    pytest.param(
        5,
        {"numeric_tolerance": 0.01},
        "I do not know. There were 5 errors in my 3 attempts; the answer is 12",
        False,
        id="a-marked-final-answer-decides-3",
    ),
    pytest.param(
        1, {"numeric_tolerance": 0.01}, "1. First I loaded the data\n2. The result is 99", False, id="list-markers-are-not-quantities"
    ),
    pytest.param(
        99,
        {"numeric_tolerance": 0.01},
        "1. First I loaded the data\n2. The result is 99",
        True,
        id="the-quantity-is-found-past-list-markers",
    ),
    pytest.param(2026, {"numeric_tolerance": 0.01}, "As of 2026-11-30 the count is 8", False, id="a-date-is-not-a-quantity"),
    pytest.param(8, {"numeric_tolerance": 0.01}, "As of 2026-11-30 the count is 8", True, id="the-quantity-beside-a-date"),
    pytest.param(48291, {"numeric_tolerance": 0.01}, "see ticket #48291; the refund is 12", False, id="an-identifier-is-not-a-quantity"),
    pytest.param(5, {"numeric_tolerance": 0.01}, "between 3-5", False, id="a-range-is-not-a-point-value"),
    pytest.param(1234, {"numeric_tolerance": 0.01}, "1,234", True, id="thousands-separator"),
    pytest.param(1200000, {"numeric_tolerance": 1}, "$1.2M", True, id="magnitude-suffix"),
    pytest.param(1200000, {"numeric_tolerance": 1}, "about 1.2 million dollars", True, id="magnitude-word"),
    pytest.param(1000, {"numeric_tolerance": 0.01}, "1k", True, id="magnitude-suffix-2"),
    pytest.param(1000, {"numeric_tolerance": 0.01}, "1e3", True, id="exponent"),
    pytest.param(0.0015, {"numeric_tolerance": 1e-05}, "1.5e-3", True, id="negative-exponent"),
    pytest.param(0.5, {"numeric_tolerance": 0.01}, ".5", True, id="no-leading-zero"),
    pytest.param(-5, {"numeric_tolerance": 0.01}, "−5", True, id="unicode-minus"),
    pytest.param(-5, {"numeric_tolerance": 0.01}, "(5)", True, id="accounting-negative"),
    pytest.param(5, {"numeric_tolerance": 0.01}, "-5", False, id="sign-matters"),
    pytest.param(1000, {"numeric_tolerance": 0.01}, "1\u202f000", True, id="narrow-no-break-space-as-thousands-separator"),
    pytest.param(1234.56, {"locale": "de", "numeric_tolerance": 0.01}, "1.234,56", True, id="declared-locale-de"),
    pytest.param(12, {"unit": "percent", "numeric_tolerance": 0.01}, "12%", True, id="percent-against-a-truth-given-in-percent"),
    pytest.param(0.12, {"unit": "rate", "numeric_tolerance": 0.001}, "12%", True, id="percent-against-a-rate"),
    pytest.param(12, {"numeric_tolerance": 0.01}, "12%", True, id="without-a-declared-unit-the-number-that-is-written"),
    pytest.param(0.12, {"numeric_tolerance": 0.001}, "12%", False, id="without-a-declared-unit-the-number-that-is-written-2"),
    pytest.param(
        30, {"numeric_tolerance": 0.01}, "There are **30** customers in **12** regions.", True, id="two-emphasised-values-mark-nothing"
    ),
    pytest.param(12, {"numeric_tolerance": 0.01}, "Ten of them left, 12 stayed", True, id="number-words-count-only-where-no-digits-stand"),
    pytest.param(10, {"numeric_tolerance": 0.01}, "ten", True, id="number-word-up-to-twenty"),
    pytest.param(72, {"numeric_tolerance": 0.01}, "The answer is 72, in total", True, id="comma-after-the-value"),
    pytest.param(9500, {"numeric_tolerance": 0.01}, "\\boxed{$9{,}500}", True, id="latex-thousands-separator-and-currency"),
    pytest.param(8000, {"numeric_tolerance": 0.01}, "8,000", True, id="trailing-group-of-zeros-kept"),
    pytest.param(3, {"numeric_tolerance": 0.01}, "v1.2.3", False, id="a-version-is-not-a-quantity"),
    pytest.param(12, {"numeric_tolerance": 0.01}, "12:30", False, id="a-time-is-not-a-quantity"),
    pytest.param(42, {"numeric_tolerance": 0.01}, "", False, id="empty-answer"),
    pytest.param(0.30000000000000004, {"numeric_tolerance": 0}, "0.3", True, id="binary-noise-in-the-truth"),
]
CONTAINS = [
    pytest.param("no", {}, "I know the answer is yes", False, id="whole-words"),
    pytest.param("Paris", {}, "The capital of France is Paris.", True, id="plain"),
    pytest.param("Paris", {}, "It is not Paris, it is Lyon", False, id="negated-mention"),
    pytest.param("Paris", {}, "It is not Lyon, it is Paris", True, id="the-negation-belongs-to-the-other-word"),
    pytest.param("refund", {}, "I did not forget: your refund is on its way", True, id="a-negation-further-away-does-not-reach"),
    pytest.param("yes", {}, "The answer is not yes", False, id="negated-mention-2"),
    pytest.param("4", {}, "14", False, id="whole-tokens"),
    pytest.param("cat", {}, "concatenate", False, id="whole-words-2"),
    pytest.param("cat", {"match": "substring"}, "concatenate", True, id="raw-substring-on-request"),
    pytest.param("café", {}, "café", True, id="unicode-normal-forms-agree"),
    pytest.param("don't", {}, "don’t", True, id="curly-apostrophe"),
    pytest.param(7043, {}, "We have 7,043 customers", True, id="number-truth-against-formatted-number"),
    pytest.param(["order", "refund"], {}, "Your order will get a refund", True, id="list-truth-all-of"),
    pytest.param(["order", "refund"], {}, "Your order shipped", False, id="list-truth-all-of-2"),
    pytest.param("return authorization issued", {}, "Return  authorization\nissued.", True, id="case-and-white-space"),
]
EXACT = [
    pytest.param("4", {}, "4.", True, id="edge-punctuation"),
    pytest.param("Paris", {}, '"Paris"', True, id="quotes"),
    pytest.param("yes", {}, "Yes.", True, id="case-and-punctuation"),
    pytest.param(4, {}, "4.0", True, id="numeric-truth-compares-by-value"),
    pytest.param("3.10", {}, "3.1", False, id="a-text-truth-compares-as-text"),
    pytest.param("4", {}, "four apples", False, id="different"),
    pytest.param("Paris", {}, "Paris, France", False, id="more-than-the-truth"),
]
NUMERIC_TABLE = [
    pytest.param({"North": 10, "South": 20}, {"numeric_tolerance": 0.01}, "North 10, South 20", True, id="in-line"),
    pytest.param(
        {"North": 10, "South": 20}, {"numeric_tolerance": 0.01}, "North 20, South 10", False, id="values-bound-to-the-wrong-labels"
    ),
    pytest.param(
        {"North": 10, "South": 20},
        {"numeric_tolerance": 0.01},
        "| Region | Sales |\n|---|---|\n| North | 10 |\n| South | 20 |",
        True,
        id="markdown-table",
    ),
    pytest.param({"Q1": 5}, {"numeric_tolerance": 0.01}, "Q10 is 5", False, id="label-matched-as-a-whole-word"),
    pytest.param({"north": 10}, {"numeric_tolerance": 0.01}, "south is 10", False, id="label-missing"),
    pytest.param({"a": 1, "b": 1}, {"numeric_tolerance": 0.01}, "1", False, id="labels-missing"),
]


@pytest.mark.parametrize(("truth", "options", "answer", "passed"), NUMERIC)
def test_numeric(truth: Any, options: dict[str, Any], answer: str, passed: bool) -> None:
    assert correctness("numeric", truth, answer, **options).passed is passed


@pytest.mark.parametrize(("truth", "options", "answer", "passed"), CONTAINS)
def test_contains(truth: Any, options: dict[str, Any], answer: str, passed: bool) -> None:
    assert correctness("contains", truth, answer, **options).passed is passed


@pytest.mark.parametrize(("truth", "options", "answer", "passed"), EXACT)
def test_exact(truth: Any, options: dict[str, Any], answer: str, passed: bool) -> None:
    assert correctness("exact", truth, answer, **options).passed is passed


@pytest.mark.parametrize(("truth", "options", "answer", "passed"), NUMERIC_TABLE)
def test_numeric_table(truth: Any, options: dict[str, Any], answer: str, passed: bool) -> None:
    assert correctness("numeric_table", truth, answer, **options).passed is passed


@pytest.mark.parametrize(
    ("prompt", "truth", "answer", "flagged"),
    [
        pytest.param("q", 42, "The total is 42.", False, id="supported"),
        pytest.param("q", 42, "42, plus we also made $9,999,999 in 1850", True, id="an-extra-claim-that-nothing-supports"),
        pytest.param("q", "Paris", "I don't know", False, id="a-refusal-invents-nothing"),
        pytest.param("q", "4", "7", True, id="a-stated-figure-that-neither-truth-prompt-nor-cont"),
        pytest.param("Is it 77?", 42, "Is it 77? No, it is 42.", False, id="numbers-of-the-prompt-are-not-inventions"),
    ],
)
def test_figures_without_support_are_flagged(prompt: str, truth: Any, answer: str, flagged: bool) -> None:
    case = a_case({"ground_truth": truth, "correctness_type": "contains", "must_not_hallucinate": True}, prompt=prompt)

    assert scores_of(case, answer)[1].passed is not flagged


@pytest.mark.parametrize(
    ("expected", "called", "precision", "recall"),
    [
        pytest.param(["search", "search"], ["search", "search"], 1, 1, id="required-twice-called-twice"),
        pytest.param(["search", "search"], ["search"], 1, 0.5, id="required-twice-called-once"),
        pytest.param(["search"], ["search", "search", "search"], 1, 1, id="must-call-tools-judges-which-tools-were-chosen-rep"),
        pytest.param(["a"], [], 0, 0, id="required-call-missing"),
        pytest.param(["a"], ["A"], 0, 0, id="names-are-case-sensitive"),
    ],
)
def test_must_call_tools(expected: list[str], called: list[str], precision: float, recall: float) -> None:
    (score,) = scores_of(a_case({"must_call_tools": expected}), tool_calls=tuple(map(ToolCall, called)))

    assert (score.evidence["precision"], score.evidence["recall"]) == (precision, recall)


def test_an_empty_list_of_tools_declares_nothing() -> None:
    scores = scores_of(a_case({"ground_truth": "x", "must_call_tools": []}), "x")

    assert [score.name for score in scores] == ["exact"]


@pytest.mark.parametrize("turned", [False, True], ids=["as-listed", "turned-round"])
@pytest.mark.parametrize(
    ("expected", "called", "value", "precision"),
    [
        pytest.param(
            [{"name": "book", "arguments": {"x": 1, "y": 1, "z": 1}}, {"name": "book", "arguments": {"x": 1, "y": 1, "z": 2}}],
            [{"name": "book", "arguments": {"x": 1, "y": 1, "z": 2}}, {"name": "book", "arguments": {"x": 1, "y": 5, "z": 5}}],
            2 / 3,
            None,
            id="best-pairing-over-all-credit-per-argument-the-same",
        ),
        pytest.param(
            [{"name": "search", "arguments": {}}],
            [{"name": "search", "arguments": {}}, {"name": "search", "arguments": {}}, {"name": "search", "arguments": {}}],
            1.0,
            0.3333333333333333,
            id="exact-matching-of-calls-counts-every-call",
        ),
        pytest.param(
            [{"name": "pay", "arguments": {"amount": 1}}],
            [{"name": "pay", "arguments": '{"amount": 1.0}'}],
            1.0,
            None,
            id="arguments-given-as-a-json-string-1-equals-1-0",
        ),
    ],
)
def test_tool_calls(expected: list[Any], called: list[Any], value: float, precision: float | None, turned: bool) -> None:
    case = a_case(evaluators=(spec("tool_calls", {"expected": expected[::-1] if turned else expected}),))

    (score,) = scores_of(case, tool_calls=tuple(ToolCall(**call) for call in called))

    assert score.value == pytest.approx(value)
    assert precision is None or score.evidence["precision"] == pytest.approx(precision)


@pytest.mark.parametrize("kind", ["exact", "contains"])
def test_an_empty_truth_is_refused_at_load(kind: str) -> None:
    _, problems = compile_case(a_case({"correctness_type": kind, "ground_truth": ""}))

    assert [problem.path for problem in problems] == ["cases[0].expects.ground_truth"]


@pytest.mark.data
def test_the_shared_traps_come_out_right() -> None:
    rows = json.loads(shared_data("acceptance", "traps", "traps.json").read_text(encoding="utf-8"))

    wrong = [row for row in rows if row["kind"] in ("numeric", "contains", "exact", "numeric_table") and not _comes_out_right(row)]

    assert wrong == []


def _comes_out_right(row: dict[str, Any]) -> bool:
    expects = {"correctness_type": row["kind"], "ground_truth": row["truth"], **row.get("options", {})}
    if "tolerance" in row:
        expects["numeric_tolerance"] = row["tolerance"]
    if row["passed"] is None:
        return bool(compile_case(a_case(expects))[1])
    (score,) = scores_of(a_case(expects), row["answer"])
    return score.passed is row["passed"] and score.evidence.get("wrong_cells") == row.get("wrong_cells")


@pytest.mark.data
@pytest.mark.parametrize("kind", ["hallucination", "tools", "tool_match"])
def test_the_shared_traps_of_what_was_called_and_claimed_come_out_right(kind: str) -> None:
    rows = json.loads(shared_data("acceptance", "traps", "traps.json").read_text(encoding="utf-8"))
    judged = {"hallucination": _flagged_right, "tools": _tools_right, "tool_match": _calls_right}[kind]

    rows = [row for row in rows if row["kind"] == kind]

    assert rows
    assert [row for row in rows if not judged(row)] == []


def _flagged_right(row: dict[str, Any]) -> bool:
    case = a_case({"ground_truth": row["truth"], "correctness_type": "contains", "must_not_hallucinate": True}, prompt=row["prompt"])
    return scores_of(case, row["answer"])[1].passed is not row["flagged"]


def _tools_right(row: dict[str, Any]) -> bool:
    case = a_case({"ground_truth": "x", "must_call_tools": row["expected"]})
    scores = scores_of(case, "x", tool_calls=tuple(map(ToolCall, row["called"])))
    wanted = [] if row["precision"] is None else [(row["precision"], row["recall"])]
    return [(score.evidence["precision"], score.evidence["recall"]) for score in scores if score.name != "exact"] == wanted


def _calls_right(row: dict[str, Any]) -> bool:
    called = tuple(ToolCall(**call) for call in row["called"])
    for expected in (row["expected"], row["expected"][::-1]):
        (score,) = scores_of(a_case(evaluators=(spec("tool_calls", {"expected": expected}),)), tool_calls=called)
        found = {"score": score.value, **score.evidence}
        if any(found[name] != pytest.approx(row[name]) for name in ("score", "precision", "recall") if name in row):
            return False
    return True
