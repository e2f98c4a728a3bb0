"""Tests and intervals of paired differences: two runs over the same cases."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from agenteval.compare.distributions import binomial_pmf, chi_square_tail, half_binomial_lower, t_quantile, t_two_sided

SEED = 1234
"""Seed of every resampling; of numpy's ``RandomState``, the one generator whose stream is promised to be the same in all versions."""

RESAMPLES = 10_000

_LATTICE_LIMIT = 300_000_000
"""Additions (changed cases x summed magnitudes) up to which sign-flip is exact: about half a second."""

_FINEST = 10_000
"""Largest denominator that a difference of case means is taken to have."""


def mcnemar_exact(regressed: int, improved: int) -> float:
    """Two-sided exact p-value that two runs differ on paired pass/fail cases.

    Only cases whose verdict changed count; cases that agree carry no evidence.

    Args:
        regressed: Cases that passed in the baseline and fail now (>= 0).
        improved: Cases that failed in the baseline and pass now (>= 0).

    Returns:
        p in [0, 1]; 1.0 when nothing changed.

    Source: McNemar (1947), Psychometrika 12(2); exact binomial form.

    >>> mcnemar_exact(8, 1)
    0.0390625
    """
    return min(1.0, 2 * half_binomial_lower(min(regressed, improved), regressed + improved))


def mcnemar_mid_p(regressed: int, improved: int) -> float:
    """McNemar's mid-p: the exact p less the probability of the observed split; less conservative, in [0, 1].

    Source: Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13:91.

    >>> mcnemar_mid_p(5, 0)
    0.03125
    """
    changed = regressed + improved
    if regressed == improved:
        return 1.0 - binomial_pmf(regressed, changed, 0.5) / 2 if changed else 1.0
    fewer = min(regressed, improved)
    return 2 * half_binomial_lower(fewer, changed) - binomial_pmf(fewer, changed, 0.5)


def mcnemar_chi_square(regressed: int, improved: int) -> tuple[float, float]:
    """McNemar's chi-square with continuity correction, and its p; (0, 1) when nothing changed.

    Source: Edwards (1948), Psychometrika 13(3).

    >>> statistic, p = mcnemar_chi_square(5, 0)
    >>> statistic, round(p, 6)
    (3.2, 0.073638)
    """
    changed = regressed + improved
    if not changed:
        return 0.0, 1.0
    statistic = max(0, abs(regressed - improved) - 1) ** 2 / changed
    return statistic, chi_square_tail(statistic)


@dataclass(frozen=True, slots=True)
class SignFlip:
    """A sign-flip test. ``method`` is ``exact``, or names draws and seed of the sampled one."""

    p: float
    method: str


def sign_flip(differences: Sequence[float | Fraction]) -> SignFlip:
    """Two-sided test that paired differences are symmetric about zero: how many of all sign patterns give as large a mean.

    Exact wherever the differences are multiples of a common fraction (case means over repeats), and for up to 16 arbitrary numbers; else
    sampled, with the observed pattern counted in. Zeros carry no evidence.

    Source: Fisher (1935), The Design of Experiments, section 21; Good (2005), Permutation, Parametric and Bootstrap Tests, 3.2.1.

    >>> sign_flip([0.1, 0.2, 0.05, 0.3, -0.1, 0.15])
    SignFlip(p=0.125, method='exact')
    """
    ratios = [ratio for value in differences if (ratio := Fraction(value).limit_denominator(_FINEST))]
    scale = math.lcm(*(ratio.denominator for ratio in ratios))
    steps = [int(ratio * scale) for ratio in ratios]
    sizes = [abs(step) for step in steps]
    if len(set(sizes)) <= 1:
        falls = sum(step < 0 for step in steps)
        return SignFlip(mcnemar_exact(falls, len(steps) - falls), "exact")
    if len(steps) <= 16:
        return SignFlip(_by_patterns(sizes, abs(sum(steps))), "exact")
    if len(steps) * sum(sizes) <= _LATTICE_LIMIT:
        return SignFlip(_by_lattice(sizes, abs(sum(steps))), "exact")
    return SignFlip(_by_sampling([float(value) for value in differences if value]), f"sampled, {RESAMPLES:,} draws, seed {SEED}")


def _by_patterns(sizes: Sequence[int], observed: int) -> float:
    """Share of all sign patterns whose sum is as far from zero as the observed one."""
    sums = Counter({0: 1})
    for size in sizes:
        flipped: Counter[int] = Counter()
        for value, number in sums.items():
            flipped[value + size] += number
            flipped[value - size] += number
        sums = flipped
    return sum(number for value, number in sums.items() if abs(value) >= observed) / (1 << len(sizes))


def _by_lattice(sizes: Sequence[int], observed: int) -> float:
    """The same share by convolution: chance of each sum of the negative magnitudes, one magnitude after the other."""
    import numpy as np

    total = sum(sizes)
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    reach = 0
    for size in sorted(sizes):
        shifted = chance[: reach + 1] * 0.5
        chance[: reach + 1] = shifted
        chance[size : reach + size + 1] += shifted
        reach += size
    return min(1.0, 2 * float(chance[: (total - observed) // 2 + 1].sum())) if observed else 1.0


def _by_sampling(differences: Sequence[float]) -> float:
    import numpy as np

    values = np.asarray(differences)
    observed = abs(values.sum()) * (1 - 1e-12)
    draw = np.random.RandomState(SEED)
    rows = max(1, 2_000_000 // len(values))
    hits = done = 0
    while done < RESAMPLES:
        count = min(rows, RESAMPLES - done)
        signs = draw.randint(0, 2, (count, len(values)), dtype=np.int8) * 2 - 1
        hits += int((np.abs(signs @ values) >= observed).sum())
        done += count
    return (hits + 1) / (RESAMPLES + 1)


@dataclass(frozen=True, slots=True)
class PairedT:
    """A paired t-test; ``t``, ``p`` and the interval are None where every difference is the same."""

    mean: float
    se: float
    df: int
    t: float | None
    p: float | None
    low: float | None
    high: float | None


def paired_t(differences: Sequence[float], confidence: float = 0.95) -> PairedT | None:
    """Student's t-test that the mean of paired differences is zero; None for fewer than two.

    Source: Student (1908), Biometrika 6(1); as advised for evaluations by Miller (2024), arXiv:2411.00640, section 4.2.
    """
    n = len(differences)
    if n < 2:
        return None
    mean = math.fsum(differences) / n
    se = math.sqrt(math.fsum((value - mean) ** 2 for value in differences) / (n - 1) / n)
    if se <= abs(mean) * 1e-12:
        return PairedT(mean, 0.0, n - 1, None, None, None, None)
    half = t_quantile(0.5 + confidence / 2, n - 1) * se
    return PairedT(mean, se, n - 1, mean / se, t_two_sided(mean / se, n - 1), mean - half, mean + half)


def correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Pearson's correlation; None where either side does not vary. Of two pass/fail series it is phi."""
    n = len(a)
    if n < 2:
        return None
    mean_a, mean_b = math.fsum(a) / n, math.fsum(b) / n
    spread_a = math.fsum((value - mean_a) ** 2 for value in a)
    spread_b = math.fsum((value - mean_b) ** 2 for value in b)
    if not spread_a or not spread_b:
        return None
    shared = math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    return shared / math.sqrt(spread_a * spread_b)


def bootstrap_interval(differences: Sequence[float], confidence: float = 0.95) -> tuple[float, float] | None:
    """Percentile interval of the mean of paired differences over 10,000 resamples of the cases; None without cases.

    Differences take few values, so that one resample is one multinomial draw of how often each occurs.

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    if not differences:
        return None
    import numpy as np

    n = len(differences)
    values, counts = zip(*sorted(Counter(differences).items()), strict=True)
    drawn = np.random.RandomState(SEED).multinomial(n, np.asarray(counts) / n, size=RESAMPLES)
    low, high = np.percentile(drawn @ np.asarray(values, dtype=float) / n, [50 * (1 - confidence), 50 * (1 + confidence)])
    return float(low), float(high)
