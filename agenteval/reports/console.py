"""A run and its verdict as plain text for a terminal or a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agenteval import _format
from agenteval._text import clip, plain
from agenteval.compare.judge_note import judge_note
from agenteval.compare.variance import VarianceSplit
from agenteval.model.comparison import Comparison, MetricDelta, PairedTest
from agenteval.model.flakiness import CaseFlakiness
from agenteval.model.gates import GateOutcome, GateResult
from agenteval.model.run import Measure, Run
from agenteval.model.status import Status
from agenteval.reports.costs import variance_text

SHOWN_CASES = 20
"""Cases that did not pass are listed up to here; the rest is a count."""
WORDS = {
    GateOutcome.PASS: "PASS",
    GateOutcome.FAIL: "FAIL",
    GateOutcome.INCONCLUSIVE: "INCONCLUSIVE",
    GateOutcome.NOT_EVALUATED: "NO VERDICT",
}
_NAMES = {
    "correctness_rate": "correctness",
    "pass_rate": "pass rate",
    "hallucination_rate": "hallucination",
    "tool_call_accuracy": "tool accuracy",
    "trajectory_f1_avg": "trajectory F1",
    "tool_efficiency_avg": "tool efficiency",
    "context_relevance_avg": "context relevance",
    "faithfulness_avg": "faithfulness",
    "unsupported_claim_rate_avg": "unsupported claims",
    "citation_f1_avg": "citation F1",
    "retrieval_f1_avg": "retrieval F1",
    "latency_p50_ms": "latency p50",
    "latency_p95_ms": "latency p95",
    "total_cost_usd": "cost",
    "total_tokens": "tokens",
    "judge_cost_usd": "judge cost",
    "break_rate": "break rate",
    "context_retention_rate": "context retention",
    "judged_pass_rate_corrected": "judged, corrected",
}
_STATUS_WORDS = {
    Status.FAILED: "failed",
    Status.AGENT_ERROR: "agent error",
    Status.EVALUATOR_ERROR: "evaluator error",
    Status.SKIPPED: "skipped",
    Status.UNSCORED: "unscored",
}


def metric_name(name: str) -> str:
    """A metric's name as shown to people; names of later versions are shown as they are."""
    return _NAMES.get(name, name.replace("_", " "))


def run_text(
    run: Run,
    comparison: Comparison,
    flakiness: Sequence[CaseFlakiness] = (),
    *,
    variance: VarianceSplit | None = None,
    quiet: bool = False,
    every_gate: bool = False,
) -> str:
    """The run's outcomes, measures, gates and verdict, the sentence and the next command last.

    ``quiet`` leaves the verdict alone; ``every_gate`` writes out the gates that passed too.
    """
    verdict = [*verdict_lines(comparison), *unsteady_lines(flakiness)]
    if quiet:
        return "\n".join(verdict)
    head = run.head
    parts: list[Sequence[str]] = [
        [f"run {head.run_id}  {plain(head.suite.name)}  {plain(head.agent)}  {head.status.value}", counts_line(head.counts)],
        metric_lines(head.metrics, comparison.metrics),
        [f"  note: {note}"] if (note := judge_note(head.metrics, comparison.verdict)) else [],
        unpassed_lines(run),
    ]
    if head.repeats is not None:
        parts.append([*repeat_lines(run), *([] if variance is None else [f"  {variance_text(variance)}"])])
    parts.append(gate_lines(comparison.verdict.gates) if every_gate else folded_gate_lines(comparison.verdict.gates))
    parts.append([*verdict, *next_lines(run, comparison)])
    return "\n\n".join("\n".join(part) for part in parts if part)


def counts_line(counts: Mapping[str, int]) -> str:
    """How many cases ended how, in words; zeros are left out."""
    words = [f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items() if number]
    return ", ".join(words) or "no cases"


def metric_lines(metrics: Mapping[str, Measure], deltas: Sequence[MetricDelta]) -> list[str]:
    """One line a measured metric: name, value with n and interval, and the change against the baseline where there is one."""
    changes = {delta.name: delta for delta in deltas}
    lines = []
    for name, measure in metrics.items():
        if measure.value is None:
            continue
        line = f"  {metric_name(name):<18} {_format.measure(measure)}"
        change = changes.get(name)
        if change is not None:
            line = f"{line}   {_change(change)}{_in_pairs(measure, change)}"
        lines.append(line.rstrip())
    return lines


def _change(change: MetricDelta) -> str:
    if change.delta is None:
        return change.note
    before = change.baseline.value if change.baseline is not None else None
    unit = change.current.unit if change.current is not None else "score"
    moved = _format.delta(change.delta, unit, before)
    word = "" if change.direction in ("same", "unknown") else f" ({change.direction})"
    return f"{moved}{word} from {_format.value(before, unit)}"


def _in_pairs(measure: Measure, change: MetricDelta) -> str:
    """The compared figure, where averaged repeats or unpaired cases make it differ from the run's own."""
    current = change.current
    if change.delta is None or current is None or current.value is None or measure.value is None:
        return ""
    return f" to {_format.value(current.value, current.unit)} over the paired cases" if abs(current.value - measure.value) > 1e-9 else ""


def unpassed_lines(run: Run) -> list[str]:
    """Cases that did not pass, each with its first reason."""
    rows = [row for row, outcome in enumerate(run.outcomes) if outcome.status not in (Status.PASSED, Status.UNSCORED)]
    lines = []
    for row in rows[:SHOWN_CASES]:
        attempt = run.cases[row]
        role = f" ({attempt.role.value})" if attempt.role else ""
        lines.append(f"  {_STATUS_WORDS[attempt.status]:<15} {plain(attempt.case_id)}{role}  {plain(clip(attempt.reason, 140))}".rstrip())
    if len(rows) > SHOWN_CASES:
        lines.append(f"  and {len(rows) - SHOWN_CASES:,} more: agenteval runs show {run.head.run_id}")
    return lines


def repeat_lines(run: Run) -> list[str]:
    """pass^k and pass@k of the repeated cases."""
    repeats = run.head.repeats
    if repeats is None:
        return []
    lines = [f"  repeats: {_format.count(repeats.cases, 'case')} x {repeats.k} attempts"]
    for sign, meaning, figures in (("pass^k", "all of k pass", repeats.pass_hat_k), ("pass@k", "one of k passes", repeats.pass_at_k)):
        shown = "  ".join(f"k={k} {_format.rate(value)}" for k, value in figures.items())
        lines.append(f"  {sign} ({meaning}, n {repeats.cases}): {shown}")
    if repeats.clustered_se is not None:
        lines.append(f"  clustered standard error of pass^1: {_format.points(repeats.clustered_se).lstrip('+')}")
    return lines


_FAILED_FIRST = (GateOutcome.FAIL, GateOutcome.INCONCLUSIVE, GateOutcome.PASS, GateOutcome.NOT_EVALUATED)


def gate_lines(gates: Sequence[GateResult]) -> list[str]:
    """One line a gate, outcome and message, those that did not pass first."""
    ordered = sorted(gates, key=lambda gate: _FAILED_FIRST.index(gate.outcome))
    return [f"  {_gate_word(gate.outcome):<13} {plain(gate.message)}" for gate in ordered]


def folded_gate_lines(gates: Sequence[GateResult]) -> list[str]:
    """Gates that did not pass, each on its line; the others by name."""
    told = [gate for gate in gates if gate.outcome in (GateOutcome.FAIL, GateOutcome.INCONCLUSIVE)]
    lines = gate_lines(told)
    for outcome in (GateOutcome.PASS, GateOutcome.NOT_EVALUATED):
        names = [gate.gate for gate in gates if gate.outcome is outcome]
        if names:
            lines.append(f"  {_gate_word(outcome):<13} {', '.join(names)}")
    return lines


def unsteady_lines(flakiness: Sequence[CaseFlakiness]) -> list[str]:
    """Repeated cases that passed in some attempts and not in others; nothing where all agree."""
    unsteady = [case for case in flakiness if 0 < case.passed < case.total]
    if not unsteady:
        return []
    named = [f"{plain(case.case_id)} ({case.passed} of {case.total} passed)" for case in unsteady]
    return [f"flaky: {_format.of(len(unsteady), len(flakiness), 'repeated case')}: {_format.joined(named, 5)}"]


def _gate_word(outcome: GateOutcome) -> str:
    return "not evaluated" if outcome is GateOutcome.NOT_EVALUATED else WORDS[outcome]


def verdict_lines(comparison: Comparison) -> list[str]:
    """The verdict in one line."""
    return [f"{WORDS[comparison.verdict.outcome]}  {plain(comparison.verdict.sentence)}"]


def next_lines(run: Run, comparison: Comparison) -> list[str]:
    """A command to copy for what to do next."""
    head = run.head
    if head.status.value in ("interrupted", "stopped") and head.parameters.get("rescored"):
        return [f"next: agenteval rescore {_quoted(str(head.parent))}"]
    if head.status.value in ("interrupted", "stopped"):
        return ["next: agenteval run ... --resume   (the same command with --resume goes on)"]
    unpassed = [
        outcome.case_id for outcome in run.outcomes if outcome.status not in (Status.PASSED, Status.UNSCORED) and outcome.role is None
    ]
    if unpassed:
        return [f"next: agenteval trace {head.run_id} --case-id {_quoted(unpassed[0])}"]
    if comparison.baseline is None:
        return ["next: agenteval baseline set latest"]
    return ["next: agenteval dashboard"]


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(plain(text))


def comparison_text(comparison: Comparison) -> str:
    """A comparison for a terminal: which runs, what changed, metrics then and now, gates, and the verdict last."""
    head = comparison.current
    against = f"against {comparison.baseline.run_id}" if comparison.baseline else "without a baseline"
    parts: list[Sequence[str]] = [
        [f"run {head.run_id} {against}  {plain(head.suite.name)}  {plain(head.agent)}"],
        metric_lines(head.metrics, comparison.metrics),
        changed_lines(comparison),
        tested_lines(comparison),
        [f"  note: {plain(note)}" for note in comparison.notes],
        gate_lines(comparison.verdict.gates),
        verdict_lines(comparison),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


_CHANGES = ("regressed", "errored", "missing", "new", "changed_definition", "no_verdict", "improved", "recovered")


def changed_lines(comparison: Comparison) -> list[str]:
    """Cases that changed, the worst kinds first."""
    changed = [case for kind in _CHANGES for case in comparison.of_kind(kind) if case.before != case.after or kind == "changed_definition"]
    lines = []
    for case in changed[:SHOWN_CASES]:
        moved = " -> ".join((status or "absent").replace("_", " ") for status in (case.before, case.after))
        lines.append(f"  {case.kind.replace('_', ' '):<18} {plain(case.case_id)}  {moved}  {plain(clip(case.reason, 140))}".rstrip())
    if len(changed) > SHOWN_CASES:
        lines.append(f"  and {len(changed) - SHOWN_CASES:,} more; --json lists all")
    return lines


def tested_lines(comparison: Comparison) -> list[str]:
    """The paired test of correctness in one line; nothing where there is none."""
    tested = tested_text(comparison.test)
    return [f"  {tested}"] if tested else []


def tested_text(test: PairedTest | None) -> str:
    """A paired test in words: counts, p-values, interval, and what it could have found; "" where nothing was tested."""
    if test is None or test.p is None:
        return ""
    counts = f"{test.regressed} regressed, {test.improved} improved of {_format.count(test.n_pairs, 'pair')}"
    parts = [f"{test.method}: {counts}, {_format.p_value(test.p)}"]
    if test.mid_p is not None:
        parts.append(f"mid-{_format.p_value(test.mid_p)}")
    if test.t_p is not None:
        parts.append(f"paired t {_format.p_value(test.t_p)}")
    if test.newcombe_low is not None:
        parts.append(f"Newcombe 95% {_format.points_interval(test.newcombe_low, test.newcombe_high)}")
    if test.minimum_detectable_drop is not None:
        share = f" if {_format.rate(test.changed_share)} of cases change" if test.changed_share is not None else ""
        parts.append(f"a drop of {_format.points(test.minimum_detectable_drop).lstrip('+')} would be found with power 0.8{share}")
    return "; ".join(parts)
