"""From the reply to one call of the agent to the fields of an attempt."""

from __future__ import annotations

import traceback
from typing import Any

from agenteval._redact import redact
from agenteval.adapters.contract import AgentFailure
from agenteval.adapters.evidence import Evidence, InvalidResponse, ReportedFailure, collect
from agenteval.adapters.pricing import cost_of, model_of
from agenteval.adapters.safe import cut
from agenteval.model.attempt import Failure
from agenteval.model.status import ErrorKind
from agenteval.runner.dialogue import Interrupted, Reply, Settings

GIVEN_UP = Failure(ErrorKind.INTERRUPTED, "Interrupted", "given up at the second interrupt")
"""Of an attempt that a resumed run makes again."""


def outcome_of(reply: Reply, settings: Settings) -> dict[str, Any]:
    """The fields of an attempt that one reply decides; ``error`` is among them where there is no answer."""
    if reply.error is not None or reply.timed_out:
        return failed(reply)
    value = reply.value
    if type(value) is str and len(value) < 10_000 and value.isascii() and not settings.agent.recorded:
        return {"output": redact(value), "latency_ms": round(reply.elapsed_ms, 3)}
    try:
        evidence = collect(value)
    except ReportedFailure as failure:
        fields = _evidence_fields(failure.evidence, reply, settings)
        fields["latency_ms"] = None
        fields["error"] = Failure(ErrorKind.EXCEPTION, "ReportedFailure", redact(str(failure)))
        return fields
    except InvalidResponse as error:
        return {"error": Failure(ErrorKind.INVALID_RESPONSE, "InvalidResponse", redact(str(error)))}
    except Exception as error:  # hostile objects may raise anything from any attribute
        message = f"the response could not be read ({type(error).__name__})"
        return {"error": Failure(ErrorKind.INVALID_RESPONSE, "InvalidResponse", message)}
    return _evidence_fields(evidence, reply, settings)


def _evidence_fields(evidence: Evidence, reply: Reply, settings: Settings) -> dict[str, Any]:
    claimed = evidence.claimed_latency_ms
    latency = claimed if settings.agent.recorded else reply.elapsed_ms
    fields: dict[str, Any] = {
        "output": evidence.output,
        "latency_ms": None if latency is None else round(latency, 3),
    }
    if claimed is not None and not settings.agent.recorded:
        fields["claimed_latency_ms"] = round(claimed, 3)
    if evidence.usage.total is not None or evidence.usage.prompt_tokens is not None or evidence.cost_usd is not None or evidence.raw:
        model = model_of(evidence.model, evidence.raw)
        fields["usage"] = evidence.usage
        fields["cost_usd"], fields["cost_source"] = cost_of(evidence.cost_usd, evidence.usage, model or settings.model, settings.prices)
        fields["raw"] = evidence.raw
        fields["model"] = model
    elif evidence.model is not None:
        fields["model"] = evidence.model
    for name in ("tool_calls", "nodes_fired", "steps", "retrieved_context", "citations", "notes"):
        value = getattr(evidence, name)
        if value:
            fields[name] = value
    return fields


def failed(reply: Reply) -> dict[str, Any]:
    """The fields of a call that raised or did not come back in time."""
    error = reply.error
    if reply.timed_out:
        seconds = reply.elapsed_ms / 1000
        return {
            "latency_ms": round(reply.elapsed_ms, 3),
            "error": Failure(ErrorKind.TIMEOUT, "TimeoutError", f"no answer within {seconds:g} s"),
        }
    if isinstance(error, Interrupted):
        return {"error": GIVEN_UP}
    if isinstance(error, AgentFailure):
        kind = error.kind if error.kind in set(ErrorKind) else ErrorKind.EXCEPTION
        return {"error": Failure(kind, redact(error.type_name), redact(str(error)))}
    if isinstance(error, SystemExit):
        return {"error": Failure(ErrorKind.EXIT, "SystemExit", f"the agent called sys.exit({_text(error.code)})")}
    kind = ErrorKind.EXIT if isinstance(error, KeyboardInterrupt) else ErrorKind.EXCEPTION
    return {"error": Failure(kind, cut(type(error).__name__, 200), _text(error), _traceback(error))}


def _text(value: Any) -> str:
    try:
        text = str.__str__(str(value))
    except BaseException:  # also sys.exit in an exception's own __str__
        return f"<{type(value).__name__} without a text>"
    return cut(text.encode("utf-8", "replace").decode(), 4000)


def _traceback(error: BaseException | None) -> str | None:
    """The agent's own frames, last 20, redacted; file names without their folders."""
    if error is None or error.__traceback__ is None:
        return None
    frames = traceback.extract_tb(error.__traceback__)[1:][-20:]
    lines = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} in {frame.name}: {frame.line or ''}" for frame in frames]
    return _text("\n".join(lines)) if lines else None


def with_raw(fields: dict[str, Any], name: str, value: Any) -> None:
    """Keep something of the harness's own under ``raw``; what the agent put there under the same name gives way, with a note."""
    raw = fields.get("raw") or {}
    if name in raw and raw[name] != value:
        fields["notes"] = (*fields.get("notes", ()), f"raw.{name} of the agent was replaced")
    fields["raw"] = {**raw, name: value}
