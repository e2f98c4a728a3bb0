"""Flakiness: classes by verdict and by number, answers beside, errors apart."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenteval.compare.flakiness import flakiness
from agenteval.model.attempt import Attempt
from agenteval.model.flakiness import CaseFlakiness, NumericCluster
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status
from tests.builders import an_attempt, shared_data


def observed(*verdicts: bool | None, outputs: list[str] | None = None) -> list[Attempt]:
    texts = outputs or ["same"] * len(verdicts)
    return [an_attempt("a", passed, repetition=i, output=texts[i]) for i, passed in enumerate(verdicts)]


def numeric(*numbers: tuple[bool, Any], tolerance: Any = None) -> list[Attempt]:
    expects = {} if tolerance is None else {"numeric_tolerance": tolerance}
    return [
        an_attempt(
            "a",
            passed,
            repetition=i,
            expects=expects,
            scores=(Score("numeric", value=float(passed), passed=passed, evidence={"value": value}, feeds=Feeds.CORRECTNESS),),
        )
        for i, (passed, value) in enumerate(numbers)
    ]


def classify(attempts: list[Attempt]) -> CaseFlakiness:
    (found,) = flakiness({"a": attempts})
    return found


@pytest.mark.parametrize(
    ("verdicts", "expected", "consistent"),
    [
        pytest.param([True] * 5, "stable", 5, id="always right"),
        pytest.param([False] * 5, "stable", 5, id="always wrong"),
        pytest.param([True, True, True, True, False], "flaky", 4, id="4 of 5"),
        pytest.param([True, True, True, False, False], "unstable", 3, id="3 of 5"),
        pytest.param([True, False], "unstable", 1, id="1 of 2"),
    ],
)
def test_classes_by_verdict(verdicts: list[bool], expected: str, consistent: int) -> None:
    found = classify(observed(*verdicts))

    assert (found.classification, found.consistent, found.total, found.basis) == (expected, consistent, len(verdicts), "verdict")
    assert found.rate == pytest.approx(1 - consistent / len(verdicts))


def test_errors_are_counted_and_in_no_ratio() -> None:
    attempts = [*observed(True, True, None), an_attempt("a", None, status=Status.SKIPPED, repetition=3)]

    found = classify(attempts)

    assert (found.classification, found.total, found.passed, found.errors) == ("stable", 2, 2, 2)


@pytest.mark.parametrize("verdicts", [[None, None, None], [True, None]])
def test_fewer_than_two_verdicts_are_no_evidence(verdicts: list[bool | None]) -> None:
    assert classify(observed(*verdicts)).classification == "no evidence"


def test_numbers_within_the_tolerance_agree() -> None:
    found = classify(numeric((True, 10.0), (True, 10.02), (True, 10.01), (True, 10.05), tolerance=0.02))

    assert (found.basis, found.consistent, found.total, found.classification) == ("verdict_and_numeric_majority_cluster", 3, 4, "unstable")
    assert found.numeric == NumericCluster(0.02, (0, 1, 2), 10.0, 10.02)


def test_the_tolerance_is_decimal() -> None:
    assert classify(numeric((True, 0.29), (True, 0.3))).consistent == 2


def test_equal_numbers_of_different_verdict_do_not_agree() -> None:
    found = classify(numeric((True, 5), (False, 5), (True, 5)))

    assert (found.consistent, found.numeric) == (2, NumericCluster(0.01, (0, 2), 5.0, 5.0))


def test_the_first_observation_has_no_preference() -> None:
    found = classify(numeric((True, 1), (True, 7), (True, 7)))

    assert found.numeric is not None
    assert found.numeric.members == (1, 2)


def test_ties_go_to_the_tighter_cluster_then_the_smaller_numbers() -> None:
    tighter = classify(numeric((True, 1), (True, 1.01), (True, 7), (True, 7)))
    smaller = classify(numeric((True, 9), (True, 9), (True, 7), (True, 7)))

    assert (tighter.numeric, smaller.numeric) == (NumericCluster(0.01, (2, 3), 7.0, 7.0), NumericCluster(0.01, (2, 3), 7.0, 7.0))


@pytest.mark.parametrize("value", [None, "two", True, float("nan"), [1, 2]])
def test_an_answer_without_one_number_leaves_the_verdict_to_decide(value: Any) -> None:
    found = classify(numeric((True, 10.0), (True, 99.0), (True, value)))

    assert (found.basis, found.classification, found.numeric) == ("verdict", "stable", None)


def test_an_answer_that_states_several_numbers_is_ambiguous_though_one_was_right() -> None:
    attempts = numeric((True, 10.0), (True, 99.0))
    several = Score("numeric", 1.0, True, evidence={"value": 10, "candidates": [10, 12]}, feeds=Feeds.CORRECTNESS)

    found = classify([*attempts, an_attempt("a", repetition=2, scores=(several,))])

    assert (found.basis, found.classification) == ("verdict", "stable")


def test_the_predecessors_sample_gives_its_classes() -> None:
    sample = json.loads(shared_data("data", "predecessor", "samples", "flakiness.json").read_text())
    for case in sample["cases"]:
        attempts = observed(*(item["status"] == "passed" for item in case["observations"]))

        found = classify(attempts)

        assert (found.classification, found.basis) == (case["classification"], case["comparison_basis"])
        assert (found.consistent, found.total, found.passed) == (
            case["consistent_observations"],
            case["total_observations"],
            case["pass_count"],
        )


def test_five_different_wrong_answers_are_stable_by_verdict_and_five_answers() -> None:
    found = classify(observed(*[False] * 5, outputs=["a", "b", "c", "d", "e"]))

    assert found.classification == "stable"
    assert len(found.answers) == 5


def test_answers_are_grouped_by_what_they_say() -> None:
    found = classify(observed(*[True] * 4, outputs=["Paris", "It is Lyon", " paris. ", "\u201cPARIS\u201d"]))

    assert [(cluster.representative, cluster.members) for cluster in found.answers] == [("Paris", (0, 2, 3)), ("It is Lyon", (1,))]


def test_a_callers_tolerance_is_taken() -> None:
    (found,) = flakiness({"a": numeric((True, 1), (True, 2))}, lambda attempt: 1.0)

    assert found.classification == "stable"
