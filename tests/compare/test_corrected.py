"""Rates corrected by a judge's errors: against the authors' figures, and by simulation."""

from __future__ import annotations

import random

import pytest

from agenteval.compare.corrected import Hits, corrected_rate


@pytest.mark.parametrize(
    ("passed", "n", "sensitivity", "specificity", "expected"),
    [
        (400, 1000, (180, 200), (140, 200), (0.166667, 0.056351, 0.262733)),
        (700, 1000, (90, 100), (70, 100), (0.666667, 0.574045, 0.769308)),
        (160, 200, (47.5, 50), (40, 50), (0.8, 0.698609, 0.923249)),
    ],
)
def test_the_authors_figures(passed: int, n: int, sensitivity: tuple, specificity: tuple, expected: tuple) -> None:
    found = corrected_rate(passed, n, sensitivity=Hits(*sensitivity), specificity=Hits(*specificity))

    assert found == pytest.approx(expected, abs=1e-6)


def test_a_judge_without_errors_leaves_the_rate_as_it_is() -> None:
    found = corrected_rate(30, 40, sensitivity=Hits(10_000, 10_000), specificity=Hits(10_000, 10_000))

    assert found is not None
    assert found.value == 0.75


def test_a_coin_or_a_contrarian_corrects_nothing() -> None:
    assert corrected_rate(30, 40, sensitivity=Hits(50, 100), specificity=Hits(50, 100)) is None
    assert corrected_rate(30, 40, sensitivity=Hits(20, 100), specificity=Hits(30, 100)) is None


def test_nothing_is_corrected_without_answers_or_without_both_kinds_in_the_calibration() -> None:
    good = Hits(90, 100)

    assert corrected_rate(0, 0, sensitivity=good, specificity=good) is None
    assert corrected_rate(5, 10, sensitivity=Hits(0, 0), specificity=good) is None
    assert corrected_rate(5, 10, sensitivity=good, specificity=Hits(0, 0)) is None


def test_a_rate_beyond_what_the_judges_errors_allow_is_cut_at_the_end() -> None:
    found = corrected_rate(100, 100, sensitivity=Hits(80, 100), specificity=Hits(90, 100))

    assert found is not None
    assert (found.value, found.high) == (1.0, 1.0)


def test_where_every_share_is_possible_none_is_named() -> None:
    assert corrected_rate(50, 100, sensitivity=Hits(1, 1), specificity=Hits(1, 1)) is None
    # A small model that judged 28 answers: 6 of 9 good ones passed, 7 of 19 bad ones failed, so .67 + .37 is hardly more than 1.
    assert corrected_rate(8, 13, sensitivity=Hits(6, 9), specificity=Hits(7, 19)) is None


@pytest.mark.parametrize("good", [0.5, 0.9, 0.98])
def test_the_interval_holds_the_true_rate_about_as_often_as_it_says(good: float) -> None:
    draw = random.Random(20)
    times, held = 400, 0

    def hits(n: int, share: float) -> int:
        return sum(draw.random() < share for _ in range(n))

    for _ in range(times):
        passed = hits(200, good * 0.9 + (1 - good) * 0.2)
        found = corrected_rate(passed, 200, sensitivity=Hits(hits(60, 0.9), 60), specificity=Hits(hits(60, 0.8), 60))
        assert found is not None
        held += found.low <= good <= found.high

    # .95 less three standard errors of 400 simulations.
    assert held / times >= 0.95 - 3 * (0.95 * 0.05 / times) ** 0.5
