"""The evaluators by name: built in, written as functions, or installed by third parties."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any

ENTRY_POINTS = "agenteval.evaluators"

BUILT_IN: dict[str, str] = {
    "exact": "exact:Exact",
    "contains": "contains:Contains",
    "numeric": "numeric:Numeric",
    "numeric_table": "numeric_table:NumericTable",
    "regex": "pattern:Regex",
    "json": "json_answer:Json",
    "must_call_tools": "tool_choice:MustCallTools",
    "tool_calls": "tool_calls:ToolCalls",
    "trajectory": "trajectory:Trajectory",
    "tool_efficiency": "tool_efficiency:ToolEfficiency",
    "must_not_hallucinate": "hallucination:MustNotHallucinate",
    "context_relevance": "rag:ContextRelevance",
    "faithfulness": "rag:Faithfulness",
    "unsupported_claim_rate": "rag:UnsupportedClaimRate",
    "retrieval_f1": "rag_ids:RetrievalF1",
    "citation_f1": "rag_ids:CitationF1",
    "citations_exist": "rag_ids:CitationsExist",
    "retained_facts": "retention:RetainedFacts",
    "max_steps": "limits:MaxSteps",
    "max_latency_ms": "limits:MaxLatencyMs",
    "max_cost_usd": "limits:MaxCostUsd",
    "max_tokens": "limits:MaxTokens",
    "field": "recorded:Field",
    "no_error": "recorded:NoError",
    "llm_judge": "judged:LlmJudge",
    "faithfulness_judge": "judged:FaithfulnessJudge",
    "tool_selection_judge": "judged:ToolSelectionJudge",
    "tool_invocation_judge": "judged:ToolInvocationJudge",
    "preferred_to": "judged:PreferredTo",
}
"""Name -> module and class inside this package; a module is imported when one of its evaluators is used."""

_defined: dict[str, type] = {}


class UnknownEvaluatorError(LookupError):
    """No evaluator has this name."""


class UnusableEvaluatorError(Exception):
    """The evaluator is there, but cannot be loaded."""


def table() -> Mapping[str, type]:
    """Every known evaluator: a dataclass whose fields are its YAML parameters and whose docstring is its documentation.

    Entry points that cannot be loaded are left out; using one by name says why.
    """
    found = {name: _built_in(name) for name in BUILT_IN}
    for name in sorted(_entry_points()):
        try:
            found.setdefault(name, _entry_point(name))
        except UnusableEvaluatorError:
            continue
    return {**_defined, **found}


def find(name: str) -> type:
    """The evaluator of that name; entry points are consulted only for names that are neither built in nor defined here.

    Raises:
        UnknownEvaluatorError: With the name.
        UnusableEvaluatorError: With the reason.
    """
    if name in BUILT_IN:
        return _built_in(name)
    if name in _defined:
        return _defined[name]
    if name in _entry_points():
        return _entry_point(name)
    raise UnknownEvaluatorError(name)


def names() -> list[str]:
    """Every name that ``find`` accepts, without loading anything."""
    return [*BUILT_IN, *_defined, *_entry_points()]


def define(name: str, cls: type) -> None:
    """Make an evaluator known for the rest of the process; defining a name again replaces it.

    Raises:
        ValueError: The name is that of a built-in.
    """
    if name in BUILT_IN:
        raise ValueError(f"{name!r} is the name of a built-in evaluator; choose another")
    _defined[name] = cls


@cache
def _built_in(name: str) -> type:
    module, _, attribute = BUILT_IN[name].partition(":")
    found: type = getattr(importlib.import_module(f"{__package__}.{module}"), attribute)
    return found


@cache
def _entry_points() -> Mapping[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


@cache
def _entry_point(name: str) -> type:
    point = _entry_points()[name]
    try:
        loaded = point.load()
    except Exception as error:
        raise UnusableEvaluatorError(f"evaluator {name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}") from error
    from agenteval.evaluators.functions import as_evaluator

    try:
        return as_evaluator(loaded)
    except TypeError as error:
        raise UnusableEvaluatorError(f"evaluator {name!r} ({point.value}) cannot be used: {error}") from error
