"""Whatever an agent returned, as typed, JSON-safe, redacted evidence: the one place where hostile values enter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agenteval._redact import redact, redact_json
from agenteval.adapters.safe import MAX_ENTRIES, Sanitizer
from agenteval.model.response import AgentResponse, Step, ToolCall, Usage

_NO_USAGE = Usage()


class InvalidResponse(Exception):  # noqa: N818 - a report about the agent, not a fault of ours
    """What the agent returned is no answer."""


class ReportedFailure(Exception):  # noqa: N818 - a report about the agent, not a fault of ours
    """The agent answered that it failed (``raw["success"]`` is false). ``evidence`` is kept."""

    def __init__(self, message: str, evidence: Evidence) -> None:
        self.evidence = evidence
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One response, ready to be judged and stored."""

    output: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    nodes_fired: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    usage: Usage = _NO_USAGE
    cost_usd: float | None = None
    claimed_latency_ms: float | None = None
    retrieved_context: tuple[Mapping[str, Any], ...] = ()
    citations: tuple[str, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
    notes: tuple[str, ...] = ()


def collect(returned: Any) -> Evidence:
    """The evidence in what an agent returned: text, an ``AgentResponse``, a mapping of its fields, or an object that has them.

    Raises:
        InvalidResponse: None, or a value without an answer.
        ReportedFailure: ``raw["success"]`` is false.
    """
    safe = Sanitizer()
    if isinstance(returned, str):
        output = redact(safe.text(returned, "answer"))
        return Evidence(output=output, notes=tuple(safe.notes))
    response = _as_response(returned)
    evidence = _evidence(response, safe)
    if evidence.raw.get("success") is False:
        raise ReportedFailure(str(evidence.raw.get("error") or "the agent reported success: false"), evidence)
    return evidence


_ALIASES = {"output": ("output", "final_answer"), "tool_calls": ("tool_calls", "tools_called")}


def _as_response(returned: Any) -> AgentResponse:
    if isinstance(returned, AgentResponse):
        return returned
    if isinstance(returned, Mapping):
        known = set(AgentResponse.__dataclass_fields__) | {"final_answer", "tools_called", "steps"}
        if not any(name in returned for name in _ALIASES["output"]):
            raise InvalidResponse(f"a mapping without 'output' (keys: {', '.join(sorted(map(str, returned))[:8]) or 'none'})")
        unknown = sorted(str(key) for key in returned if key not in known)
        if unknown:
            raise InvalidResponse(f"a mapping with unknown keys: {', '.join(unknown[:8])}; put them under 'raw'")
        return _from_fields(lambda name: returned.get(name))
    if any(hasattr(returned, name) for name in _ALIASES["output"]):
        return _from_fields(lambda name: getattr(returned, name, None))
    raise InvalidResponse(f"{type(returned).__name__} returned where text or an AgentResponse is due")


def _from_fields(get: Any) -> AgentResponse:
    values: dict[str, Any] = {}
    for name in AgentResponse.__dataclass_fields__:
        for alias in (*_ALIASES.get(name, (name,)), *(("steps",) if name == "trace_steps" else ())):
            value = get(alias)
            if value is not None:
                values[name] = value
                break
    return AgentResponse(**values)


def _evidence(response: AgentResponse, safe: Sanitizer) -> Evidence:
    if response.output is None:
        raise InvalidResponse("the response's output is None")
    output = safe.text(response.output, "answer")
    steps = tuple(_step(step, safe) for step in _listed(response.trace_steps, "trace_steps", safe))
    calls = tuple(_tool_call(call, safe) for call in _listed(response.tool_calls, "tool_calls", safe))
    if not calls:
        calls = tuple(
            ToolCall(step.name, step.input, step.output, step.error, step.id) for step in steps if step.kind in ("tool_call", "tool")
        )
    nodes = tuple(safe.text(node) for node in _listed(response.nodes_fired, "nodes_fired", safe)) or _nodes(steps, calls)
    raw = safe.value(response.raw) if response.raw else {}
    if not isinstance(raw, dict):
        raw = {"value": raw}
    return Evidence(
        output=redact(output),
        tool_calls=_redacted(calls),
        nodes_fired=tuple(redact(node) for node in nodes),
        steps=_redacted(steps),
        usage=Usage(
            safe.count(response.prompt_tokens, "prompt_tokens"),
            safe.count(response.completion_tokens, "completion_tokens"),
            safe.count(response.total_tokens, "total_tokens"),
            safe.count(response.cached_tokens, "cached_tokens"),
        ),
        cost_usd=safe.number(response.cost_usd, "cost_usd"),
        claimed_latency_ms=safe.number(response.latency_ms, "latency_ms"),
        retrieved_context=tuple(
            redact_json(_context(item, safe)) for item in _listed(response.retrieved_context, "retrieved_context", safe)
        ),
        citations=tuple(redact(safe.text(item)) for item in _listed(response.citations, "citations", safe)),
        raw=redact_json(raw),
        model=None if response.model is None else redact(safe.text(response.model)),
        notes=tuple(safe.notes),
    )


def _listed(values: Any, name: str, safe: Sanitizer) -> Iterator[Any]:
    if values is None:
        return
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InvalidResponse(f"{name} is a {type(values).__name__}; a list is due")
    for number, value in enumerate(values):
        if number >= MAX_ENTRIES:
            safe.note(f"{name} cut after {number:,} entries")
            return
        yield value


def _nodes(steps: tuple[Step, ...], calls: tuple[ToolCall, ...]) -> tuple[str, ...]:
    """The path taken: names of the node steps, else of all steps, else of the tool calls."""
    named = tuple(step.name for step in steps if step.kind == "node") or tuple(step.name for step in steps)
    return named or tuple(call.name for call in calls)


def _tool_call(call: Any, safe: Sanitizer) -> ToolCall:
    if isinstance(call, str):
        return ToolCall(safe.text(call))
    get = _reader(call, "a tool call")
    name = get("name")
    if not isinstance(name, str) or not name:
        raise InvalidResponse("a tool call without a name")
    arguments = get("arguments")
    error, identity = get("error"), get("id")
    return ToolCall(
        safe.text(name),
        safe.value(get("args") if arguments is None else arguments),
        safe.value(get("result")),
        None if error is None else safe.text(error),
        None if identity is None else safe.text(identity),
    )


def _step(step: Any, safe: Sanitizer) -> Step:
    get = _reader(step, "a step")
    name, kind, error, identity, parent = get("name"), get("kind"), get("error"), get("id"), get("parent")
    if name is None or kind is None:
        raise InvalidResponse("a step needs 'kind' and 'name'")
    return Step(
        kind=safe.text(kind),
        name=safe.text(name),
        input=safe.value(get("input")),
        output=safe.value(get("output")),
        timestamp_ms=safe.number(get("timestamp_ms"), "timestamp_ms"),
        duration_ms=safe.number(get("duration_ms"), "duration_ms"),
        prompt_tokens=safe.count(get("prompt_tokens"), "prompt_tokens"),
        completion_tokens=safe.count(get("completion_tokens"), "completion_tokens"),
        cost_usd=safe.number(get("cost_usd"), "cost_usd"),
        error=None if error is None else safe.text(error),
        parent=parent if isinstance(parent, int) and parent >= 0 else None,
        id=None if identity is None else safe.text(identity),
    )


def _context(item: Any, safe: Sanitizer) -> Mapping[str, Any]:
    if isinstance(item, Mapping):
        return safe.value(item)  # type: ignore[no-any-return]
    return {"text": safe.text(item)}


def _reader(value: Any, what: str) -> Any:
    if isinstance(value, Mapping):
        return value.get
    if hasattr(value, "name"):
        return lambda name: getattr(value, name, None)
    raise InvalidResponse(f"{what} is a {type(value).__name__}; a mapping is due")


def _redacted(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same dataclass values with every text redacted."""
    kept = []
    for value in values:
        names = value.__dataclass_fields__
        kept.append(type(value)(**redact_json({name: getattr(value, name) for name in names})))
    return tuple(kept)
