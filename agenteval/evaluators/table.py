"""The evaluators by name: built in, written as functions, or installed by third parties."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agenteval.evaluators.plugins import Plugin

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
_plugged: dict[str, tuple[type, Plugin]] = {}


class UnknownEvaluatorError(LookupError):
    """No evaluator has this name."""


class UnusableEvaluatorError(Exception):
    """The evaluator is there, but cannot be used. ``fix`` says what to do."""

    def __init__(self, what: str, fix: str = "mend or uninstall the package") -> None:
        super().__init__(what)
        self.fix = fix


def table() -> Mapping[str, type]:
    """Every known evaluator: a dataclass whose fields are its YAML parameters and whose docstring is its documentation.

    Loads every plugin; those that cannot be loaded are left out, and using one by name says why.
    """
    found = {}
    for name in names():
        with suppress(UnusableEvaluatorError):
            found[name] = find(name)
    return found


def find(name: str) -> type:
    """The evaluator of that name; installed packages are asked only for names that are neither built in nor defined here.

    Raises:
        UnknownEvaluatorError: With the name.
        UnusableEvaluatorError: With the reason.
    """
    if name in BUILT_IN:
        return _built_in(name)
    if name in _plugged:  # before those defined here: a plugin's module may define its evaluator for this process too
        return _plugged[name][0]
    if name in _defined:
        return _defined[name]
    from agenteval.evaluators import plugins  # reading packages' metadata costs a twentieth of a whole run

    _plugged[name] = plugins.find(name)
    return _plugged[name][0]


def names() -> list[str]:
    """Every name that ``find`` knows, without loading anything."""
    from agenteval.evaluators.plugins import registered

    return list(dict.fromkeys([*BUILT_IN, *_defined, *(plugin.name for plugin in registered())]))


def plugin_of(name: str, cls: type) -> Plugin | None:
    """The package that an evaluator in use comes from; None where it is built in or the project's own."""
    found = _plugged.get(name)
    return found[1] if found is not None and found[0] is cls else None


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
