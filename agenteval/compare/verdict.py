"""The verdict in one sentence, as a colleague would say it."""

from __future__ import annotations

from collections.abc import Sequence

from agenteval._format import count, joined, of, p_value, points, rate
from agenteval.compare.baseline_gates import DROPS, could_have_shown
from agenteval.compare.drops import RateChange
from agenteval.compare.evidence import Evidence
from agenteval.compare.gates import overall
from agenteval.model.gates import GateOutcome, GateResult, Verdict
from agenteval.model.status import Status

PIN = "pin this run with `agenteval baseline set latest`"

_UNDECIDED = (
    (Status.AGENT_ERROR, "agent error"),
    (Status.EVALUATOR_ERROR, "evaluator error"),
    (Status.SKIPPED, "skipped"),
    (Status.UNSCORED, "unscored"),
)


def verdict_of(evidence: Evidence, results: Sequence[GateResult]) -> Verdict:
    """The outcome of all gates with its sentence, and the numbers behind it."""
    outcome = overall(results, decided=evidence.decided)
    baseline = evidence.baseline.head.run_id if evidence.baseline else None
    return Verdict(outcome, _sentence(evidence, outcome, results), tuple(results), baseline, _details(evidence))


def _sentence(evidence: Evidence, outcome: GateOutcome, results: Sequence[GateResult]) -> str:
    failed = [result for result in results if result.outcome is GateOutcome.FAIL]
    if outcome is GateOutcome.NOT_EVALUATED:
        return f"nothing was decided: {_undecided(evidence)}"
    if evidence.baseline is None:
        return _alone(evidence, failed)
    if outcome is GateOutcome.FAIL:
        return _failed(evidence, failed)
    if outcome is GateOutcome.INCONCLUSIVE:
        return _inconclusive(evidence, [result for result in results if result.outcome is GateOutcome.INCONCLUSIVE])
    return _passed(evidence, results) + _beside(evidence)


def _undecided(evidence: Evidence) -> str:
    parts = []
    for status, word in _UNDECIDED:
        number = len(evidence.of_status(status))
        if number:
            parts.append(count(number, word) if word.endswith("error") else f"{number:,} {word}")
    return ", ".join(parts) or "no case counts"


def _alone(evidence: Evidence, failed: Sequence[GateResult]) -> str:
    """A run without a baseline: every decided case must pass."""
    if not failed:
        passing = _all(evidence.decided, "passes", "pass")
        return f"no baseline: {passing}; {PIN}"
    cases = next((result for result in failed if result.gate == "every_case_passes"), None)
    others = [result for result in failed if result is not cases]
    if cases is None:
        return f"no baseline: {_messages(others)}"
    failing = f"{of(len(cases.cases), evidence.decided)} failed: {joined(list(cases.cases))}"
    also = f"; also failed: {joined([result.gate for result in others])}" if others else ""
    return f"no baseline: every case must pass; {failing}{also}; to accept this, {PIN}"


def _all(number: int, one: str, several: str) -> str:
    return f"the one decided case {one}" if number == 1 else f"all {number:,} decided cases {several}"


def _failed(evidence: Evidence, failed: Sequence[GateResult]) -> str:
    drops = [result for result in failed if result.gate in DROPS and result.value is not None]
    others = [result for result in failed if result not in drops]
    if not drops:
        change = evidence.changes["correctness_rate"]
        fell = f"; {_regressed(change, None)}" if change.fell else ""
        return f"failed: {_messages(others)}{fell}"
    also = f"; also failed: {joined([result.gate for result in (*drops[1:], *others)])}" if len(failed) > 1 else ""
    change = evidence.changes[DROPS[drops[0].gate]]
    return f"worse than the baseline: {_regressed(change, drops[0].p)}{_no_longer_passing(evidence, change)}{also}"


def _no_longer_passing(evidence: Evidence, change: RateChange) -> str:
    """Correctness is one check of several: how many cases no longer pass, where that is more than fell in the tested rate."""
    if evidence.pairing is None:
        return ""
    gone = sum(pair.then.status is Status.PASSED and pair.now.status is Status.FAILED for pair in evidence.pairing.decided)
    return f" ({gone:,} no longer pass all their checks)" if gone > len(change.fell) else ""


def _messages(results: Sequence[GateResult]) -> str:
    rest = f"; and {count(len(results) - 2, 'more gate')}" if len(results) > 2 else ""
    return "; ".join(result.message.removeprefix(f"{result.gate}: ") for result in results[:2]) + rest


def _regressed(change: RateChange, p: float | None) -> str:
    """``3 of 50 regressed, p = .03: refund_1, …``; the rate where no case fell by itself (edited cases)."""
    tested = p_value(change.test.p if p is None else p)
    return f"{of(len(change.fell), len(change.cases))} {_fell(change)}, {tested}: {joined(list(change.fell))}"


def _fell(change: RateChange) -> str:
    """What it means that a case fell: its verdict, or the mean of its attempts."""
    return "fell in the mean of their attempts" if change.repeated else "regressed"


def _inconclusive(evidence: Evidence, results: Sequence[GateResult]) -> str:
    first = results[0]
    if first.gate in DROPS and first.value is not None:
        change = evidence.changes[DROPS[first.gate]]
        unproven = f"a drop of {_size(first.value)} is not proven and too large to ignore"
        return f"inconclusive: {_regressed(change, first.p)}; {unproven}: repeat cases or add some"
    return f"inconclusive: {_messages(results)}"


def _passed(evidence: Evidence, results: Sequence[GateResult]) -> str:
    change = evidence.changes["correctness_rate"]
    if not change.cases:
        keeping = _all(evidence.decided, "keeps", "keep")
        return f"passed: {keeping} the gates; none was decided in both runs"
    noisy = next((result for result in results if result.gate in DROPS and "within noise" in result.message), None)
    if noisy is not None and noisy.value is not None:
        moved = evidence.changes[DROPS[noisy.gate]]
        return f"within noise: {_regressed(moved, noisy.p)}; a drop of {_size(noisy.value)} is not proven"
    if not change.fell and not change.rose:
        same = f"all {len(change.cases):,} cases" if len(change.cases) > 1 else "the one case"
        return f"no worse than the baseline: {same} as before, {rate(None if change.now is None else float(change.now))} correct"
    moves = f"{of(len(change.fell), len(change.cases))} {_fell(change)}, {len(change.rose):,} {'rose' if change.repeated else 'improved'}"
    names = f": {joined(list(change.fell))}" if change.fell else ""
    test = change.test
    if test.p is not None and test.p <= test.alpha and test.difference is not None and test.difference > 0:
        return f"better than the baseline: {points(test.difference)}, {p_value(test.p)}; {moves}{names}"
    return f"no worse than the baseline: {moves}{names}; {could_have_shown(change)}"


def _beside(evidence: Evidence) -> str:
    """What a pass does not speak for: cases that were allowed to stay undecided, and new ones that fail."""
    failing = sum(outcome.status is Status.FAILED for outcome in evidence.pairing.new) if evidence.pairing else 0
    undecided = any(evidence.of_status(status) for status, _ in _UNDECIDED)
    return (f"; left out: {_undecided(evidence)}" if undecided else "") + (f"; {count(failing, 'new case')} failed" if failing else "")


def _size(drop: float) -> str:
    return points(drop).lstrip("+")


def _details(evidence: Evidence) -> dict[str, float | int | str | None]:
    """Numbers behind the verdict, for reports and pages."""
    details: dict[str, float | int | str | None] = {"decided": evidence.decided}
    if evidence.pairing is None:
        return details
    change = evidence.changes["correctness_rate"]
    test = change.test
    return details | {
        "decided_in_both": len(evidence.pairing.decided),
        "regressed": len(change.fell),
        "improved": len(change.rose),
        "new": len(evidence.pairing.new),
        "missing": len(evidence.pairing.missing),
        "not_selected": len(evidence.pairing.not_selected),
        "changed_definition": sum(pair.changed for pair in evidence.pairing.pairs),
        "test": test.method,
        "p": test.p,
        "minimum_detectable_drop": test.minimum_detectable_drop,
        "smallest_possible_drop": test.smallest_possible_drop,
    }
