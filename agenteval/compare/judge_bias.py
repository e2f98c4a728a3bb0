"""What sways a judge besides the answer: the place an answer stands in, and its length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Literal, NamedTuple

from agenteval.compare.distributions import t_two_sided
from agenteval.compare.paired import correlation, mcnemar_exact

Winner = Literal["A", "B", "tie"]

FEWEST = 10
"""Answers below which a correlation with length is not tried."""


class PositionBias(NamedTuple):
    """Pairs judged in both orders.

    Attributes:
        same: Pairs in which both orders gave the same winner.
        first, second: Other pairs that leaned to the answer shown first, or second.
        p: Exact two-sided p of that split being even.
    """

    n: int
    same: int
    first: int
    second: int
    p: float


def position_bias(winners: Sequence[tuple[Winner, Winner]]) -> PositionBias | None:
    """How often a judge's choice follows the place; None without pairs.

    Args:
        winners: For each pair the winner with A shown first, and with B shown first; both name the answer, not its place.

    >>> position_bias([("A", "A"), ("A", "B"), ("A", "B"), ("tie", "B")])
    PositionBias(n=4, same=1, first=3, second=0, p=0.25)
    """
    if not winners:
        return None
    leanings = [_lead(order) - _lead(swapped) for order, swapped in winners]
    first, second = sum(lean > 0 for lean in leanings), sum(lean < 0 for lean in leanings)
    return PositionBias(len(winners), sum(order == swapped for order, swapped in winners), first, second, mcnemar_exact(first, second))


def _lead(winner: Winner) -> int:
    return {"A": 1, "B": -1, "tie": 0}[winner]


class LengthBias(NamedTuple):
    """How far the judge is kinder than people to long answers.

    Attributes:
        correlation: Spearman's, of the answer's length with judge less human (1 / 0, or marks); None where either never varies.
        p: Two-sided, that it is zero.
        longer, shorter: Mean of judge less human in the longer and the shorter half; positive where the judge is kinder.
    """

    n: int
    correlation: float | None
    p: float | None
    longer: float
    shorter: float


def length_bias(lengths: Sequence[int], kinder: Sequence[float]) -> LengthBias | None:
    """Whether judge less human grows with the answer's length; None below ``FEWEST`` answers.

    Args:
        lengths: Characters of each answer.
        kinder: Judge less human of each answer.

    Source: Spearman (1904); p by Student's t with n - 2 degrees of freedom, as scipy.stats.spearmanr has it.
    """
    n = len(lengths)
    if n < FEWEST:
        return None
    order = sorted(range(n), key=lambda place: lengths[place])
    shorter, longer = order[: n // 2], order[n - n // 2 :]
    rho = correlation(_ranks(lengths), _ranks(kinder))
    p = None
    if rho is not None:
        p = 0.0 if abs(rho) >= 1 - 1e-12 else t_two_sided(rho * math.sqrt((n - 2) / (1 - rho * rho)), n - 2)
    return LengthBias(n, rho, p, fmean(kinder[place] for place in longer), fmean(kinder[place] for place in shorter))


def _ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value from 1, equal ones sharing the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    return ranks


class LengthOfWinner(NamedTuple):
    """Pairs of unequal length in which judge and people both chose.

    Attributes:
        judge, human: Pairs in which they chose the longer answer.
        p: Exact McNemar, that both choose it equally often.
    """

    n: int
    judge: int
    human: int
    p: float


def length_of_winner(choices: Sequence[tuple[bool, bool]]) -> LengthOfWinner | None:
    """Whether a judge chooses the longer of two answers more often than people do; None without pairs.

    Args:
        choices: For each pair whether the judge chose the longer answer, and whether people did.

    >>> length_of_winner([(True, True), (True, False), (True, False), (False, False)])
    LengthOfWinner(n=4, judge=3, human=1, p=0.5)
    """
    if not choices:
        return None
    judge, human = sum(judge for judge, _ in choices), sum(human for _, human in choices)
    alone, missed = sum(judge and not human for judge, human in choices), sum(human and not judge for judge, human in choices)
    return LengthOfWinner(len(choices), judge, human, mcnemar_exact(alone, missed))
