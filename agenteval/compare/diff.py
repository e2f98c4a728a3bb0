"""Two runs become a comparison with a verdict; a run without a baseline is judged alone."""

from __future__ import annotations

from agenteval._format import count, joined
from agenteval.compare.baseline_gates import DROPS, adjusted_p
from agenteval.compare.deltas import metric_deltas, own_metrics
from agenteval.compare.drops import RateChange, rate_changes
from agenteval.compare.evidence import Evidence
from agenteval.compare.gates import judge_gates
from agenteval.compare.judge_note import judge_note
from agenteval.compare.pairing import Pairing, matrix_of, pair_cases, transitions
from agenteval.compare.verdict import verdict_of
from agenteval.errors import InputError, Problem
from agenteval.model.comparison import Comparison
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run
from agenteval.model.status import Status


def compare_runs(current: Run, baseline: Run | None, limits: GateLimits | None = None) -> Comparison:
    """Pair two runs of one suite case by case, test the change, apply the gates and give the verdict.

    Without a baseline the gates on this run must hold and every decided case must pass; gates against the baseline say "not
    evaluated". The result does not depend on the order of cases.

    Raises:
        InputError: The runs are of different suites.
    """
    chosen = limits or GateLimits()
    if baseline is None:
        alone = Evidence(current, None, chosen, own_metrics(current), None, {})
        verdict = verdict_of(alone, judge_gates(alone))
        note = judge_note(current.head.metrics, verdict)
        return Comparison(current.head, None, (), (), verdict, notes=(note,) if note else ())
    _check_suites(current, baseline)
    pairing = pair_cases(current, baseline)
    changes = rate_changes(current, baseline, pairing, chosen.significance_alpha)
    evidence = Evidence(current, baseline, chosen, own_metrics(current), pairing, changes)
    adjusted = {DROPS[gate]: p for gate, p in adjusted_p(evidence).items()}
    cases = transitions(current, baseline, pairing)
    verdict = verdict_of(evidence, judge_gates(evidence))
    return Comparison(
        current.head,
        baseline.head,
        metric_deltas(current, baseline, pairing, changes, adjusted),
        cases,
        verdict,
        changes["correctness_rate"].test,
        matrix_of(cases),
        _notes(current, baseline, pairing, changes["correctness_rate"], judge_note(current.head.metrics, verdict)),
    )


def _check_suites(current: Run, baseline: Run) -> None:
    now, then = current.head, baseline.head
    if now.suite.name != then.suite.name and not now.legacy and not then.legacy:
        problem = f"is a run of suite {then.suite.name!r}, not {now.suite.name!r}"
        raise InputError(Problem(problem, "compare runs of one suite", file=f"baseline {then.run_id}"))


def _notes(current: Run, baseline: Run, pairing: Pairing, change: RateChange, judged: str) -> tuple[str, ...]:
    """What a reader must know to read the comparison right."""
    edited = [pair.now.case_id for pair in pairing.pairs if pair.changed]
    unknown = sum(not pair.definition_known for pair in pairing.pairs)
    failing = [outcome.case_id for outcome in pairing.new if outcome.status is Status.FAILED]
    undecided = len(pairing.pairs) - len(pairing.decided)
    notes = (f"{run.head.run_id}: {run.head.legacy}" for run in (baseline, current) if run.head.legacy)
    lines = [
        (judged, judged),
        (len(pairing.not_selected), f"{count(len(pairing.not_selected), 'case')} of the baseline not selected now"),
        (undecided, f"{count(undecided, 'case')} not decided in both runs, left out of rates and tests"),
        (len(edited), f"{count(len(edited), 'changed case')} left out of tests, not of rates: {joined(edited)}"),
        (unknown, f"{count(unknown, 'case')} paired by id alone: a file does not record the definition"),
        (len(failing), f"{count(len(failing), 'new case')} failing, without a baseline to gate against: {joined(failing)}"),
        (change.repeated, "tested over the means of repeated cases"),
    ]
    return (*notes, *(text for applies, text in lines if applies), *change.test.warnings)
