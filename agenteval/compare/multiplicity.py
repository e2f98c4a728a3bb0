"""Adjusted p-values for several tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values that keep the chance of any false alarm at alpha, whatever the tests' dependence; in the given order.

    Source: Holm (1979), Scandinavian Journal of Statistics 6(2).

    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    m = len(p_values)
    return _stepped(p_values, [float(m - rank) for rank in range(m)], upwards=True)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values that keep the expected share of false alarms among the alarms at alpha, for independent tests.

    Source: Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57(1).

    >>> [round(p, 6) for p in benjamini_hochberg([0.01, 0.04, 0.03, 0.005])]
    [0.02, 0.04, 0.04, 0.02]
    """
    m = len(p_values)
    return _stepped(p_values, [m / (rank + 1) for rank in range(m)], upwards=False)


def benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """As ``benjamini_hochberg``, under any dependence.

    Source: Benjamini and Yekutieli (2001), Annals of Statistics 29(4).
    """
    m = len(p_values)
    harmonic = sum(1 / i for i in range(1, m + 1))
    return _stepped(p_values, [harmonic * m / (rank + 1) for rank in range(m)], upwards=False)


def bonferroni(p_values: Sequence[float]) -> list[float]:
    """Every p times the number of tests, at most 1."""
    return [min(1.0, p * len(p_values)) for p in p_values]


def _stepped(p_values: Sequence[float], factors: Sequence[float], *, upwards: bool) -> list[float]:
    """Sorted p-values times their factor, made monotone from the smallest up (step-down) or the largest down (step-up)."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [min(1.0, p_values[i] * factor) for i, factor in zip(order, factors, strict=True)]
    places = range(1, len(adjusted)) if upwards else range(len(adjusted) - 2, -1, -1)
    for place in places:
        adjusted[place] = max(adjusted[place], adjusted[place - 1]) if upwards else min(adjusted[place], adjusted[place + 1])
    result = [0.0] * len(p_values)
    for i, value in zip(order, adjusted, strict=True):
        result[i] = value
    return result
