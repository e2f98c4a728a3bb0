"""One execution of one case, with all its evidence: the record that journals, run files and sidecars hold, one a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.score import Feeds, Score
from agenteval.model.status import ErrorKind, Role, Status

NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer. ``kind`` is an ``ErrorKind`` for agents, free text in older files."""

    kind: ErrorKind | str
    type: str
    message: str
    traceback: str | None = None


@dataclass(slots=True)
class Attempt:
    """One attempt at a case; a conversation holds one nested attempt a turn.

    Treat it as frozen. It is not, because filling forty fields of a frozen class costs a fifth of what a trivial case may cost; only
    the runner, which builds it, sets the verdict after the evidence.

    Attributes:
        repetition: 0 is the run's own attempt; further ones lie in the sidecar.
        status, correct: The verdict; ``correct`` is the correctness check alone (or the case's verdict where it has none),
            after ``expect_pass``; None where undecided.
        latency_ms: The harness's own wall time of the call (the claim, in replay); a timeout counts at its deadline; None
            where the call did not finish.
        claimed_latency_ms: What the agent says.
        cost_usd: USD, None where unpriced; ``cost_source`` is ``reported``, ``priced`` or ``unpriced``.
        expects, evaluators: The case's checks as the suite declares them, so that a page can show them offline.
        definition: Hash of the case's definition; None in files that did not record it.
        turns: One attempt a turn, ``case_id`` ``<id>::turn0`` and on.
        notes: What the harness did to the evidence (capped text, replaced objects).
    """

    case_id: str
    status: Status
    repetition: int = 0
    correct: bool | None = None
    prompt: str = ""
    output: str = ""
    scores: tuple[Score, ...] = ()
    error: Failure | None = None
    started_at: str | None = None
    latency_ms: float | None = None
    claimed_latency_ms: float | None = None
    usage: Usage = NO_USAGE
    cost_usd: float | None = None
    cost_source: str | None = None
    model: str | None = None
    seed: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    nodes_fired: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    retrieved_context: tuple[Mapping[str, Any], ...] = ()
    citations: tuple[str, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[Attempt, ...] = ()
    expects: Mapping[str, Any] = field(default_factory=dict)
    evaluators: tuple[Any, ...] = ()
    expect_pass: bool = True
    tags: tuple[str, ...] = ()
    role: Role | None = None
    critical: bool = False
    definition: str | None = None
    source: str | None = None
    parent_id: str | None = None
    mutation_type: str | None = None
    quarantine: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> int | None:
        """Total tokens, None where not reported."""
        return self.usage.total

    def score(self, feeds: Feeds) -> Score | None:
        """The score that is counted in a suite metric, or None."""
        for score in self.scores:
            if score.feeds is feeds:
                return score
        return None

    @property
    def reason(self) -> str:
        """Why it did not pass, in one line: its error, else its first required check that failed or did not hold; "" for a pass."""
        if self.status is Status.PASSED:
            return ""
        if self.error is not None:
            return f"{self.error.type}: {self.error.message}"
        for score in self.scores:
            if score.error is not None and score.required:
                return f"{score.name}: {score.error}"
        for score in self.scores:
            if score.required and score.passed is False:
                return f"{score.name}: {score.reason}"
        for turn in self.turns:
            if turn.reason:
                return f"{turn.case_id.rpartition('::')[2]}: {turn.reason}"
        if not self.expect_pass and self.status is Status.FAILED:
            return "every check held, but expect_pass is false"
        undecided = (f"{score.name}: {score.reason}" for score in self.scores if score.required and score.passed is None)
        return next(undecided, "; ".join(self.notes))
