"""Agreement of two raters beyond chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from agenteval.compare.distributions import normal_quantile


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa in [-1, 1] with its standard error and interval; all None where chance alone agrees always.

    ``agreement`` is the share of items on which both raters agree.
    """

    value: float | None
    agreement: float
    se: float | None = None
    low: float | None = None
    high: float | None = None


def cohen_kappa(table: Sequence[Sequence[int]], *, weights: str = "none", confidence: float = 0.95) -> Kappa | None:
    """Kappa of a square table of counts, rows one rater's category and columns the other's; None for an empty table.

    Args:
        weights: ``none``, ``linear`` or ``quadratic`` (partial credit for near categories; without standard error).

    Source: Cohen (1960), Educational and Psychological Measurement 20(1); standard error of Fleiss, Cohen and Everitt (1969),
    Psychological Bulletin 72(5).

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
    agreement = math.fsum(shares[i][i] for i in size)
    if chance >= 1 - 1e-12:
        return Kappa(None, agreement)
    value = (observed - chance) / (1 - chance)
    if weights != "none":
        return Kappa(value, agreement)
    se = _standard_error(shares, rows, columns, value, chance, n)
    half = normal_quantile(0.5 + confidence / 2) * se
    return Kappa(value, agreement, se, value - half, value + half)


def _credit(distance: int, largest: int, weights: str) -> float:
    if weights == "none":
        return float(distance == 0)
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights is {weights!r}; give none, linear or quadratic")
    return 1 - (distance / largest) ** (1 if weights == "linear" else 2)


def _standard_error(shares: list[list[float]], rows: list[float], columns: list[float], kappa: float, chance: float, n: int) -> float:
    size = range(len(rows))
    agreeing = math.fsum(shares[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in size)
    apart = (1 - kappa) ** 2 * math.fsum(shares[i][j] * (columns[i] + rows[j]) ** 2 for i in size for j in size if i != j)
    variance = agreeing + apart - (kappa - chance * (1 - kappa)) ** 2
    return math.sqrt(max(0.0, variance) / n) / (1 - chance)
