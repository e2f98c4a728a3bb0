"""What is measured of an attempt although no check asks for it: retrieval, grounding and tool efficiency, where there is evidence.

None of it decides a case; a listed evaluator of the same name takes its place. What a model would judge instead belongs into the evaluators
themselves, as a parameter: here only counting happens, which costs no call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agenteval.evaluators.check import Check
from agenteval.evaluators.context import Context
from agenteval.evaluators.rag import ContextRelevance, Faithfulness, UnsupportedClaimRate
from agenteval.evaluators.rag_ids import CitationF1, CitationsExist, RetrievalF1
from agenteval.evaluators.tool_choice import MustCallTools
from agenteval.evaluators.tool_efficiency import CALLS, ToolEfficiency
from agenteval.evaluators.trajectory import steps_of

TOLD = frozenset({"retrieval_f1", "citation_f1"})
"""Measures that the case asks for by its keys, so that it is told why one is not applicable."""

_GROUNDING = (
    Check("context_relevance", ContextRelevance(), False, feeds=ContextRelevance.feeds),
    Check("faithfulness", Faithfulness(), False, feeds=Faithfulness.feeds),
    Check("unsupported_claim_rate", UnsupportedClaimRate(), False, feeds=UnsupportedClaimRate.feeds),
)
_RETRIEVAL = Check("retrieval_f1", RetrievalF1(), False, feeds=RetrievalF1.feeds)
_CITATIONS = Check("citation_f1", CitationF1(), False, feeds=CitationF1.feeds)
_EXIST = Check("citations_exist", CitationsExist(), False)


def observed(checks: Sequence[Check], context: Context) -> list[Check]:
    """The checks that an attempt's evidence allows, without those that the case lists itself.

    Of a conversation each turn is measured by its own evidence; the conversation only by what the case itself declares.
    """
    listed = {check.name for check in checks}
    return [check for check in (*_retrieval(context), *_efficiency(checks, context)) if check.name not in listed]


def _retrieval(context: Context) -> Iterator[Check]:
    attempt, expects = context.attempt, context.expects
    whole = not attempt.turns
    if (whole and attempt.retrieved_context) or expects.get("reference_context"):
        yield from _GROUNDING
    if expects.get("relevant_context_ids"):
        yield _RETRIEVAL
    if expects.get("expected_citations"):
        yield _CITATIONS
    elif whole and attempt.citations and attempt.retrieved_context:
        yield _EXIST


def _efficiency(checks: Sequence[Check], context: Context) -> Iterator[Check]:
    declared = next((check.evaluator.tools for check in checks if isinstance(check.evaluator, MustCallTools)), None)
    if declared and any(step.kind in CALLS for step in steps_of(context)):
        yield Check("tool_efficiency", ToolEfficiency(tools=declared), False, feeds=ToolEfficiency.feeds)
