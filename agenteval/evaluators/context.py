"""What an evaluator sees, and what it must be."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from agenteval.model.attempt import Attempt
from agenteval.model.score import Score

if TYPE_CHECKING:
    from agenteval.evaluators.judge import Judge
    from agenteval.evaluators.predecessor_plugin import CaseResult, TestCase

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Context(NamedTuple):
    """One attempt to judge.

    Attributes:
        attempt: The evidence: answer, tool calls, nodes, steps, usage, cost, latency, retrieved context, raw. Of a conversation,
            the case-level attempt whose ``output`` is the agent's words of all turns, one turn a paragraph.
        prompt: What the agent was asked (all turns' prompts for a conversation).
        expects: The case's or turn's ``expects``, redacted like the answer.
        tools, context, metadata: As declared by the case.
        history: Of a turn, what was said before it: prompt and answer of each earlier turn.
        judge: Whom to ask; None where no judge is configured.
    """

    attempt: Attempt
    prompt: str = ""
    expects: Mapping[str, Any] = _NOTHING
    tools: tuple[Any, ...] = ()
    context: Mapping[str, Any] = _NOTHING
    metadata: Mapping[str, Any] = _NOTHING
    history: tuple[tuple[str, str], ...] = ()
    judge: Judge | None = None

    @property
    def output(self) -> str:
        """The agent's words."""
        return self.attempt.output

    @property
    def case(self) -> TestCase:
        """The case as plugins of AgentEval 0.3 know it."""
        from agenteval.evaluators.predecessor_plugin import case_of

        return case_of(self)

    @property
    def result(self) -> CaseResult:
        """The attempt as plugins of AgentEval 0.3 know it."""
        from agenteval.evaluators.predecessor_plugin import result_of

        return result_of(self)


@runtime_checkable
class Evaluator(Protocol):
    """A claim about an attempt. Fields of the (frozen dataclass) implementation are its YAML parameters."""

    def evaluate(self, context: Context) -> Score:
        """The score; raising or a value outside [0, 1] becomes an ``evaluator_error``."""
        ...
