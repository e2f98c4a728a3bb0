"""Checks that ask a model: an answer or conversation by criteria, claims against a source, the choice and the use of tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from agenteval.evaluators.context import Context
from agenteval.evaluators.judge import Judge, Judgement, Question, text_of
from agenteval.evaluators.questions import about_claims, about_tools
from agenteval.evaluators.rag_text import sentences
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from agenteval.suites.shape import Range

NO_JUDGE = "no judge configured; name its model under `judge:` in the suite or agents.yaml, or set AGENTEVAL_JUDGE_MODEL"


@dataclass(frozen=True)
class LlmJudge:
    """A model judges the answer, or a whole conversation, by criteria, an expected answer or a rubric.

    It sees what the agent was asked and what it said. Its reply must hold one JSON object with a verdict; anything else is an error.

    Attributes:
        criteria: What a good answer does, as text or a list.
        ground_truth: The expected answer; other words for it count.
        rubric: How to grade, as text, a list or a mapping.
        scale: binary for true or false; 1-10 for whole points with a bar.
        min: Points, on the scale 1-10, that pass.
    """

    asks_a_model: ClassVar[bool] = True

    criteria: Any = None
    ground_truth: Any = None
    rubric: Any = None
    scale: Literal["binary", "1-10"] = "binary"
    min: Annotated[int, Range(ge=1, le=10)] = 7

    def evaluate(self, context: Context) -> Score:
        """1 or 0; on the scale 1-10 a tenth of the points."""
        judge = context.judge
        if judge is None:
            return Score("llm_judge", error=NO_JUDGE)
        said = judge.decide(
            Question(
                prompt=context.prompt,
                answer=context.output,
                criteria=text_of(self.criteria),
                ground_truth=text_of(self.ground_truth),
                rubric=text_of(self.rubric),
                transcript=transcript(context),
                scale=self.scale,
            )
        )
        if self.scale == "binary":
            return _binary("llm_judge", said)
        if said.error is not None or said.score is None:
            return _failed("llm_judge", said)
        reason = f"{said.score} of 10 points, {self.min} pass{_told(said)}"
        return Score("llm_judge", said.score / 10, said.score >= self.min, reason, {"points": said.score, "judge": said.evidence()})


@dataclass(frozen=True)
class FaithfulnessJudge:
    """A model says for every sentence of the answer whether its source supports it.

    The source is ground_truth where given, else what the agent retrieved, else its tools' results; without any the check is not applicable.

    Attributes:
        ground_truth: The facts that the answer must keep to; the agent does not see them.
        min: Share of the sentences that must be supported.
    """

    asks_a_model: ClassVar[bool] = True

    ground_truth: Any = None
    min: Annotated[float, Range(ge=0, le=1)] = 1.0

    def evaluate(self, context: Context) -> Score:
        """Supported sentences / sentences."""
        judge = context.judge
        if judge is None:
            return Score("faithfulness_judge", error=NO_JUDGE)
        source = text_of(self.ground_truth) or _retrieved(context.attempt)
        if not source:
            return Score("faithfulness_judge", reason="not applicable: neither ground_truth nor retrieved context nor tool results")
        claims = sentences(context.output)
        if not claims:
            return Score("faithfulness_judge", reason="not applicable: the answer says nothing")
        said = judge.ask(about_claims(claims, source))
        if said.error is not None:
            return _failed("faithfulness_judge", said)
        verdicts: tuple[bool, ...] = said.value
        share = sum(verdicts) / len(verdicts)
        unsupported = [claim for claim, supported in zip(claims, verdicts, strict=True) if not supported]
        reason = f"{sum(verdicts)} of {len(verdicts)} sentences supported" + (f"; not: {unsupported[0][:160]!r}" if unsupported else "")
        evidence = {"unsupported": unsupported, "sentences": len(claims), "judge": said.evidence()}
        return Score("faithfulness_judge", share, share >= self.min - 1e-12, reason, evidence)


@dataclass(frozen=True)
class ToolSelectionJudge:
    """A model judges whether the agent chose the tools that the request needs, out of the declared ones.

    Attributes:
        tools: Tools with names and descriptions; those of the case where not given.
    """

    asks_a_model: ClassVar[bool] = True

    tools: tuple[Any, ...] = ()

    def evaluate(self, context: Context) -> Score:
        """1 or 0; not applicable where no tool is declared."""
        return _of_tools("tool_selection_judge", self.tools, context, arguments=False)


@dataclass(frozen=True)
class ToolInvocationJudge:
    """A model judges whether the agent called its tools with fitting arguments.

    Attributes:
        tools: Tools with names and descriptions of their parameters; those of the case where not given.
    """

    asks_a_model: ClassVar[bool] = True

    tools: tuple[Any, ...] = ()

    def evaluate(self, context: Context) -> Score:
        """1 or 0; not applicable where no tool is declared or none was called."""
        if context.judge is not None and not context.attempt.tool_calls:
            return Score("tool_invocation_judge", reason="not applicable: no tool was called")
        return _of_tools("tool_invocation_judge", self.tools, context, arguments=True)


@dataclass(frozen=True)
class PreferredTo:
    """A model prefers the answer to another one, or finds no difference; asked in both orders, so that order can't decide.

    Attributes:
        answer: The other answer.
        criteria: What makes an answer better.
    """

    asks_a_model: ClassVar[bool] = True

    answer: str
    criteria: Any = None

    def evaluate(self, context: Context) -> Score:
        """1 where it wins, 0.5 where neither does or the orders disagree, 0 where it loses."""
        judge = context.judge
        if judge is None:
            return Score("preferred_to", error=NO_JUDGE)
        found = judge.prefer(context.prompt, context.output, self.answer, criteria=text_of(self.criteria))
        if found.error is not None:
            return Score("preferred_to", error=found.error)
        value = {"a": 1.0, "b": 0.0}.get(found.winner or "", 0.5)
        words = {"a": "preferred to the other answer", "b": "the other answer is preferred"}.get(found.winner or "", "neither is preferred")
        reason = words if found.consistent else "the two orders disagree, so neither is preferred"
        evidence = {"orders": list(found.orders), "judge": found.judgements[0].evidence(), "judge_swapped": found.judgements[1].evidence()}
        return Score("preferred_to", value, value >= 0.5, reason, evidence)


def transcript(context: Context) -> str | None:
    """The conversation as a judge reads it; None for a single prompt without any history."""
    attempt = context.attempt
    if attempt.turns:
        pairs: Sequence[tuple[str, str]] = [(turn.prompt, turn.output) for turn in attempt.turns]
    elif context.history:
        pairs = [*context.history, (context.prompt, context.output)]
    else:
        return None
    return "\n\n".join(f"User: {asked}\nAgent: {answered}" for asked, answered in pairs)


def _retrieved(attempt: Attempt) -> str:
    passages = [text_of(dict(passage)) or "" for passage in attempt.retrieved_context]
    results = [str(call.result) for call in attempt.tool_calls if call.result is not None]
    return "\n\n".join(passages or results)


def _of_tools(name: str, declared: Sequence[Any], context: Context, *, arguments: bool) -> Score:
    judge: Judge | None = context.judge
    if judge is None:
        return Score(name, error=NO_JUDGE)
    tools = [tool if isinstance(tool, Mapping) else {"name": str(tool)} for tool in declared or context.tools]
    if not tools:
        return Score(name, reason="not applicable: neither the case nor the check declares tools")
    calls = [{"name": call.name, "arguments": call.arguments} for call in context.attempt.tool_calls]
    return _binary(name, judge.ask(about_tools(context.prompt, tools, calls, arguments=arguments)))


def _binary(name: str, said: Judgement) -> Score:
    if said.error is not None or said.passed is None:
        return _failed(name, said)
    return Score(name, float(said.passed), said.passed, (said.reason or "no reason given") + _votes(said), {"judge": said.evidence()})


def _failed(name: str, said: Judgement) -> Score:
    return Score(name, error=said.error or "the judge gave no verdict", evidence={"judge": said.evidence()})


def _told(said: Judgement) -> str:
    return (f": {said.reason}" if said.reason else "") + _votes(said)


def _votes(said: Judgement) -> str:
    return f" ({round(said.agreement * len(said.votes))} of {len(said.votes)} votes)" if len(said.votes) > 1 else ""
