"""Figures of repeated cases: pass^k, pass@k, and standard errors that know which attempts belong together."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence


def pass_at_k(n: int, passed: int, k: int) -> float | None:
    """Chance that at least one of k attempts passes, estimated from n; None for n < k.

    Source: Chen et al. (2021), arXiv:2107.03374.

    >>> round(pass_at_k(10, 3, 5), 6)
    0.916667
    """
    return None if n < k else 1 - math.comb(n - passed, k) / math.comb(n, k)


def pass_hat_k(n: int, passed: int, k: int) -> float | None:
    """pass^k: chance that all of k attempts pass, estimated from n without the bias of (passed / n)^k; None for n < k.

    Source: Yao et al. (2024), arXiv:2406.12045.

    >>> pass_hat_k(5, 4, 2)
    0.6
    """
    return None if n < k else math.comb(passed, k) / math.comb(n, k)


def standard_error(values: Sequence[float]) -> float | None:
    """Standard error of a mean of independent values, with n - 1; None for fewer than two."""
    n = len(values)
    if n < 2:
        return None
    mean = math.fsum(values) / n
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1) / n)


def clustered_se(clusters: Iterable[Sequence[float]], *, small_sample: bool = False) -> float | None:
    """Standard error of the mean of all values where values of one cluster belong together; None for fewer than two clusters.

    Args:
        clusters: The values of each cluster (all attempts of one case).
        small_sample: Multiplies by sqrt(G / (G - 1)) for G clusters.

    Source: Miller (2024), arXiv:2411.00640, section 2.2.

    >>> round(clustered_se([[1, 1, 1], [0, 0, 0], [1, 0]]), 6)
    0.265165
    """
    groups = [list(cluster) for cluster in clusters if cluster]
    if len(groups) < 2:
        return None
    n = sum(map(len, groups))
    mean = math.fsum(value for group in groups for value in group) / n
    se = math.sqrt(math.fsum(math.fsum(value - mean for value in group) ** 2 for group in groups)) / n
    return se * math.sqrt(len(groups) / (len(groups) - 1)) if small_sample else se


def by_cluster(values: Sequence[float], labels: Sequence[Hashable]) -> list[list[float]]:
    """Values grouped by their cluster's label.

    Raises:
        ValueError: The lengths differ, or a label is NaN (which would silently make a cluster of its own).
    """
    groups: dict[Hashable, list[float]] = {}
    for value, label in zip(values, labels, strict=True):
        if label != label:
            raise ValueError("a cluster's label is NaN")
        groups.setdefault(label, []).append(value)
    return list(groups.values())


def mean_over_cases(counts: Mapping[str, tuple[int, int]], k: int, *, every: bool) -> tuple[float | None, int]:
    """Mean of pass^k (``every``) or pass@k over the cases with at least k attempts, and how many cases have fewer.

    Args:
        counts: Attempts and passed ones by case.
    """
    figure = pass_hat_k if every else pass_at_k
    values = [value for n, passed in counts.values() if (value := figure(n, passed, k)) is not None]
    return (math.fsum(values) / len(values) if values else None), len(counts) - len(values)
