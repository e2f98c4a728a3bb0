"""Which steps and tools a cost comes from, as far as the steps tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agenteval.model.attempt import Attempt
from agenteval.model.response import Step, Usage

Pricing = Callable[[str | None, Usage], float | None]
"""The cost of tokens by model, None where it is not known."""

TOOL_KINDS = frozenset({"tool_call", "tool"})


def unpriced(model: str | None, usage: Usage) -> float | None:
    """No price is known: only what steps report counts."""
    return None


@dataclass(frozen=True, slots=True)
class StepCost:
    """What one step cost itself, without the steps inside it.

    Attributes:
        place: In the attempt's steps (of a conversation all turns'), from 1.
        kind, name: Of the step.
        owner: Kind and name of the innermost tool call that holds it, its own where none does.
        cost_usd: None where neither a cost nor priced tokens are known.
        source: ``reported`` or ``priced``; None where the cost is.
    """

    place: int
    kind: str
    name: str
    owner: tuple[str, str]
    cost_usd: float | None
    source: str | None


@dataclass(frozen=True, slots=True)
class Attribution:
    """A cost and how much of it steps account for.

    Attributes:
        total_usd: None where the attempt is unpriced.
        steps: Every step of the attempt.
    """

    total_usd: float | None
    steps: tuple[StepCost, ...]

    @property
    def attributed_usd(self) -> float:
        """The sum over the steps whose cost is known."""
        return math.fsum(step.cost_usd for step in self.steps if step.cost_usd is not None)

    @property
    def known(self) -> int:
        """How many steps have a cost."""
        return sum(step.cost_usd is not None for step in self.steps)


@dataclass(frozen=True, slots=True)
class ToolCost:
    """What the steps of one tool (or model, or node) cost together; ``steps`` counts those with a known cost, ``unknown`` the others."""

    kind: str
    name: str
    cost_usd: float
    steps: int
    unknown: int


@dataclass(frozen=True, slots=True)
class RunCosts:
    """The costs of a run by tool.

    Attributes:
        total_usd: Sum of the attempts whose cost is known; None of none.
        attempts: How many attempts that is.
        unpriced: Attempts without a known cost.
        attributed_usd: What the steps account for.
        known, steps: Steps with a cost, and all steps.
        tools: The dearest first; those without any known cost last, at 0.
    """

    total_usd: float | None
    attempts: int
    unpriced: int
    attributed_usd: float
    known: int
    steps: int
    tools: tuple[ToolCost, ...]


def attribution(attempt: Attempt, pricing: Pricing = unpriced) -> Attribution:
    """What each step of an attempt cost: its own report, else its tokens times the price of its model, else unknown.

    A step that holds others is taken to include their costs, and keeps the rest, unless it is known to cost less than they do together;
    then its cost is its own.
    """
    parts = [turn for turn in attempt.turns if turn.steps] or [attempt]
    found: list[StepCost] = []
    for part in parts:
        found += _of_steps(part.steps, len(found), part.model or attempt.model, pricing)
    return Attribution(attempt.cost_usd, tuple(found))


def _of_steps(steps: Sequence[Step], before: int, model: str | None, pricing: Pricing) -> Iterator[StepCost]:
    parents = [step.parent if step.parent is not None and 0 <= step.parent < place else None for place, step in enumerate(steps)]
    whole = [_cost(step, model, pricing) for step in steps]
    inside = [0.0] * len(steps)
    for place in range(len(steps) - 1, -1, -1):  # parents come first, so one pass from the end sums them up
        parent = parents[place]
        if parent is not None:
            own = whole[place][0] or 0.0
            inside[parent] += own if own >= inside[place] else own + inside[place]
    owners: list[tuple[str, str]] = []
    for place, (step, (cost, source)) in enumerate(zip(steps, whole, strict=True)):
        parent = parents[place]
        held = parent is not None and owners[parent][0] in TOOL_KINDS and step.kind not in TOOL_KINDS
        owners.append(owners[parent] if held and parent is not None else (step.kind, step.name))
        if cost is not None and cost >= inside[place]:
            cost = max(0.0, round(cost - inside[place], 10))
        yield StepCost(before + place + 1, step.kind, step.name, owners[-1], cost, source)


def _cost(step: Step, model: str | None, pricing: Pricing) -> tuple[float | None, str | None]:
    if step.cost_usd is not None:
        return step.cost_usd, "reported"
    usage = Usage(step.prompt_tokens, step.completion_tokens)
    for name in (step.name, model) if step.kind == "model" else (model,):
        cost = pricing(name, usage)
        if cost is not None:
            return cost, "priced"
    return None, None


def by_tool(found: Iterable[Attribution]) -> list[ToolCost]:
    """Costs by tool, the dearest first; what runs inside a tool call is the tool's, everything else is its own kind and name's."""
    costs: dict[tuple[str, str], list[float | None]] = {}
    for one in found:
        for step in one.steps:
            costs.setdefault(step.owner, []).append(step.cost_usd)
    made = []
    for (kind, name), values in costs.items():
        known = [value for value in values if value is not None]
        made.append(ToolCost(kind, name, math.fsum(known), len(known), len(values) - len(known)))
    return sorted(made, key=lambda tool: (-tool.cost_usd, not tool.steps, tool.kind, tool.name))


def run_costs(attempts: Iterable[Attempt], pricing: Pricing = unpriced) -> RunCosts:
    """The costs of these attempts by tool; candidates and quarantined cases count in no sum."""
    found = [attribution(attempt, pricing) for attempt in attempts if attempt.role is None]
    totals = [one.total_usd for one in found if one.total_usd is not None]
    return RunCosts(
        total_usd=math.fsum(totals) if totals else None,
        attempts=len(totals),
        unpriced=len(found) - len(totals),
        attributed_usd=math.fsum(one.attributed_usd for one in found),
        known=sum(one.known for one in found),
        steps=sum(len(one.steps) for one in found),
        tools=tuple(by_tool(found)),
    )
