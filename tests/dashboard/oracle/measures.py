"""Every measure of a list of cases, with its count, its interval and what it leaves out."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from statsmodels.stats.proportion import proportion_confint

from tests.dashboard.oracle import words
from tests.dashboard.oracle.stored import (
    Record,
    decided,
    fed,
    latency,
    status,
    tokens,
)

_REASONS = {"agent_error": "errors", "evaluator_error": "errors", "skipped": "skipped", "unscored": "unscored"}


@dataclass(frozen=True)
class Measure:
    value: float | None
    n: int
    unit: str
    better: str
    left_out: Mapping[str, int] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None

    @property
    def evidence(self) -> str:
        """``44 of 50 · 76–94%`` of a rate, ``n 50`` of anything else."""
        if self.unit != "rate" or self.value is None:
            return f"n {self.n:,}"
        hits = Fraction(self.value).limit_denominator(1000) * self.n
        counted = f"{hits} of {self.n:,}" if hits.denominator == 1 else f"n {self.n:,}"
        return counted if self.low is None or self.high is None else f"{counted} · {words.shares(self.low, self.high)}"

    @property
    def text(self) -> str:
        return words.dotted([words.value(self.value, self.unit), self.evidence, words.left_out(self.left_out)])


@cache
def wilson(hits: int, n: int) -> tuple[float, float]:
    low, high = proportion_confint(hits, n, method="wilson")
    return (0.0 if hits == 0 else float(low), 1.0 if hits == n else float(high))


def percentile(values: Sequence[float], percent: int) -> float | None:
    """Hyndman and Fan's definition 7."""
    if len(values) < 2:
        return values[0] if values else None
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def measures(cases: Sequence[Record]) -> dict[str, Measure]:
    """Every measure of the rich folder's kinds of checks over these cases."""
    judged = [case for case in cases if decided(case)]
    undecided = [case for case in cases if not decided(case)]
    missed = _tally(undecided)

    def left(of: Sequence[Record], n: int) -> dict[str, int]:
        apart = len(judged) - n
        return {**_tally(of), **({"not_applicable": apart} if apart else {})}

    def share(hits: Sequence[bool], better: str, reasons: Mapping[str, int]) -> Measure:
        if not hits:
            return Measure(None, 0, "rate", better, reasons)
        return Measure(sum(hits) / len(hits), len(hits), "rate", better, reasons, *wilson(sum(hits), len(hits)))

    def mean(what: str) -> Measure:
        values = [check["value"] for case in judged if (check := fed(case, what))]
        return Measure(statistics.fmean(values) if values else None, len(values), "score", "higher", left(undecided, len(values)))

    def amount(read: Callable[[Record], float | None], lacking: str) -> tuple[list[float], dict[str, int]]:
        reasons = Counter(_reason(case, lacking) for case in cases if read(case) is None)
        return [known for case in cases if (known := read(case)) is not None], dict(reasons)

    checked = [not check["passed"] for case in judged if (check := fed(case, "hallucination"))]
    attacks = [status(case) == "failed" for case in judged if case.get("source") == "adversarial"]
    talks = [case for case in judged if any(fed(turn, "retention") for turn in case.get("turns", ()))]
    kept = [bool(check["passed"]) for case in talks for turn in case["turns"] if (check := fed(turn, "retention"))]
    times, no_time = amount(latency, "not_applicable")
    costs, no_cost = amount(lambda case: case.get("cost_usd"), "unpriced")
    used, no_tokens = amount(tokens, "unreported")
    return {
        "Correctness": share([case["correct"] for case in judged], "higher", missed),
        "Pass rate": share([status(case) == "passed" for case in judged], "higher", missed),
        "Hallucination": share(checked, "lower", left(undecided, len(checked))),
        "Tool accuracy": mean("tools"),
        "Trajectory F1": mean("trajectory"),
        "Latency p50": Measure(percentile(times, 50), len(times), "ms", "lower", no_time),
        "Latency p95": Measure(percentile(times, 95), len(times), "ms", "lower", no_time),
        "Cost / run": Measure(math.fsum(costs) if costs else None, len(costs), "usd", "lower", no_cost),
        "Tokens / run": Measure(float(sum(used)) if used else None, len(used), "tokens", "lower", no_tokens),
        "Break rate": share(attacks, "lower", left([c for c in undecided if c.get("source") == "adversarial"], len(attacks))),
        "Context retention": share(kept, "higher", left(undecided, len(talks))),
    }


def _tally(cases: Iterable[Record]) -> dict[str, int]:
    return dict(Counter(_REASONS[status(case)] for case in cases))


def _reason(case: Record, lacking: str) -> str:
    found = _REASONS.get(status(case), lacking)
    return lacking if found == "unscored" else found
