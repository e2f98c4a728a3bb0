"""From a result to the exit code that a pipeline acts on."""

from __future__ import annotations

from agenteval.model.comparison import Comparison
from agenteval.model.gates import GateOutcome
from agenteval.model.run import Run
from agenteval.model.status import RunStatus, Status

FAIL_ON = ("gate", "case", "never")


def exit_code(run: Run, comparison: Comparison, fail_on: str = "gate", *, no_score: bool = False) -> int:
    """0 pass, 1 fail or inconclusive, 2 nothing was decided, 130 interrupted.

    ``never`` turns 1 into 0 and nothing else; ``case`` asks that every case that counts passes, whatever the gates say.
    """
    if run.head.status is RunStatus.INTERRUPTED:
        return 130
    verdict = comparison.verdict.outcome
    decided = any(outcome.status.decided and outcome.role is None for outcome in run.outcomes)
    if no_score and not decided and verdict is not GateOutcome.FAIL:
        return 0
    if verdict is GateOutcome.NOT_EVALUATED or (not decided and verdict is not GateOutcome.FAIL):
        return 2
    if fail_on == "case":
        clean = all(outcome.status in (Status.PASSED, Status.UNSCORED) for outcome in run.outcomes if outcome.role is None)
        code = 0 if clean else 1
    else:
        code = 0 if verdict is GateOutcome.PASS else 1
    return 0 if fail_on == "never" else code


def verdict_code(comparison: Comparison) -> int:
    """The exit code of a comparison: 0 pass, 1 fail or inconclusive, 2 nothing decided."""
    outcome = comparison.verdict.outcome
    if outcome is GateOutcome.NOT_EVALUATED:
        return 2
    return 0 if outcome is GateOutcome.PASS else 1
