"""What pages ought to show, worked out from the stored files by other code: json, statistics, scipy and statsmodels alone.

Nothing of the product is imported. Rules are those that docs/statistics.md and docs/artifacts.md state.
"""

from __future__ import annotations

import itertools
import json
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from tests.dashboard import oracle_words as words

DECIDED = ("passed", "failed")
STATUSES = ("passed", "failed", "agent_error", "evaluator_error", "skipped", "unscored")
_REASONS = {"agent_error": "errors", "evaluator_error": "errors", "skipped": "skipped", "unscored": "unscored"}
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """One stored run: its head and its cases' records, and the further attempts of repeated cases."""

    head: Mapping[str, Any]
    cases: Sequence[Record]
    again: Mapping[str, Sequence[Record]]

    @property
    def id(self) -> str:
        return str(self.head["run_id"])

    def counted(self) -> list[Record]:
        """Candidates and quarantined cases are in no rate."""
        return [case for case in self.cases if not case.get("role")]

    def case(self, case_id: str) -> Record:
        return next(case for case in self.cases if case["case_id"] == case_id)

    def attempts(self, case_id: str) -> list[Record]:
        return [self.case(case_id), *self.again.get(case_id, ())]

    @property
    def repeated(self) -> dict[str, list[Record]]:
        return {case["case_id"]: self.attempts(case["case_id"]) for case in self.cases if case["case_id"] in self.again}


@dataclass(frozen=True)
class Folder:
    """Everything stored below one folder. ``ledger`` holds heads by agent, oldest first; ``open`` journals: head and attempts done."""

    runs: Sequence[Run]
    ledger: Mapping[str, Sequence[Mapping[str, Any]]]
    open: Sequence[tuple[Mapping[str, Any], int]]
    pinned: Mapping[tuple[str, str], str]

    def of(self, agent: str) -> list[Run]:
        return [run for run in self.runs if run.head["agent"] == agent]

    def run(self, run_id: str) -> Run:
        return next(run for run in self.runs if run.id == run_id)

    def siblings(self, run: Run) -> list[Run]:
        """Same agent, suite and selection, oldest first."""
        return [other for other in self.of(run.head["agent"]) if _kin(other.head) == _kin(run.head)]

    def baseline(self, run: Run) -> Run | None:
        """The pinned run of the agent's suite; of the pinned run itself none, since nothing changes against itself."""
        pinned = self.pinned.get((run.head["agent"], run.head["suite"]["name"]))
        return self.run(pinned) if pinned and pinned != run.id else None

    def names(self) -> list[str]:
        """Names that hold digits: cases, agents, models, labels, metadata, commits. Their digits are no numbers."""
        found: set[str] = set()
        for run in self.runs:
            head = run.head
            found |= {case["case_id"] for case in run.cases} | {head["agent"], head.get("label") or "", head["parameters"]["model"]}
            found |= {head["git"]["commit"][:7], head["suite"]["hash"][:7], *head["meta"].values()}
        return sorted(name for name in found if any(letter.isdigit() for letter in name))


def _kin(head: Mapping[str, Any]) -> tuple[str, str]:
    return head["suite"]["name"], json.dumps(head["selection"]["filter"], sort_keys=True)


def read(root: Path) -> Folder:
    """The stored files below ``root/runs`` and ``root/baselines``."""
    found, ledger, going = [], {}, []
    for folder in sorted((root / "runs").iterdir()):
        for path in folder.glob("2*.json"):
            stored = json.loads(path.read_text())
            found.append(Run(stored["head"], stored["cases"], _again(folder / "flakiness" / path.name)))
        ledger[folder.name] = json.loads((folder / "history.json").read_text())["entries"]
        for path in folder.glob("journal/*.jsonl"):
            lines = path.read_text().splitlines()
            going.append((json.loads(lines[0])["head"], len(lines) - 1))
    pins = [json.loads(path.read_text())["head"] for path in (root / "baselines").glob("*.json") if "flakiness" not in path.name]
    pinned = {(head["agent"], head["suite"]["name"]): head["run_id"] for head in pins}
    return Folder(sorted(found, key=lambda run: (run.head["started_at"], run.id)), ledger, going, pinned)


def _again(path: Path) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    if path.exists():
        for attempt in json.loads(path.read_text())["attempts"]:
            found.setdefault(attempt["case_id"], []).append(attempt)
    return found


# Rates and means ------------------------------------------------------------------------------------------------------------------


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


def status(case: Record) -> str:
    return str(case["status"])


def decided(case: Record) -> bool:
    return status(case) in DECIDED


def tokens(case: Record) -> int | None:
    usage = case.get("usage")
    return None if not usage else usage["prompt_tokens"] + usage["completion_tokens"]


def fed(case: Record, what: str) -> Record | None:
    """The check that feeds a measure."""
    return next((check for check in case.get("scores", ()) if check.get("feeds") == what), None)


def score(case: Record) -> float | None:
    """Mean of the required checks' values."""
    values = [check["value"] for check in case.get("scores", ()) if check.get("required", True) and check.get("value") is not None]
    return statistics.fmean(values) if values else None


def latency(case: Record) -> float | None:
    """Of finished calls; a timeout counts at its deadline."""
    error = case.get("error")
    return None if error and error["kind"] != "timeout" else case.get("latency_ms")


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


# Two runs -------------------------------------------------------------------------------------------------------------------------


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

    @property
    def delta(self) -> float:
        assert self.then.value is not None and self.now.value is not None
        return self.change.delta if self.change else self.now.value - self.then.value

    @property
    def text(self) -> str:
        return words.delta(self.delta, self.now.unit, self.then.value)

    @property
    def word(self) -> str:
        if abs(self.delta) < 1e-12:
            return "same"
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
        found[name] = Delta(a, b, moved)
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


# Repeats --------------------------------------------------------------------------------------------------------------------------


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


def number_read(case: Record) -> float | None:
    check = fed(case, "correctness")
    return check["evidence"].get("value") if check and check.get("evidence") else None


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


def holm(p_values: Sequence[float]) -> list[float]:
    return [float(p) for p in multipletests(p_values, method="holm")[1]]
