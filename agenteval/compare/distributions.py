"""Distribution functions with Python's own ``math``: normal, binomial, beta, Student's t and chi-square with one degree of freedom."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

_NORMAL = NormalDist()
_TINY = 1e-300
_EPSILON = 1e-15


def normal_quantile(p: float) -> float:
    """z with P(Z <= z) = p.

    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    return _NORMAL.inv_cdf(p)


def normal_two_sided(z: float) -> float:
    """P(|Z| >= |z|)."""
    return math.erfc(abs(z) / math.sqrt(2))


def chi_square_tail(x: float) -> float:
    """P(X >= x) for one degree of freedom.

    >>> round(chi_square_tail(3.2), 6)
    0.073638
    """
    return math.erfc(math.sqrt(x / 2))


def binomial_pmf(k: int, n: int, p: float) -> float:
    """P(X = k), X ~ Bin(n, p)."""
    if k < 0 or k > n:
        return 0.0
    if p <= 0 or p >= 1:
        return float(k == (0 if p <= 0 else n))
    return math.exp(log_choose(n, k) + k * math.log(p) + (n - k) * math.log1p(-p))


def binomial_upper(k: int, n: int, p: float) -> float:
    """P(X >= k), X ~ Bin(n, p).

    >>> round(binomial_upper(5, 5, 0.5), 6)
    0.03125
    """
    if k <= 0:
        return 1.0
    if k > n:
        return 0.0
    return beta_cdf(p, k, n - k + 1)


def half_binomial_lower(k: int, n: int) -> float:
    """P(X <= k), X ~ Bin(n, 1/2), summed in whole numbers up to n = 200."""
    if k < 0:
        return 0.0
    if k >= n:
        return 1.0
    if n <= 200:
        term = total = 1
        for i in range(k):
            term = term * (n - i) // (i + 1)
            total += term
        return total / (1 << n)
    return beta_cdf(0.5, n - k, k + 1)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function I_x(a, b), by Lentz's continued fraction.

    Source: NIST Digital Library of Mathematical Functions 8.17.22.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _beta_part(1 - x, b, a)
    return _beta_part(x, a, b)


def beta_quantile(p: float, a: float, b: float) -> float:
    """x with I_x(a, b) = p."""
    return _bisect(lambda x: beta_cdf(x, a, b) - p, 0.0, 1.0)


def t_two_sided(t: float, df: float) -> float:
    """P(|T| >= |t|) for Student's t.

    >>> round(t_two_sided(2.570582, 5), 6)
    0.05
    """
    return beta_cdf(df / (df + t * t), df / 2, 0.5)


def t_quantile(p: float, df: float) -> float:
    """t with P(T <= t) = p, for p > 0.5."""
    x = beta_quantile(2 * (1 - p), df / 2, 0.5)
    return math.sqrt(df * (1 - x) / x)


def _beta_part(x: float, a: float, b: float) -> float:
    log_front = a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(log_front) * _beta_fraction(x, a, b) / a


def _beta_fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _away_from_zero(1.0 + numerator * d)
            c = _away_from_zero(1.0 + numerator / c)
            fraction *= c * d
        if abs(c * d - 1.0) < _EPSILON:
            break
    return fraction


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def log_choose(n: int, k: int) -> float:
    """The logarithm of how many ways there are to choose k of n."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _bisect(rising: Callable[[float], float], low: float, high: float) -> float:
    """The zero of a rising function in [low, high], to the last bit."""
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
