"""Agreement of two raters beyond chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from agenteval.compare.distributions import normal_quantile
from agenteval.compare.intervals import wilson

_TINY = 1e-12
_WORDS = ((0.8, "almost perfect"), (0.6, "substantial"), (0.4, "moderate"), (0.2, "fair"), (0.0, "slight"))


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa in [-1, 1] with its standard error and interval.

    All but ``agreement`` (the share of items on which both raters agree) are None where chance alone agrees always. There is no
    interval where one rater never varies (kappa is then 0 whatever the items are), nor of a weighted kappa without any disagreement.
    """

    value: float | None
    agreement: float
    se: float | None = None
    low: float | None = None
    high: float | None = None


def cohen_kappa(table: Sequence[Sequence[int]], *, weights: str = "none", confidence: float = 0.95) -> Kappa | None:
    """Kappa of a square table of counts, rows one rater's category and columns the other's; None for an empty table.

    Where the raters never disagree, the standard error is 0 however few items there are; the interval is then Wilson's of the share
    on which they agree, with chance as observed (without weights).

    Args:
        weights: ``none``, ``linear`` or ``quadratic`` (partial credit for near categories).

    Source: Cohen (1960), Educational and Psychological Measurement 20(1), and (1968), Psychological Bulletin 70(4); standard error of
    Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72(5).

    >>> kappa = cohen_kappa([[20, 5], [10, 15]])
    >>> round(kappa.value, 6), round(kappa.se, 6)
    (0.4, 0.126996)
    """
    n = sum(map(sum, table))
    if not n:
        return None
    size = range(len(table))
    shares = [[count / n for count in row] for row in table]
    rows, columns = [sum(row) for row in shares], [sum(row[j] for row in shares) for j in size]
    credit = [[_credit(abs(i - j), len(table) - 1, weights) for j in size] for i in size]
    observed = math.fsum(credit[i][j] * shares[i][j] for i in size for j in size)
    chance = math.fsum(credit[i][j] * rows[i] * columns[j] for i in size for j in size)
    agreeing = sum(table[i][i] for i in size)
    if chance >= 1 - _TINY:
        return Kappa(None, agreeing / n)
    value = (observed - chance) / (1 - chance)
    se = _standard_error(shares, credit, value, chance, n)
    low, high = _interval(value, se, confidence)
    if agreeing == n and weights != "none":
        return Kappa(value, 1.0, se)
    if agreeing == n:
        low, high = (wilson(n, n, confidence)[0] - chance) / (1 - chance), 1.0
    elif any(share >= 1 - _TINY for share in (*rows, *columns)):
        return Kappa(0.0, agreeing / n, se)
    return Kappa(value, agreeing / n, se, max(-1.0, low), min(1.0, high))


def landis_koch(kappa: float) -> str:
    """The usual word for a kappa: poor (below 0), slight, fair (from .2), moderate, substantial (from .6), almost perfect (from .8).

    Source: Landis and Koch (1977), Biometrics 33(1).

    >>> landis_koch(0.33), landis_koch(-0.1)
    ('fair', 'poor')
    """
    # A kappa of 3/5 computed in binary fractions must not fall below .6.
    return next((word for least, word in _WORDS if kappa >= least - _TINY), "poor")


def _interval(value: float, se: float, confidence: float) -> tuple[float, float]:
    half = normal_quantile(0.5 + confidence / 2) * se
    return value - half, value + half


def _credit(distance: int, largest: int, weights: str) -> float:
    if weights == "none":
        return float(distance == 0)
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights is {weights!r}; give none, linear or quadratic")
    return 1 - (distance / largest) ** (1 if weights == "linear" else 2)


def _standard_error(shares: list[list[float]], credit: list[list[float]], kappa: float, chance: float, n: int) -> float:
    size = range(len(shares))
    rows, columns = [sum(row) for row in shares], [sum(row[j] for row in shares) for j in size]
    by_row = [math.fsum(credit[i][j] * columns[j] for j in size) for i in size]
    by_column = [math.fsum(credit[i][j] * rows[i] for i in size) for j in size]
    spread = math.fsum(shares[i][j] * (credit[i][j] - (by_row[i] + by_column[j]) * (1 - kappa)) ** 2 for i in size for j in size)
    variance = spread - (kappa - chance * (1 - kappa)) ** 2
    return math.sqrt(max(0.0, variance) / n) / (1 - chance)
