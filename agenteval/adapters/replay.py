"""Recorded attempts, judged without calling anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agenteval.adapters.contract import AgentFailure
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.record import to_record
from agenteval.model.response import AgentResponse
from agenteval.model.status import ErrorKind

_FIELDS = {
    "output": "output",
    "tool_calls": "tool_calls",
    "nodes_fired": "nodes_fired",
    "steps": "trace_steps",
    "trace_steps": "trace_steps",
    "prompt_tokens": "prompt_tokens",
    "completion_tokens": "completion_tokens",
    "total_tokens": "total_tokens",
    "cached_tokens": "cached_tokens",
    "cost_usd": "cost_usd",
    "latency_ms": "latency_ms",
    "retrieved_context": "retrieved_context",
    "citations": "citations",
    "raw": "raw",
    "model": "model",
}
_KEYS = frozenset(_FIELDS) | {"case_id", "repetition", "error", "turns"}


class Replay:
    """An agent that answers from a recording.

    Args:
        recording: JSONL file, relative to the working directory; one attempt a line: ``case_id``, ``repetition`` (0 where absent) and
            ``output``, ``tool_calls``, ``steps``, tokens, ``cost_usd``, ``latency_ms``, ``retrieved_context``, ``citations``, ``raw``,
            ``model``, or ``error`` (``{kind, type, message}``); a conversation holds the same fields for each of its ``turns``.

    Raises:
        InputError: The file cannot be read, a line is not an attempt, or two lines are the same attempt; every line is named.
    """

    recorded = True

    def __init__(self, recording: str | Path) -> None:
        self._attempts = _read(Path(recording))
        self._turn: dict[tuple[str, int], int] = {}

    def run(self, prompt: str, *, case_id: str, repetition: int, session: str) -> AgentResponse:
        """The recorded response of one call; ``session`` is taken because a recording keeps its own conversation state."""
        record = self._attempts.get((case_id, repetition))
        if record is None:
            raise AgentFailure(
                ErrorKind.EXCEPTION, "NotRecorded", f"the recording holds no attempt of {case_id!r}, repetition {repetition}"
            )
        turns = record.get("turns")
        if turns:
            at = self._turn.get((case_id, repetition), 0)
            self._turn[case_id, repetition] = at + 1
            if at >= len(turns):
                raise AgentFailure(ErrorKind.EXCEPTION, "NotRecorded", f"the recording of {case_id!r} holds {len(turns)} turns")
            # What the harness itself adds to raw, such as the final state, lies with the whole conversation.
            whole = record.get("raw")
            record = turns[at] if at + 1 < len(turns) or whole is None else {**turns[at], "raw": whole}
        error = record.get("error")
        if error:
            raise AgentFailure(str(error.get("kind", ErrorKind.EXCEPTION)), str(error.get("type", "Error")), str(error.get("message", "")))
        return AgentResponse(**{field: record[name] for name, field in _FIELDS.items() if record.get(name) is not None})


def recorded(attempt: Attempt) -> dict[str, Any]:
    """One attempt as a line of a recording that ``Replay`` reads."""
    record = to_record(attempt)
    usage = record.get("usage", {})
    kept: dict[str, Any] = {"case_id": attempt.case_id, "repetition": attempt.repetition}
    for name in _FIELDS:
        if name in record:
            kept[name] = record[name]
    kept.update(usage)
    if attempt.cost_source == "priced":
        kept.pop("cost_usd", None)
    if attempt.error is not None:
        kept["error"] = {"kind": str(attempt.error.kind), "type": attempt.error.type, "message": attempt.error.message}
    if attempt.turns:
        kept["turns"] = [
            {name: value for name, value in recorded(turn).items() if name not in ("case_id", "repetition")} for turn in attempt.turns
        ]
    return kept


def _read(path: Path) -> dict[tuple[str, int], Mapping[str, Any]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(Problem(f"cannot be read: {error.strerror}", "check adapter_options.recording", file=str(path))) from error
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            key, record = _attempt(json.loads(line))
            if key in found:
                raise ValueError(f"{key[0]!r} repetition {key[1]} is recorded twice")
            found[key] = record
        except (ValueError, RecursionError) as error:
            problems.append(Problem(str(error) or "not an attempt", "write one JSON object a line", file=str(path), line=number, column=1))
    if not found and not problems:
        problems.append(Problem("holds no attempts", "record some with `agenteval run --record FILE`", file=str(path)))
    if problems:
        raise InputError(problems)
    return found


def _attempt(record: Any) -> tuple[tuple[str, int], Mapping[str, Any]]:
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    unknown = sorted(set(record) - _KEYS)
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; known: {', '.join(sorted(_KEYS))}")
    case_id, repetition = record.get("case_id"), record.get("repetition", 0)
    if not isinstance(case_id, str) or not case_id:
        raise ValueError("case_id is required, as text")
    if not isinstance(repetition, int) or isinstance(repetition, bool) or repetition < 0:
        raise ValueError(f"repetition is {repetition!r}; a whole number from 0 is due")
    if "output" not in record and not record.get("error") and not record.get("turns"):
        raise ValueError("neither output nor error nor turns")
    for name, kind in (("error", dict), ("turns", list), ("tool_calls", list), ("raw", dict)):
        if record.get(name) is not None and not isinstance(record[name], kind):
            raise ValueError(f"{name} is a {type(record[name]).__name__}; a {kind.__name__} is due")
    if not all(isinstance(turn, dict) for turn in record.get("turns") or ()):
        raise ValueError("a turn is not a JSON object")
    return (case_id, repetition), record
