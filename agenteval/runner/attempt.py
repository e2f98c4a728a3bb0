"""One attempt as a dialogue: it asks for calls, is told what came of them, and ends in an ``Attempt``; who calls is not its business."""

from __future__ import annotations

import hashlib
import inspect
import traceback
from collections.abc import Callable, Generator, Mapping
from typing import Any

from agenteval._redact import redact
from agenteval._time import iso_now
from agenteval.adapters.contract import AgentFailure
from agenteval.adapters.evidence import Evidence, InvalidResponse, ReportedFailure, collect
from agenteval.adapters.pricing import cost_of, model_of
from agenteval.adapters.safe import cut
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.response import Usage
from agenteval.model.status import ErrorKind, Status
from agenteval.runner.dialogue import Call, Dialogue, Interrupted, Progress, Reply, Settings
from agenteval.runner.plan import PlannedCase
from agenteval.runner.scoring import judged_case, judged_turn, shared_fields


def attempt_dialogue(planned: PlannedCase, repetition: int, settings: Settings, progress: Progress) -> Dialogue:
    """Everything that happens in one attempt: set-up, the agent's call or turns, judgement, teardown."""
    if planned.setup is None and planned.teardown is None:
        return (yield from _executed(planned, repetition, settings, progress))
    failure = yield from _hook(planned.setup, planned, repetition, settings, "setup")
    if failure is not None:
        return Attempt(case_id=planned.case.id, status=Status.AGENT_ERROR, error=failure, **shared_fields(planned, repetition))
    attempt = yield from _executed(planned, repetition, settings, progress)
    failure = yield from _hook(planned.teardown, planned, repetition, settings, "teardown")
    if failure is not None:
        return _changed(attempt, status=Status.EVALUATOR_ERROR, correct=None, error=failure)
    return attempt


def seed_of(case_id: str, repetition: int) -> int:
    """The seed of an attempt: the same for the same case and repetition, whatever ran before."""
    return int.from_bytes(hashlib.sha256(f"{case_id}\x00{repetition}".encode()).digest()[:4], "big")


def _executed(planned: PlannedCase, repetition: int, settings: Settings, progress: Progress) -> Dialogue:
    shared = shared_fields(planned, repetition)
    if planned.turns:
        fields = yield from _conversation(planned, repetition, settings, shared)
    else:
        fields = yield from _single(planned, repetition, settings)
    fields.update(shared)
    return (yield from judged_case(planned, fields, settings, progress))


def _single(planned: PlannedCase, repetition: int, settings: Settings) -> Generator[Call, Reply, dict[str, Any]]:
    kwargs = _kwargs(planned, repetition, settings)
    started = iso_now()
    reply = yield Call(settings.agent.call, (planned.case.prompt,), kwargs, planned.timeout_s)
    fields = _outcome(reply, settings)
    fields["started_at"] = started
    if "seed" in kwargs:
        fields["seed"] = kwargs["seed"]
    return fields


def _conversation(
    planned: PlannedCase, repetition: int, settings: Settings, shared: Mapping[str, Any]
) -> Generator[Call, Reply, dict[str, Any]]:
    kwargs = _kwargs(planned, repetition, settings)
    keeps_state = "session" in settings.agent.accepts
    started = iso_now()
    transcript: list[tuple[str, str]] = []
    turns: list[Attempt] = []
    for number, turn in enumerate(planned.turns):
        prompt = turn.turn.prompt if keeps_state or not transcript else _with_history(transcript, turn.turn.prompt)
        turn_started = iso_now()
        reply = yield Call(settings.agent.call, (prompt,), kwargs, planned.timeout_s)
        fields = _outcome(reply, settings)
        judged = yield from judged_turn(planned, turn, number, fields, turn_started, settings, tuple(transcript))
        turns.append(judged)
        if judged.error is not None:
            break
        transcript.append((turn.turn.prompt, judged.output))
    fields = _joined(turns)
    fields["started_at"] = started
    if "seed" in kwargs:
        fields["seed"] = kwargs["seed"]
    return fields


def _with_history(transcript: list[tuple[str, str]], prompt: str) -> str:
    """The conversation so far as text, for agents that keep no state of their own."""
    said = "\n".join(f"User: {asked}\nAssistant: {answered}" for asked, answered in transcript)
    return f"{said}\n\nUser: {prompt}"


def _joined(turns: list[Attempt]) -> dict[str, Any]:
    """The case-level evidence of a conversation: the agent's words a turn a paragraph, everything else joined or summed."""
    last = turns[-1]
    fields: dict[str, Any] = {
        "output": "\n\n".join(turn.output for turn in turns if turn.error is None),
        "latency_ms": _sum([turn.latency_ms for turn in turns]),
        "claimed_latency_ms": _sum([turn.claimed_latency_ms for turn in turns]),
        "usage": Usage(
            _whole([turn.usage.prompt_tokens for turn in turns]),
            _whole([turn.usage.completion_tokens for turn in turns]),
            _whole([turn.usage.total_tokens for turn in turns]),
            _whole([turn.usage.cached_tokens for turn in turns]),
        ),
        "cost_usd": _sum([turn.cost_usd for turn in turns]),
        "cost_source": next((turn.cost_source for turn in turns if turn.cost_source == "unpriced"), last.cost_source),
        "model": last.model,
        "tool_calls": tuple(call for turn in turns for call in turn.tool_calls),
        "nodes_fired": tuple(node for turn in turns for node in turn.nodes_fired),
        "retrieved_context": tuple(item for turn in turns for item in turn.retrieved_context),
        "citations": tuple(item for turn in turns for item in turn.citations),
        "raw": last.raw,
        "turns": tuple(turns),
    }
    if last.error is not None:
        fields["error"] = last.error
    return fields


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known), 6) if len(known) == len(values) else None


def _whole(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _kwargs(planned: PlannedCase, repetition: int, settings: Settings) -> dict[str, Any]:
    accepts = settings.agent.accepts
    if not accepts:
        return {}
    case = planned.case
    offered: dict[str, Any] = {}
    for name in accepts:
        if name == "case_id":
            offered[name] = case.id
        elif name == "repetition":
            offered[name] = repetition
        elif name == "seed":
            offered[name] = seed_of(case.id, repetition)
        elif name == "session":
            offered[name] = f"{settings.run_id}/{case.id}/{repetition}"
        elif name == "model":
            offered[name] = settings.model or case.model
        elif name == "context":
            offered[name] = dict(case.context)
        else:
            offered[name] = planned.timeout_s
    return offered


def _outcome(reply: Reply, settings: Settings) -> dict[str, Any]:
    """The fields of an attempt that one reply decides."""
    if reply.error is not None or reply.timed_out:
        return _failed(reply)
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


def _failed(reply: Reply) -> dict[str, Any]:
    error = reply.error
    if reply.timed_out:
        seconds = reply.elapsed_ms / 1000
        return {
            "latency_ms": round(reply.elapsed_ms, 3),
            "error": Failure(ErrorKind.TIMEOUT, "TimeoutError", f"no answer within {seconds:g} s"),
        }
    if isinstance(error, Interrupted):
        return {"error": Failure(ErrorKind.INTERRUPTED, "Interrupted", "given up at the second interrupt")}
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


def _hook(
    hook: Callable[..., Any] | None, planned: PlannedCase, repetition: int, settings: Settings, name: str
) -> Generator[Call, Reply, Failure | None]:
    if hook is None:
        return None
    reply = yield Call(hook, (planned.case.id,), {}, planned.timeout_s, threaded=not inspect.iscoroutinefunction(hook))
    if reply.error is None and not reply.timed_out:
        return None
    failure: Failure = _failed(reply)["error"]
    return Failure(failure.kind, failure.type, f"{name}: {failure.message}", failure.traceback)


def _changed(attempt: Attempt, **changes: Any) -> Attempt:
    fields = {name: getattr(attempt, name) for name in Attempt.__dataclass_fields__}
    return Attempt(**{**fields, **changes})
