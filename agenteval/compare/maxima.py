"""The clearest of all splits of a series in two, and how often chance alone makes one as clear."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agenteval.compare.distributions import normal_quantile, t_two_sided

_DRAWS = 1_999
_SEED = 1234
_TIE = 1e-9
"""Statistics that are equal but for their last bits count as equal."""

Floats = NDArray[np.float64]


def rate_split(hits: Sequence[int], sizes: Sequence[int], shortest: int) -> tuple[int, float]:
    """Where the pooled rates left and right of a split differ most, and the score statistic z there (>= 0).

    Where neighbouring runs of one part differ more than counts can, z is divided by the root of that excess and becomes the z that is as
    rare as this quotient is under Student's t. Sources: McCullagh and Nelder (1989), Generalized Linear Models, 4.5; the excess from
    differences of neighbours, which a further change in the series hardly moves: Rice (1984), Annals of Statistics 12(4).

    Args:
        shortest: Runs that each part has at least; the series has twice as many.
    """
    deviation, spread = _walk(np.asarray(hits, dtype=float), np.asarray(sizes, dtype=float))
    inside = slice(shortest - 1, len(hits) - shortest)
    scores = np.abs(deviation[inside]) / spread[inside] if spread[inside].all() else np.zeros(len(hits) - 2 * shortest + 1)
    at = shortest + int(np.argmax(scores))
    return at, _tempered(float(scores.max()), _excess(hits, sizes, at), len(hits))


def max_rate_split_p(z: float, hits: Sequence[int], sizes: Sequence[int], shortest: int) -> float:
    """P(the clearest split's score statistic is at least z), all runs having one rate and given how many cases passed in all.

    Exact: the running count is a walk from 0 to the total that stays within its bounds at every split. Source: Worsley (1983), The power of
    likelihood ratio and cumulative sum tests for a change in a binomial probability, Biometrika 70(2).
    """
    counts, cases = np.asarray(hits, dtype=float), np.asarray(sizes, dtype=float)
    total, rate = int(counts.sum()), float(counts.sum() / cases.sum())
    if not 0 < rate < 1:
        return 1.0
    _, spread = _walk(counts, cases)
    expected = np.cumsum(cases) * rate
    odds = {size: _binomial(size, rate) for size in set(sizes)}
    walk, low = np.ones(1), 0
    for run, size in enumerate(sizes):
        first, steps = odds[size]
        walk, low = np.convolve(walk, steps), low + first
        ends = low, min(low + len(walk) - 1, total)
        if shortest - 1 <= run < len(sizes) - shortest:
            reach = z * spread[run] * (1 - _TIE)
            ends = max(ends[0], math.floor(expected[run] - reach) + 1), min(ends[1], math.ceil(expected[run] + reach) - 1)
        if ends[0] > ends[1]:
            return 1.0
        walk, low = walk[ends[0] - low : ends[1] - low + 1], ends[0]
    inside = float(walk[total - low]) if low <= total < low + len(walk) else 0.0
    first, whole = _binomial(int(cases.sum()), rate)
    return min(1.0, max(0.0, 1 - inside / float(whole[total - first])))


def rank_split(values: Sequence[float], shortest: int) -> tuple[int, float]:
    """Where the ranks left and right of a split differ most, and the standardised Mann-Whitney statistic there (>= 0).

    Source: Pettitt (1979), Applied Statistics 28(2); standardised so that late splits count as much as those in the middle: Ross, Tasoulis
    and Adams (2011), Technometrics 53(4).
    """
    scores = _rank_scores(_ranks(values)[None, :], shortest)[0]
    return shortest + int(np.argmax(scores)), float(scores.max())


def max_rank_split_p(z: float, values: Sequence[float], shortest: int) -> float:
    """P(the clearest split's rank statistic is at least z), all orders of the runs being as likely: 1,999 of them, seed 1234."""
    ranks = _ranks(values)
    orders = np.random.default_rng(_SEED).permuted(np.tile(ranks, (_DRAWS, 1)), axis=1)
    reached = int((_rank_scores(orders, shortest).max(axis=1) >= z * (1 - _TIE)).sum())
    return (1 + reached) / (1 + _DRAWS)


def _walk(hits: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """After every run: hits beyond what the pooled rate expects, and their standard deviation (0 at the end)."""
    rate, share = hits.sum() / sizes.sum(), np.cumsum(sizes) / sizes.sum()
    deviation = np.cumsum(hits) - np.cumsum(sizes) * rate
    return deviation, np.sqrt(np.maximum(0.0, np.cumsum(sizes) * rate * (1 - rate) * (1 - share)))


def _excess(hits: Sequence[int], sizes: Sequence[int], at: int) -> float:
    """How many times wider neighbours of one level lie apart than counts do."""
    square = 0.0
    for part, whole in ((hits[:at], sizes[:at]), (hits[at:], sizes[at:])):
        rate = sum(part) / sum(whole)
        if 0 < rate < 1:
            for (hit, size), (other, its_size) in pairwise(zip(part, whole, strict=True)):
                square += (hit / size - other / its_size) ** 2 / (rate * (1 - rate) * (1 / size + 1 / its_size))
    return square / (len(hits) - 2)


def _tempered(z: float, excess: float, runs: int) -> float:
    if excess <= 1 or z == 0:
        return z
    freedom = 2 * (runs - 2) / 3  # Differences share their runs: three of them tell as much as two that do not.
    tail = t_two_sided(z / math.sqrt(excess), freedom) / 2
    return -normal_quantile(tail) if tail > 0 else z / math.sqrt(excess)


def _binomial(size: int, rate: float) -> tuple[int, Floats]:
    """The first count of any weight, and P(X = count) from there on, X ~ Bin(size, rate)."""
    reach = math.ceil(9 * math.sqrt(size * rate * (1 - rate))) + 9
    first, last = max(0, math.floor(size * rate) - reach), min(size, math.ceil(size * rate) + reach)
    log_rate, log_rest = math.log(rate), math.log1p(-rate)
    whole = math.lgamma(size + 1)
    logs = [whole - math.lgamma(k + 1) - math.lgamma(size - k + 1) + k * log_rate + (size - k) * log_rest for k in range(first, last + 1)]
    return first, np.exp(np.asarray(logs))


def _ranks(values: Sequence[float]) -> Floats:
    """Ranks from 1, equal values sharing their mean rank."""
    _, kinds, numbers = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    shared: Floats = np.cumsum(numbers) - (numbers - 1) / 2
    return shared[kinds]


def _rank_scores(ranks: Floats, shortest: int) -> Floats:
    """A row a series, a column a split: |rank sum - expected| over its standard deviation, ties corrected; 0 where all values are equal."""
    runs = ranks.shape[1]
    splits = np.arange(shortest, runs - shortest + 1)
    sums = np.cumsum(ranks, axis=1)[:, splits - 1]
    variance: Any = splits * (runs - splits) * ranks[0].var() / (runs - 1)
    if not variance.all():
        return np.zeros((len(ranks), len(splits)))
    scores: Floats = np.abs(sums - splits * (runs + 1) / 2) / np.sqrt(variance)
    return scores
