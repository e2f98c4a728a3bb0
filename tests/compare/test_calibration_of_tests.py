"""Simulations with stated seeds: gates raise false alarms no more often than alpha, and find what they say they find."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import scipy.stats

from agenteval.compare import statistics as st
from tests.compare.runs import compared, outcome, repeated

ALPHA = 0.05


def two_errors(rate: float, trials: int) -> float:
    """Two standard errors of a simulated rate."""
    return 2 * math.sqrt(rate * (1 - rate) / trials)


@pytest.mark.parametrize("gates", [1, 5, 20])
@pytest.mark.parametrize("adjust", [st.holm, st.benjamini_hochberg], ids=["Holm", "BH"])
def test_the_same_agent_twice_seldom_raises_any_of_several_alarms(gates: int, adjust: object) -> None:
    trials, n = 1000, 100
    drawn = np.random.default_rng(gates).multinomial(n, [0.1, 0.1, 0.8], size=(trials, gates))

    alarms = 0
    for trial in drawn.tolist():
        alarms += min(adjust([st.mcnemar_exact(fell, rose) for fell, rose, _ in trial])) <= ALPHA  # type: ignore[operator]

    assert alarms / trials <= ALPHA + two_errors(ALPHA, trials)


def test_the_same_agent_twice_seldom_fails_the_gate() -> None:
    trials, draw = 200, random.Random(1)
    failed = 0
    for _ in range(trials):
        chances = [draw.choice((0.2, 0.6, 0.9, 1.0)) for _ in range(60)]
        now, then = ("".join("1" if draw.random() < chance else "0" for chance in chances) for _ in range(2))
        found = compared(now, then, max_correctness_drop=0.0, require_statistical_significance=True, max_unproven_drop=1.0)
        failed += outcome(found, "max_correctness_drop") == "fail"

    assert failed / trials <= ALPHA / 2 + two_errors(ALPHA / 2, trials)


def test_the_same_agent_twice_with_repeats_seldom_fails_the_gate() -> None:
    trials, draw = 100, random.Random(2)
    failed = 0
    for _ in range(trials):
        chances = [draw.choice((0.2, 0.6, 0.9, 1.0)) for _ in range(25)]
        now, then = (repeated(["".join("1" if draw.random() < chance else "0" for _ in range(4)) for chance in chances]) for _ in range(2))
        found = compared(now, then, max_correctness_drop=0.0, require_statistical_significance=True, max_unproven_drop=1.0)
        failed += outcome(found, "max_correctness_drop") == "fail"

    assert failed / trials <= ALPHA / 2 + two_errors(ALPHA / 2, trials)


@pytest.mark.parametrize(("n", "share"), [(30, 0.3), (100, 0.15), (400, 0.1)])
def test_the_printed_drop_is_found_four_times_in_five(n: int, share: float) -> None:
    trials, drop = 2000, st.minimum_detectable_drop(n, share)
    assert drop is not None
    changed = max(share, drop)
    fall, rise = (changed + drop) / 2, (changed - drop) / 2
    drawn = np.random.default_rng(n).multinomial(n, [fall, rise, 1 - fall - rise], size=trials)

    found = sum(fell > rose and st.mcnemar_exact(fell, rose) <= ALPHA for fell, rose, _ in drawn.tolist())

    assert found / trials >= 0.8 - two_errors(0.8, trials)


def test_sign_flip_keeps_alpha_over_case_means() -> None:
    trials, draw = 400, random.Random(3)
    alarms = 0
    for _ in range(trials):
        differences = [(draw.randint(0, 4) - draw.randint(0, 4)) / 4 for _ in range(18)]
        alarms += st.sign_flip(differences).p <= ALPHA

    assert alarms / trials <= ALPHA + two_errors(ALPHA, trials)


@pytest.mark.parametrize("n", [10, 50, 200])
@pytest.mark.parametrize("p", [0.5, 0.9, 0.99])
def test_intervals_cover_the_true_rate(n: int, p: float) -> None:
    def coverage(interval: object) -> float:
        ends = [interval(hits, n) for hits in range(n + 1)]  # type: ignore[operator]
        return float(sum(scipy.stats.binom.pmf(hits, n, p) for hits, (low, high) in enumerate(ends) if low <= p <= high))

    assert coverage(st.clopper_pearson) >= 0.95
    assert coverage(st.wilson) >= 0.86


def test_students_interval_covers_a_mean_of_case_differences() -> None:
    trials, draw = 300, random.Random(5)
    covered = 0
    for _ in range(trials):
        found = st.paired_t([(draw.randint(0, 5) - draw.randint(0, 5)) / 5 for _ in range(50)])
        covered += found is not None and found.low is not None and found.high is not None and found.low <= 0 <= found.high

    assert covered / trials >= 0.95 - two_errors(0.95, trials)
