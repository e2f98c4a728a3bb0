"""Agreement with people, what sways a judge, and its pass mark: against statsmodels, scipy and figures worked out by hand."""

from __future__ import annotations

import doctest
import importlib
import json
import random
from collections import Counter
from itertools import combinations

import pytest
import scipy.stats
from statsmodels.stats.inter_rater import cohens_kappa

from agenteval.compare.agreement import Kappa, cohen_kappa, landis_koch
from agenteval.compare.judge_bias import length_bias, length_of_winner, position_bias
from agenteval.compare.pass_mark import tune
from tests.builders import shared_data

WINNERS = ("A", "B", "tie")


@pytest.mark.parametrize("name", ["agreement", "corrected", "judge_bias", "pass_mark"])
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"agenteval.compare.{name}")).failed == 0


def kappa_of(table: list[list[int]], weights: str = "none") -> Kappa:
    found = cohen_kappa(table, weights=weights)
    assert found is not None
    return found


@pytest.mark.parametrize(("weights", "theirs"), [("linear", "linear"), ("quadratic", "quadratic")])
def test_weighted_kappas_error_is_statsmodels(weights: str, theirs: str) -> None:
    table = [[61, 2, 0], [3, 2, 1], [1, 0, 1]]

    found = kappa_of(table, weights)
    expected = cohens_kappa(table, wt=theirs)

    assert found.value == pytest.approx(expected.kappa)
    assert found.se == pytest.approx(expected.std_kappa)
    assert (found.low, found.high) == (pytest.approx(expected.kappa_low), pytest.approx(min(1, expected.kappa_upp)))


def test_marks_from_1_to_10_have_a_quadratic_kappa() -> None:
    draw = random.Random(7)
    table = [[0] * 10 for _ in range(10)]
    for _ in range(60):
        human = draw.randrange(10)
        table[human][min(9, max(0, human + draw.choice((-2, -1, 0, 0, 1, 3))))] += 1

    expected = cohens_kappa(table, wt="quadratic")

    assert kappa_of(table, "quadratic").value == pytest.approx(expected.kappa)
    assert kappa_of(table, "quadratic").se == pytest.approx(expected.std_kappa)


def test_an_interval_stays_within_minus_one_and_one() -> None:
    found = kappa_of([[5, 0], [1, 4]])

    assert found.value == pytest.approx(0.8)
    assert found.high == 1.0


def test_agreement_without_exception_on_few_items_is_no_certainty() -> None:
    found = kappa_of([[5, 0], [0, 5]])

    # Wilson for 10 of 10 begins at .722467; chance agreement is .5, so kappa begins at (.722467 - .5) / .5.
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.444934, abs=1e-6)


def test_marks_without_any_disagreement_have_no_interval() -> None:
    found = kappa_of([[2, 0, 0], [0, 1, 0], [0, 0, 3]], "quadratic")

    assert (found.value, found.low, found.high) == (1.0, None, None)


def test_a_judge_that_never_varies_has_no_interval() -> None:
    assert kappa_of([[90, 0], [10, 0]]) == Kappa(0.0, 0.9, 0.0)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (-0.01, "poor"),
        (0.0, "slight"),
        (0.2, "fair"),
        (0.4, "moderate"),
        (0.6, "substantial"),
        (3 * 0.2 - 1e-16, "substantial"),
        (0.8, "almost perfect"),
        (1.0, "almost perfect"),
    ],
)
def test_the_word_for_a_kappa(value: float, word: str) -> None:
    assert landis_koch(value) == word


def test_pairs_that_follow_the_place_are_counted() -> None:
    found = position_bias([("A", "A")] * 10 + [("A", "B")] * 9 + [("B", "A")] * 2 + [("tie", "tie")])

    assert found is not None
    assert (found.n, found.same, found.first, found.second) == (22, 11, 9, 2)
    assert found.p == pytest.approx(scipy.stats.binomtest(9, 11).pvalue)
    assert position_bias([]) is None


def test_a_tie_against_a_choice_leans_half_way() -> None:
    found = position_bias([("tie", "A"), ("A", "tie")])

    # A shown second and chosen leans to the second; A shown first and chosen leans to the first.
    assert found is not None
    assert (found.same, found.first, found.second, found.p) == (0, 1, 1, 1.0)


def test_length_bias_is_spearmans_correlation() -> None:
    draw = random.Random(3)
    lengths = [draw.randrange(10, 400) for _ in range(40)]
    kinder = [float(draw.random() < length / 400) - float(draw.random() < 0.4) for length in lengths]

    found = length_bias(lengths, kinder)
    expected = scipy.stats.spearmanr(lengths, kinder)

    assert found is not None
    assert (found.correlation, found.p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))


def test_length_bias_names_both_halves_in_the_units_of_the_verdict() -> None:
    found = length_bias([10, 20, 30, 40, 50, 600, 700, 800, 900, 1000], [0, 0, 0, -1, 0, 1, 1, 0, 1, 1])

    assert found is not None
    assert (found.n, found.shorter, found.longer) == (10, -0.2, 0.8)


def test_too_few_answers_or_no_variation_show_no_length_bias() -> None:
    assert length_bias([1, 2, 3], [0, 1, 0]) is None
    constant = length_bias(list(range(12)), [0.0] * 12)
    assert constant is not None
    assert (constant.correlation, constant.p) == (None, None)


def test_choosing_the_longer_answer_more_often_than_people_is_tested() -> None:
    found = length_of_winner([(True, False)] * 8 + [(False, True)] + [(True, True)] * 5)

    assert found is not None
    assert (found.n, found.judge, found.human) == (14, 13, 6)
    assert found.p == pytest.approx(scipy.stats.binomtest(8, 9).pvalue)
    assert length_of_winner([]) is None


def test_the_pass_mark_that_parts_good_from_bad_is_found() -> None:
    good = [True] * 20 + [False] * 20
    marks = [8] * 20 + [4] * 20

    found = tune(marks, good)

    assert found is not None
    assert (found.mark, found.chosen_on, found.tested_on) == (8, 20, 20)
    assert (found.sensitivity, found.specificity, found.kappa) == (1.0, 1.0, 1.0)


def test_the_half_that_tests_did_not_choose() -> None:
    draw = random.Random(11)
    good = [draw.random() < 0.5 for _ in range(60)]
    marks = [draw.randrange(1, 11) for _ in good]

    found = [tune(marks, good, seed=seed) for seed in range(200)]

    # Marks that know nothing: on the chosen half any mark looks good, on the other the mean must be that of a coin.
    gain = [mark.sensitivity + mark.specificity - 1 for mark in found if mark is not None]
    assert len(gain) == 200
    assert abs(sum(gain) / len(gain)) < 0.1
    assert tune(marks, good, seed=5) == tune(marks, good, seed=5)


def test_too_few_good_or_bad_answers_choose_no_mark() -> None:
    assert tune([5] * 30, [True] * 21 + [False] * 9) is None


def pandalm(rater: str) -> list[str | None]:
    with shared_data("data", "judge_pandalm.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    if rater == "gold":
        return [row["gold"] for row in rows]
    return [row["human"].get(rater, row["judges"].get(rater)) for row in rows]


def between(one: list[str | None], other: list[str | None]) -> tuple[Kappa, int]:
    counts = Counter(zip(one, other, strict=True))
    table = [[counts[a, b] for b in WINNERS] for a in WINNERS]
    return kappa_of(table), sum(map(sum, table))


def test_three_people_agree_as_published_on_pandalm() -> None:
    people = [pandalm(f"annotator{number}") for number in (1, 2, 3)]

    assert [round(between(one, other)[0].value or 0, 3) for one, other in combinations(people, 2)] == [0.852, 0.879, 0.862]


def test_gpt_35_agrees_moderately_with_the_people_of_pandalm() -> None:
    found, n = between(pandalm("gold"), pandalm("gpt-3.5-turbo"))

    assert (round(found.value or 0, 3), n, landis_koch(found.value or 0)) == (0.493, 974, "moderate")


def test_judges_choose_the_same_winner_in_both_orders_as_published_on_llmbar() -> None:
    with shared_data("data", "judge_llmbar.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]

    for judge, same in (("GPT-4/Vanilla_NoRules", 382), ("ChatGPT/Vanilla_NoRules", 256)):
        found = position_bias([(row["judges"][judge], row["judges_swapped"][judge]) for row in rows])
        assert found is not None
        assert (found.n, found.same) == (419, same)
