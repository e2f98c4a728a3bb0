"""Which calls were made, with which arguments."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from agenteval.evaluators import Context, compile_case, scores_of
from agenteval.evaluators.assignment import best_ordered_pairing, best_pairing
from agenteval.model.attempt import Attempt
from agenteval.model.response import ToolCall
from agenteval.model.score import Score
from agenteval.model.status import Status
from tests.builders import shared_data
from tests.evaluators.judging import a_case, score, spec

WRITES = [
    "book_reservation",
    "cancel_reservation",
    "send_certificate",
    "update_reservation_baggages",
    "update_reservation_flights",
    "update_reservation_passengers",
]


def matched(params: Any, *called: Any) -> Score:
    """The score of calls given as names or (name, arguments)."""
    calls = tuple(ToolCall(call) if isinstance(call, str) else ToolCall(*call) for call in called)
    return score("tool_calls", params, tool_calls=calls)


@pytest.mark.parametrize(
    ("params", "called", "value", "passed"),
    [
        pytest.param([], [], 1.0, True, id="none-expected-none-made"),
        pytest.param([], ["a"], 0.0, False, id="none-allowed"),
        pytest.param(["a"], [], 0.0, False, id="missing"),
        pytest.param(["a"], [("a", {"x": 1})], 1.0, True, id="name-alone-ignores-arguments"),
        pytest.param(["a"], ["a", "b"], 1.0, False, id="extra-fails"),
        pytest.param({"expected": ["a"], "allow_extra": True}, ["b", "a"], 1.0, True, id="extra-allowed"),
        pytest.param({"expected": ["a", "b"], "ordered": True}, ["b", "a"], 0.5, False, id="wrong-order"),
        pytest.param({"expected": ["a", "b"]}, ["b", "a"], 1.0, True, id="any-order"),
        pytest.param({"expected": ["a", "z"], "only": ["a"]}, ["a", "q"], 1.0, True, id="only"),
        pytest.param({"expected": ["a", "b"], "min_score": 0.5}, ["a"], 0.5, True, id="lower-bar"),
    ],
)
def test_names(params: Any, called: list[Any], value: float, passed: bool) -> None:
    found = matched(params, *called)

    assert (found.value, found.passed) == (value, passed)


@pytest.mark.parametrize(
    ("call", "arguments", "value"),
    [
        ({"arguments": {"x": 1}}, {"x": 1, "y": 2}, 0.5),
        ({"arguments": {"x": 1}, "mode": "superset"}, {"x": 1, "y": 2}, 1.0),
        ({"arguments": {"x": 1, "y": 2}, "mode": "superset"}, {"x": 1}, 0.5),
        ({"arguments": {"x": 1, "y": 2}, "mode": "subset"}, {"x": 1}, 1.0),
        ({"arguments": {"x": 1}, "mode": "subset"}, {"x": 1, "y": 2}, 0.5),
        ({"arguments": {"x": 1}, "mode": "ignore"}, {"y": 2}, 1.0),
        ({"arguments": {"x": 5}, "match": {"x": {"tolerance": 0.1}}}, {"x": 5.1}, 1.0),
        ({"arguments": {"x": 5}, "match": {"x": {"tolerance": 0.1}}}, {"x": 5.11}, 0.0),
        ({"arguments": {"x": "BERLIN"}, "match": {"x": "contains"}}, {"x": "to Berlin"}, 1.0),
        ({"arguments": {"x": "^b.r"}, "match": {"x": "regex"}}, {"x": "bar"}, 1.0),
        ({"match": {"x": "any"}}, {"x": 1}, 1.0),
        ({"match": {"x": "any"}}, {}, 0.0),
        ({"arguments": {"y": 1}, "match": {"x": "ignore"}}, {"x": 1, "y": 1}, 1.0),
        ({"arguments": {"x": True}}, {"x": 1}, 0.0),
        ({"arguments": {"x": [1, 2]}}, {"x": [1.0, 2]}, 1.0),
        ({"arguments": {"x": [1, 2]}}, {"x": [2, 1]}, 0.0),
        ({"arguments": {"x": 1}}, '{"x": 1.0}', 1.0),
    ],
)
def test_arguments(call: dict[str, Any], arguments: Any, value: float) -> None:
    assert matched([{"name": "f", **call}], ("f", arguments)).value == value


def test_invalid_arguments_are_a_finding_and_no_crash() -> None:
    found = matched([{"name": "f", "arguments": {"x": 1}}], ("f", '{"x": '))

    assert (found.value, found.passed) == (0.0, False)
    assert found.evidence["findings"] == ["call 1 (f): its arguments are not valid JSON"]


def test_call_ids_and_results_do_not_matter() -> None:
    found = score("tool_calls", [{"name": "f", "arguments": {}}], tool_calls=(ToolCall("f", {}, result=[1], id="call_8f3"),))

    assert found.passed is True


def test_the_greedy_pairing_is_not_the_best() -> None:
    assert best_pairing([[0.9, 0.8], [0.8, 0.0]]) == [(0, 1), (1, 0)]
    assert best_ordered_pairing([[0.9, 0.8], [0.8, 0.0]]) == [(0, 0)]


matrices = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=width, max_size=width), min_size=1, max_size=5)
)


@settings(deadline=None)  # a busy machine decides nothing
@given(matrices)
def test_the_pairing_is_as_good_as_the_one_of_an_independent_solver(matrix: list[list[float]]) -> None:
    rows, columns = linear_sum_assignment(matrix, maximize=True)

    total = sum(matrix[row][column] for row, column in best_pairing(matrix))

    assert total == pytest.approx(sum(matrix[row][column] for row, column in zip(rows, columns, strict=True)))


calls = st.lists(st.tuples(st.sampled_from("ab"), st.dictionaries(st.sampled_from("xy"), st.integers(0, 2), max_size=2)), max_size=5)


@settings(deadline=None)  # a busy machine decides nothing
@given(calls, calls, st.randoms())
def test_the_order_of_calls_does_not_change_the_value(expected: list[Any], called: list[Any], random: Any) -> None:
    listed = [{"name": name, "arguments": arguments} for name, arguments in expected]
    turned, made = list(listed), list(called)
    random.shuffle(turned)
    random.shuffle(made)

    assert matched(listed, *called).value == pytest.approx(matched(turned, *made).value)


@pytest.mark.data
def test_writing_calls_agree_with_the_rewards_of_a_published_benchmark() -> None:
    lines = shared_data("data", "tau_bench_gpt4o_airline.jsonl").read_text(encoding="utf-8").splitlines()
    table: Counter[tuple[bool, bool]] = Counter()

    for attempt in map(json.loads, lines):
        case = a_case(evaluators=(spec("tool_calls", {"expected": attempt["expected"]["tool_calls"], "only": WRITES}),))
        calls = tuple(ToolCall(call["name"], call["arguments"]) for call in attempt.get("tool_calls", ()))
        (found,) = scores_of(compile_case(case)[0].checks, Context(Attempt("a", Status.UNSCORED, tool_calls=calls)))
        table[found.passed is True, attempt["reward"] == 1] += 1

    total = sum(table.values())
    observed = (table[True, True] + table[False, False]) / total
    ours, theirs = (table[True, True] + table[True, False]) / total, (table[True, True] + table[False, True]) / total
    chance = ours * theirs + (1 - ours) * (1 - theirs)
    assert total == 200
    assert (observed - chance) / (1 - chance) == pytest.approx(0.865, abs=0.001)
