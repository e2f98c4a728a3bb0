"""Attempts as JSON records and back: sparse, so that what is absent was not reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from agenteval.model.attempt import NO_USAGE, Attempt, Failure
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Role, Status

_STEP_FIELDS = tuple(f.name for f in fields(Step))
_CALL_FIELDS = tuple(f.name for f in fields(ToolCall))
_USAGE_FIELDS = tuple(f.name for f in fields(Usage))


def to_record(attempt: Attempt) -> dict[str, Any]:
    """JSON-safe mapping of an attempt; keys whose value is empty or the default are left out."""
    record: dict[str, Any] = {"case_id": attempt.case_id, "status": attempt.status.value}
    if attempt.repetition:
        record["repetition"] = attempt.repetition
    if attempt.correct is not None:
        record["correct"] = attempt.correct
    record["prompt"] = attempt.prompt
    record["output"] = attempt.output
    if attempt.scores:
        record["scores"] = [score_to_record(score) for score in attempt.scores]
    if attempt.error is not None:
        record["error"] = _sparse(attempt.error, ("kind", "type", "message", "traceback"))
    if attempt.usage is not NO_USAGE and (usage := _sparse(attempt.usage, _USAGE_FIELDS)):
        record["usage"] = usage
    if attempt.tool_calls:
        record["tool_calls"] = [_sparse(call, _CALL_FIELDS) for call in attempt.tool_calls]
    if attempt.steps:
        record["steps"] = [_sparse(step, _STEP_FIELDS) for step in attempt.steps]
    if attempt.turns:
        record["turns"] = [to_record(turn) for turn in attempt.turns]
    if not attempt.expect_pass:
        record["expect_pass"] = False
    if attempt.critical:
        record["critical"] = True
    # Spelled out: a loop over names costs three times as much, and this runs once an attempt.
    if attempt.started_at is not None:
        record["started_at"] = attempt.started_at
    if attempt.latency_ms is not None:
        record["latency_ms"] = attempt.latency_ms
    if attempt.claimed_latency_ms is not None:
        record["claimed_latency_ms"] = attempt.claimed_latency_ms
    if attempt.cost_usd is not None:
        record["cost_usd"] = attempt.cost_usd
    if attempt.cost_source is not None:
        record["cost_source"] = attempt.cost_source
    if attempt.model is not None:
        record["model"] = attempt.model
    if attempt.seed is not None:
        record["seed"] = attempt.seed
    if attempt.nodes_fired:
        record["nodes_fired"] = attempt.nodes_fired
    if attempt.retrieved_context:
        record["retrieved_context"] = attempt.retrieved_context
    if attempt.citations:
        record["citations"] = attempt.citations
    if attempt.raw:
        record["raw"] = attempt.raw
    if attempt.expects:
        record["expects"] = attempt.expects
    if attempt.evaluators:
        record["evaluators"] = attempt.evaluators
    if attempt.tags:
        record["tags"] = attempt.tags
    if attempt.role is not None:
        record["role"] = attempt.role.value
    if attempt.definition is not None:
        record["definition"] = attempt.definition
    if attempt.source is not None:
        record["source"] = attempt.source
    if attempt.parent_id is not None:
        record["parent_id"] = attempt.parent_id
    if attempt.mutation_type is not None:
        record["mutation_type"] = attempt.mutation_type
    if attempt.quarantine:
        record["quarantine"] = attempt.quarantine
    if attempt.metadata:
        record["metadata"] = attempt.metadata
    if attempt.notes:
        record["notes"] = attempt.notes
    return record


def score_to_record(score: Score) -> dict[str, Any]:
    """JSON-safe mapping of a score; ``required`` is written only where it is false."""
    record: dict[str, Any] = {"name": score.name}
    if score.value is not None:
        record["value"] = score.value
    if score.passed is not None:
        record["passed"] = score.passed
    if score.reason:
        record["reason"] = score.reason
    if score.evidence:
        record["evidence"] = score.evidence
    if not score.required:
        record["required"] = False
    if score.feeds is not None:
        record["feeds"] = score.feeds.value
    if score.error is not None:
        record["error"] = score.error
    if score.skipped:
        record["skipped"] = True
    return record


def from_record(record: Mapping[str, Any]) -> Attempt:
    """The attempt that a record holds.

    Raises:
        KeyError, TypeError, ValueError: The record is not an attempt; readers turn this into a named problem.
    """
    error = record.get("error")
    role = record.get("role")
    plain = {name: record[name] for name in _PLAIN_SCALARS if name in record}
    return Attempt(
        case_id=record["case_id"],
        status=Status(record["status"]),
        repetition=record.get("repetition", 0),
        correct=record.get("correct"),
        prompt=record.get("prompt", ""),
        output=record.get("output", ""),
        scores=tuple(score_from_record(score) for score in record.get("scores", ())),
        error=Failure(error.get("kind", ""), error.get("type", ""), error.get("message", ""), error.get("traceback")) if error else None,
        usage=Usage(**_known(record.get("usage", {}), _USAGE_FIELDS)),
        tool_calls=tuple(ToolCall(**_known(call, _CALL_FIELDS)) for call in record.get("tool_calls", ())),
        steps=tuple(Step(**_known(step, _STEP_FIELDS)) for step in record.get("steps", ())),
        turns=tuple(from_record(turn) for turn in record.get("turns", ())),
        nodes_fired=tuple(record.get("nodes_fired", ())),
        retrieved_context=tuple(record.get("retrieved_context", ())),
        citations=tuple(record.get("citations", ())),
        evaluators=tuple(record.get("evaluators", ())),
        tags=tuple(record.get("tags", ())),
        notes=tuple(record.get("notes", ())),
        role=Role(role) if role else None,
        **plain,
    )


_PLAIN_SCALARS = (
    "started_at",
    "latency_ms",
    "claimed_latency_ms",
    "cost_usd",
    "cost_source",
    "model",
    "seed",
    "raw",
    "expects",
    "expect_pass",
    "critical",
    "definition",
    "source",
    "parent_id",
    "mutation_type",
    "quarantine",
    "metadata",
)


def score_from_record(record: Mapping[str, Any]) -> Score:
    """The score that a record holds; unknown keys of later minor versions are ignored."""
    feeds = record.get("feeds")
    return Score(
        name=record["name"],
        value=record.get("value"),
        passed=record.get("passed"),
        reason=record.get("reason", ""),
        evidence=record.get("evidence", {}),
        required=record.get("required", True),
        feeds=Feeds(feeds) if feeds else None,
        error=record.get("error"),
        skipped=record.get("skipped", False),
    )


def _sparse(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: item for name in names if (item := getattr(value, name)) is not None}


def _known(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: record[name] for name in names if name in record}
