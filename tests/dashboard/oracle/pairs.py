"""Two runs case by case: changes, their tests and intervals, transitions, ratios."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from scipy import stats
from statsmodels.stats.multitest import multipletests

from tests.dashboard.oracle import words
from tests.dashboard.oracle.measures import Measure, measures, wilson
from tests.dashboard.oracle.stored import (
    Record,
    Run,
    decided,
    status,
)


@dataclass(frozen=True)
class Pair:
    then: Record
    now: Record

    @property
    def edited(self) -> bool:
        return bool(self.then["definition"] != self.now["definition"])

    @property
    def both(self) -> bool:
        return decided(self.then) and decided(self.now)


def pairs(now: Run, then: Run) -> list[Pair]:
    before = {case["case_id"]: case for case in then.counted()}
    return [Pair(before[case["case_id"]], case) for case in now.counted() if case["case_id"] in before]


def new(now: Run, then: Run) -> list[Record]:
    known = {case["case_id"] for case in then.counted()}
    return [case for case in now.counted() if case["case_id"] not in known]


def gone(now: Run, then: Run) -> list[Record]:
    held = {case["case_id"] for case in now.cases}
    return [case for case in then.counted() if case["case_id"] not in held]


@dataclass(frozen=True)
class Change:
    """A rate over the cases that both runs decided, by the mean of each case's attempts where both runs repeated."""

    repeated: bool
    then: Fraction
    now: Fraction
    shares: Mapping[str, tuple[Fraction, Fraction]]
    tested: Mapping[str, tuple[Fraction, Fraction]]
    attempts: int

    @property
    def delta(self) -> float:
        return float(self.now - self.then)

    @property
    def fell(self) -> list[str]:
        return [case for case, (then, now) in self.shares.items() if now < then]

    @property
    def rose(self) -> list[str]:
        return [case for case, (then, now) in self.shares.items() if now > then]

    @property
    def differences(self) -> list[Fraction]:
        return [now - then for then, now in self.tested.values()]

    @property
    def method(self) -> str:
        return "sign-flip over cases" if self.repeated else "exact McNemar"

    @property
    def down(self) -> int:
        return sum(difference < 0 for difference in self.differences)

    @property
    def up(self) -> int:
        return sum(difference > 0 for difference in self.differences)

    @property
    def p(self) -> float:
        """Exact McNemar by scipy's binomial test; with repeats every pattern of signs, one by one."""
        if not self.repeated:
            return float(stats.binomtest(self.down, self.down + self.up).pvalue) if self.down + self.up else 1.0
        moved = [difference for difference in self.differences if difference]
        observed = abs(sum(moved))
        patterns = list(itertools.product((1, -1), repeat=len(moved)))
        extreme = [abs(sum(s * d for s, d in zip(signs, moved, strict=True))) >= observed for signs in patterns]
        return sum(extreme) / len(patterns)

    @property
    def interval(self) -> tuple[float, float]:
        """Student's over the cases' means; of single attempts Newcombe's method 10."""
        if self.repeated:
            found = stats.ttest_1samp([float(d) for d in self.differences], 0.0).confidence_interval(0.95)
            return max(-1.0, float(found.low)), min(1.0, float(found.high))
        return self.newcombe

    @property
    def newcombe(self) -> tuple[float, float]:
        """Newcombe (1998), method 10, of now - then."""
        n, b, c = len(self.tested), self.up, self.down
        a = sum(then == now == 1 for then, now in self.tested.values())
        d = n - a - b - c
        p1, p2 = (a + b) / n, (a + c) / n
        (l1, u1), (l2, u2) = wilson(a + b, n), wilson(a + c, n)
        margins, product = (a + b) * (c + d) * (a + c) * (b + d), a * d - b * c
        corrected = max(product - n / 2, 0) if product > 0 else product
        phi = corrected / math.sqrt(margins) if margins else 0.0
        down = math.sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
        up = math.sqrt((u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2)
        return max(-1.0, p1 - p2 - down), min(1.0, p1 - p2 + up)

    @property
    def bootstrap(self) -> tuple[float, float]:
        """The 2.5% and 97.5% points of the mean of n cases drawn with replacement, by convolution instead of by drawing."""
        n, single = len(self.differences), Counter(self.differences)
        chances: dict[Fraction, float] = {Fraction(0): 1.0}
        for _ in range(n):
            after: dict[Fraction, float] = {}
            for total, chance in chances.items():
                for difference, number in single.items():
                    after[total + difference] = after.get(total + difference, 0.0) + chance * number / n
            chances = after
        ordered = sorted(chances)
        reached = list(itertools.accumulate(chances[total] for total in ordered))
        low, high = (next(t for t, so_far in zip(ordered, reached, strict=True) if so_far >= at) for at in (0.025, 0.975))
        return float(low / n), float(high / n)

    @property
    def smallest(self) -> float | None:
        """Six cases must fall, at .05, each by at least one attempt's share."""
        n = len(self.tested)
        return None if n < 6 else 6 / (n * (self.attempts if self.repeated else 1))

    @property
    def detectable(self) -> float | None:
        """The true drop that is found four times in five."""
        if self.smallest is None:
            return None
        if self.repeated:
            differences = [float(d) for d in self.differences]
            se = statistics.stdev(differences) / math.sqrt(len(differences))
            return min(1.0, max(self.smallest, (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * se))
        return detectable(len(self.tested), (self.down + self.up) / len(self.tested))


@cache
def detectable(n: int, flipping: float) -> float | None:
    """The smallest true drop that exact McNemar finds with power .8, summed over all numbers of flips and falls; by halving."""
    critical = {m: [k for k in range(m + 1) if 2 * k > m and stats.binomtest(k, m).pvalue <= 0.05] for m in range(1, n + 1)}

    def power(drop: float) -> float:
        share = min(1.0, max(flipping, drop))
        falling = (share + drop) / (2 * share)
        flips = stats.binom(n, share).pmf(range(n + 1))
        return sum(flips[m] * stats.binom(m, falling).pmf(ks).sum() for m, ks in critical.items() if ks)

    low, high = 0.0, 1.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= 0.8 else (middle, high)
    return high


def change(now: Run, then: Run, of: str = "correct") -> Change:
    """``of``: ``correct``, or ``passed`` for the pass rate."""
    repeated = bool(now.again) and bool(then.again)

    def held(run: Run, case: Record) -> list[bool]:
        attempts = [case, *(run.again.get(case["case_id"], ()) if repeated else ())]
        return [status(a) == "passed" if of == "passed" else bool(a["correct"]) for a in attempts if decided(a)]

    both = [pair for pair in pairs(now, then) if pair.both]
    verdicts = {pair.now["case_id"]: (held(then, pair.then), held(now, pair.now)) for pair in both}
    means = {case: (Fraction(sum(a), len(a)), Fraction(sum(b), len(b))) for case, (a, b) in verdicts.items()}
    edited = {pair.now["case_id"] for pair in both if pair.edited}
    return Change(
        repeated,
        sum((a for a, _ in means.values()), Fraction(0)) / len(means),
        sum((b for _, b in means.values()), Fraction(0)) / len(means),
        means,
        {case: mean for case, mean in means.items() if case not in edited},
        max((max(len(a), len(b)) for case, (a, b) in verdicts.items() if case not in edited), default=0),
    )


@dataclass(frozen=True)
class Delta:
    """A measure then and now over the cases that both runs decided."""

    then: Measure
    now: Measure
    change: Change | None
    slow: bool
    """It is the 95th percentile."""

    @property
    def delta(self) -> float:
        assert self.then.value is not None and self.now.value is not None
        return self.change.delta if self.change else self.now.value - self.then.value

    @property
    def text(self) -> str:
        return words.delta(self.delta, self.now.unit, self.then.value)

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """The paired one, else of a rate Newcombe's of two independent shares."""
        if self.change is not None:
            return self.change.interval
        a, b = self.now, self.then
        if a.unit != "rate" or a.low is None or a.high is None or b.low is None or b.high is None:
            return (None, None)
        assert a.value is not None and b.value is not None
        down = ((a.value - a.low) ** 2 + (b.high - b.value) ** 2) ** 0.5
        up = ((a.high - a.value) ** 2 + (b.value - b.low) ** 2) ** 0.5
        return (max(-1.0, self.delta - down), min(1.0, self.delta + up))

    @property
    def _small(self) -> bool:
        n, size, before = min(self.then.n, self.now.n), abs(self.delta), abs(self.then.value or 0.0)
        if self.now.unit in ("rate", "score"):
            return n < 5 or size <= 0.02 + 1e-12 or size * n <= 1 + 1e-9
        return n < (20 if self.slow else 5) or size <= 0.05 * before + 1e-12 or (self.now.unit == "ms" and size < 1)

    @property
    def word(self) -> str:
        if abs(self.delta) < 1e-12:
            return "same"
        low, high = self.interval
        if low <= 0 <= high if low is not None and high is not None else self._small:
            return "within noise"
        return "better" if (self.delta > 0) == (self.now.better == "higher") else "worse"


def deltas(now: Run, then: Run) -> dict[str, Delta]:
    both = [pair for pair in pairs(now, then) if pair.both]
    same = len(both) == len(now.counted()) == len(then.counted())
    before = measures(then.counted() if same else [pair.then for pair in both])
    after = measures(now.counted() if same else [pair.now for pair in both])
    found = {}
    for name in after:
        a, b = before[name], after[name]
        if a.value is None or b.value is None:
            continue
        moved = change(now, then, "passed" if name == "Pass rate" else "correct") if name in ("Correctness", "Pass rate") else None
        if moved is not None and moved.repeated:
            n = len(moved.shares)
            a, b = (Measure(float(share), n, "rate", "higher") for share in (moved.then, moved.now))
        found[name] = Delta(a, b, moved, name == "Latency p95")
    return found


def matrix(now: Run, then: Run) -> dict[tuple[str, str], int]:
    """Counts of cases by what they were and are; those of one run only are ``new`` and ``missing`` (or ``not_selected``)."""
    moves = [(status(pair.then), status(pair.now)) for pair in pairs(now, then)]
    moves += [("new", status(case)) for case in new(now, then)]
    moves += [(status(case), "not_selected" if now.head["selection"]["filter"] else "missing") for case in gone(now, then)]
    return dict(Counter(moves))


def ratios(now: Run, then: Run, read: Callable[[Record], float | None]) -> tuple[list[tuple[str, float, float]], dict[str, int]]:
    """(case, then, now) of every case that both decided, unedited and measured; and why the others have none."""
    found, reasons = [], Counter({"in one run only": len(new(now, then)) + len(gone(now, then))})
    for pair in pairs(now, then):
        a, b = read(pair.then), read(pair.now)
        if not pair.both:
            reasons["not decided in both"] += 1
        elif pair.edited:
            reasons["definition changed"] += 1
        elif a is None or b is None:
            reasons["not measured in both"] += 1
        else:
            found.append((pair.now["case_id"], a, b))
    return found, {name: number for name, number in reasons.items() if number}


def typical(values: Sequence[tuple[str, float, float]]) -> tuple[float, float, float]:
    """Geometric mean of now / then with Student's interval of the logarithms."""
    logs = [math.log(now / then) for _, then, now in values]
    mean, se = statistics.fmean(logs), statistics.stdev(logs) / math.sqrt(len(logs))
    reach = float(stats.t.ppf(0.975, len(logs) - 1)) * se
    return math.exp(mean), math.exp(mean - reach), math.exp(mean + reach)


def holm(p_values: Sequence[float]) -> list[float]:
    return [float(p) for p in multipletests(p_values, method="holm")[1]]
