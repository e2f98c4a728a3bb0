"""One attempt as text: what was asked, what was answered, every step, and where the trajectory left the expected one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agenteval import _format
from agenteval._text import clip, plain
from agenteval.compare.costs import Pricing, attribution, unpriced
from agenteval.model.attempt import Attempt
from agenteval.model.response import Step
from agenteval.model.score import Feeds, Score
from agenteval.reports.conversations import ended_lines
from agenteval.reports.costs import attributed_lines

_CLIP = 400
_MARKS = {True: "✓", False: "✕", None: "·"}


def trace_text(attempt: Attempt, *, run_id: str, full: bool = False, pricing: Pricing = unpriced) -> str:
    """The attempt as text; ``full`` shows long texts whole, ``pricing`` says what the steps' tokens cost where they do not."""
    limit = 1_000_000_000 if full else _CLIP
    blocks = [
        [f"case {_line(attempt.case_id)}   {attempt.status.value.replace('_', ' ')}   {_figures(attempt)}", f"run {_line(run_id)}"],
        list(_said(attempt, limit, full)),
        _titled("steps", _step_lines(attempt, limit)),
        _titled("cost of steps", attributed_lines(attribution(attempt, pricing))),
        _titled("tool calls", _call_lines(attempt, limit) if not attempt.steps else ()),
        _titled("trajectory", _trajectory_lines(attempt.score(Feeds.TRAJECTORY))),
        _titled("scores", (_score_line(score, limit) for score in attempt.scores)),
        _titled("turns", (f"  {_line(turn.case_id)}   {turn.status.value.replace('_', ' ')}   {_figures(turn)}" for turn in attempt.turns)),
        _titled("ended", ended_lines(attempt)),
        _titled("notes", (f"  {_line(note)}" for note in attempt.notes)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _titled(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return [title, *found] if found else []


def _figures(attempt: Attempt) -> str:
    parts = [f"latency {_format.ms(attempt.latency_ms)}", f"cost {_format.usd(attempt.cost_usd)}", _tokens(attempt)]
    if attempt.repetition:
        parts.append(f"repetition {attempt.repetition}")
    if attempt.model:
        parts.append(f"model {_line(attempt.model)}")
    return " · ".join(parts)


def _tokens(attempt: Attempt) -> str:
    return "tokens n/a" if attempt.tokens is None else _format.tokens(attempt.tokens)


def _said(attempt: Attempt, limit: int, full: bool) -> Iterator[str]:
    for name, text in (("prompt", attempt.prompt), ("answer", attempt.output)):
        if text:
            yield f"{name:<8}{_block(text) if full else _shown(text, limit)}"
    if attempt.error is not None:
        error = attempt.error
        yield f"{'error':<8}{_line(str(error.kind))}: {_line(error.type)}: {_shown(error.message, limit)}"
        if full and error.traceback:
            yield _block(error.traceback)


def _step_lines(attempt: Attempt, limit: int) -> Iterator[str]:
    marks = _step_marks(attempt)
    depths: list[int] = []
    for index, step in enumerate(attempt.steps):
        enclosed = step.parent is not None and 0 <= step.parent < index
        depths.append(depths[step.parent] + 1 if enclosed and step.parent is not None else 0)
        yield _step_line(index, step, marks.get(index, " "), min(depths[-1], 20), limit)


def _step_line(index: int, step: Step, mark: str, depth: int, limit: int) -> str:
    parts = [f"  {mark} {index:>3} {'  ' * depth}{_line(step.kind)} {_line(step.name)}"]
    figures = [_format.ms(step.duration_ms)] if step.duration_ms is not None else []
    spent = (step.prompt_tokens or 0) + (step.completion_tokens or 0)
    figures += [_format.tokens(spent)] if spent else []
    figures += [_format.usd(step.cost_usd)] if step.cost_usd is not None else []
    parts += [f"({', '.join(figures)})"] if figures else []
    parts += [_shown(step.input, limit)] if step.input not in (None, "", {}, []) else []
    parts += [f"-> {_shown(step.output, limit)}"] if step.output not in (None, "") else []
    parts += [f"error: {_shown(step.error, limit)}"] if step.error else []
    return " ".join(parts)


def _step_marks(attempt: Attempt) -> dict[int, str]:
    """Which steps the stored alignment matched (``=``) and which are extra (``+``), by index: equal names are told apart."""
    score = attempt.score(Feeds.TRAJECTORY)
    actual, pairs = _aligned(score)
    if score is None or "pairs" not in score.evidence:
        return {}
    matched = {pair[1] for pair in pairs}
    for kinds in (None, ("tool_call",), ("node",)):
        rows = [row for row, step in enumerate(attempt.steps) if kinds is None or step.kind in kinds]
        if [attempt.steps[row].name for row in rows] == actual:
            return {row: "=" if place in matched else "+" for place, row in enumerate(rows)}
    return {}


def _aligned(score: Score | None) -> tuple[list[str], list[Sequence[int]]]:
    evidence: Mapping[str, Any] = score.evidence if score is not None else {}
    return list(evidence.get("actual") or ()), [pair for pair in evidence.get("pairs") or () if len(pair) == 2]


def _trajectory_lines(score: Score | None) -> Iterator[str]:
    """Expected and actual steps in one list, as the stored alignment pairs them."""
    if score is None or "expected" not in score.evidence:
        return
    expected = list(score.evidence["expected"])
    actual, pairs = _aligned(score)
    if "pairs" not in score.evidence:
        yield f"  expected  {_line(', '.join(map(str, expected)))}"
        yield f"  actual    {_line(', '.join(map(str, actual)))}"
        yield f"  F1 {_format.score(score.value)} as recorded, without the alignment"
        return
    i = j = 0
    for next_i, next_j in (*pairs, (len(expected), len(actual))):
        yield from (f"  - {_line(str(step))}   missing" for step in expected[i:next_i])
        yield from (f"  + {_line(str(step))}   not expected" for step in actual[j:next_j])
        if next_i < len(expected):
            yield f"  = {_line(str(expected[next_i]))}"
        i, j = next_i + 1, next_j + 1
    yield f"  LCS F1 {_format.score(score.value)}"


def _call_lines(attempt: Attempt, limit: int) -> Iterator[str]:
    for index, call in enumerate(attempt.tool_calls):
        arguments = "" if call.arguments is None else f" {_shown(call.arguments, limit)}"
        result = "" if call.result is None else f" -> {_shown(call.result, limit)}"
        error = f" error: {_shown(call.error, limit)}" if call.error else ""
        yield f"    {index:>3} {_line(call.name)}{arguments}{result}{error}"


def _score_line(score: Score, limit: int) -> str:
    if score.error is not None:
        return f"  ! {_line(score.name)}   error: {_shown(score.error, limit)}"
    value = "" if score.value is None else f"   {_format.score(score.value)}"
    observed = "" if score.required else "   (observed)"
    return f"  {_MARKS[score.passed]} {_line(score.name)}{value}{observed}   {_shown(score.reason, limit)}".rstrip()


def _shown(value: Any, limit: int) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return plain(clip(text, limit))


def _block(text: str) -> str:
    return plain(text).replace("\n", "\n        ")


def _line(text: str) -> str:
    return " ".join(plain(text).split())
