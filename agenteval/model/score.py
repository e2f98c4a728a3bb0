"""What an evaluator says of one attempt."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Feeds(StrEnum):
    """The suite metric that a score is counted in."""

    CORRECTNESS = "correctness"
    HALLUCINATION = "hallucination"
    TOOLS = "tools"
    TRAJECTORY = "trajectory"
    RETENTION = "retention"
    TOOL_EFFICIENCY = "tool_efficiency"
    CONTEXT_RELEVANCE = "context_relevance"
    FAITHFULNESS = "faithfulness"
    UNSUPPORTED_CLAIMS = "unsupported_claim_rate"
    CITATIONS = "citation_f1"
    RETRIEVAL = "retrieval_f1"


MEANS = (
    Feeds.TOOL_EFFICIENCY,
    Feeds.CONTEXT_RELEVANCE,
    Feeds.FAITHFULNESS,
    Feeds.UNSUPPORTED_CLAIMS,
    Feeds.CITATIONS,
    Feeds.RETRIEVAL,
)
"""Scores whose mean over the cases is a metric of its own, named ``<value>_avg``."""


class Score(NamedTuple):
    """One check's result.

    Attributes:
        name: The evaluator's name.
        value: In [0, 1], or None.
        passed: The verdict, or None where the check did not decide.
        reason: One plain sentence.
        evidence: JSON-safe facts behind the verdict (number read, alignment, pairing).
        required: Whether the case needs this check to hold.
        feeds: The suite metric it is counted in, if any.
        error: Set when the evaluator itself failed; then ``value`` and ``passed`` are None.
        skipped: True when it was left out by request (``--no-llm-judge``, ``--no-score``).

    A score with ``passed`` None, no error and not skipped either observes a value or is not applicable, with its reason.
    """

    name: str
    value: float | None = None
    passed: bool | None = None
    reason: str = ""
    evidence: Mapping[str, Any] = _NOTHING
    required: bool = True
    feeds: Feeds | None = None
    error: str | None = None
    skipped: bool = False

    @property
    def applicable(self) -> bool:
        """False where the check found nothing to judge."""
        return self.passed is not None or self.value is not None or self.error is not None or self.skipped
