"""All gates of a run: against the baseline first, then on the run itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agenteval.compare.baseline_gates import baseline_gates
from agenteval.compare.evidence import Evidence
from agenteval.compare.run_gates import run_gates
from agenteval.model.gates import NUMERIC_GATES, GateLimits, GateOutcome, GateResult, Verdict


def judge_gates(evidence: Evidence) -> tuple[GateResult, ...]:
    """The result of every gate that is on, and of default ones only where they apply."""
    return (*baseline_gates(evidence), *run_gates(evidence))


def recorded_limits(verdict: Verdict | None) -> GateLimits:
    """The limits that a stored verdict was made with, as far as its gates record them; the defaults for the others."""
    kept = {gate.gate: gate.limit for gate in verdict.gates if gate.gate in NUMERIC_GATES and gate.limit is not None} if verdict else {}
    return replace(GateLimits(), **kept)  # type: ignore[arg-type]  # numeric fields alone, by NUMERIC_GATES


def overall(results: Sequence[GateResult], *, decided: int) -> GateOutcome:
    """Fail before inconclusive before not evaluated (nothing was decided) before pass."""
    outcomes = {result.outcome for result in results}
    for outcome in (GateOutcome.FAIL, GateOutcome.INCONCLUSIVE):
        if outcome in outcomes:
            return outcome
    return GateOutcome.PASS if decided else GateOutcome.NOT_EVALUATED
