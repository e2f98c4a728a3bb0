"""Repeats of one run and flips over runs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.dashboard.oracle.measures import wilson
from tests.dashboard.oracle.stored import (
    Record,
    Run,
    decided,
    number_read,
    status,
)


@dataclass(frozen=True)
class Point:
    k: int
    value: float
    low: float
    high: float
    cases: int
    short: int


def curve(run: Run, every: bool) -> list[Point]:
    """pass^k or pass@k over the repeated cases that count, by counting subsets."""
    counts = [
        (sum(map(decided, attempts)), sum(status(a) == "passed" for a in attempts))
        for attempts in run.repeated.values()
        if not attempts[0].get("role")
    ]
    found = []
    for k in range(1, max((n for n, _ in counts), default=0) + 1):
        values = [
            Fraction(math.comb(c, k), math.comb(n, k)) if every else 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
            for n, c in counts
            if n >= k
        ]
        mean = sum(values, Fraction(0)) / len(values)
        found.append(Point(k, float(mean), *_resampled(values), len(values), len(counts) - len(values)))
    return found


def _resampled(values: Sequence[Fraction]) -> tuple[float, float]:
    """The bootstrap's percentile interval from all resamples there are; Wilson's over cases where all cases are alike."""
    n = len(values)
    if len(set(values)) == 1:
        hits = values[0] * n
        return wilson(math.floor(hits), n)[0], wilson(math.ceil(hits), n)[1]
    means = sorted(sum(drawn, Fraction(0)) / n for drawn in itertools.product(values, repeat=n))
    return float(means[math.ceil(0.025 * len(means)) - 1]), float(means[math.ceil(0.975 * len(means)) - 1])


@dataclass(frozen=True)
class Steady:
    """A repeated case: how many decided attempts agree. ``answers`` holds attempts by what they say, the most frequent first."""

    case_id: str
    passed: int
    total: int
    errors: int
    consistent: int
    by_number: bool
    answers: Sequence[Sequence[int]]

    @property
    def share(self) -> float:
        return self.consistent / self.total

    @property
    def word(self) -> str:
        return "stable" if self.consistent == self.total else "flaky" if self.share >= 0.8 else "unstable"


def steadiness(run: Run) -> list[Steady]:
    return [_steady(case_id, attempts) for case_id, attempts in run.repeated.items()]


def _steady(case_id: str, attempts: Sequence[Record]) -> Steady:
    judged = [attempt for attempt in attempts if decided(attempt)]
    passed = sum(status(attempt) == "passed" for attempt in judged)
    consistent = max(passed, len(judged) - passed)
    read = [(status(attempt), number_read(attempt)) for attempt in judged]
    by_number = all(number is not None for _, number in read)
    if by_number:
        # The largest set of equal verdict whose numbers lie within the tolerance of each other.
        consistent = max(sum(s == s0 and 0 <= (v or 0) - (v0 or 0) <= 0.01 for s, v in read) for s0, v0 in read)
    said: dict[str, list[int]] = {}
    for attempt in judged:
        said.setdefault(" ".join(attempt["output"].lower().split()).strip(" .,;:!?\"'`*()[]"), []).append(attempt.get("repetition", 0))
    answers = sorted(said.values(), key=lambda group: -len(group))
    return Steady(case_id, passed, len(judged), len(attempts) - len(judged), consistent, by_number, answers)


@dataclass(frozen=True)
class Flips:
    case_id: str
    flips: int
    transitions: int
    same_flips: int
    same: int
    passed: int
    decided: int


def flips(runs: Sequence[Run]) -> list[Flips]:
    """Over consecutive runs that decided a case under one definition; the most restless first."""
    found = []
    for case_id in dict.fromkeys(case["case_id"] for run in runs for case in run.cases if decided(case)):
        seen = [(run, case) for run in runs for case in run.cases if case["case_id"] == case_id and decided(case)]
        moves = [
            (before["status"] != after["status"], _code(earlier) == _code(later))
            for (earlier, before), (later, after) in itertools.pairwise(seen)
            if before["definition"] == after["definition"]
        ]
        found.append(
            Flips(
                case_id,
                sum(moved for moved, _ in moves),
                len(moves),
                sum(moved and same for moved, same in moves),
                sum(same for _, same in moves),
                sum(status(case) == "passed" for _, case in seen),
                len(seen),
            )
        )
    return sorted(found, key=lambda case: (-case.flips, case.transitions, case.case_id))


def _code(run: Run) -> tuple[str, str]:
    return run.head["git"]["commit"], run.head["parameters"]["model"]
