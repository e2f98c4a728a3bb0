"""What a run would do, without doing it: ``--list`` and ``--dry-run``."""

from __future__ import annotations

from dataclasses import dataclass

from agenteval import _time
from agenteval.artifacts.paths import agent_dir
from agenteval.errors import InputError
from agenteval.runner.finding import run_named
from agenteval.runner.opening import last_failed
from agenteval.runner.plan import Plan, PlannedCase, make_plan
from agenteval.runner.request import RunRequest


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """One selected case: attempts, calls (a turn is a call), and the mean cost of one attempt in the latest run, if known."""

    case_id: str
    tags: tuple[str, ...]
    role: str | None
    attempts: int
    calls: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Listing:
    """The selected cases of a suite. ``cost_usd`` sums what is known; ``unpriced`` counts cases without a known cost.

    ``at_most`` says that there may be fewer calls: how long a scripted user talks depends on the answers.
    """

    suite: str
    agent: str
    rows: tuple[PlannedRow, ...]
    left_out: int
    cost_usd: float | None
    unpriced: int
    cost_from: str | None
    at_most: bool = False

    @property
    def calls(self) -> int:
        """Calls of the agent in all."""
        return sum(row.calls for row in self.rows)


def planned(request: RunRequest) -> Listing:
    """What a request would execute; costs are those of the latest stored run of the suite, as far as it recorded them.

    Raises:
        InputError: As a run would.
    """
    failed, failed_run = last_failed(request)
    plan = make_plan(request, _time.now().date(), failed, failed_run)
    costs, source = _known_costs(request)
    rows = tuple(_row(planned_case.case.id, plan, number, costs) for number, planned_case in enumerate(plan.cases))
    known = [row.cost_usd * row.attempts for row in rows if row.cost_usd is not None]
    return Listing(
        suite=plan.suite.name,
        agent=request.agent_name,
        rows=rows,
        left_out=len(plan.left_out),
        cost_usd=round(sum(known), 6) if known else None,
        unpriced=len(rows) - len(known),
        cost_from=source,
        at_most=any(case.user is not None for case in plan.cases),
    )


def _row(case_id: str, plan: Plan, number: int, costs: dict[str, float]) -> PlannedRow:
    case = plan.cases[number]
    role = case.role.value if case.role else None
    return PlannedRow(case_id, case.case.tags, role, case.repeat, case.repeat * _calls(case), costs.get(case_id))


def _calls(case: PlannedCase) -> int:
    """Calls of one attempt; with a scripted user as many as there can be."""
    if case.user is not None:
        return min(case.user.max_turns, len(case.user.lines))
    return max(1, len(case.turns))


def _known_costs(request: RunRequest) -> tuple[dict[str, float], str | None]:
    if not agent_dir(request.runs_dir, request.agent_name).is_dir():
        return {}, None
    try:
        run = run_named(request.runs_dir, request.agent_name, "", flag="--dry-run", suite=request.suite.name)
    except InputError:
        return {}, None
    return {row.case_id: row.cost_usd for row in run.outcomes if row.cost_usd is not None}, run.head.run_id
