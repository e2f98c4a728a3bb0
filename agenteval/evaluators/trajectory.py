"""``trajectory``: the agent went through the expected steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from agenteval.compare.alignment import Alignment, align
from agenteval.evaluators.context import Context
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Range, Size, Word

_SHOWN = 100


@dataclass(frozen=True)
class Trajectory:
    """The agent went through these steps.

    The value is the F1 of the longest common subsequence of expected and actual steps, whatever the mode.

    Attributes:
        steps: Names of the expected steps, in order.
        mode: lcs (F1 of at least min_f1); strict (exactly these); in_order (all of them in this order, others between); any_order
            (exactly these, in any order); subset (no other steps than these); superset (all of these, and maybe others).
        min_f1: Least F1 that passes in mode lcs.
        source: What counts as a step: nodes that fired, tools that were called, or recorded steps.
    """

    feeds: ClassVar[Feeds] = Feeds.TRAJECTORY

    steps: Annotated[list[Word], Size(1)]
    mode: Literal["lcs", "strict", "in_order", "any_order", "subset", "superset"] = "lcs"
    min_f1: Annotated[float, Range(gt=0, le=1)] = 1.0
    source: Literal["nodes", "tools", "steps"] = "nodes"

    def evaluate(self, context: Context) -> Score:
        """F1; not applicable where the agent reports no steps of this kind."""
        actual = self._actual(context)
        if not actual:
            return Score("trajectory", reason=f"not applicable: the agent reports no {self.source}")
        found = align(self.steps, actual)
        return Score("trajectory", found.f1, self._holds(found), _why(found, self.mode), evidence_of(found))

    def _actual(self, context: Context) -> list[str]:
        attempt = context.attempt
        if self.source == "nodes":
            return list(attempt.nodes_fired)
        if self.source == "tools":
            return [call.name for call in attempt.tool_calls]
        return [step.name for step in steps_of(context)]

    def _holds(self, found: Alignment) -> bool:
        expected, actual = Counter(found.expected), Counter(found.actual)
        match self.mode:
            case "lcs":
                return found.f1 >= self.min_f1 - 1e-12
            case "strict":
                return found.exact
            case "in_order":
                return found.in_order
            case "any_order":
                return expected == actual
            case "subset":
                return actual <= expected
            case _:
                return actual >= expected


def steps_of(context: Context) -> list[Any]:
    """The recorded steps of an attempt; of a conversation those of all turns."""
    attempt = context.attempt
    return list(attempt.steps) or [step for turn in attempt.turns for step in turn.steps]


def evidence_of(found: Alignment) -> dict[str, Any]:
    """The alignment as stored: expected and actual steps, matched index pairs, precision and recall."""
    return {
        "expected": list(found.expected[:_SHOWN]),
        "actual": list(found.actual[:_SHOWN]),
        "pairs": [list(pair) for pair in found.pairs[:_SHOWN]],
        "precision": found.precision,
        "recall": found.recall,
        "missing": list(found.missing_steps[:_SHOWN]),
        "extra": list(found.extra_steps[:_SHOWN]),
        "exact": found.exact,
        "in_order": found.in_order,
    }


def _why(found: Alignment, mode: str) -> str:
    told = [f"{len(found.pairs)} of {len(found.expected)} expected steps in order (mode {mode})"]
    if found.missing_steps:
        told.append(f"missing: {', '.join(found.missing_steps[:5])}")
    if found.extra_steps:
        told.append(f"extra: {', '.join(found.extra_steps[:5])}")
    return "; ".join(told)
