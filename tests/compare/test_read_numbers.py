"""The numbers of answers beside the one that was asked for."""

from __future__ import annotations

from typing import Any

from agenteval.compare.read_numbers import CaseNumbers, NumberRead, case_numbers
from agenteval.model.attempt import Attempt
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status
from tests.builders import an_attempt

EXPECTS = {"correctness_type": "numeric", "ground_truth": 64, "numeric_tolerance": 0.5}
PASSED, FAILED = Status.PASSED, Status.FAILED


def answered(repetition: int, passed: bool | None, evidence: dict[str, Any], **fields: Any) -> Attempt:
    score = Score("numeric", None if passed is None else float(passed), passed, evidence=evidence, feeds=Feeds.CORRECTNESS)
    return an_attempt("a", passed, repetition=repetition, scores=(score,), **{"expects": EXPECTS, **fields})


def test_one_number_an_attempt_with_its_verdict_and_the_accepted_band() -> None:
    attempts = [answered(0, True, {"value": 64.25, "candidates": [64.25]}), answered(1, False, {"value": 80, "candidates": [80]})]

    assert case_numbers(attempts) == CaseNumbers("a", (NumberRead(0, 64.25, PASSED), NumberRead(1, 80.0, FAILED)), 0, 64.0, 0.5)


def test_the_accepted_of_several_numbers_counts_and_several_wrong_ones_do_not() -> None:
    attempts = [
        answered(0, True, {"value": 64, "candidates": [3, 64]}),
        answered(1, False, {"value": None, "candidates": [3, 80]}),
        answered(2, False, {"value": None, "candidates": []}),
        answered(3, None, {}),
    ]

    found = case_numbers(attempts)

    assert found is not None
    assert (found.numbers, found.unread) == ((NumberRead(0, 64.0, PASSED),), 2)


def test_a_check_in_the_list_of_evaluators_says_what_is_accepted() -> None:
    evaluators = ({"contains": "x"}, {"numeric": {"value": 3, "tolerance": 1}})
    found = case_numbers([answered(0, True, {"value": 4}, expects={}, evaluators=evaluators)])

    assert found is not None
    assert (found.expected, found.tolerance) == (3.0, 1.0)


def test_a_share_written_in_percent_stands_where_the_truth_does() -> None:
    share = {"correctness_type": "numeric", "ground_truth": 0.12, "unit": "rate"}
    attempts = [
        answered(0, True, {"value": 12, "span": [0, 3]}, output="12% of all", expects=share),
        answered(1, True, {"value": 0.12, "span": [0, 4]}, output="0.12", expects=share),
    ]

    found = case_numbers(attempts)

    assert found is not None
    assert [number.value for number in found.numbers] == [0.12, 0.12]


def test_a_truth_that_is_no_plain_number_draws_no_band() -> None:
    found = case_numbers([answered(0, True, {"value": 64}, expects={"correctness_type": "numeric", "ground_truth": "64 euros"})])

    assert found is not None
    assert (found.expected, found.tolerance) == (None, None)


def test_answers_without_a_numeric_check_hold_no_numbers() -> None:
    assert case_numbers([an_attempt("a", output="42")]) is None
