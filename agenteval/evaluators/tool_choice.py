"""``must_call_tools``: the right tools were chosen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, ClassVar

from agenteval.evaluators.context import Context
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Size, Word


@dataclass(frozen=True)
class MustCallTools:
    """Every named tool was called, as often as it is named. Further calls lower the value (F1), not the verdict.

    Precision is over the distinct tools that were called, recall counts how often each is required; order does not matter, case does.

    Attributes:
        tools: Names of the tools; a name twice asks for two calls.
    """

    feeds: ClassVar[Feeds] = Feeds.TOOLS

    tools: Annotated[list[Word], Size(1)]

    def evaluate(self, context: Context) -> Score:
        """F1 of precision and recall; passed where recall is 1."""
        called = Counter(call.name for call in context.attempt.tool_calls)
        required = Counter(self.tools)
        wanted = sum((called & required).values())
        recall = wanted / len(self.tools)
        precision = len(called.keys() & required.keys()) / len(called) if called else 0.0
        total = precision + recall
        missing = sorted((required - called).elements())
        extra = sorted(called.keys() - required.keys())
        reason = f"not called: {', '.join(missing)}" if missing else "every required tool was called"
        if extra:
            reason += f"; also called: {', '.join(extra)}"
        evidence = {"precision": precision, "recall": recall, "missing": missing, "extra": extra}
        return Score("must_call_tools", 2 * precision * recall / total if total else 0.0, not missing, reason, evidence)
