"""``tool_efficiency``: the right tools, and none of them twice with the same arguments."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from agenteval._format import count
from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.rag import Share, at_least
from agenteval.evaluators.tool_choice import MustCallTools
from agenteval.evaluators.trajectory import steps_of
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Word

CALLS = frozenset({"tool_call", "tool"})
"""Kinds of steps that are tool calls."""

_SHOWN = 20


@dataclass(frozen=True)
class ToolEfficiency:
    """The right tools without repeating a call: ``F1 * (1 - redundant / calls)``, in [0, 1].

    F1 is that of must_call_tools. Calls are the recorded tool-call steps; one is redundant if an earlier one has the same name and the same
    arguments, compared as JSON with sorted keys. Not applicable where no tool-call step is recorded or the case declares no tools.

    Attributes:
        min: Least value that passes.
        tools: Names of the tools to call; the case's must_call_tools where not given.
    """

    feeds: ClassVar[Feeds] = Feeds.TOOL_EFFICIENCY
    bar: ClassVar[str] = "min"

    min: Share | None = None
    tools: list[Word] = field(default_factory=list)

    def evaluate(self, context: Context) -> Score:
        """The value; evidence has F1, calls, redundant calls, and what was repeated how often."""
        tools = list(self.tools or context.expects.get("must_call_tools") or ())
        if not tools:
            return Score("tool_efficiency", reason="not applicable: the case declares no tools")
        calls = Counter((step.name, canonical(step.input)) for step in steps_of(context) if step.kind in CALLS)
        if not calls:
            return Score("tool_efficiency", reason="not applicable: no tool-call step is recorded")
        f1 = MustCallTools(tools).evaluate(context).value or 0.0
        total = calls.total()
        redundant = total - len(calls)
        value = f1 * (1 - redundant / total)
        repeated = [
            {"name": name, "arguments": clip(arguments, 200), "calls": times} for (name, arguments), times in calls.items() if times > 1
        ]
        reason = f"{redundant} of {count(total, 'call')} redundant, tool F1 {f1:.2f}"
        if repeated:
            reason += f"; repeated: {', '.join(dict.fromkeys(str(call['name']) for call in repeated[:5]))}"
        evidence: dict[str, Any] = {"f1": f1, "calls": total, "redundant_calls": redundant, "repeated": repeated[:_SHOWN]}
        return Score("tool_efficiency", value, at_least(value, self.min), reason, evidence)


def canonical(arguments: Any) -> str:
    """Arguments as JSON with sorted keys; JSON text counts as the value it holds.

    >>> canonical('{"b": 1, "a": 2}') == canonical({"a": 2, "b": 1})
    True
    """
    if isinstance(arguments, str):
        with suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)
