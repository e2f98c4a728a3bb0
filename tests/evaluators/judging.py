"""Judging an answer in one line, for the tests of single evaluators."""

from __future__ import annotations

from typing import Any

from agenteval.errors import Problem
from agenteval.evaluators import Context, compile_case
from agenteval.evaluators import scores_of as judged
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from agenteval.model.status import Status
from agenteval.suites.suite import Case, EvaluatorSpec


def a_case(expects: dict[str, Any] | None = None, **changes: Any) -> Case:
    """A case with these expectations."""
    return Case(**{"id": "a", "prompt": "q", "path": "cases[0]", "expects": expects or {}, **changes})


def spec(name: str, params: Any = None, **changes: Any) -> EvaluatorSpec:
    """The first entry of a case's evaluators."""
    return EvaluatorSpec(**{"name": name, "params": params, "path": "cases[0].evaluators[0]", **changes})


def problems_of(case: Case) -> list[str]:
    """What is wrong with a case, as text."""
    return [str(problem) for problem in found_problems(case)]


def found_problems(case: Case) -> list[Problem]:
    """What is wrong with a case."""
    return compile_case(case)[1]


def scores_of(case: Case, output: str = "", **evidence: Any) -> tuple[Score, ...]:
    """The scores of an answer; the case must be sound."""
    compiled, problems = compile_case(case)
    assert problems == []
    attempt = Attempt("a", Status.UNSCORED, output=output, **evidence)
    return judged(compiled.checks, Context(attempt, case.prompt, case.expects, case.tools, case.context))


def score(name: str, params: Any = None, output: str = "", **evidence: Any) -> Score:
    """The score of one evaluator listed under ``evaluators``."""
    return scores_of(a_case(evaluators=(spec(name, params),)), output, **evidence)[0]


def correctness(kind: str, truth: Any, output: str, **options: Any) -> Score:
    """The score of a correctness check of ``expects``."""
    return scores_of(a_case({"correctness_type": kind, "ground_truth": truth, **options}), output)[0]
