"""How large a change a suite can show: sample sizes, and the smallest drops that the tests can find."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from agenteval.compare.distributions import binomial_pmf, binomial_upper, normal_quantile
from agenteval.compare.paired import mcnemar_exact

_TAILS = 1e-7
"""Probability of the numbers of changed cases that the exact power leaves out."""


def sample_size(
    difference: float,
    *,
    between: float = 1 / 9,
    within: tuple[float, float] = (0.0, 0.0),
    attempts: tuple[int, int] = (1, 1),
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Cases needed to find a difference of means in a paired comparison.

    Args:
        difference: Of the two agents' mean scores.
        between: Variance over cases of the difference of expected scores (1/9 is a cautious guess for scores in [0, 1]).
        within: Variance of each agent's score on one case.
        attempts: Attempts a case for each agent.

    Source: Miller (2024), arXiv:2411.00640, section 5.

    >>> sample_size(0.03), sample_size(0.05, within=(1 / 6, 1 / 6))
    (969, 1396)
    """
    return math.ceil(_z(alpha, power) ** 2 * _variance(between, within, attempts) / difference**2)


def detectable_difference(
    n: int,
    *,
    between: float = 1 / 9,
    within: tuple[float, float] = (0.0, 0.0),
    attempts: tuple[int, int] = (1, 1),
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """The difference of means that n cases find with this power; the inverse of ``sample_size``."""
    return _z(alpha, power) * math.sqrt(_variance(between, within, attempts) / n)


def sample_size_of_rates(first: float, second: float, *, alpha: float = 0.05, power: float = 0.8, arcsine: bool = False) -> int:
    """Cases an arm needed to tell two rates apart that are measured on different cases (unpaired).

    Source: Wald form; with ``arcsine`` that of Cohen (1988), Statistical Power Analysis, chapter 6.

    >>> sample_size_of_rates(0.75, 0.80), sample_size_of_rates(0.75, 0.80, arcsine=True)
    (1091, 1092)
    """
    z = _z(alpha, power)
    if arcsine:
        effect = 2 * math.asin(math.sqrt(second)) - 2 * math.asin(math.sqrt(first))
        return math.ceil(2 * (z / effect) ** 2)
    return math.ceil(z**2 * (first * (1 - first) + second * (1 - second)) / (second - first) ** 2)


def smallest_possible_drop(n_pairs: int, alpha: float = 0.05, *, step: float = 1.0) -> float | None:
    """The smallest drop of the rate that exact McNemar could ever call significant; None where no outcome could.

    At alpha .05 six cases must fall and none rise (5 to 0 has p = .0625).

    Args:
        step: By how much one case's mean falls at least: 1, or 1 / attempts with repeats.

    >>> smallest_possible_drop(50), smallest_possible_drop(5)
    (0.12, None)
    """
    falls = math.ceil(round(math.log2(2 / alpha), 9))
    return falls * step / n_pairs if n_pairs >= falls else None


def mcnemar_power(n_pairs: int, changed_share: float, drop: float, alpha: float = 0.05) -> float:
    """Chance that exact McNemar calls a true drop significant, as a drop, summed exactly over all outcomes.

    Args:
        changed_share: Share of cases whose verdict changes either way; at least ``drop``.
        drop: Share that falls less share that rises.
    """
    share = min(1.0, max(changed_share, drop))
    if share <= 0:
        return 0.0
    falling = (share + drop) / (2 * share)
    changes = _likely(n_pairs, share)
    tails = _tails(changes, falling, alpha)
    return math.fsum(binomial_pmf(changed, n_pairs, share) * tail for changed, tail in zip(changes, tails, strict=True))


def _tails(changes: range, falling: float, alpha: float) -> Iterator[float]:
    """For each number of changed cases the chance that enough of them fall to be significant.

    Each follows from the one before: one more change adds p times the chance of having been one fall short.
    """
    critical, tail = None, 0.0
    for changed in changes:
        needed = _critical(changed, alpha)
        if needed is None:
            yield 0.0
            continue
        if critical is None:
            tail = binomial_upper(needed, changed, falling)
        else:
            tail += falling * binomial_pmf(critical - 1, changed - 1, falling)
            for falls in range(critical, needed):
                tail -= binomial_pmf(falls, changed, falling)
        critical = needed
        yield tail


@lru_cache(maxsize=1_000)
def minimum_detectable_drop(n_pairs: int, changed_share: float, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest true drop that exact McNemar finds with this power, to a hundredth of a point; None where no drop is large enough.

    Cases are taken to change independently with probability ``changed_share``; beyond it every change is a fall.
    """
    if smallest_possible_drop(n_pairs, alpha) is None:
        return None
    low, high = 0.0, 1.0
    guess = _z(alpha, power) * math.sqrt(max(changed_share, 1 / n_pairs) / n_pairs)
    middle = min(0.5, guess)
    while high - low > 1e-4:
        if mcnemar_power(n_pairs, changed_share, middle, alpha) < power:
            low = middle
            middle = min((low + high) / 2, low + max(0.1 * guess, 1e-4)) if high == 1.0 else (low + high) / 2
        else:
            high = middle
            middle = max((low + high) / 2, high - max(0.1 * guess, 1e-4)) if low == 0.0 else (low + high) / 2
    return high


def _likely(n: int, share: float) -> range:
    """The numbers of changed cases that hold all but a negligible part of the probability."""
    centre, spread = n * share, math.sqrt(n * share * (1 - share))
    reach = -normal_quantile(_TAILS / 2) * spread + 15
    return range(max(0, math.floor(centre - reach)), min(n, math.ceil(centre + reach)) + 1)


@lru_cache(maxsize=20_000)
def _critical(changed: int, alpha: float) -> int | None:
    """The fewest falls among this many changes that are significant; None where even all are not."""
    if mcnemar_exact(changed, 0) > alpha:
        return None
    falls = min(changed, math.ceil(changed / 2 + normal_quantile(1 - alpha / 2) * math.sqrt(changed) / 2))
    while mcnemar_exact(falls, changed - falls) > alpha:
        falls += 1
    while mcnemar_exact(falls - 1, changed - falls + 1) <= alpha:
        falls -= 1
    return falls


def _z(alpha: float, power: float) -> float:
    return normal_quantile(1 - alpha / 2) + normal_quantile(power)


def _variance(between: float, within: tuple[float, float], attempts: tuple[int, int]) -> float:
    return between + within[0] / attempts[0] + within[1] / attempts[1]
