"""One run taken apart: its measures by tag, how its latencies are spread, and which cases make up its bill."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agenteval.compare.measures import measures
from agenteval.compare.percentiles import percentile
from agenteval.model.facts import Facts, facts_of
from agenteval.model.run import Measure, Outcome, Run

UNTAGGED = "(no tag)"


@dataclass(frozen=True, slots=True)
class TagMeasures:
    """The measures of the cases that carry one tag. ``cases`` counts all of them that count in rates, decided or not."""

    tag: str
    cases: int
    measures: Mapping[str, Measure]


@dataclass(frozen=True, slots=True)
class Latencies:
    """The latencies of finished calls in ascending order.

    Attributes:
        cases: Case id and ms, the fastest first.
        p50, p95: As the run's own measures; None of none.
        left_out: Cases without a finished call.
    """

    cases: tuple[tuple[str, float], ...]
    p50: float | None
    p95: float | None
    left_out: int


def counted_facts(run: Run) -> list[Facts]:
    """What outcomes alone tell of the cases that count in rates; a case is read only where its call may not have finished."""
    found = []
    for row, outcome in enumerate(run.outcomes):
        if outcome.role is None:
            unsure = outcome.latency_ms is not None and not outcome.status.decided
            finished = facts_of(run.cases[row]).finished if unsure else outcome.latency_ms is not None
            found.append(Facts(outcome, None, None, None, 0, 0, finished, False))
    return found


def by_tag(facts: Iterable[Facts]) -> list[TagMeasures]:
    """Measures of the cases of each tag, the lowest pass rate first, undecided tags last; a case counts under each of its tags.

    Measures that outcomes do not tell (hallucination, tools) are not measured here.
    """
    groups: dict[str, list[Facts]] = {}
    for fact in facts:
        for tag in dict.fromkeys(fact.outcome.tags) or (UNTAGGED,):
            groups.setdefault(tag, []).append(fact)
    found = [TagMeasures(tag, len(group), measures(group)) for tag, group in groups.items()]
    return sorted(found, key=lambda item: (_or_infinity(item.measures["pass_rate"].value), item.tag == UNTAGGED, item.tag))


def latencies(facts: Sequence[Facts]) -> Latencies:
    """The spread of the latencies of finished calls; a timeout counts at its deadline."""
    known = [(fact.outcome.case_id, fact.outcome.latency_ms) for fact in facts if fact.finished and fact.outcome.latency_ms is not None]
    known.sort(key=lambda item: item[1])
    values = [value for _, value in known]
    return Latencies(tuple(known), percentile(values, 50), percentile(values, 95), len(facts) - len(known))


def shares(outcomes: Iterable[Outcome], amount: str) -> tuple[list[tuple[str, float, float]], int]:
    """Which cases make up a sum, the dearest first, and how many cases have no amount.

    Args:
        amount: ``cost_usd`` or ``tokens``; cases with a role are left out, as in the run's own sum.

    Returns:
        (case id, amount, share of the sum in [0, 1] up to and with this case) a case; the share is 0 where the sum is 0.
    """
    counted = [outcome for outcome in outcomes if outcome.role is None]
    known = sorted(
        ((outcome.case_id, float(value)) for outcome in counted if (value := getattr(outcome, amount)) is not None),
        key=lambda item: (-item[1], item[0]),
    )
    total = math.fsum(value for _, value in known)
    found, so_far = [], 0.0
    for case_id, value in known:
        so_far += value
        found.append((case_id, value, min(1.0, so_far / total) if total else 0.0))
    return found, len(counted) - len(known)


def _or_infinity(value: float | None) -> float:
    return math.inf if value is None else value
