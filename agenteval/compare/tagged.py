"""The measures of the cases that carry a tag, made again of a run's table of outcomes."""

from __future__ import annotations

from collections.abc import Iterable

from agenteval.compare.measures import measures
from agenteval.model.facts import Facts
from agenteval.model.run import Measure, Outcome
from agenteval.model.status import Status

TAGGED = ("correctness_rate", "pass_rate", "latency_p50_ms", "latency_p95_ms", "total_cost_usd", "total_tokens")
"""What a table of outcomes can say of some of its cases; the other measures need the cases themselves."""


def tagged_measures(outcomes: Iterable[Outcome], tag: str) -> dict[str, Measure]:
    """The ``TAGGED`` measures over the cases with this tag, as ``measures`` makes them of all.

    A table of outcomes does not tell a timeout from another error, so that latencies are without errors, which are counted as left out.
    """
    found = measures(_facts(outcome) for outcome in outcomes if tag in outcome.tags)
    return {name: found[name] for name in TAGGED}


def _facts(outcome: Outcome) -> Facts:
    finished = outcome.latency_ms is not None and outcome.status is not Status.AGENT_ERROR
    return Facts(outcome, None, None, None, 0, 0, finished, False)
