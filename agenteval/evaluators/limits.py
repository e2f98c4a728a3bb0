"""Limits of what an attempt may take: steps, time, money, tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from agenteval import _format
from agenteval.evaluators.context import Context
from agenteval.evaluators.trajectory import steps_of
from agenteval.model.score import Score
from agenteval.suites.shape import Range


@dataclass(frozen=True)
class MaxSteps:
    """The agent took at most so many steps; tool calls count where it records no steps.

    Attributes:
        limit: Most steps.
    """

    limit: Annotated[int, Range(ge=0)]

    def evaluate(self, context: Context) -> Score:
        """1 or 0; not applicable without steps and tool calls."""
        steps = len(steps_of(context)) or len(context.attempt.tool_calls)
        if not steps:
            return Score("max_steps", reason="not applicable: the agent reports neither steps nor tool calls")
        return _score("max_steps", steps, self.limit, f"{steps} steps", str(self.limit))


@dataclass(frozen=True)
class MaxLatencyMs:
    """The answer took at most so many milliseconds; of a conversation all turns together.

    Attributes:
        limit: Most milliseconds.
    """

    limit: Annotated[float, Range(ge=0)]

    def evaluate(self, context: Context) -> Score:
        """1 or 0; not applicable where the time is not known."""
        latency = context.attempt.latency_ms
        if latency is None:
            return Score("max_latency_ms", reason="not applicable: no latency was measured")
        return _score("max_latency_ms", latency, self.limit, _format.ms(latency), _format.ms(self.limit))


@dataclass(frozen=True)
class MaxCostUsd:
    """The attempt cost at most so many US dollars.

    Attributes:
        limit: Most US dollars.
    """

    limit: Annotated[float, Range(ge=0)]

    def evaluate(self, context: Context) -> Score:
        """1 or 0; not applicable where the cost is not known."""
        cost = context.attempt.cost_usd
        if cost is None:
            return Score("max_cost_usd", reason="not applicable: no cost was reported or priced")
        return _score("max_cost_usd", cost, self.limit, _format.usd(cost), _format.usd(self.limit))


@dataclass(frozen=True)
class MaxTokens:
    """The attempt used at most so many tokens, prompt and completion together.

    Attributes:
        limit: Most tokens.
    """

    limit: Annotated[int, Range(ge=0)]

    def evaluate(self, context: Context) -> Score:
        """1 or 0; not applicable where tokens are not reported."""
        tokens = context.attempt.tokens
        if tokens is None:
            return Score("max_tokens", reason="not applicable: the agent reports no token usage")
        return _score("max_tokens", tokens, self.limit, f"{tokens} tokens", str(self.limit))


def _score(name: str, measured: float, limit: float, shown: str, shown_limit: str) -> Score:
    passed = measured <= limit
    return Score(name, float(passed), passed, f"{shown}, {'at most' if passed else 'more than'} {shown_limit}", {"measured": measured})
