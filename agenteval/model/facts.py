"""The few numbers of an attempt that measures are made of, small enough to keep for every case of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from agenteval.model.attempt import Attempt
from agenteval.model.run import Outcome
from agenteval.model.score import MEANS, Feeds
from agenteval.model.status import ErrorKind, Role, Status

CORRECTNESS, HALLUCINATION, TOOLS, TRAJECTORY, RETENTION = tuple(Feeds)[:5]
UNSUPPORTED = Feeds.UNSUPPORTED_CLAIMS
PASSED, FAILED = Status.PASSED, Status.FAILED
"""By a name of their own: looking a member up costs ten times as much, and this runs once an attempt."""

_NOTHING: Mapping[Feeds, float] = MappingProxyType({})

ADVERSARIAL_SOURCES = frozenset({"adversarial", "adversarial_redteam"})


class Facts(NamedTuple):
    """What one attempt contributes to a run's measures; None means it contributes nothing to that measure.

    Attributes:
        hallucinated: True where a checked answer was flagged.
        tool_f1, trajectory_f1: In [0, 1].
        retained, retention_checks: Turns that kept their facts, and turns that declared facts.
        finished: The call came back (or timed out at its deadline), so its latency counts.
        means: Values of retrieval, grounding and tool efficiency, each in [0, 1]; of a conversation the whole's own value, else the mean
            over its turns that have one.
    """

    outcome: Outcome
    hallucinated: bool | None
    tool_f1: float | None
    trajectory_f1: float | None
    retained: int
    retention_checks: int
    finished: bool
    adversarial: bool
    means: Mapping[Feeds, float] = _NOTHING


def facts_of(attempt: Attempt, line: str | None = None) -> Facts:
    """The facts of one attempt; ``line`` is the short hash of its record's line."""
    hallucinated: bool | None = None
    tool_f1 = trajectory_f1 = None
    retention = False
    means: dict[Feeds, float] = {}
    total = 0.0
    scored = 0
    for score in attempt.scores:
        if score.required and score.value is not None:
            total += score.value
            scored += 1
        if score.feeds is None or score.feeds is CORRECTNESS:
            continue
        if score.feeds is HALLUCINATION:
            hallucinated = None if score.passed is None else not score.passed
        elif score.feeds is TOOLS:
            tool_f1 = score.value
        elif score.feeds is TRAJECTORY:
            trajectory_f1 = score.value
        elif score.feeds is RETENTION:
            retention = True
        elif score.value is not None:
            means[score.feeds] = score.value
            if score.required and score.feeds is UNSUPPORTED:
                total += 1 - 2 * score.value  # a rate of faults counts in the case's score as its complement
    retained, checks = _retention(attempt) if retention or attempt.turns else (0, 0)
    if attempt.turns:
        means = _of_turns(attempt.turns) | means
    undecided = attempt.status is not PASSED and attempt.status is not FAILED
    error = attempt.error
    return Facts(
        outcome=Outcome(
            attempt.case_id,
            attempt.status,
            attempt.correct,
            round(total / scored, 6) if scored else None,
            attempt.latency_ms,
            attempt.cost_usd,
            attempt.tokens,
            attempt.tags,
            attempt.role,
            attempt.critical,
            attempt.definition,
            line,
        ),
        hallucinated=None if undecided else hallucinated,
        tool_f1=None if undecided else tool_f1,
        trajectory_f1=None if undecided else trajectory_f1,
        retained=0 if undecided else retained,
        retention_checks=0 if undecided else checks,
        finished=attempt.latency_ms is not None and (error is None or error.kind == ErrorKind.TIMEOUT),
        adversarial=attempt.source in ADVERSARIAL_SOURCES,
        means=means if means and not undecided else _NOTHING,
    )


def _of_turns(turns: Sequence[Attempt]) -> dict[Feeds, float]:
    """The mean over the turns that have a value."""
    values: dict[Feeds, list[float]] = {}
    for turn in turns:
        for score in turn.scores:
            if score.feeds in MEANS and score.value is not None:
                values.setdefault(score.feeds, []).append(score.value)
    return {feeds: math.fsum(found) / len(found) for feeds, found in values.items()}


def _retention(attempt: Attempt) -> tuple[int, int]:
    """Turns that kept every declared fact, and turns that declared any."""
    kept = checks = 0
    for part in (attempt, *attempt.turns):
        score = part.score(RETENTION)
        if score is not None and score.passed is not None:
            checks += 1
            kept += score.passed
    return kept, checks


def counts_of(outcomes: list[Outcome]) -> dict[str, int]:
    """How many cases ended in each status, every status present; cases with a role count under ``candidate`` or ``quarantined``."""
    counts = {status.value: 0 for status in Status} | {role.value: 0 for role in Role}
    for outcome in outcomes:
        counts[outcome.role.value if outcome.role else outcome.status.value] += 1
    return counts
