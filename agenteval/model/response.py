"""What an agent gives back for one prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call. ``arguments`` is a mapping, JSON text, or None where the adapter knows only the name."""

    name: str
    arguments: Any = None
    result: Any = None
    error: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One event inside an attempt.

    Attributes:
        kind: ``tool_call``, ``model``, ``reasoning``, ``node``, ``retrieval``, ``message`` or any word of the adapter's.
        name: Tool, node or model name.
        timestamp_ms: Start, in ms after the attempt's start; None where unknown.
        duration_ms: None where unknown.
        parent: Index of the enclosing step in the same list; None at the top.
        id: The tool call's id, where the framework has one.
    """

    kind: str
    name: str
    input: Any = None
    output: Any = None
    timestamp_ms: float | None = None
    duration_ms: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    error: str | None = None
    parent: int | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one attempt; None means not reported. ``cached_tokens`` are part of ``prompt_tokens``."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    cached_tokens: int | None = None

    @property
    def total(self) -> int | None:
        """The reported total, else the sum of both parts, else None."""
        if self.total_tokens is not None:
            return self.total_tokens
        if self.prompt_tokens is not None and self.completion_tokens is not None:
            return self.prompt_tokens + self.completion_tokens
        return None


@dataclass(slots=True)
class AgentResponse:
    """An agent's answer and its evidence, as an adapter fills it in.

    Only ``output`` is needed. Tool calls are names, mappings or ``ToolCall``; steps are mappings or ``Step``; where tool calls or
    nodes are not given they are derived from the steps. ``cost_usd`` and tokens are what the provider reported, None where it
    reported nothing. ``raw`` is kept as evidence; ``raw["success"] = False`` with ``raw["error"]`` reports a failure of the agent.
    """

    output: Any = ""
    tool_calls: Sequence[Any] = ()
    nodes_fired: Sequence[str] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None
    retrieved_context: Sequence[Any] = ()
    citations: Sequence[str] = ()
    trace_steps: Sequence[Any] = ()
    raw: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
