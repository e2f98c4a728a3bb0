"""``context_relevance``, ``faithfulness``, ``unsupported_claim_rate``: whether context fits the question, and the answer the context.

All three are counted, not asked of a model: the same evidence gives the same value everywhere. The context is what the agent retrieved,
or the case's ``reference_context`` where it reports nothing retrieved; without either they are not applicable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from agenteval._format import of
from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.quantities import READ_LIMIT
from agenteval.evaluators.rag_grounding import MOST_CLAIMS, Claim, figures_of, grounding_of
from agenteval.evaluators.rag_text import words_of
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Range

Share = Annotated[float, Range(ge=0, le=1)]

NO_CONTEXT = "not applicable: no context, neither retrieved nor given by reference_context"
_SHOWN = 100
_SLACK = 1e-9


def at_least(value: float, least: float | None) -> bool | None:
    """Whether a value reaches its bar; None where there is no bar, so that it is only observed."""
    return None if least is None else value >= least - _SLACK


@dataclass(frozen=True)
class ContextRelevance:
    """The context covers the question: the share of the prompt's content words that any passage holds, in [0, 1].

    A long passage is not punished for its length. Not applicable without context, or where the prompt has no content words.

    Attributes:
        min: Least share that passes.
    """

    feeds: ClassVar[Feeds] = Feeds.CONTEXT_RELEVANCE
    bar: ClassVar[str] = "min"

    min: Share | None = None

    def evaluate(self, context: Context) -> Score:
        """The share; evidence names the words that are missing and each passage's own share."""
        grounding = grounding_of(context)
        if grounding is None:
            return Score("context_relevance", reason=NO_CONTEXT)
        asked = words_of(context.prompt[:READ_LIMIT]).all
        if not asked:
            return Score("context_relevance", reason="not applicable: the prompt has no content words")
        missing = sorted(asked - grounding.all_words)
        share = 1 - len(missing) / len(asked)
        each = [
            {"passage": passage.name, "share": round(len(asked & words) / len(asked), 3)}
            for passage, words in zip(grounding.passages, grounding.words, strict=True)
        ]
        reason = f"{of(len(asked) - len(missing), len(asked), 'word')} of the prompt in the context"
        if missing:
            reason += f"; not there: {', '.join(missing[:5])}"
        evidence = {"missing": missing[:_SHOWN], "passages": each[:_SHOWN]}
        return Score("context_relevance", share, at_least(share, self.min), reason, evidence)


@dataclass(frozen=True)
class Faithfulness:
    """The context supports the answer: of the sentences in which it asserts something, the share that is supported, in [0, 1].

    A sentence is supported if each of its figures is in the context (within 0.01), at least half of its content words and figures are,
    and the context's nearest clause does not deny it. Questions, lines ending in a colon, and sentences that only say that the agent
    does not know assert nothing. Not applicable without context, or where the answer asserts nothing.

    Attributes:
        min: Least share that passes.
    """

    feeds: ClassVar[Feeds] = Feeds.FAITHFULNESS
    bar: ClassVar[str] = "min"

    min: Share | None = None

    def evaluate(self, context: Context) -> Score:
        """The share; evidence holds each sentence with its verdict, its share and its nearest passage."""
        grounding = grounding_of(context)
        if grounding is None:
            return Score("faithfulness", reason=NO_CONTEXT)
        claims = grounding.claims(context.output, context.attempt.citations)
        if not claims:
            return Score("faithfulness", reason="not applicable: the answer asserts nothing")
        supported = sum(claim.supported for claim in claims)
        share = supported / len(claims)
        evidence: dict[str, Any] = {"supported": supported, "of": len(claims), "claims": [claim.evidence() for claim in claims[:_SHOWN]]}
        return Score("faithfulness", share, at_least(share, self.min), _told(claims, supported), evidence)


def _told(claims: list[Claim], supported: int) -> str:
    reason = f"{of(supported, len(claims), 'sentence')} supported by the context"
    if len(claims) == MOST_CLAIMS:
        reason += f" (the first {MOST_CLAIMS} were judged)"
    first = next((claim for claim in claims if not claim.supported), None)
    return reason if first is None else f"{reason}; not “{clip(first.sentence, 80)}”: {first.why}"


@dataclass(frozen=True)
class UnsupportedClaimRate:
    """The answer states no figure that the context does not: the share of its figures that are not there, in [0, 1]; lower is better.

    Figures are read as by numeric and compared within 0.01. Other than must_not_hallucinate, only the context supports: neither the
    prompt, nor the right answer, nor tools. Not applicable without context, or where the answer states no figure in digits.

    Attributes:
        max: Largest share that passes.
    """

    feeds: ClassVar[Feeds] = Feeds.UNSUPPORTED_CLAIMS
    bar: ClassVar[str] = "max"

    max: Share | None = None

    def evaluate(self, context: Context) -> Score:
        """The share; evidence names the figures without support."""
        grounding = grounding_of(context)
        if grounding is None:
            return Score("unsupported_claim_rate", reason=NO_CONTEXT)
        answer = context.output[:READ_LIMIT]
        figures = figures_of(answer, grounding.locale)
        if not figures:
            return Score("unsupported_claim_rate", reason="not applicable: the answer states no figure")
        absent = [answer[found.start : found.end].strip() for found in figures if not grounding.states(found)]
        share = len(absent) / len(figures)
        reason = f"{of(len(absent), len(figures), 'figure')} not in the context"
        if absent:
            reason += f": {', '.join(dict.fromkeys(absent[:5]))}"
        evidence = {"figures": len(figures), "unsupported": absent[:_SHOWN]}
        return Score("unsupported_claim_rate", share, None if self.max is None else share <= self.max + _SLACK, reason, evidence)
