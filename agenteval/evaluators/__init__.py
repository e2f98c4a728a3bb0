"""Judging one attempt: what a case declares is compiled once into checks, whose scores decide the case."""

from __future__ import annotations

from agenteval.evaluators.check import Check, CompiledCase
from agenteval.evaluators.compiling import compile_case
from agenteval.evaluators.context import Context, Evaluator
from agenteval.evaluators.deciding import decide
from agenteval.evaluators.functions import evaluator
from agenteval.evaluators.judging import observe, scores_of
from agenteval.evaluators.predecessor_plugin import EvaluationContext, EvaluationResult
from agenteval.evaluators.table import table

__all__ = [
    "Check",
    "CompiledCase",
    "Context",
    "EvaluationContext",
    "EvaluationResult",
    "Evaluator",
    "compile_case",
    "decide",
    "evaluator",
    "observe",
    "scores_of",
    "table",
]
