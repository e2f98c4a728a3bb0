"""The contract of plugins of AgentEval 0.3: a callable that takes ``case`` and ``result`` and returns a verdict with a reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from agenteval.suites.keys import Expects

if TYPE_CHECKING:
    from agenteval.evaluators.context import Context


@dataclass(frozen=True)
class EvaluationResult:
    """A verdict. ``passed`` is true or false, nothing else."""

    passed: bool
    reason: str | None = None


@dataclass(frozen=True)
class EvaluationContext:
    """What such a plugin reads, to annotate it and to test it; a run hands over its own ``Context``, which has both attributes too."""

    case: Any
    result: Any


@dataclass
class TestCase:
    """The case under its older names. A copy: what a plugin changes in it is lost."""

    __test__ = False  # pytest takes every class of this name for tests

    id: str
    prompt: str
    expects: Expects
    tags: list[str] = field(default_factory=list)
    source: str | None = None
    parent_id: str | None = None
    mutation_type: str | None = None
    turns: list[Any] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class CaseResult:
    """The attempt under its older names, not judged yet. A copy: what a plugin changes in it is lost.

    ``trajectory`` has ``expected`` and ``actual`` and is None where the case declares none. Of a conversation ``final_answer`` holds the
    agent's words of all turns.
    """

    case_id: str
    prompt: str
    status: str = "unscored"
    source: str | None = None
    parent_id: str | None = None
    mutation_type: str | None = None
    final_answer: str = ""
    tools_called: list[str] = field(default_factory=list)
    nodes_fired: list[str] = field(default_factory=list)
    latency_ms: float = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    correctness_pass: bool | None = None
    hallucination_flag: bool | None = None
    tool_call_precision: float | None = None
    tool_call_recall: float | None = None
    cost_usd: float | None = None
    judge_reason: str | None = None
    trajectory: Any = None
    trace_steps: list[Any] = field(default_factory=list)
    retrieved_context: list[Any] = field(default_factory=list)
    citations: list[str] = field(default_factory=list)
    turns: list[CaseResult] = field(default_factory=list)
    raw: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """All fields as a mapping."""
        return asdict(self)


def case_of(context: Context) -> TestCase:
    """The case that a context is about."""
    attempt = context.attempt
    known = {key.name for key in fields(Expects)}
    return TestCase(
        id=attempt.case_id,
        prompt=context.prompt,
        expects=Expects(**{key: value for key, value in context.expects.items() if key in known}),
        tags=list(attempt.tags),
        source=attempt.source,
        parent_id=attempt.parent_id,
        mutation_type=attempt.mutation_type,
        turns=[SimpleNamespace(prompt=turn.prompt, expects=turn.expects) for turn in attempt.turns],
        metadata=dict(context.metadata),
    )


def result_of(context: Context) -> CaseResult:
    """The attempt that a context is about."""
    attempt = context.attempt
    expected = context.expects.get("expected_trajectory")
    return CaseResult(
        case_id=attempt.case_id,
        prompt=context.prompt,
        source=attempt.source,
        parent_id=attempt.parent_id,
        mutation_type=attempt.mutation_type,
        final_answer=attempt.output,
        tools_called=[call.name for call in attempt.tool_calls],
        nodes_fired=list(attempt.nodes_fired),
        latency_ms=attempt.latency_ms or 0.0,
        prompt_tokens=attempt.usage.prompt_tokens,
        completion_tokens=attempt.usage.completion_tokens,
        total_tokens=attempt.usage.total,
        cost_usd=attempt.cost_usd,
        trajectory=SimpleNamespace(expected=list(expected), actual=list(attempt.nodes_fired)) if expected else None,
        trace_steps=list(attempt.steps),
        retrieved_context=[dict(passage) for passage in attempt.retrieved_context],
        citations=list(attempt.citations),
        turns=[result_of(context._replace(attempt=turn, prompt=turn.prompt, expects=turn.expects)) for turn in attempt.turns],
        raw=dict(attempt.raw),
    )
