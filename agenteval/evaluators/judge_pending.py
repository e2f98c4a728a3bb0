"""``llm_judge``: a model judges the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from agenteval.evaluators.context import Context
from agenteval.model.score import Score


@dataclass(frozen=True)
class LlmJudge:
    """A model judges the answer by criteria; without a configured judge the case is an evaluator error.

    Attributes:
        criteria: What a good answer does.
    """

    asks_a_model: ClassVar[bool] = True

    criteria: Any = None

    def evaluate(self, context: Context) -> Score:
        """An error: there is no judge to ask."""
        return Score("llm_judge", error="no judge configured")
