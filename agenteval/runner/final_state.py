"""What the world looks like after the agent: a function of the user's, asked once an attempt, its answer kept as evidence."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from agenteval._redact import redact_json
from agenteval.adapters.safe import Sanitizer
from agenteval.model.attempt import Failure
from agenteval.model.status import ErrorKind
from agenteval.runner.dialogue import Call, Reply
from agenteval.runner.outcome import failed, with_raw

KEY = "final_state"
"""Its place under ``raw``."""
NOT_RECORDED = Failure(ErrorKind.EXCEPTION, "NoFinalState", f"{KEY}: the recording holds none, and the world is not the recorded one")


@dataclass(frozen=True, slots=True)
class FinalState:
    """The function of a case, and which of ``repetition`` and ``session`` it takes beside the case's id."""

    function: Callable[..., Any]
    takes: frozenset[str]


def final_state(function: Callable[..., Any]) -> FinalState:
    """The function with what its signature takes."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return FinalState(function, frozenset())
    names = {"repetition", "session"}
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        names &= set(list(parameters)[1:])
    return FinalState(function, frozenset(names))


def read_state(
    state: FinalState, case_id: str, fields: dict[str, Any], *, repetition: int, session: str, timeout_s: float
) -> Generator[Call, Reply, Failure | None]:
    """Ask for the state and keep it, redacted, in the attempt's fields; the failure where there is none."""
    offered = {"repetition": repetition, "session": session}
    kwargs = {name: value for name, value in offered.items() if name in state.takes}
    reply = yield Call(state.function, (case_id,), kwargs, timeout_s, threaded=not inspect.iscoroutinefunction(state.function))
    if reply.error is not None or reply.timed_out:
        failure: Failure = failed(reply)["error"]
        message = failure.message.replace("no answer", "no state") if reply.timed_out else failure.message
        return Failure(failure.kind, failure.type, f"{KEY}: {message}", failure.traceback)
    safe = Sanitizer()
    with_raw(fields, KEY, redact_json(safe.value(reply.value)))
    if safe.notes:
        fields["notes"] = (*fields.get("notes", ()), *(f"{KEY}: {note}" for note in safe.notes))
    return None
