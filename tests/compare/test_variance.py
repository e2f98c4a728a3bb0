"""The spread of judged answers, split between agent and judge."""

from __future__ import annotations

import random
from typing import Any

import pytest

from agenteval.compare.variance import VarianceSplit, judged_variance, split_variance
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from agenteval.model.status import Role
from agenteval.reports.costs import variance_text
from tests.builders import an_attempt


def judged(repetition: int, *values: Any, case: str = "a", name: str = "llm_judge", **changes: Any) -> Attempt:
    votes = [{"value": value} if value is not None else {"value": None, "error": "no reply"} for value in values]
    return an_attempt(case, scores=(Score(name, 1.0, True, evidence={"judge": {"votes": votes}}),), repetition=repetition, **changes)


def test_a_balanced_design_is_the_textbooks() -> None:
    # Three attempts of two votes: means 1, .5, 0; mean .5. SSB = 2(.25 + 0 + .25) = 1, MSB = 1/2; SSW = .5, MSW = .5/3.
    # n0 = 2, so agent = (1/2 - 1/6) / 2 = 1/6.
    found = split_variance([[[1, 1], [1, 0], [0, 0]]])

    assert found == (pytest.approx(1 / 6), pytest.approx(1 / 6), False)


def test_unequal_numbers_of_votes_weigh_by_n0() -> None:
    # Attempts of 3 and 1 votes: means 2/3 and 0, mean 1/2. SSB = 3(1/6)^2 + (1/2)^2 = 1/3; SSW = 2/3, MSW = 1/3; n0 = 4 - 10/4 = 1.5.
    found = split_variance([[[1, 1, 0], [0]]])

    assert found == (pytest.approx(0.0), pytest.approx(1 / 3), False)


def test_differences_between_cases_are_nobodys() -> None:
    same = [[1.0, 1.0], [1.0, 1.0]]

    assert split_variance([same, [[0.0, 0.0], [0.0, 0.0]]]) == (0.0, 0.0, False)


def test_a_negative_estimate_is_zero_and_says_so() -> None:
    # Means .5 and .5: MSB = 0, MSW = 1/2, agent = (0 - 1/2) / 2 < 0.
    assert split_variance([[[1, 0], [0, 1]]]) == (0.0, 0.5, True)


@pytest.mark.parametrize("blocks", [[], [[]], [[[1, 0]]], [[[1], [0]]], [[[1, 0]], [[0, 1]]], [[[], []]]])
def test_without_repeats_or_without_votes_there_is_no_split(blocks: Any) -> None:
    assert split_variance(blocks) is None


@pytest.mark.parametrize(("agent", "judge"), [(0.04, 0.01), (0.0, 0.02), (0.01, 0.09)])
def test_simulated_variances_are_found_again(agent: float, judge: float) -> None:
    draw = random.Random(7)
    blocks = []
    for _ in range(1500):
        level = draw.uniform(-3, 3)
        block = []
        for _ in range(draw.choice((2, 3, 5))):
            answer = level + draw.gauss(0, agent**0.5)
            block.append([answer + draw.gauss(0, judge**0.5) for _ in range(draw.choice((1, 2, 3)))])
        blocks.append(block)

    found = split_variance(blocks)

    assert found is not None
    assert found[0] == pytest.approx(agent, abs=0.06 * (agent + judge))
    assert found[1] == pytest.approx(judge, abs=0.06 * judge)


def test_simulated_verdicts_of_an_unsteady_judge_are_the_judges() -> None:
    draw = random.Random(3)
    # Every answer is good; the judge says so four times of five: p(1 - p) = 0.16.
    blocks = [[[float(draw.random() < 0.8) for _ in range(5)] for _ in range(4)] for _ in range(400)]

    found = split_variance(blocks)

    assert found is not None
    assert found[0] < 0.01
    assert found[1] == pytest.approx(0.16, abs=0.01)


def test_the_votes_of_stored_attempts_are_split() -> None:
    observations = {
        "a": [judged(0, True, True), judged(1, True, False), judged(2, False, False)],
        "skipped": [judged(0, True, True, case="skipped", role=Role.QUARANTINED), judged(1, False, case="skipped")],
        "unjudged": [an_attempt("unjudged"), an_attempt("unjudged", repetition=1)],
    }

    found = judged_variance(observations.items())

    assert found == VarianceSplit(pytest.approx(1 / 6), pytest.approx(1 / 6), 1, 3, 6)
    assert found.judge_share == pytest.approx(0.5)


def test_points_are_tenths_sentences_a_share_and_failed_votes_nothing() -> None:
    points = {"a": [judged(0, 8, 6, None), judged(1, 4, 2)]}
    claims = {"a": [judged(0, [True, False], [True, True]), judged(1, [False, False], [False, True])]}

    # Points: means .7 and .3, SSB = 4 x .04 = .16, SSW = 4 x .01 = .04, MSW = .02, agent = (.16 - .02) / 2
    found = judged_variance(points.items())
    assert found == VarianceSplit(pytest.approx(0.07), pytest.approx(0.02), 1, 2, 4)
    # Shares: .5, 1 and 0, .5: means .75 and .25, SSB = 4 x .0625 = .25, SSW = 4 x .0625 = .25, MSW = .125, agent = .0625
    assert judged_variance(claims.items()) == VarianceSplit(pytest.approx(0.0625), pytest.approx(0.125), 1, 2, 4)


def test_checks_and_turns_are_blocks_of_their_own() -> None:
    def attempt(repetition: int, first: bool, second: bool) -> Attempt:
        turns = (judged(0, first, first), judged(0, second, second))
        return an_attempt("a", turns=turns, repetition=repetition)

    found = judged_variance([("a", [attempt(0, True, False), attempt(1, True, False)])])

    assert found == VarianceSplit(0.0, 0.0, 1, 2, 8)
    assert found.judge_share is None


def test_the_sentence_names_both_and_what_they_stand_on() -> None:
    assert variance_text(VarianceSplit(0.031, 0.012, 12, 36, 108)) == (
        "variance of judged answers: agent 0.031 between attempts, judge 0.012 within "
        "(28% of both is the judge's; 12 cases, 36 attempts, 108 votes)"
    )
    assert variance_text(VarianceSplit(0.0, 0.5, 1, 2, 4, truncated=True)).endswith(
        "agent 0 between attempts, judge 0.5 within (100% of both is the judge's; 1 case, 2 attempts, 4 votes)"
        "; the judge's votes differ more than the answers do"
    )
    assert variance_text(VarianceSplit(0.0, 0.0, 1, 2, 4)) == (
        "judged answers: every vote on every attempt agrees, so neither agent nor judge varies (1 case, 2 attempts, 4 votes)"
    )
