"""Case results of AgentEval 0.3 as attempts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from agenteval.model.attempt import Attempt, Failure
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.score import Feeds, Score
from agenteval.model.status import ErrorKind, Status

_STEP_FIELDS = frozenset(field.name for field in fields(Step)) - {"parent", "id", "error"}
_RAG = (Feeds.CONTEXT_RELEVANCE, Feeds.FAITHFULNESS, Feeds.UNSUPPORTED_CLAIMS, Feeds.CITATIONS, Feeds.RETRIEVAL)


def status_of(record: Mapping[str, Any]) -> Status:
    """The recorded status; from the verdict where older files recorded none."""
    if record.get("status") is not None:
        return Status(record["status"])
    verdict = record.get("correctness_pass")
    if verdict is not None:
        return Status.PASSED if verdict else Status.FAILED
    return Status.AGENT_ERROR if (record.get("raw") or {}).get("success") is False else Status.UNSCORED


def convert_case(record: Mapping[str, Any]) -> Attempt:
    """The attempt that a case result holds. Errored attempts have no latency: 0.3 wrote 0 for it."""
    status = status_of(record)
    raw = record.get("raw") or {}
    verdict = record.get("correctness_pass")
    if not isinstance(record["case_id"], str) or not isinstance(raw, Mapping):
        raise TypeError("case_id is no text or raw no mapping")
    errored = status in (Status.AGENT_ERROR, Status.EVALUATOR_ERROR, Status.SKIPPED)
    return Attempt(
        case_id=record["case_id"],
        status=status,
        correct=verdict if status.decided else None,
        prompt=record.get("prompt") or "",
        output=record.get("final_answer") or "",
        scores=tuple(_scores(record, status)),
        error=_failure(record, raw) if status is Status.AGENT_ERROR else None,
        latency_ms=None if errored else record.get("latency_ms"),
        usage=Usage(record.get("prompt_tokens"), record.get("completion_tokens")),
        cost_usd=record.get("cost_usd"),
        cost_source=_cost_source(record, raw),
        model=(raw.get("_llm_usage") or {}).get("model"),
        tool_calls=tuple(ToolCall(str(name)) for name in record.get("tools_called") or ()),
        nodes_fired=tuple(record.get("nodes_fired") or ()),
        steps=tuple(Step(**{name: step[name] for name in _STEP_FIELDS if name in step}) for step in record.get("trace_steps") or ()),
        retrieved_context=tuple(record.get("retrieved_context") or ()),
        citations=tuple(record.get("citations") or ()),
        raw=raw,
        turns=tuple(convert_case(part) for part in record.get("turn_results") or ()),
        source=record.get("source"),
        parent_id=record.get("parent_id"),
        mutation_type=record.get("mutation_type"),
    )


def _scores(record: Mapping[str, Any], status: Status) -> Iterator[Score]:
    reason = record.get("judge_reason") or ""
    if status is Status.EVALUATOR_ERROR:
        yield Score("correctness", reason=reason, feeds=Feeds.CORRECTNESS, error=reason or "not recorded")
    if not status.decided:
        return
    verdict = record.get("correctness_pass")
    if verdict is not None:
        yield Score("correctness", float(verdict), bool(verdict), reason, feeds=Feeds.CORRECTNESS)
    flag = record.get("hallucination_flag")
    if flag is not None:
        said = "an unsupported figure" if flag else "no unsupported figure"
        yield Score("must_not_hallucinate", float(not flag), not flag, said, required=False, feeds=Feeds.HALLUCINATION)
    precision, recall = record.get("tool_call_precision"), record.get("tool_call_recall")
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        evidence = {"precision": precision, "recall": recall}
        yield Score("must_call_tools", f1, None, "as recorded", evidence, required=False, feeds=Feeds.TOOLS)
    yield from _observed(record)


def _observed(record: Mapping[str, Any]) -> Iterator[Score]:
    trajectory = record.get("trajectory")
    if trajectory:
        yield Score("trajectory", trajectory["score"], None, "as recorded", trajectory, required=False, feeds=Feeds.TRAJECTORY)
    retained = record.get("context_retention_pass")
    if retained is not None:
        yield Score("retained_facts", float(retained), bool(retained), "as recorded", feeds=Feeds.RETENTION)
    rag = record.get("rag") or {}
    for feeds in _RAG:
        if rag.get(feeds.value) is not None:
            evidence = rag if feeds is Feeds.FAITHFULNESS else {}
            yield Score(feeds.value, rag[feeds.value], None, "as recorded", evidence, required=False, feeds=feeds)
    efficiency = record.get("tool_efficiency_score")
    if efficiency is not None:
        repeated = {"redundant_calls": record.get("tool_call_redundancy_count")}
        yield Score("tool_efficiency", efficiency, None, "as recorded", repeated, required=False, feeds=Feeds.TOOL_EFFICIENCY)


def _failure(record: Mapping[str, Any], raw: Mapping[str, Any]) -> Failure:
    text = str(raw.get("error") or record.get("judge_reason") or "not recorded")
    name, colon, message = text.partition(": ")
    if not colon or not name.isidentifier():
        return Failure(ErrorKind.EXCEPTION, "Error", text)
    return Failure(ErrorKind.TIMEOUT if name == "TimeoutError" else ErrorKind.EXCEPTION, name, message)


def _cost_source(record: Mapping[str, Any], raw: Mapping[str, Any]) -> str | None:
    """``estimated`` (from characters) or ``priced``; None where the file does not tell."""
    if record.get("cost_usd") is None:
        return None
    estimated = (raw.get("_metrics") or {}).get("tokens_estimated")
    return None if estimated is None else "estimated" if estimated else "priced"
