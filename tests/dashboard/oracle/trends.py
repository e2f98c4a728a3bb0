"""What the page Trends ought to say and draw: series, trends, changes of level and late runs, by the rules of docs/statistics.md."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
from scipy import stats

from tests.dashboard import oracle
from tests.dashboard.oracle import Measure, Record, Run, status
from tests.dashboard.oracle.said import Said, Seen
from tests.dashboard.oracle.words import count, dotted, left_out, of, p_value, value

NAMES = {
    "Correctness": "correctness_rate",
    "Pass rate": "pass_rate",
    "Hallucination": "hallucination_rate",
    "Tool accuracy": "tool_call_accuracy",
    "Trajectory F1": "trajectory_f1_avg",
    "Latency p50": "latency_p50_ms",
    "Latency p95": "latency_p95_ms",
    "Cost / run": "total_cost_usd",
    "Tokens / run": "total_tokens",
    "Break rate": "break_rate",
    "Context retention": "context_retention_rate",
}
"""Titles, and what the files call the measures, in the order of the page."""
_FEWEST = 3


@dataclass(frozen=True)
class Row:
    """A run of the trend; ``run`` is None where only the ledger knows it."""

    run_id: str
    started: datetime
    measures: dict[str, Measure]
    run: Run | None

    @property
    def day(self) -> str:
        return f"{self.started:%b %d}"


_OF_A_TAG = ("Correctness", "Pass rate", "Latency p50", "Latency p95", "Cost / run", "Tokens / run")


def _tagged(run: Run, tag: str) -> dict[str, Measure]:
    """What the table of outcomes tells of the cases with a tag; it does not tell a timeout from another error."""
    cases = [
        {**case, "latency_ms": None} if status(case) == "agent_error" else case for case in run.counted() if tag in case.get("tags", ())
    ]
    return {title: measure for title, measure in oracle.measures(cases).items() if title in _OF_A_TAG}


def rows(seen: Seen, tag: str | None = None) -> list[Row]:
    """Comparable runs, oldest first, without a tag also those whose file is gone, by what the ledger keeps of them."""
    siblings = seen.folder.siblings(seen.run)
    if tag is not None:
        return [Row(run.id, _moment(run.head["started_at"]), _tagged(run, tag), run) for run in siblings]
    stored = {run.id for run in seen.folder.runs}
    found = [Row(run.id, _moment(run.head["started_at"]), oracle.measures(run.counted()), run) for run in siblings]
    for head in seen.folder.ledger[seen.run.head["agent"]]:
        if head["run_id"] not in stored and oracle.kin(head) == oracle.kin(seen.run.head):
            kept = {title: _kept(head["metrics"][name]) for title, name in NAMES.items()}
            found.append(Row(head["run_id"], _moment(head["started_at"]), kept, None))
    return sorted(found, key=lambda row: row.started)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _kept(stored: Record) -> Measure:
    return Measure(
        *(stored.get(name) for name in ("value", "n", "unit", "better")), stored.get("left_out", {}), stored.get("low"), stored.get("high")
    )


def band(series: Sequence[float], unit: str) -> float:
    """2 points of a rate or score, 5% of the median otherwise."""
    return 0.02 if unit in ("rate", "score") else 0.05 * abs(statistics.median(series))


@dataclass(frozen=True)
class Level:
    at: int
    before: float
    after: float
    runs_before: int
    runs_after: int
    p: float
    better: bool


@dataclass(frozen=True)
class Late:
    runs: int
    value: float
    low: float
    high: float
    before: int
    p: float
    better: bool


@dataclass(frozen=True)
class Series:
    """One measure over all runs; every run of the rich folder measured all of them."""

    title: str
    measures: Sequence[Measure]

    @cached_property
    def unit(self) -> str:
        return self.measures[-1].unit

    @cached_property
    def values(self) -> list[float]:
        return [measure.value for measure in self.measures if measure.value is not None]

    @cached_property
    def hits(self) -> list[tuple[int, int]]:
        return [(round((measure.value or 0) * measure.n), measure.n) for measure in self.measures]

    def _better(self, up: bool) -> bool:
        return up == (self.measures[-1].better == "higher")

    @cached_property
    def direction(self) -> str:
        """Theil-Sen beyond the dead band and Mann-Kendall at .05."""
        series = self.values
        if len(series) < 5:
            return "too few points"
        slope = stats.theilslopes(series, range(len(series))).slope
        moved = float(slope) * (len(series) - 1)
        n = len(series)
        s = sum(int(np.sign(b - a)) for a, b in itertools.combinations(series, 2))
        ties = sum(t * (t - 1) * (2 * t + 5) for t in Counter(series).values())
        variance = (n * (n - 1) * (2 * n + 5) - ties) / 18
        p = 2 * float(stats.norm.sf(max(0, abs(s) - 1) / math.sqrt(variance))) if variance else 1.0
        if abs(moved) > band(series, self.unit) and p <= 0.05:
            return "improving" if self._better(moved > 0) else "worsening"
        low, _, high = statistics.quantiles(series, n=4, method="inclusive")
        return "unsteady" if high - low > 3 * band(series, self.unit) else "no trend"

    @cached_property
    def levels(self) -> list[Level]:
        """The clearest split if it is one; none of these series is long enough for a second."""
        n = len(self.values)
        if n < 2 * _FEWEST:
            return []
        places = range(_FEWEST, n - _FEWEST + 1)
        if self.unit == "rate":
            p = self._rate_p(places)
            at = max(places, key=lambda cut: abs(_score(self.hits, cut)))
            before, after = (sum(h for h, _ in part) / sum(m for _, m in part) for part in (self.hits[:at], self.hits[at:]))
        else:
            p = self._rank_p(places)
            at = min(places, key=lambda cut: _scatter(self.values[:cut]) + _scatter(self.values[cut:]))
            before, after = statistics.median(self.values[:at]), statistics.median(self.values[at:])
        if p > 0.01 or abs(after - before) <= band(self.values, self.unit):
            return []
        return [Level(at, before, after, at, n - at, p, self._better(after > before))]

    def _rate_p(self, places: range) -> float:
        """Cases dealt out to the runs at random, 4,000 times; as exact as this page's decisions need."""
        hits, sizes = np.array([h for h, _ in self.hits]), np.array([m for _, m in self.hits])
        dealt = np.random.default_rng(7).multivariate_hypergeometric(sizes, hits.sum(), size=4000)
        observed = _rate_scores(hits[None, :], sizes, places)[0]
        return float(np.mean(_rate_scores(dealt, sizes, places) >= observed - 1e-12))

    def _rank_p(self, places: range) -> float:
        ranks = stats.rankdata(self.values)
        spread = float(np.var(ranks))
        if spread == 0:
            return 1.0
        orders = np.random.default_rng(7).permuted(np.tile(ranks, (20_000, 1)), axis=1)
        observed = _rank_score(ranks[None, :], places)[0]
        return float(np.mean(_rank_score(orders, places) >= observed - 1e-9))

    @cached_property
    def late(self) -> Late | None:
        since = self.levels[-1].at if self.levels else 0
        counted = self.unit == "rate"
        series, hits = self.values[since:], self.hits[since:]
        for late in (2, 1):
            before, tail = series[:-late], series[-late:]
            if len(before) < (3 if counted else 5):
                continue
            low, high = min(before), max(before)
            above, below = min(tail) > high + band(before, self.unit), max(tail) < low - band(before, self.unit)
            if not above and not below:
                continue
            p = _dealt(hits[:-late], hits[-late:]) if counted else max(_student(before, item, self.unit) for item in tail)
            if p <= 0.005:
                return Late(late, series[-1], low, high, len(before), p, self._better(above))
        return None

    @cached_property
    def evidence(self) -> str:
        """What the panel says beside the newest value."""
        parts = [f"{late_words(self.late, self.unit)} ({p_value(self.late.p)})"] if self.late else []
        for level in reversed(self.levels):
            parts.append(f"{level_words(level, self.unit)} ({count(level.runs_before, 'run')}, then {level.runs_after};")
        return dotted(parts)


def _score(hits: Sequence[tuple[int, int]], cut: int) -> float:
    """The score test that the pooled rates on both sides are one."""
    (h1, n1), (h2, n2) = ((sum(h for h, _ in part), sum(m for _, m in part)) for part in (hits[:cut], hits[cut:]))
    p = (h1 + h2) / (n1 + n2)
    return 0.0 if p in (0, 1) else (h1 / n1 - h2 / n2) / math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))


def _rate_scores(hits: np.ndarray, sizes: np.ndarray, places: range) -> np.ndarray:
    """The clearest split's score, a row of hits at a time."""
    reached, cases = hits.cumsum(axis=1), sizes.cumsum()
    whole, n = hits.sum(axis=1), sizes.sum()
    share = whole / n
    spread = np.sqrt(np.where((share > 0) & (share < 1), share * (1 - share), np.inf))
    first = {cut: reached[:, cut - 1] / cases[cut - 1] for cut in places}
    second = {cut: (whole - reached[:, cut - 1]) / (n - cases[cut - 1]) for cut in places}
    apart = [np.abs(first[cut] - second[cut]) / (spread * math.sqrt(1 / cases[cut - 1] + 1 / (n - cases[cut - 1]))) for cut in places]
    return np.max(apart, axis=0)


def _scatter(values: Sequence[float]) -> float:
    middle = statistics.median(values)
    return sum(abs(item - middle) for item in values)


def _rank_score(orders: np.ndarray, places: range) -> np.ndarray:
    """The largest standardised rank sum over all splits, ties in its variance."""
    n = orders.shape[1]
    sums = orders.cumsum(axis=1)
    spread = orders[0].var() * n / (n - 1)
    found = [np.abs(sums[:, m - 1] - m * (n + 1) / 2) / math.sqrt(spread * m * (n - m) / n) for m in places]
    return np.max(found, axis=0)


def _dealt(before: Sequence[tuple[int, int]], after: Sequence[tuple[int, int]]) -> float:
    """Twice the smaller hypergeometric tail."""
    (old, n), (new, m) = ((sum(h for h, _ in part), sum(k for _, k in part)) for part in (before, after))
    found = stats.hypergeom(n + m, old + new, m)
    return min(1.0, 2 * min(float(found.cdf(new)), float(found.sf(new - 1))))


def _student(before: Sequence[float], item: float, unit: str) -> float:
    if unit in ("ms", "usd", "tokens"):
        before, item = [math.log(number) for number in before], math.log(item)
    spread = statistics.stdev(before)
    if spread == 0:
        return 0.0
    t = (item - statistics.fmean(before)) / (spread * math.sqrt(1 + 1 / len(before)))
    return 2 * float(stats.t.sf(abs(t), len(before) - 1))


def level_words(level: Level, unit: str) -> str:
    return f"{value(level.before, unit)} → {value(level.after, unit)}"


def late_words(late: Late, unit: str) -> str:
    before = value(late.low, unit)
    if late.low != late.high:
        before = (
            Measure(0.5, 2, unit, "higher", {}, late.low, late.high).evidence.partition(" · ")[2]
            if unit == "rate"
            else f"{before}–{value(late.high, unit)}"
        )
    return f"{value(late.value, unit)} after {before} in {count(late.before, 'run')}"


def series(seen: Seen, tag: str | None = None) -> dict[str, Series]:
    known = rows(seen, tag)
    found = {title: Series(title, [row.measures[title] for row in known]) for title in known[-1].measures}
    return {title: item for title, item in found.items() if item.values}


def trends(seen: Seen, tag: str | None = None) -> Said:
    """The page with all measures drawn."""
    known, found = rows(seen, tag), series(seen, tag)
    gone = sum(row.run is None for row in known)
    said: Said = [("", _headline(found, len(known)))]
    said.append(("of suite", dotted([count(len(known), "run"), f"{gone} known" if gone else ""])))
    for title, item in found.items():
        last = item.measures[-1]
        told = dotted([value(last.value, last.unit), last.evidence, left_out(last.left_out)])
        said.append((title, f"{told}  {item.evidence}"))
    return [*said, *_cases(seen, tag), ("as a list", count(len(known), "run"))]


def _headline(found: dict[str, Series], runs: int) -> str:
    """The clauses that hold numbers, the worse ones first; at most three, one of the better at least."""
    if all(item.direction == "too few points" for item in found.values()):
        return f"{count(runs, 'run')} so far"
    worse, better = (_clauses(found, good) for good in (False, True))
    said = [*worse[:3], *better[: max(1, 3 - len(worse))]]
    return ". ".join(said) if said else f"over {count(runs, 'run')} no measure"


def _clauses(found: dict[str, Series], good: bool) -> list[str]:
    clauses = []
    for runs in (2, 1):
        late = [(item.late, item) for item in found.values() if item.late and item.late.runs == runs and item.late.better is good]
        if late:
            clauses.append(late_words(late[0][0], late[0][1].unit))
    moved = sorted(((item.levels[-1], item) for item in found.values() if item.levels), key=lambda pair: -pair[0].at)
    last: int | None = None
    for level, item in (pair for pair in moved if pair[0].better is good):
        if last is None or last - level.at > 1:
            clauses.append(level_words(level, item.unit))
            last = level.at
    word = "improving" if good else "worsening"
    drifting = any(item.direction == word and not item.levels and not item.late for item in found.values())
    return [*clauses, "slowly"] if drifting else clauses


@dataclass(frozen=True)
class History:
    """A case over the stored runs of the trend: its status in each, None where a run has no such case."""

    case_id: str
    role: str | None
    statuses: Sequence[str | None]

    @property
    def passes(self) -> list[bool]:
        return [found == "passed" for found in self.statuses if found not in (None, "skipped", "unscored")]

    @property
    def failing(self) -> int:
        return len(list(itertools.takewhile(lambda passed: not passed, reversed(self.passes))))

    @property
    def passed_before(self) -> int:
        before = self.passes[: len(self.passes) - self.failing]
        return len(list(itertools.takewhile(bool, reversed(before))))

    @property
    def began(self) -> bool:
        """Two failures or more behind three passes or more, and by Fisher's probability no luck."""
        before = len(self.passes) - self.failing
        good = sum(self.passes)
        luck = math.comb(before, good) / math.comb(len(self.passes), good) if self.passes else 1.0
        return self.failing >= 2 and self.passed_before >= 3 and luck <= 0.05

    @property
    def troubled(self) -> bool:
        return not all(self.passes)


def histories(seen: Seen, tag: str | None = None) -> list[History]:
    stored = [row.run for row in rows(seen, tag) if row.run]
    found = []
    for case_id in dict.fromkeys(case["case_id"] for run in stored for case in run.cases if tag is None or tag in case.get("tags", ())):
        cases = [next((case for case in run.cases if case["case_id"] == case_id), None) for run in stored]
        newest = next(case for case in reversed(cases) if case)
        found.append(History(case_id, newest.get("role"), [status(case) if case else None for case in cases]))
    return found


def _cases(seen: Seen, tag: str | None) -> Said:
    found = histories(seen, tag)
    began = [case for case in found if case.began and not case.role]
    said: Said = [(case.case_id, f"{count(case.failing, 'run')}, passed {case.passed_before} in a row") for case in began]
    known = rows(seen, tag)
    stored = sum(row.run is not None for row in known)
    of_all = f" (of the {len(known)} above" if stored < len(known) else ""
    troubled = [case for case in found if case.troubled]
    return [*said, ("at least once", f"{of(len(troubled), len(found), 'case')} in {count(stored, 'run')}{of_all}")]
