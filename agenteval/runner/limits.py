"""When a run stops early by its own rules."""

from __future__ import annotations

from collections.abc import Callable

from agenteval.model.attempt import Attempt
from agenteval.model.status import Status
from agenteval.runner.engine import Stop
from agenteval.runner.request import Choice

FAIL_FAST = "fail_fast"
COST_LIMIT = "max_cost_usd"


def limits(choice: Choice, stop: Stop) -> Callable[[Attempt, float], None] | None:
    """What to check after every attempt, given the cost so far; None where nothing limits the run."""
    if not choice.fail_fast and choice.max_cost_usd is None:
        return None

    def check(attempt: Attempt, cost_usd: float) -> None:
        if choice.fail_fast and attempt.role is None and attempt.status not in (Status.PASSED, Status.UNSCORED):
            stop.ask(FAIL_FAST)
        if choice.max_cost_usd is not None and cost_usd >= choice.max_cost_usd:
            stop.ask(COST_LIMIT)

    return check


def reason_text(reason: str | None) -> str:
    """Why cases were skipped, as a reader sees it."""
    return {
        FAIL_FAST: "not executed: --fail-fast stopped the run",
        COST_LIMIT: "not executed: --max-cost-usd stopped the run",
        "interrupt": "not executed: the run was interrupted",
    }.get(reason or "", "not executed")
