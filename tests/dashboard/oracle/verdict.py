"""The default gates, the verdict's sentence, and what pages tell of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.dashboard import oracle
from tests.dashboard.oracle import Change, Run, decided, status
from tests.dashboard.oracle.said import Said
from tests.dashboard.oracle.words import (
    count,
    joined,
    of,
    p_value,
    points,
    rate,
    value,
)


@dataclass(frozen=True)
class Gate:
    name: str
    holds: bool | None
    message: str


def _by_cases(name: str, failing: Sequence[str], whole: int, what: str) -> Gate:
    return Gate(name, not failing, f"{name}: {of(len(failing), whole)} {what}{': ' + joined(failing, 5) if failing else ''}")


def gates(now: Run, then: Run | None) -> list[Gate]:
    """The default limits on this run, and against the baseline."""
    counted = now.counted()
    held = oracle.measures(counted)
    before = oracle.measures(then.counted()) if then else {}
    found = [Gate(name, None, f"{name}: not evaluated, no baseline") for name in ("max_correctness_drop", "fail_on_missing")]
    if then is not None:
        moved = oracle.change(now, then)
        drop = moved.then - moved.now
        told = f"correctness_rate {rate(float(moved.now))}, {points(-float(drop))} over {count(len(moved.shares), 'case')}"
        tail = could_have_shown(moved) if 20 * drop <= 1 else f"{p_value(moved.p)} ({moved.method})"
        message = f"max_correctness_drop: {told}, limit −5 pts, baseline {rate(float(moved.then))}; {tail}"
        missing = [] if now.head["selection"]["filter"] else [case["case_id"] for case in oracle.gone(now, then)]
        whole = len(missing) + len(oracle.pairs(now, then))
        found = [
            Gate("max_correctness_drop", 20 * drop <= 1, message),
            _by_cases("fail_on_missing", missing, whole, "cases of the baseline missing"),
        ]
    else:
        failed = [case["case_id"] for case in counted if status(case) == "failed"]
        found.append(_by_cases("every_case_passes", failed, sum(map(decided, counted)), "decided cases failed"))
    for gate, metric, title, limit in (
        ("max_hallucination_rate", "hallucination_rate", "Hallucination", 0.1),
        ("min_tool_accuracy", "tool_call_accuracy", "Tool accuracy", 0.9),
    ):
        measure = held[title]
        if measure.value is None:
            continue
        old = before.get(title)
        known = f", baseline {value(old.value, old.unit)}" if old and old.value is not None else ""
        holds = measure.value <= limit if gate.startswith("max") else measure.value >= limit
        written = value(measure.value, measure.unit)
        if not holds and written == value(limit, measure.unit):
            written = f"{measure.value:.3f}" if measure.unit == "score" else f"{100 * measure.value:.1f}%"  # not what it misses
        told = f"{metric} {written} ({measure.evidence}), limit {value(limit, measure.unit)}{known}"
        found.append(Gate(gate, holds, f"{gate}: {told}"))
    for gate, name, what in (
        ("fail_on_agent_error", "agent_error", "cases with an agent error"),
        ("fail_on_evaluator_error", "evaluator_error", "cases with an evaluator error"),
        ("fail_on_skipped", "skipped", "cases skipped"),
    ):
        found.append(_by_cases(gate, [case["case_id"] for case in counted if status(case) == name], len(counted), what))
    critical = [case for case in counted if case.get("critical")]
    if critical:
        failing = [case["case_id"] for case in critical if status(case) not in ("passed", "unscored")]
        found.append(_by_cases("critical_tags", failing, len(critical), "critical cases did not pass"))
    return found


def could_have_shown(moved: Change) -> str:
    if moved.detectable is not None:
        return f"the smallest drop this suite would have shown is {points(moved.detectable).lstrip('+')}"
    return f"{count(len(moved.tested), 'paired case')} can show no drop, however large"


def sentence(now: Run, then: Run | None) -> str:
    found = gates(now, then)
    failed = [gate for gate in found if gate.holds is False]
    judged = sum(map(decided, now.counted()))
    if then is None:
        return _alone(failed, judged)
    moved = oracle.change(now, then)
    fell = f"{of(len(moved.fell), len(moved.shares))} {'fell in the mean' if moved.repeated else 'regressed'}"
    told = f"{fell}, {p_value(moved.p)}: {joined(moved.fell)}"
    if failed and failed[0].name == "max_correctness_drop":
        others = joined([gate.name for gate in failed[1:]])
        return f"worse than the baseline: {told}{'; also failed: ' + others if others else ''}"
    if failed:
        more = f"; and {count(len(failed) - 2, 'more gate')}" if len(failed) > 2 else ""
        messages = "; ".join(gate.message.partition(": ")[2] for gate in failed[:2])
        return f"failed: {messages}{more}{'; ' + told if moved.fell else ''}"
    undecided = Counter(status(case) for case in now.counted() if not decided(case))
    beside = ", ".join(f"{number} {name}" for name, number in undecided.items())
    beside = f"; left out: {beside}" if beside else ""
    if not moved.fell and not moved.rose:
        return f"no worse than the baseline: all {len(moved.shares)} cases as before, {rate(float(moved.now))} correct{beside}"
    rose = f"{len(moved.rose)} {'rose' if moved.repeated else 'improved'}"
    names = f": {joined(moved.fell)}" if moved.fell else ""
    return f"no worse than the baseline: {fell}, {rose}{names}; {could_have_shown(moved)}{beside}"


def _alone(failed: Sequence[Gate], judged: int) -> str:
    if not failed:
        return f"no baseline: all {judged} decided cases pass"
    cases = next((gate for gate in failed if gate.name == "every_case_passes"), None)
    others = [gate for gate in failed if gate is not cases]
    if cases is None:
        more = f"; and {count(len(others) - 2, 'more gate')}" if len(others) > 2 else ""
        return "no baseline: " + "; ".join(gate.message.partition(": ")[2] for gate in others[:2]) + more
    names = cases.message.rpartition(": ")[2]
    number = int(cases.message.split(": ")[1].split(" of ")[0])
    shown = joined(_names(names, number))
    also = f"; also failed: {joined([gate.name for gate in others])}" if others else ""
    return f"no baseline: every case must pass; {of(number, judged)} failed: {shown}{also}"


def _names(listed: str, number: int) -> list[str]:
    known = listed.split(" and ")[0].split(", ")
    return known + ["…"] * (number - len(known))


def gate_lines(now: Run, then: Run | None) -> Said:
    said = sentence(now, then)
    untold = [gate for gate in gates(now, then) if gate.holds is False and gate.message.partition(": ")[2] not in said]
    more: Said = [("more gate", count(len(untold) - 6, "more gate"))] if len(untold) > 6 else []
    return [(gate.name, gate.message) for gate in untold[:6]] + more


def all_gates(now: Run, then: Run | None) -> Said:
    found = gates(now, then)
    return [("All gates", f"({len(found)})"), *((gate.name, gate.message) for gate in found)]


def why_counts_differ(run: Run, then: Run) -> Said:
    moved = oracle.change(run, then)
    fell = [pair for pair in oracle.pairs(run, then) if pair.both and not pair.edited]
    regressed = sum(status(pair.then) == "passed" and status(pair.now) == "failed" for pair in fell)
    if regressed == moved.down or not any(_differs(pair) for pair in oracle.pairs(run, then)):
        return []
    return [("went from passed to failed", f"{count(regressed, 'case')} went; which fell in {moved.down}")]


def _differs(pair: oracle.Pair) -> bool:
    return status(pair.then) != status(pair.now)
