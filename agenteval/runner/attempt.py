"""One attempt as a dialogue: it asks for calls, is told what came of them, and ends in an ``Attempt``; who calls is not its business."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any

from agenteval._time import iso_now
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.status import Status
from agenteval.runner.conversation import as_said, conversation
from agenteval.runner.dialogue import Call, Dialogue, Progress, Reply, Settings
from agenteval.runner.final_state import KEY, NOT_RECORDED, read_state
from agenteval.runner.outcome import failed, outcome_of
from agenteval.runner.plan import PlannedCase
from agenteval.runner.scoring import judged_by_rules, judged_case, shared_fields


def attempt_dialogue(planned: PlannedCase, repetition: int, settings: Settings, progress: Progress) -> Dialogue:
    """Everything that happens in one attempt: set-up, the agent's call or turns, judgement, teardown."""
    end_session = settings.agent.end_session
    if end_session is None:
        return (yield from _between_hooks(planned, repetition, settings, progress))
    try:
        return (yield from _between_hooks(planned, repetition, settings, progress))
    finally:
        with suppress(Exception):  # the attempt is over: what it was stands
            end_session(_session(planned, repetition, settings))


def _between_hooks(planned: PlannedCase, repetition: int, settings: Settings, progress: Progress) -> Dialogue:
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
    if planned.plain:
        fields = yield from _single(planned, repetition, settings)
        fields.update(shared)
        if not planned.asks_a_model:
            return judged_by_rules(planned, fields, settings, progress)
        return (yield from judged_case(planned, fields, settings, progress))
    if planned.turns or planned.user is not None:
        fields = yield from conversation(planned, _kwargs(planned, repetition, settings), settings)
        planned = as_said(planned, fields["turns"])
    else:
        fields = yield from _single(planned, repetition, settings)
    fields.update(shared)
    failure = yield from _completed(planned, fields, repetition, settings)
    if failure is not None:
        return Attempt(planned.case.id, Status.EVALUATOR_ERROR, error=failure, **fields)
    return (yield from judged_case(planned, fields, settings, progress))


def _completed(planned: PlannedCase, fields: dict[str, Any], repetition: int, settings: Settings) -> Generator[Call, Reply, Failure | None]:
    """The final state added to the fields of an agent that did not fail; why the evidence is not whole, where it is not."""
    undecided: Failure | None = fields.pop("undecided", None)
    if undecided is not None or planned.final_state is None or "error" in fields:
        return undecided
    if settings.agent.recorded:
        return None if KEY in fields.get("raw", ()) else NOT_RECORDED
    session = _session(planned, repetition, settings)
    return (
        yield from read_state(
            planned.final_state, planned.case.id, fields, repetition=repetition, session=session, timeout_s=planned.timeout_s
        )
    )


def _session(planned: PlannedCase, repetition: int, settings: Settings) -> str:
    return f"{settings.run_id}/{planned.case.id}/{repetition}"


def _single(planned: PlannedCase, repetition: int, settings: Settings) -> Generator[Call, Reply, dict[str, Any]]:
    kwargs = _kwargs(planned, repetition, settings)
    started = iso_now()
    reply = yield Call(settings.agent.call, (planned.case.prompt,), kwargs, planned.timeout_s)
    fields = outcome_of(reply, settings)
    fields["started_at"] = started
    if "seed" in kwargs:
        fields["seed"] = kwargs["seed"]
    return fields


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
            offered[name] = _session(planned, repetition, settings)
        elif name == "model":
            offered[name] = settings.model or case.model
        elif name == "context":
            offered[name] = dict(case.context)
        else:
            offered[name] = planned.timeout_s
    return offered


def _hook(
    hook: Callable[..., Any] | None, planned: PlannedCase, repetition: int, settings: Settings, name: str
) -> Generator[Call, Reply, Failure | None]:
    if hook is None:
        return None
    reply = yield Call(hook, (planned.case.id,), {}, planned.timeout_s, threaded=not inspect.iscoroutinefunction(hook))
    if reply.error is None and not reply.timed_out:
        return None
    failure: Failure = failed(reply)["error"]
    return Failure(failure.kind, failure.type, f"{name}: {failure.message}", failure.traceback)


def _changed(attempt: Attempt, **changes: Any) -> Attempt:
    fields = {name: getattr(attempt, name) for name in Attempt.__dataclass_fields__}
    return Attempt(**{**fields, **changes})
