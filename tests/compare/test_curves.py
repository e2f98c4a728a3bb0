"""Intervals of pass^k and pass@k against resampling by other code and a closed form."""

from __future__ import annotations

import itertools
import math
import random

import pytest
import scipy.stats

from agenteval.compare.curves import pass_curve


def brute_force(n: int, passed: int, k: int, *, every: bool) -> float:
    """The share of all choices of k of the n attempts that pass (all of them, or at least one)."""
    verdicts = [True] * passed + [False] * (n - passed)
    judge = all if every else any
    chosen = [judge(choice) for choice in itertools.combinations(verdicts, k)]
    return sum(chosen) / len(chosen)


def some_cases(number: int) -> dict[str, tuple[int, int]]:
    draw = random.Random(7)
    return {f"c{i}": (4, draw.choice([0, 1, 2, 3, 4, 4, 4])) for i in range(number)}


@pytest.mark.parametrize("every", [True, False], ids=["pass^k", "pass@k"])
def test_values_are_the_share_of_all_choices(every: bool) -> None:
    counts = some_cases(20)

    for point in pass_curve(counts, every=every):
        expected = [brute_force(n, passed, point.k, every=every) for n, passed in counts.values()]
        assert point.value == pytest.approx(sum(expected) / 20)


@pytest.mark.parametrize("every", [True, False], ids=["pass^k", "pass@k"])
def test_intervals_resample_whole_cases(every: bool) -> None:
    counts = some_cases(50)
    draw = random.Random(11)
    step = 1 / 50 + 1e-9  # the coarsest lattice of such means: k of 4 in {0, 1}

    for point in pass_curve(counts, every=every):
        values = [brute_force(n, passed, point.k, every=every) for n, passed in counts.values()]
        means = sorted(math.fsum(draw.choices(values, k=50)) / 50 for _ in range(4000))
        assert point.low == pytest.approx(means[100], abs=step)
        assert point.high == pytest.approx(means[3899], abs=step)


def test_intervals_agree_with_students_over_the_cases() -> None:
    counts = some_cases(200)
    point = pass_curve(counts, every=True)[0]
    values = [passed / n for n, passed in counts.values()]

    low, high = scipy.stats.t.interval(0.95, 199, scipy.stats.tmean(values), scipy.stats.sem(values))

    assert (point.low, point.high) == (pytest.approx(low, abs=0.01), pytest.approx(high, abs=0.01))


def test_attempts_of_one_case_are_no_independent_evidence() -> None:
    """Ten cases, each always right or always wrong: a hundred attempts say no more than ten."""
    few = pass_curve({f"c{i}": (1, i % 2) for i in range(10)}, every=True)[0]
    many = pass_curve({f"c{i}": (100, 100 * (i % 2)) for i in range(10)}, every=True)[0]

    assert (few.low, few.high) == (many.low, many.high)


def test_cases_that_all_agree_still_leave_doubt() -> None:
    """Wilson (1927) for 20 of 20, as published: 83.9% to 100%."""
    point = pass_curve({f"c{i}": (5, 5) for i in range(20)}, every=True)[-1]

    assert (point.k, point.value, point.low, point.high) == (5, 1.0, pytest.approx(0.8389, abs=5e-5), 1.0)


def test_one_case_has_no_interval_and_short_ones_are_counted() -> None:
    points = pass_curve({"a": (3, 3), "b": (1, 0)}, every=True)

    assert [(point.k, point.value, point.cases, point.short) for point in points] == [(1, 0.5, 2, 0), (2, 1.0, 1, 1), (3, 1.0, 1, 1)]
    assert (points[1].low, points[1].high) == (None, None)


def test_no_cases_have_no_curve() -> None:
    assert pass_curve({}, every=True) == []
    assert pass_curve({"a": (0, 0)}, every=True) == []
