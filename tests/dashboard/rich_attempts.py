"""The attempts of the rich folder: answers, scores, steps, turns, tokens and costs of its cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agenteval.model.attempt import Attempt, Failure
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.score import Feeds, Score
from agenteval.model.status import ErrorKind, Status
from tests.dashboard.rich_cases import CASES, Told

STATUS = {
    "p": Status.PASSED,
    "f": Status.FAILED,
    "e": Status.AGENT_ERROR,
    "v": Status.EVALUATOR_ERROR,
    "s": Status.SKIPPED,
    "u": Status.UNSCORED,
}


_PLACES = {5: 0, 6: 1, 8: 2, 9: 3}


def attempt_at(case: Told, place: int, *, other: bool = False) -> Attempt | None:
    """The run's own attempt in a full run, None where the suite did not hold the case."""
    letter = case.outcomes[place]
    if other and case.small and letter != ".":
        letter = case.small[_PLACES[place]]
    if letter == ".":
        return None
    found = _attempt(case, letter, place, 0)
    return _smaller(found) if other else found


def _smaller(attempt: Attempt) -> Attempt:
    """The same as a small model does it: faster and cheaper."""
    cost, latency = attempt.cost_usd, attempt.latency_ms
    return replace(
        attempt,
        model="small-1",
        cost_usd=None if cost is None else round(cost * 0.3, 6),
        latency_ms=None if latency is None else latency * 0.6 if attempt.error is None else latency,
        claimed_latency_ms=None,
    )


def repetitions_at(place: int) -> list[Attempt]:
    """Attempts 1 and on of the cases that the run repeated."""
    return [_attempt(case, letter, place, number) for case in CASES for number, letter in enumerate(case.again.get(place, ""), 1)]


def _attempt(case: Told, letter: str, place: int, number: int) -> Attempt:
    status = STATUS[letter]
    correct = status is Status.PASSED if status.decided else None
    shared = Attempt(
        case_id=case.id,
        status=status,
        repetition=number,
        correct=correct,
        prompt=case.prompt,
        expects=_expects(case),
        tags=case.tags,
        definition=f"def-{case.id}{'-2' if case.id == 'change_address' and place == 9 else ''}",
        **{name: value for name, value in case.extra.items() if name not in ("retrieved_context", "citations")},
    )
    if status is Status.SKIPPED:
        return replace(shared, notes=("not started: the first failure stopped the run",))
    if status is Status.AGENT_ERROR:
        failure = Failure(
            ErrorKind.TIMEOUT, "TimeoutError", "no answer within 30 s", "Traceback (most recent call last):\n  shop/agent.py, line 41"
        )
        steps = _steps(case, ("lookup_order",), 30_000.0, "no answer")
        return replace(shared, error=failure, latency_ms=30_000.0, steps=steps)
    answers = case.wrong if status is Status.FAILED else case.right
    output = answers[number % len(answers)]
    used = (*case.tools[:-1], case.instead) if status is Status.FAILED and case.instead else case.tools
    latency = 900.0 + 40.0 * place + 7.0 * len(case.id) + 55.0 * number
    tokens = Usage(420 - 9 * place, 60 + number)
    answered = replace(
        shared,
        output=output,
        scores=_scores(case, status, output, used),
        latency_ms=latency,
        claimed_latency_ms=latency - 12.0,
        usage=tokens,
        cost_usd=None if case.id == "loyalty_tone" else round(0.0006 * (1 - 0.02 * place), 6),
        cost_source="unpriced" if case.id == "loyalty_tone" else "reported",
        model="careful-1",
        tool_calls=tuple(ToolCall(name, {"order": 4821}, {"ok": True}, id=f"call_{spot}") for spot, name in enumerate(used)),
        nodes_fired=("understand", *used, "answer"),
        steps=_steps(case, used, latency, output),
        retrieved_context=case.extra.get("retrieved_context", ()),
        citations=case.extra.get("citations", ()),
    )
    return _with_turns(answered) if case.id == "exchange_in_turns" else answered


def _expects(case: Told) -> Mapping[str, Any]:
    kind = {"correctness_type": "numeric" if case.numbers else "contains", "ground_truth": case.truth} if case.truth else {}
    tools = {"must_call_tools": list(case.tools), "expected_trajectory": list(case.tools)} if case.tools else {}
    return {**kind, **tools, "must_not_hallucinate": True}


def _scores(case: Told, status: Status, output: str, used: tuple[str, ...]) -> tuple[Score, ...]:
    if status is Status.EVALUATOR_ERROR:
        return (Score("llm_judge", error="no judge configured"),)
    if status is Status.UNSCORED:
        return (Score("llm_judge", skipped=True, reason="left out by --no-llm-judge"),)
    passed = status is Status.PASSED
    name = "numeric" if case.numbers else "contains"
    reason = "the answer says it" if passed else f"the answer does not say {case.truth!r}"
    value = next((number for number in case.numbers if f"{number:.2f}" in output), None)
    evidence = {"value": value, "candidates": [value]} if case.numbers else {}
    found = [Score(name, float(passed), passed, reason, evidence, feeds=Feeds.CORRECTNESS)]
    figures = "$45.00" in output
    found.append(
        Score(
            "must_not_hallucinate",
            float(not figures),
            not figures,
            "no source supports 45" if figures else "every figure is supported",
            feeds=Feeds.HALLUCINATION,
        )
    )
    if case.tools:
        made = [tool for tool in case.tools if tool in used]
        share = len(made) / len(case.tools)
        told = f"{len(made)} of {len(case.tools)} required tools were called"
        found.append(Score("must_call_tools", share, share == 1.0, told, feeds=Feeds.TOOLS))
        compared = {"expected": list(case.tools), "actual": list(used)}
        found.append(Score("trajectory", share, share == 1.0, f"{told}, in order", compared, False, Feeds.TRAJECTORY))
    return tuple(found)


def _steps(case: Told, tools: tuple[str, ...], latency: float, output: str) -> tuple[Step, ...]:
    """A node that holds a model call and the tool calls, then the model's answer."""
    third = latency / (len(tools) + 2)
    steps = [
        Step("node", "handle_request", timestamp_ms=0.0, duration_ms=latency - third),
        Step("model", "understand", case.prompt, {"intent": case.id.split("_")[0]}, 0.0, third, 210, 18, 0.0002, parent=0),
    ]
    for place, name in enumerate(tools, 1):
        error = "order is locked" if name == "issue_refund" and case.id == "refund_after_30_days" else None
        steps.append(
            Step("tool_call", name, {"order": 4821}, None if error else {"ok": True}, place * third, third * 0.7, error=error, parent=0)
        )
    steps.append(Step("model", "answer", {"intent": case.id}, output, latency - third, third, 190, 42, 0.0003))
    return tuple(steps)


def _with_turns(whole: Attempt) -> Attempt:
    """The attempt as a conversation of three turns, of which a failed one lost the colour."""
    failed = whole.status is Status.FAILED
    said = (
        ("Hi, I would like to exchange a kettle.", "Of course. Which colour would you like?", True),
        ("Blue, please.", "A blue kettle is reserved for you.", True),
        ("Which colour did I ask for?", "You asked for red." if failed else "You asked for blue.", not failed),
    )
    turns = tuple(
        Attempt(
            case_id=f"{whole.case_id}::turn{place}",
            status=Status.PASSED if held else Status.FAILED,
            correct=held,
            prompt=prompt,
            output=answer,
            scores=(Score("retains", float(held), held, "remembers blue" if held else "does not say 'blue'", feeds=Feeds.RETENTION),),
            latency_ms=300.0,
            usage=Usage(80, 12),
            cost_usd=0.0001,
            steps=(Step("model", "answer", prompt, answer, 0.0, 280.0, 80, 12, 0.0001),),
            expects={"must_retain": ["blue"]} if place else {},
        )
        for place, (prompt, answer, held) in enumerate(said)
    )
    return replace(whole, output="\n\n".join(turn.output for turn in turns), turns=turns, steps=(), scores=whole.scores[:1])
