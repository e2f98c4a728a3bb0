"""The metrics of a run, each with its denominator and what it leaves out, made in one pass over the attempts' facts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from agenteval.compare.intervals import wilson
from agenteval.compare.percentiles import percentile
from agenteval.compare.repeated import clustered_se, mean_over_cases
from agenteval.model.attempt import Attempt
from agenteval.model.facts import Facts
from agenteval.model.run import Measure, Repeats
from agenteval.model.score import MEANS, Feeds
from agenteval.model.status import Status

METRICS = (
    "correctness_rate",
    "pass_rate",
    "hallucination_rate",
    "tool_call_accuracy",
    "trajectory_f1_avg",
    *(f"{feeds.value}_avg" for feeds in MEANS),
    "latency_p50_ms",
    "latency_p95_ms",
    "total_cost_usd",
    "total_tokens",
    "break_rate",
    "context_retention_rate",
)
"""Names of all metrics, in the order in which they are shown."""

_REASONS = {Status.AGENT_ERROR: "errors", Status.EVALUATOR_ERROR: "errors", Status.SKIPPED: "skipped", Status.UNSCORED: "unscored"}


def measures(facts: Iterable[Facts]) -> dict[str, Measure]:
    """Every metric of ``METRICS`` over these attempts; candidates and quarantined cases count in none.

    Rates carry Wilson's 95% interval. Latency percentiles are over finished calls, a timeout at its deadline. Cost and tokens sum what
    is known and count the rest under ``unpriced`` and ``unreported``. A value is None where nothing was measured.
    """
    tally = _Tally()
    for fact in facts:
        if fact.outcome.role is None:
            tally.add(fact)
    return tally.measures()


class _Tally:
    """Running counts, and the lists of numbers that sums and percentiles need."""

    def __init__(self) -> None:
        self.undecided: dict[str, int] = {}
        self.undecided_adversarial: dict[str, int] = {}
        self.decided = self.passed = self.judged = self.correct = 0
        self.checked = self.hallucinated = 0
        self.adversarial = self.broken = 0
        self.turns = self.retained = self.with_turns = 0
        self.tool_f1: list[float] = []
        self.trajectory_f1: list[float] = []
        self.means: dict[Feeds, list[float]] = {feeds: [] for feeds in MEANS}
        self.latencies: list[float] = []
        self.costs: list[float] = []
        self.tokens: list[int] = []
        self.no_latency: dict[str, int] = {}
        self.no_cost: dict[str, int] = {}
        self.no_tokens: dict[str, int] = {}

    def add(self, fact: Facts) -> None:
        outcome = fact.outcome
        reason = _REASONS.get(outcome.status)
        if reason is None:
            self._add_verdict(fact)
        else:
            _count(self.undecided, reason)
            if fact.adversarial:
                _count(self.undecided_adversarial, reason)
        absent = None if reason == "unscored" else reason
        if fact.finished and outcome.latency_ms is not None:
            self.latencies.append(outcome.latency_ms)
        else:
            _count(self.no_latency, absent or "not_applicable")
        if outcome.cost_usd is not None:
            self.costs.append(outcome.cost_usd)
        else:
            _count(self.no_cost, absent or "unpriced")
        if outcome.tokens is not None:
            self.tokens.append(outcome.tokens)
        else:
            _count(self.no_tokens, absent or "unreported")

    def _add_verdict(self, fact: Facts) -> None:
        outcome = fact.outcome
        self.decided += 1
        self.passed += outcome.status is Status.PASSED
        if outcome.correct is not None:
            self.judged += 1
            self.correct += outcome.correct
        if fact.hallucinated is not None:
            self.checked += 1
            self.hallucinated += fact.hallucinated
        if fact.tool_f1 is not None:
            self.tool_f1.append(fact.tool_f1)
        if fact.trajectory_f1 is not None:
            self.trajectory_f1.append(fact.trajectory_f1)
        for feeds, value in fact.means.items():
            self.means[feeds].append(value)
        if fact.retention_checks:
            self.with_turns += 1
            self.turns += fact.retention_checks
            self.retained += fact.retained
        if fact.adversarial:
            self.adversarial += 1
            self.broken += outcome.status is Status.FAILED

    def measures(self) -> dict[str, Measure]:
        latencies = sorted(self.latencies)
        cost = math.fsum(self.costs) if self.costs else None
        tokens = float(sum(self.tokens)) if self.tokens else None
        made = (
            _rate(self.correct, self.judged, "higher", self._left_out(self.judged)),
            _rate(self.passed, self.decided, "higher", self._left_out(self.decided)),
            _rate(self.hallucinated, self.checked, "lower", self._left_out(self.checked)),
            _mean(self.tool_f1, self._left_out(len(self.tool_f1))),
            _mean(self.trajectory_f1, self._left_out(len(self.trajectory_f1))),
            *(_mean(values, self._left_out(len(values)), _better(feeds)) for feeds, values in self.means.items()),
            Measure(percentile(latencies, 50), len(latencies), "ms", "lower", self.no_latency),
            Measure(percentile(latencies, 95), len(latencies), "ms", "lower", dict(self.no_latency)),
            Measure(cost, len(self.costs), "usd", "lower", self.no_cost),
            Measure(tokens, len(self.tokens), "tokens", "lower", self.no_tokens),
            _rate(self.broken, self.adversarial, "lower", _with(self.undecided_adversarial, self.decided - self.adversarial)),
            _rate(self.retained, self.turns, "higher", self._left_out(self.with_turns)),
        )
        return dict(zip(METRICS, made, strict=True))

    def _left_out(self, counted: int) -> dict[str, int]:
        return _with(self.undecided, self.decided - counted)


def _count(reasons: dict[str, int], reason: str) -> None:
    reasons[reason] = reasons.get(reason, 0) + 1


def _with(reasons: Mapping[str, int], not_applicable: int) -> dict[str, int]:
    return {**reasons, "not_applicable": not_applicable} if not_applicable else dict(reasons)


def _rate(hits: int, n: int, better: str, left_out: Mapping[str, int]) -> Measure:
    if not n:
        return Measure(None, 0, "rate", better, left_out)
    low, high = wilson(hits, n)
    return Measure(hits / n, n, "rate", better, left_out, low, high)


def _better(feeds: Feeds) -> str:
    return "lower" if feeds is Feeds.UNSUPPORTED_CLAIMS else "higher"


def _mean(values: Sequence[float], left_out: Mapping[str, int], better: str = "higher") -> Measure:
    return Measure(math.fsum(values) / len(values) if values else None, len(values), "score", better, left_out)


def repeats(observations: Mapping[str, Sequence[Attempt]]) -> Repeats:
    """pass^k and pass@k for every k up to the most attempts of any case, and the clustered standard error of pass^1.

    Only decided attempts count. A case with fewer than k of them is in no figure for that k; ``short`` counts such cases.
    """
    verdicts = {
        case_id: [attempt.status is Status.PASSED for attempt in attempts if attempt.status.decided]
        for case_id, attempts in observations.items()
        if attempts and attempts[0].role is None
    }
    most = max((len(observations[case_id]) for case_id in verdicts), default=0)
    counts = {case_id: (len(passed), sum(passed)) for case_id, passed in verdicts.items()}
    hat = {k: mean_over_cases(counts, k, every=True) for k in range(1, most + 1)}
    return Repeats(
        k=most,
        cases=len(verdicts),
        pass_hat_k={k: value for k, (value, _) in hat.items()},
        pass_at_k={k: mean_over_cases(counts, k, every=False)[0] for k in hat},
        clustered_se=clustered_se([[float(passed) for passed in case] for case in verdicts.values()]),
        short={k: fewer for k, (_, fewer) in hat.items() if fewer},
    )
