"""A rate that a fallible judge counted, corrected by the errors that its calibration found."""

from __future__ import annotations

import math
from typing import NamedTuple

from agenteval.compare.distributions import normal_quantile


class Hits(NamedTuple):
    """How many of ``n`` the judge got right."""

    hits: int
    n: int


class Corrected(NamedTuple):
    """The corrected rate and its interval, all in [0, 1]."""

    value: float
    low: float
    high: float


def corrected_rate(passed: int, n: int, *, sensitivity: Hits, specificity: Hits, confidence: float = 0.95) -> Corrected | None:
    """The share of answers that are good, from the share that the judge passed; None where that can't be known.

    It can't without answers, without good and bad answers in the calibration, where the judge tells good from bad no better than a
    coin (sensitivity + specificity <= 1), or so little better that every share from 0 to 1 is in the interval: a single number would
    then be chance. The interval knows that sensitivity and specificity are estimates too.

    Args:
        passed, n: Answers that the judge passed, of how many.
        sensitivity: Good answers of the calibration that the judge passed.
        specificity: Bad answers of the calibration that the judge failed.

    Source: Rogan and Gladen (1978), American Journal of Epidemiology 107(1); interval of Lee et al. (2025), arXiv:2511.21140.

    >>> found = corrected_rate(400, 1000, sensitivity=Hits(180, 200), specificity=Hits(140, 200))
    >>> tuple(round(number, 6) for number in found)
    (0.166667, 0.056351, 0.262733)
    """
    if not n or not sensitivity.n or not specificity.n:
        return None
    value = _corrected(passed / n, sensitivity.hits / sensitivity.n, specificity.hits / specificity.n)
    if value is None:
        return None
    z = normal_quantile(0.5 + confidence / 2)
    trials = n + z * z
    rate = (passed + z * z / 2) / trials
    good, bad = sensitivity.n + 2, specificity.n + 2
    found, kept = (sensitivity.hits + 1) / good, (specificity.hits + 1) / bad
    middle = _corrected(rate, found, kept)
    if middle is None:
        return None
    of_good, of_bad = found * (1 - found) / good, kept * (1 - kept) / bad
    shift = 2 * z * z * (middle * of_good - (1 - middle) * of_bad)
    variance = rate * (1 - rate) / trials + (1 - middle) ** 2 * of_bad + middle**2 * of_good
    half = z * math.sqrt(variance) / (found + kept - 1)
    low, high = _clipped(middle + shift - half), _clipped(middle + shift + half)
    return None if (low, high) == (0.0, 1.0) else Corrected(value, low, high)


def _corrected(rate: float, sensitivity: float, specificity: float) -> float | None:
    informed = sensitivity + specificity - 1
    return _clipped((rate + specificity - 1) / informed) if informed > 1e-12 else None


def _clipped(share: float) -> float:
    return min(1.0, max(0.0, share))
