"""Confidence intervals of rates and of paired differences of rates."""

from __future__ import annotations

import math

from agenteval.compare.distributions import beta_quantile, normal_quantile


def wilson(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a rate; (0, 1) for n = 0.

    Source: Newcombe (1998), Statistics in Medicine 17:857, method 3.

    >>> tuple(round(end, 6) for end in wilson(1, 10))
    (0.017876, 0.40415)
    """
    if not n:
        return 0.0, 1.0
    z = _z(confidence)
    p = hits / n
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return 0.0 if hits == 0 else (centre - half) / scale, 1.0 if hits == n else (centre + half) / scale


def wilson_corrected(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval with continuity correction.

    Source: Newcombe (1998), Statistics in Medicine 17:857, method 4.
    """
    if not n:
        return 0.0, 1.0
    z = _z(confidence)
    p, q = hits / n, 1 - hits / n
    scale = 2 * (n + z * z)
    low = (2 * n * p + z * z - 1 - z * math.sqrt(z * z - 2 - 1 / n + 4 * p * (n * q + 1))) / scale if hits else 0.0
    high = (2 * n * p + z * z + 1 + z * math.sqrt(z * z + 2 - 1 / n + 4 * p * (n * q - 1))) / scale if hits < n else 1.0
    return max(0.0, low), min(1.0, high)


def clopper_pearson(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval: both ends are where the binomial tail is (1 - confidence) / 2.

    Source: Clopper and Pearson (1934), Biometrika 26(4).
    """
    tail = (1 - confidence) / 2
    low = beta_quantile(tail, hits, n - hits + 1) if hits else 0.0
    high = beta_quantile(1 - tail, hits + 1, n - hits) if hits < n else 1.0
    return low, high


def jeffreys(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Bayesian interval under the prior Beta(1/2, 1/2); an end at 0 or n hits is 0 or 1.

    Source: Brown, Cai and DasGupta (2001), Statistical Science 16(2).
    """
    tail = (1 - confidence) / 2
    low = beta_quantile(tail, hits + 0.5, n - hits + 0.5) if hits else 0.0
    high = beta_quantile(1 - tail, hits + 0.5, n - hits + 0.5) if hits < n else 1.0
    return low, high


def rule_of_three(n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Upper bound of a rate of which none were seen in n: exact, and the approximation -ln(1 - confidence) / n rounded to 3 / n.

    >>> tuple(round(bound, 6) for bound in rule_of_three(200))
    (0.014867, 0.015)
    """
    return 1 - (1 - confidence) ** (1 / n), round(-math.log(1 - confidence)) / n


def newcombe_paired(both: int, only_first: int, only_second: int, neither: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Difference of two rates measured on the same cases, first - second, with its interval; (0, -1, 1) without cases.

    Args:
        both, only_first, only_second, neither: Cases that hold in both, in one, or in none.

    Source: Newcombe (1998), Statistics in Medicine 17:2635, method 10.

    >>> tuple(round(number, 4) for number in newcombe_paired(36, 12, 2, 0))
    (0.2, 0.0569, 0.3404)
    """
    n = both + only_first + only_second + neither
    if not n:
        return 0.0, -1.0, 1.0
    first, second = both + only_first, both + only_second
    p1, p2 = first / n, second / n
    difference = (only_first - only_second) / n
    low1, high1 = wilson(first, n, confidence)
    low2, high2 = wilson(second, n, confidence)
    phi = _corrected_phi(both, only_first, only_second, neither)
    down, up = (p1 - low1, high2 - p2), (high1 - p1, p2 - low2)
    return difference, max(-1.0, difference - _combined(*down, phi)), min(1.0, difference + _combined(*up, phi))


def _combined(a: float, b: float, phi: float) -> float:
    return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))


def _corrected_phi(a: int, b: int, c: int, d: int) -> float:
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if not margins:
        return 0.0
    product = a * d - b * c
    corrected = max(product - (a + b + c + d) / 2, 0.0) if product > 0 else product
    return corrected / math.sqrt(margins)


def _z(confidence: float) -> float:
    return normal_quantile(0.5 + confidence / 2)
