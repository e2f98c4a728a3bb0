"""How much of the spread of judged answers is the agent's, and how much the judge's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenteval.model.attempt import Attempt

POINTS = 10
"""The judge's whole points run up to here; divided by it they are scores like the others."""

Votes = Sequence[float]
"""The votes on one answer, each in [0, 1]."""


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """Variance of single votes on judged answers, in squared score units (a score is in [0, 1]).

    Attributes:
        agent: Between attempts at the same case: how far answers really differ. Never negative.
        judge: Within attempts: how far the judge's votes on one answer differ.
        cases, attempts, votes: What it stands on.
        truncated: The estimate of ``agent`` was below 0, so it is given as 0: the votes differ more than the answers do.
    """

    agent: float
    judge: float
    cases: int
    attempts: int
    votes: int
    truncated: bool = False

    @property
    def judge_share(self) -> float | None:
        """The judge's part of both, in [0, 1]; None where nothing varies."""
        both = self.agent + self.judge
        return self.judge / both if both else None


def split_variance(blocks: Iterable[Sequence[Votes]]) -> tuple[float, float, bool] | None:
    """Variance between and within attempts by the method of moments, one-way random effects inside each block, pooled over blocks.

    With n_i votes of mean y_i in attempt i, N votes of mean y in its block: MSB = sum n_i (y_i - y)^2 / sum (attempts - 1) and
    MSW = sum (vote - y_i)^2 / sum (n_i - 1), both sums over all blocks; E[MSW] = judge and E[MSB] = judge + n0 agent with
    n0 = sum (N - sum n_i^2 / N) / sum (attempts - 1).

    Args:
        blocks: One for each case and check: the votes of each of its attempts. Blocks keep differences between cases out.

    Returns:
        Agent, judge and whether the agent's was negative and is given as 0; None without a block of two attempts, or an attempt of two
        votes.

    Source: Searle, Casella and McCulloch (1992), Variance Components, section 3.6 (unbalanced one-way classification, ANOVA estimators).

    >>> split_variance([[[1, 1], [0, 0]], [[1, 0], [1, 1]]])
    (0.25, 0.125, False)
    """
    between = within = weight = 0.0
    df_between = df_within = 0
    for block in blocks:
        attempts = [votes for votes in block if votes]
        n = sum(map(len, attempts))
        if not attempts:
            continue
        mean = math.fsum(vote for votes in attempts for vote in votes) / n
        for votes in attempts:
            own = math.fsum(votes) / len(votes)
            between += len(votes) * (own - mean) ** 2
            within += math.fsum((vote - own) ** 2 for vote in votes)
            df_within += len(votes) - 1
        df_between += len(attempts) - 1
        weight += n - sum(len(votes) ** 2 for votes in attempts) / n
    if not df_between or not df_within:
        return None
    judge = within / df_within
    agent = (between / df_between - judge) / (weight / df_between)
    return max(0.0, agent), judge, agent < -1e-12


def judged_variance(observations: Iterable[tuple[str, Sequence[Attempt]]]) -> VarianceSplit | None:
    """The split over the judged answers of repeated cases; None without repeats or without several votes an answer.

    Votes that failed are left out. A preference between two answers is no vote on one of them.

    Args:
        observations: Every repeated case with all its attempts, as the items of ``Run.observations``; read once.
    """
    blocks: dict[tuple[str, int, str, int], list[Votes]] = {}
    attempts = 0
    for case_id, found in observations:
        for attempt in found if found and found[0].role is None else ():
            judged = list(_judged(attempt))
            attempts += bool(judged)
            for part, name, number, votes in judged:
                blocks.setdefault((case_id, part, name, number), []).append(votes)
    made = split_variance(blocks.values())
    if made is None:
        return None
    agent, judge, truncated = made
    counted = sum(len(votes) for block in blocks.values() for votes in block)
    return VarianceSplit(agent, judge, len({key[0] for key in blocks}), attempts, counted, truncated)


def _judged(attempt: Attempt) -> Iterator[tuple[int, str, int, list[float]]]:
    """Part of the conversation (0 the whole), check, its number among equal names, and its votes."""
    for part, owner in enumerate((attempt, *attempt.turns)):
        seen: dict[str, int] = {}
        for score in owner.scores:
            judge = score.evidence.get("judge") if isinstance(score.evidence, Mapping) else None
            if not isinstance(judge, Mapping):
                continue
            number = seen[score.name] = seen.get(score.name, -1) + 1
            votes = [value for vote in judge.get("votes") or () if (value := _value(vote)) is not None]
            if votes:
                yield part, score.name, number, votes


def _value(vote: Any) -> float | None:
    """A vote as a score: true is 1, points are tenths, verdicts on several sentences their share; None for anything else."""
    value = vote.get("value") if isinstance(vote, Mapping) else None
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float)):
        return value / POINTS
    if isinstance(value, (list, tuple)) and value and all(isinstance(verdict, bool) for verdict in value):
        return sum(value) / len(value)
    return None
