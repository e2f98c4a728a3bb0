"""What the figures ought to draw: for each its arrays, by the name of the trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.dashboard import oracle
from tests.dashboard.oracle import Record, Run, decided, models, runs, status
from tests.dashboard.oracle import case as of_case
from tests.dashboard.oracle import trends as of_trends
from tests.dashboard.oracle.said import Seen
from tests.dashboard.oracle.words import count, ms, score

Arrays = Mapping[str, Mapping[str, Any]]
"""Name of a trace, then ``x``, ``y``, ``z``, ``up``, ``down`` (reach of an error bar), ``case`` (of its marks)."""

_GATES = {"Hallucination": 0.1, "Tool accuracy": 0.9}
FILLS = ("passed", "failed", "agent_error", "evaluator_error", "skipped", "unscored")


def trends(seen: Seen) -> dict[str, Arrays]:
    known = of_trends.rows(seen)
    before = oracle.measures(seen.then.counted()) if seen.then else {}
    found: dict[str, Arrays] = {}
    for title, item in of_trends.series(seen).items():
        places = list(range(len(known)))
        traces: dict[str, Any] = {"value": {"x": places, "y": [m.value for m in item.measures]}}
        if item.unit == "rate":
            ends = [m.high for m in item.measures] + [m.low for m in reversed(item.measures)]
            traces["95% interval"] = {"x": places + places[::-1], "y": ends}
        here = next(place for place, row in enumerate(known) if row.run_id == seen.run.id)
        traces["chosen run"] = {"x": [here], "y": [item.measures[here].value]}
        old = before[title].value if title in before else None
        gate = _GATES.get(title, old - 0.05 if title == "Correctness" and old is not None else None)
        lines = [*([old] if old is not None else []), *([gate] if gate is not None else [])]
        levels = [end for level in item.levels for end in (level.before, level.after)]
        traces["lines"] = {"y": [*lines, *levels]}
        found[f"{title} over {count(len(known), 'run')}"] = traces
    return found


def outcome_rows(seen: Seen) -> tuple[str, list[list[int | None]], dict[tuple[str, str], str]]:
    """The figure of cases over runs: its name, its rows of statuses in any order, and the status of every mark (case, run)."""
    ids = [row.run_id for row in of_trends.rows(seen) if row.run]
    cases = [case for case in of_trends.histories(seen) if case.troubled]
    rows = [[None if found is None else FILLS.index(found) for found in case.statuses] for case in cases]
    marks = {
        (case.case_id, run): found for case in cases for run, found in zip(ids, case.statuses, strict=True) if found not in (None, "passed")
    }
    return f"Outcome of {count(len(cases), 'case')} in {count(len(ids), 'run')}", rows, marks  # type: ignore[return-value]


def sparks(seen: Seen) -> dict[str, list[float]]:
    """The lines of the Overview's cards: the measure in every comparable stored run up to this one."""
    before = [run for run in seen.folder.siblings(seen.run) if run.head["started_at"] <= seen.run.head["started_at"]]
    held = [oracle.measures(run.counted()) for run in before]
    lines = {title: [m[title].value for m in held if m[title].value is not None] for title in of_trends.NAMES}
    return {title: line if len(line) > 1 else [] for title, line in lines.items()}  # type: ignore[misc]


def forests(run: Run, then: Run) -> dict[str, Arrays]:
    families: dict[str, dict[str, Any]] = {"Rates, in points": {}, "Scores, from 0 to 1": {}, "Time, cost and tokens, in percent": {}}
    for title, moved in oracle.deltas(run, then).items():
        if moved.word == "same":
            continue
        unit, before = moved.now.unit, moved.then.value
        family = {"rate": "Rates, in points", "score": "Scores, from 0 to 1"}.get(unit, "Time, cost and tokens, in percent")
        scale = {"rate": 100.0, "score": 1.0}.get(unit, 100 / before if before else 1.0)
        arrays = {"x": [moved.delta * scale]}
        low, high = moved.interval
        if low is not None and high is not None:
            arrays |= {"up": [(high - moved.delta) * scale], "down": [(moved.delta - low) * scale]}
        families[family][of_trends.NAMES[title]] = arrays
    for name, read in (("latency_ms", _latency), ("cost_usd", _cost), ("tokens", oracle.tokens)):
        values, _ = oracle.ratios(run, then, read)
        if values:
            middle, low, high = oracle.typical(values)
            if abs(middle - 1) > 1e-9:
                arrays = {"x": [(middle - 1) * 100], "up": [(high - middle) * 100], "down": [(middle - low) * 100]}
                families["Time, cost and tokens, in percent"][f"typical_{name}"] = arrays
    return {f"Changes with intervals: {family}": traces for family, traces in families.items() if traces}


def _latency(case: Record) -> float | None:
    return case.get("latency_ms")


def _cost(case: Record) -> float | None:
    return case.get("cost_usd")


def points(run: Run, then: Run) -> dict[str, dict[str, tuple[float, float]]]:
    """(then, now) by case of the two scatters of Compare."""
    found = {}
    for title, read in (("Latency", _latency), ("Cost", _cost)):
        values, _ = oracle.ratios(run, then, read)
        found[f"{title} of each case, now against then"] = {case: (before, now) for case, before, now in values}
    return {name: cases for name, cases in found.items() if cases}


def run_figures(run: Run) -> dict[str, Arrays]:
    """Latencies, bill and tags of the page Runs."""
    times = sorted((latency, case["case_id"]) for case in run.counted() if (latency := oracle.latency(case)) is not None)
    values = [latency for latency, _ in times]
    n = len(values)
    reached = [(place + 1) / n for place in range(n)]
    steps = dict(zip(values, reached, strict=True))  # of equal latencies the last share is the one reached
    p50, p95 = (oracle.percentile(values, percent) for percent in (50, 95))
    slow = min(12, n)
    latency = {
        "share": {"x": [values[0], *steps], "y": [0.0, *steps.values()]},
        "slowest": {"x": values[-slow:], "y": reached[-slow:]},
        "lines": {"x": [p50, p95]},
    }
    spent = runs.bill(run)
    top, rest = spent[:15], spent[15:]
    ends = [*(share for _, _, share in top), *(share for _, _, share in rest[-1:])]
    rows = list(range(len(ends)))
    costs = {
        "amount": {"x": [*(cost for _, cost, _ in top), *(0.0 for _ in rest[-1:])], "y": rows, "case": [case for case, _, _ in top]},
        "share so far": {"x": ends, "y": rows},
    }
    rates = [passed for _, cases in runs.tags(run) if (passed := oracle.measures(cases)["Pass rate"]).value is not None]
    tags = {
        "pass rate": {
            "x": [rate.value for rate in rates],
            "y": list(range(len(rates))),
            "up": [(rate.high or 0) - (rate.value or 0) for rate in rates],
            "down": [(rate.value or 0) - (rate.low or 0) for rate in rates],
        }
    }
    named = {f"Latency of {n} calls: p50 {ms(p50)}, p95 {ms(p95)}": latency, "The cases that make up the cost": costs}
    tagged = any(case.get("tags") for case in run.counted())
    return {**named, **({"Pass rate by tag with its interval": tags} if tagged else {})}


_WORST = ("evaluator_error", "failed", "skipped", "passed")
_KINDS = ("passed", "failed", "agent_error", "evaluator_error", "skipped", "unscored", "observed", "not_applicable")
_ORDER = ("agent_error", "evaluator_error", "failed", "skipped", "unscored", "passed")


def checks(run: Run) -> tuple[list[str], list[str], list[list[int | None]], dict[tuple[int, int], str]]:
    """The heatmap of the page Runs: cases, checks, fills, and the number in a cell whose score is neither 0 nor 1."""
    cases = sorted(run.cases, key=lambda case: (_ORDER.index(status(case)), _or_one(oracle.score(case))))[:25]
    made = [check["name"] for case in cases for check in _all_checks(case)]
    columns = ["verdict", *dict.fromkeys(made)]
    fills: list[list[int | None]] = []
    texts: dict[tuple[int, int], str] = {}
    for row, case in enumerate(cases):
        line: list[int | None] = [None] * len(columns)
        line[0] = _KINDS.index(status(case))
        for name in dict.fromkeys(check["name"] for check in _all_checks(case)):
            found = min((check for check in _all_checks(case) if check["name"] == name), key=lambda check: _WORST.index(_kind(check)))
            column = columns.index(name)
            line[column] = _KINDS.index(_kind(found))
            if found.get("value") not in (None, 0.0, 1.0):
                texts[column, row] = score(found["value"]).lstrip("0")
        fills.append(line)
    return [case["case_id"] for case in cases], columns, fills, texts


def _or_one(value: float | None) -> float:
    return 1.0 if value is None else round(value, 6)


def _all_checks(case: Record) -> list[Record]:
    return [check for part in (case, *case.get("turns", ())) for check in part.get("scores", ())]


def _kind(check: Record) -> str:
    if check.get("error"):
        return "evaluator_error"
    return "skipped" if check.get("skipped") else "passed" if check["passed"] else "failed"


def flakiness(run: Run) -> dict[str, Arrays]:
    hat, at = oracle.curve(run, every=True), oracle.curve(run, every=False)
    curves = {}
    for name, found, shift in (("pass@k", at, 0.035), ("pass^k", hat, -0.035)):
        curves[name] = {
            "x": [point.k + shift for point in found],
            "y": [point.value for point in found],
            "up": [point.high - point.value for point in found],
            "down": [point.value - point.low for point in found],
        }
    return {"pass^k and pass@k over k, with intervals": curves}


def steady_marks(run: Run) -> dict[str, tuple[float, float]]:
    """(pass rate, consistency) by case."""
    return {item.case_id: (item.passed / item.total, item.share) for item in oracle.steadiness(run)}


def numbers(run: Run) -> dict[tuple[str, int], float]:
    """The numbers of cases whose attempts differ in them, by case and attempt."""
    found = {}
    for case_id, attempts in run.repeated.items():
        read = {(case_id, a.get("repetition", 0)): number for a in attempts if decided(a) and (number := oracle.number_read(a)) is not None}
        found |= read if len(set(read.values())) > 1 else {}
    return found


def cost_quality(contenders: Sequence[Run]) -> dict[str, Mapping[str, Any]]:
    """By agent: cost, correctness, and the reach of both intervals."""
    found = {}
    for run in contenders:
        cost, low, high = models.mean_cost(run)
        right = oracle.measures(run.counted())["Correctness"]
        found[run.head["agent"]] = {
            "x": [cost],
            "y": [right.value],
            "up": [(right.high or 0) - (right.value or 0)],
            "down": [(right.value or 0) - (right.low or 0)],
            "right": [high - cost],
            "left": [cost - low],
        }
    return found


def waterfall(shown: Record) -> Mapping[str, Any]:
    """Bars of the steps: where they begin, how long they are (a sliver where too short to be seen)."""
    found = of_case.steps(shown)
    first = min(step["timestamp_ms"] for step in found)
    span = max(max(step["timestamp_ms"] + step["duration_ms"] for step in found) - first, 1.0)
    return {
        "x": [max(step["duration_ms"], span / 250) for step in found],
        "base": [step["timestamp_ms"] for step in found],
        "y": list(range(len(found))),
    }
