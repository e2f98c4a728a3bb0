"""The evidence of one attempt: conversation, expectation, scores, steps. Everything an agent said is shown as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.palette import look
from agenteval.model.attempt import Attempt
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status
from parts.words import code, escaped, mark

_MOST_TEXT = 20_000
_MOST_CHIPS = 60


def answer_and_scores(shown: Attempt) -> None:
    """What was asked and answered, what was expected, and each check's word, side by side."""
    left, middle, right = st.columns([4, 3, 3], gap="medium")
    with left:
        if shown.turns:
            _conversation(shown)
        else:
            st.markdown("##### Prompt")
            _text(shown.prompt)
            st.markdown("##### Answer")
            _text(shown.output or ("(no answer)" if shown.error else "(empty answer)"))
        if shown.error is not None:
            _error(shown)
    with middle:
        st.markdown("##### Expected")
        _expected(shown)
    with right:
        st.markdown("##### Scores")
        _scores(shown.scores)
        if shown.notes:
            st.markdown("##### Notes")
            for note in shown.notes:
                st.text(note)


def _text(text: str) -> None:
    """Text from outside: never Markdown."""
    cut = text[:_MOST_TEXT]
    st.code(cut, language=None, wrap_lines=True)
    if len(text) > len(cut):
        st.caption(f"the first {_MOST_TEXT:,} of {len(text):,} characters; the stored record has all")


def _conversation(shown: Attempt) -> None:
    st.markdown("##### Conversation")
    for place, turn in enumerate(shown.turns, 1):
        with st.chat_message("user", avatar=":material/person:"):
            _text(turn.prompt)
        with st.chat_message("assistant", avatar=":material/smart_toy:"):
            _text(turn.output or "(no answer)")
            st.markdown(f":gray[turn {place}] {mark(turn.status)}")
            if turn.error is not None:
                st.text(f"{turn.error.kind}: {turn.error.message}")
            for score in turn.scores:
                if score.passed is not True:
                    _score(score)


def _error(shown: Attempt) -> None:
    assert shown.error is not None
    st.markdown(f"##### Error &nbsp; {mark(shown.status)}")
    st.text(f"{shown.error.kind}: {shown.error.type}: {shown.error.message}")
    if shown.error.traceback:
        with st.expander("Traceback of the agent"):
            st.code(shown.error.traceback, language=None, wrap_lines=True)


def _scores(scores: Sequence[Score]) -> None:
    if not scores:
        st.markdown(":gray[no check was made]")
        return
    for score in scores:
        _score(score)


def _score(score: Score) -> None:
    status = "evaluator_error" if score.error else "skipped" if score.skipped else {True: "passed", False: "failed"}.get(score.passed)  # type: ignore[arg-type]
    sign = f":{look(status).streamlit}[{escaped(look(status).symbol)}]"
    word = look(status).word if status else "observed" if score.value is not None else "not applicable"
    value = f" **{_format.score(score.value)}**" if score.value is not None else ""
    optional = "" if score.required or score.passed is None else " :gray-badge[not required]"
    with st.container(gap=None):
        st.markdown(f"{sign} {code(score.name)}{value} :gray[{escaped(word)}]{optional}")
        if score.error or score.reason:
            st.text(clip(score.error or score.reason, 600))


def _expected(shown: Attempt) -> None:
    lines = [f"{key}: {_short(value)}" for key, value in shown.expects.items()]
    for evaluator in shown.evaluators:
        lines.append(evaluator if isinstance(evaluator, str) else _short(evaluator))
    if not shown.expect_pass:
        lines.append("expect_pass: false (the checks must fail)")
    if lines:
        _text("\n".join(lines))
    else:
        st.markdown(":gray[the file does not record what was expected]")


def _short(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return ", ".join(value) or "(none)"
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def steps_and_trajectory(shown: Attempt) -> None:
    """Expected and actual steps aligned, then the time line and each step's input and output."""
    _trajectory(shown)
    steps = shown.steps or tuple(step for turn in shown.turns for step in turn.steps)
    if not steps:
        if shown.tool_calls:
            st.markdown("##### Tool calls")
            for place, call in enumerate(shown.tool_calls, 1):
                st.markdown(f"{place}\\. {code(call.name)}")
                _text(_call(call.arguments, call.result, call.error))
        return
    from agenteval.charts.frames import step_rows
    from agenteval.charts.layout import CONFIG
    from agenteval.charts.steps import MOST, waterfall

    rows = step_rows(steps)
    timed = int(rows["timed"].sum())
    st.markdown("##### Steps")
    words = [_format.count(len(steps), "step")]
    if timed < len(steps):
        words.append(f"{timed} with a duration")
    if len(steps) > MOST:
        words.append(f"the first {MOST} drawn")
    st.caption(escaped(", ".join(words)))
    st.plotly_chart(waterfall(rows), config=CONFIG, key=f"steps-{shown.repetition}", alt="Steps on a time line")
    with st.expander(
        f"Inputs and outputs of {_format.count(len(steps), 'step')}", on_change="rerun", key=f"step-io-{shown.repetition}"
    ) as details:
        if details.open:
            for place, step in enumerate(steps[:MOST], 1):
                sign = ":violet[!] " if step.error else ""
                st.markdown(f"{place}\\. {sign}{code(step.name or step.kind)} :gray[{escaped(rows['text'].iloc[place - 1])}]")
                _text(_call(step.input, step.output, step.error))


def _call(given: Any, came: Any, error: str | None) -> str:
    parts = [
        f"in   {_value(given)}" if given is not None else "",
        f"out  {_value(came)}" if came is not None else "",
        f"error {error}" if error else "",
    ]
    return "\n".join(part for part in parts if part) or "(nothing recorded)"


def _value(value: Any) -> str:
    return clip(_short(value), 2_000) if not isinstance(value, str) else value[:2_000]


def _trajectory(shown: Attempt) -> None:
    score = shown.score(Feeds.TRAJECTORY)
    expected, actual = _sequences(shown, score)
    if not expected:
        return
    from agenteval.compare.alignment import align

    found = align(expected, actual)
    exact = "exact" if found.exact else "in order, with extra steps" if found.in_order else "not as expected"
    st.markdown("##### Trajectory")
    st.caption(
        escaped(
            f"{exact} · {len(found.pairs)} matched, {len(found.missing)} missing, {len(found.extra)} extra · F1 {_format.score(found.f1)}"
        )
    )
    top, below = [], []
    for left, right in _aligned(found.pairs, len(found.expected), len(found.actual)):
        name, other = (found.expected[left] if left is not None else None), (found.actual[right] if right is not None else None)
        top.append(f":gray-badge[{escaped(clip(name, 40))}]" if name is not None else ":gray[ ·· ]")
        if other is None:
            below.append(":red-badge[✕ missing]")
        elif name is None:
            below.append(f":orange-badge[\\+ {escaped(clip(other, 40))}]")
        else:
            below.append(f":green-badge[✓ {escaped(clip(other, 40))}]")
    if len(top) <= 6:
        columns = st.columns([1] + [2] * len(top), gap="small")
        columns[0].markdown(":gray[expected]\n\n:gray[actual]")
        for column, one, other in zip(columns[1:], top, below, strict=True):
            column.markdown(f"{one}\n\n{other}")
    else:
        st.markdown(":gray[expected] " + " ".join(f":gray-badge[{escaped(clip(name, 40))}]" for name in found.expected[:_MOST_CHIPS]))
        st.markdown(
            ":gray[actual] " + " ".join(below[:_MOST_CHIPS]) + (f" and {len(below) - _MOST_CHIPS} more" if len(below) > _MOST_CHIPS else "")
        )


def _sequences(shown: Attempt, score: Score | None) -> tuple[list[str], list[str]]:
    evidence: Mapping[str, Any] = score.evidence if score else {}
    expected, actual = evidence.get("expected"), evidence.get("actual")
    if not isinstance(expected, (list, tuple)):
        expected = shown.expects.get("trajectory") if isinstance(shown.expects.get("trajectory"), (list, tuple)) else ()
    if not isinstance(actual, (list, tuple)):
        actual = [call.name for call in shown.tool_calls]
    return [str(label) for label in expected], [str(label) for label in actual]


def _aligned(pairs: Sequence[tuple[int, int]], expected: int, actual: int) -> list[tuple[int | None, int | None]]:
    """Columns of an alignment: matched, missing (None right) and extra (None left) in their places."""
    columns: list[tuple[int | None, int | None]] = []
    left = right = 0
    for i, j in [*pairs, (expected, actual)]:
        columns += [(place, None) for place in range(left, i)]
        columns += [(None, place) for place in range(right, j)]
        if i < expected and j < actual:
            columns.append((i, j))
        left, right = i + 1, j + 1
    return columns


__all__ = ["Status", "answer_and_scores", "steps_and_trajectory"]
