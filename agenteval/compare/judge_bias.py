"""What sways a judge besides the answer: the place an answer stands in, and its length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from agenteval.compare.distributions import t_two_sided
from agenteval.compare.paired import correlation, mcnemar_exact
from agenteval.model.calibration import LengthBias, LengthOfWinner, PositionBias

FEWEST = 10
"""Answers below which a correlation with length is not tried."""


def position_bias(winners: Sequence[tuple[str, str]]) -> PositionBias | None:
    """How often a judge's choice follows the place; None without pairs.

    Args:
        winners: For each pair the winner (``A``, ``B`` or ``tie``) with A shown first, and with B shown first; both name the answer, not
            its place.

    >>> position_bias([("A", "A"), ("A", "B"), ("A", "B"), ("tie", "B")])
    PositionBias(n=4, same=1, first=3, second=0, p=0.25)
    """
    if not winners:
        return None
    leanings = [_lead(order) - _lead(swapped) for order, swapped in winners]
    first, second = sum(lean > 0 for lean in leanings), sum(lean < 0 for lean in leanings)
    return PositionBias(len(winners), sum(order == swapped for order, swapped in winners), first, second, mcnemar_exact(first, second))


def _lead(winner: str) -> int:
    return {"A": 1, "B": -1, "tie": 0}[winner]


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
