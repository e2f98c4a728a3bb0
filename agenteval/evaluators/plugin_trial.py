"""Trying a plugin: its metadata, its module, its contract, and what it says of a small sample attempt."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from agenteval.evaluators.check import Check
from agenteval.evaluators.context import Context
from agenteval.evaluators.judging import scores_of
from agenteval.evaluators.loading import build
from agenteval.evaluators.plugins import RESERVED, Plugin
from agenteval.evaluators.table import UnusableEvaluatorError, find
from agenteval.model.attempt import Attempt
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.score import Score
from agenteval.model.status import Status
from agenteval.suites import shape

QUESTION = "What is the capital of France?"
ANSWER = "The capital of France is Paris."
TRUTH = "Paris"


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a name.

    Attributes:
        offers: Its registrations; none for a built-in name that nobody else registers.
        parameters: Parameter -> whether it is required; None where the plugin could not be loaded.
        score: What it said of the sample; None where it was not asked.
        not_tried: Why it was not asked although nothing is wrong: it needs parameters.
        findings: What is wrong.
    """

    name: str
    offers: tuple[Plugin, ...]
    parameters: Mapping[str, bool] | None = None
    score: Score | None = None
    not_tried: str = ""
    findings: tuple[str, ...] = ()


def try_plugin(
    name: str, offers: tuple[Plugin, ...], params: Any = None, *, given: bool = False, answer: str = ANSWER, truth: Any = TRUTH
) -> Trial:
    """Import the evaluator, check its contract, build it with ``params`` and let it judge the sample.

    Args:
        offers: The registrations of the name.
        given: Whether ``params`` were given; an evaluator that cannot do without is not tried then, which is no finding.
        answer, truth: The sample's answer and its ``expects.ground_truth``.
    """
    findings = tuple(f"evaluator {name!r} of {plugin.origin} {plugin.problem}" for plugin in offers if name in RESERVED)
    try:
        cls = find(name)
    except UnusableEvaluatorError as error:
        return Trial(name, offers, findings=(f"{error}; {error.fix}",))
    fields = {key: field.required for key, field in shape.fields_of(cls).items()}
    with redirect_stdout(sys.stderr):
        evaluator, problems = build(cls, params, "")
        told = tuple(str(problem) for problem in problems)
        if evaluator is None:
            refused = fields and not given
            return Trial(name, offers, fields, None, "; ".join(told) if refused else "", findings if refused else (*findings, *told))
        (score,) = scores_of([Check(name, evaluator)], _sample(answer, truth), skip_judges=True)
    if score.error is not None:
        findings += (f"it fails on the sample: {score.error}",)
    return Trial(name, offers, fields, score, findings=findings)


def _sample(answer: str, truth: Any) -> Context:
    """A question with its answer and one call of a search tool that found the passage."""
    passage = {"id": "doc-1", "text": "Paris is the capital of France."}
    attempt = Attempt(
        "sample",
        Status.UNSCORED,
        prompt=QUESTION,
        output=answer,
        latency_ms=850.0,
        usage=Usage(42, 8),
        cost_usd=0.0004,
        tool_calls=(ToolCall("search", {"query": "capital of France"}, [passage]),),
        nodes_fired=("search", "answer"),
        steps=(Step("tool_call", "search", {"query": "capital of France"}, [passage]), Step("node", "answer", output=answer)),
        retrieved_context=(passage,),
        citations=("doc-1",),
        expects={"ground_truth": truth},
        tags=("sample",),
    )
    return Context(attempt, QUESTION, attempt.expects)
