"""One case's record as DataFrames, for files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agenteval.model.attempt import Attempt
from agenteval.model.response import Step

if TYPE_CHECKING:
    import pandas as pd


def score_table(attempt: Attempt) -> pd.DataFrame:
    """One row a check, those of a conversation's turns behind the case's own.

    Returns:
        Columns ``turn`` (int from 1, NaN for the case), ``check`` (str), ``value`` (float in [0, 1], NaN without one), ``passed``
        (bool or None), ``required`` (bool), ``reason``, ``error`` (str).
    """
    import pandas as pd

    owners = [(None, attempt), *enumerate(attempt.turns, 1)]
    rows = [
        (number, score.name, score.value, score.passed, score.required, score.reason, score.error or "")
        for number, owner in owners
        for score in owner.scores
    ]
    return pd.DataFrame(rows, columns=["turn", "check", "value", "passed", "required", "reason", "error"])


def step_table(steps: Sequence[Step]) -> pd.DataFrame:
    """One row a step, in order.

    Returns:
        Columns ``step`` (int from 1), ``inside_step`` (int, NaN at the top), ``kind``, ``name`` (str), ``start_ms``, ``duration_ms``,
        ``prompt_tokens``, ``completion_tokens``, ``cost_usd`` (NaN where unknown), ``error``, ``input``, ``output`` (str; JSON where
        the stored value is no text).
    """
    import pandas as pd

    return pd.DataFrame(
        {
            "step": range(1, len(steps) + 1),
            "inside_step": [None if step.parent is None else step.parent + 1 for step in steps],
            "kind": [step.kind for step in steps],
            "name": [step.name for step in steps],
            "start_ms": [step.timestamp_ms for step in steps],
            "duration_ms": [step.duration_ms for step in steps],
            "prompt_tokens": [step.prompt_tokens for step in steps],
            "completion_tokens": [step.completion_tokens for step in steps],
            "cost_usd": [step.cost_usd for step in steps],
            "error": [step.error or "" for step in steps],
            "input": [_text(step.input) for step in steps],
            "output": [_text(step.output) for step in steps],
        }
    )


def attempt_table(attempts: Sequence[Attempt]) -> pd.DataFrame:
    """One row an attempt of a repeated case.

    Returns:
        Columns ``attempt`` (int from 0), ``status`` (str), ``latency_ms``, ``tokens``, ``cost_usd`` (NaN where unknown), ``answer``,
        ``tool_calls``, ``reason`` (str).
    """
    import pandas as pd

    return pd.DataFrame(
        {
            "attempt": [attempt.repetition for attempt in attempts],
            "status": [attempt.status.value for attempt in attempts],
            "latency_ms": [attempt.latency_ms for attempt in attempts],
            "tokens": [attempt.tokens for attempt in attempts],
            "cost_usd": [attempt.cost_usd for attempt in attempts],
            "answer": [attempt.output for attempt in attempts],
            "tool_calls": [", ".join(call.name for call in attempt.tool_calls) for attempt in attempts],
            "reason": [attempt.reason for attempt in attempts],
        }
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
