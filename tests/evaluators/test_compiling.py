"""What a case declares becomes checks; what it declares wrongly becomes problems, all of them."""

# ruff: noqa: E501 (messages are asserted whole)

from __future__ import annotations

import pytest

from agenteval.evaluators import compile_case
from agenteval.evaluators.table import BUILT_IN
from agenteval.model.score import Feeds
from agenteval.suites.suite import EvaluatorSpec, Turn
from tests.evaluators.judging import a_case, problems_of, spec


def test_expects_become_required_and_observed_checks() -> None:
    expects = {
        "correctness_type": "numeric",
        "ground_truth": 4,
        "must_call_tools": ["sql"],
        "must_not_hallucinate": True,
        "retained_facts": ["Berlin"],
        "expected_trajectory": ["plan"],
        "relevant_context_ids": ["d1"],
    }

    compiled, problems = compile_case(a_case(expects))

    assert problems == []
    assert [(check.name, check.required, check.feeds) for check in compiled.checks] == [
        ("numeric", True, Feeds.CORRECTNESS),
        ("must_call_tools", True, Feeds.TOOLS),
        ("must_not_hallucinate", True, Feeds.HALLUCINATION),
        ("retained_facts", True, Feeds.RETENTION),
        ("trajectory", False, Feeds.TRAJECTORY),
    ]


def test_turns_have_checks_of_their_own() -> None:
    turns = (Turn("hi", {"ground_truth": "hello"}, (), "cases[0].turns[0]"), Turn("bye", path="cases[0].turns[1]"))

    compiled, problems = compile_case(a_case(turns=turns))

    assert problems == []
    assert [[check.name for check in turn] for turn in compiled.turns] == [["exact"], []]


@pytest.mark.parametrize(
    ("expects", "told"),
    [
        ({"correctness_type": "nummeric", "ground_truth": 1}, "cases[0].expects.correctness_type: unknown correctness_type 'nummeric'; did you mean 'numeric'? Allowed: exact, contains, numeric, numeric_table, regex, json, llm_judge"),
        ({"correctness_type": "numeric"}, "cases[0].expects: correctness_type numeric needs ground_truth; add it"),
        ({"correctness_type": "numeric", "ground_truth": "many"}, "cases[0].expects.ground_truth: a numeric truth must be one number; 'many' states none"),
        ({"correctness_type": "numeric", "ground_truth": True}, "cases[0].expects.ground_truth: a numeric truth must be a number, not True"),
        ({"correctness_type": "contains", "ground_truth": []}, "cases[0].expects.ground_truth: the list is empty, so every answer would do"),
        ({"ground_truth": " "}, "cases[0].expects.ground_truth: the expected value is empty, so every answer would do"),
        ({"ground_truth": {"a": 1}}, "cases[0].expects.ground_truth: the expected value must be text or a number"),
        ({"correctness_type": "numeric_table", "ground_truth": 3}, "cases[0].expects.ground_truth: numeric_table needs a mapping of labels to numbers, for example {North: 10, South: 20}"),
        ({"correctness_type": "numeric", "ground_truth": 1, "numeric_tolerance": -1}, "cases[0].expects.numeric_tolerance: must be a number of at least 0, not -1"),
        ({"correctness_type": "regex", "ground_truth": "(a"}, "cases[0].expects.ground_truth: pattern '(a' is no regular expression: missing ), unterminated subpattern at position 0"),
        ({"evaluator": "polite", "ground_truth": 1}, f"cases[0].expects.evaluator: unknown evaluator 'polite'; known evaluators: {', '.join(sorted(BUILT_IN))}"),
        ({"evaluator": "contains", "correctness_type": "exact", "ground_truth": "a"}, "cases[0].expects.evaluator: both evaluator and correctness_type say how correctness is decided; remove one"),
    ],
)  # fmt: skip
def test_mistakes_in_expects_are_told(expects: dict[str, object], told: str) -> None:
    assert problems_of(a_case(expects)) == [told]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (spec("contians", "x"), "cases[0].evaluators[0]: unknown evaluator 'contians'; did you mean 'contains'?"),
        (spec("max_steps"), "cases[0].evaluators[0]: limit is required; add it"),
        (spec("max_steps", -1), "cases[0].evaluators[0].max_steps: must be at least 0, not -1"),
        (spec("numeric", {"value": 1, "tolerence": 2}), "cases[0].evaluators[0].numeric.tolerence: unknown key 'tolerence'; did you mean 'tolerance'?"),
        (spec("field", {"path": "score", "equals": 1}), "cases[0].evaluators[0].field: path 'score' begins with 'score'; it can begin with output, raw, tool_calls, nodes_fired, steps, retrieved_context, citations, turns, cost_usd, latency_ms, claimed_latency_ms, model, tokens, usage, notes"),
        (spec("field", "raw.reward"), "cases[0].evaluators[0].field: say what it must be: equals, one_of, or min and max"),
        (spec("json", {"schema": {"type": "objekt"}}), "cases[0].evaluators[0].json: schema.type is invalid: 'objekt' is not valid under any of the given schemas"),
        (spec("json", {"schema": {"$ref": "#/$defs/none"}}), "cases[0].evaluators[0].json: schema refers to '#/$defs/none', which it does not hold"),
        (spec("json", {"schema": {"$ref": "http://127.0.0.1:9/schema"}}), "cases[0].evaluators[0].json: schema refers to 'http://127.0.0.1:9/schema', which it does not hold"),
        (spec("not", 3), "cases[0].evaluators[0].not: must hold one evaluator; write not: {name: parameters}"),
    ],
)  # fmt: skip
def test_mistakes_in_evaluators_are_told(entry: EvaluatorSpec, told: str) -> None:
    assert problems_of(a_case(evaluators=(entry,))) == [told]


def test_all_mistakes_of_a_case_are_told_at_once() -> None:
    case = a_case({"ground_truth": "", "numeric_tolerance": -1}, evaluators=(spec("nothing_like_it"), spec("max_steps", -1)))

    assert [problem.path for problem in compile_case(case)[1]] == [
        "cases[0].expects.numeric_tolerance",
        "cases[0].expects.ground_truth",
        "cases[0].evaluators[0]",
        "cases[0].evaluators[0].max_steps",
    ]


def test_a_case_without_a_check_is_refused() -> None:
    assert problems_of(a_case()) == [
        "cases[0]: case 'a' has no check, so it would always pass; add expects or evaluators, for example expects: {ground_truth: ...}"
    ]


def test_a_case_that_only_observes_is_refused() -> None:
    assert problems_of(a_case({"expected_trajectory": ["plan"]})) == [
        "cases[0]: case 'a' has no required check: what it declares is only observed; add one, or remove required: false"
    ]


def test_turns_that_decide_nothing_are_refused() -> None:
    turn = Turn("hi", {"ground_truth": "hello"}, (), "cases[0].turns[0]")

    assert problems_of(a_case(turns=(turn,), turns_required=False)) == [
        "cases[0]: case 'a' has no required check: with turns_required false its turns decide nothing; add a check of the whole case"
    ]


def test_saying_the_same_twice_is_refused() -> None:
    twice = a_case(evaluators=(spec("contains", "x"), spec("contains", "x", path="cases[0].evaluators[1]")))
    both = a_case({"must_call_tools": ["a"]}, evaluators=(spec("must_call_tools", ["b"]),))

    assert problems_of(twice) == ["cases[0].evaluators[1]: contains with these parameters is listed twice; remove one"]
    assert problems_of(both) == ["cases[0].evaluators[0]: expects already declares must_call_tools; remove one"]


def test_not_wraps_an_evaluator() -> None:
    compiled, _ = compile_case(a_case(evaluators=(spec("not", {"contains": "sorry"}), spec("not", {"not": {"exact": "a"}}))))

    assert [(check.name, check.negate) for check in compiled.checks] == [("contains", True), ("exact", False)]
