"""All gates of a run: against the baseline first, then on the run itself."""

from __future__ import annotations

from collections.abc import Sequence

from agenteval.compare.baseline_gates import baseline_gates
from agenteval.compare.evidence import Evidence
from agenteval.compare.run_gates import run_gates
from agenteval.model.gates import GateOutcome, GateResult


def judge_gates(evidence: Evidence) -> tuple[GateResult, ...]:
    """The result of every gate that is on, and of default ones only where they apply."""
    return (*baseline_gates(evidence), *run_gates(evidence))


def overall(results: Sequence[GateResult], *, decided: int) -> GateOutcome:
    """Fail before inconclusive before not evaluated (nothing was decided) before pass."""
    outcomes = {result.outcome for result in results}
    for outcome in (GateOutcome.FAIL, GateOutcome.INCONCLUSIVE):
        if outcome in outcomes:
            return outcome
    return GateOutcome.PASS if decided else GateOutcome.NOT_EVALUATED
