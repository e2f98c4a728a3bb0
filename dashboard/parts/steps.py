"""What an attempt did: its trajectory against the expected one, its steps on a time line or as a transcript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.model.attempt import Attempt
from agenteval.model.response import Step
from agenteval.model.score import Feeds, Score
from parts.words import as_text, code, escaped, text_block

_MOST_CHIPS = 60
_AT_ONCE = 40
"""Steps of a transcript on screen before the rest is asked for."""
_MOST_OF_STEP = 1_500
_SIDE_BY_SIDE = 6
"""Longest trajectory whose expected and actual steps stand in columns."""


def steps_and_trajectory(shown: Attempt) -> None:
    """Expected and actual steps aligned, then what happened, step by step."""
    _trajectory(shown)
    steps = _steps_of(shown)
    if not steps:
        if shown.tool_calls:
            st.markdown("##### Tool calls")
            for place, call in enumerate(shown.tool_calls, 1):
                st.markdown(f"{place}\\. {code(call.name)}")
                text_block(_exchange(call.arguments, call.result, call.error))
        return
    if any(step.duration_ms is not None for step in steps):
        _time_line(steps, shown)
    else:
        st.markdown("##### Steps")
        st.caption(escaped(f"{_format.count(len(steps), 'step')}, none with a time"))
        _transcript(steps, shown)


def _steps_of(shown: Attempt) -> Sequence[Step]:
    """The attempt's steps; a conversation's turns one after the other."""
    if any(turn.steps for turn in shown.turns):
        from agenteval.charts.frames import conversation_steps

        return conversation_steps([turn.steps for turn in shown.turns])
    return shown.steps


def _time_line(steps: Sequence[Step], shown: Attempt) -> None:
    from agenteval.charts.frames import step_rows
    from agenteval.charts.layout import config
    from agenteval.charts.steps import MOST, waterfall

    rows = step_rows(steps)
    timed = int(rows["timed"].sum())
    words = [_format.count(len(steps), "step")]
    if timed < len(steps):
        words.append(f"{timed} with a duration")
    if len(steps) > MOST:
        words.append(f"the first {MOST} drawn")
    st.markdown("##### Steps")
    st.caption(escaped(", ".join(words)))
    st.plotly_chart(waterfall(rows), config=config("steps"), key=f"steps-{shown.repetition}", alt="Steps on a time line")
    label = f"Inputs and outputs of {_format.count(len(steps), 'step')}"
    with st.expander(label, on_change="rerun", key=f"step-io-{shown.repetition}") as details:
        if details.open:
            _transcript(steps, shown)


def _transcript(steps: Sequence[Step], shown: Attempt) -> None:
    """Who said or did what, in order: name and kind left, words right."""
    key = f"all-steps-{shown.case_id}-{shown.repetition}"
    drawn = steps if st.session_state.get(key) else steps[:_AT_ONCE]
    with st.container(key="rows-steps"):
        for place, step in enumerate(drawn, 1):
            left, right = st.columns([2, 7], gap="small")
            facts = [step.kind, *([_format.ms(step.duration_ms)] if step.duration_ms is not None else [])]
            sign = ":violet[! ]" if step.error else ""
            left.markdown(f"{place}\\. {sign}{code(clip(step.name or step.kind, 48))}  \n:gray[{escaped(' · '.join(facts))}]")
            with right:
                text_block(_said(step), most=_MOST_OF_STEP)
    if len(steps) > _AT_ONCE:
        st.toggle(f"Show all {len(steps)} steps", key=key)


def _said(step: Step) -> str:
    """A message's words alone; anything else as what went in and what came out."""
    if step.kind == "message" and step.error is None and (step.input is None or step.output is None):
        words = step.output if step.output is not None else step.input
        if words is not None:
            return as_text(words)
    return _exchange(step.input, step.output, step.error)


def _exchange(given: Any, came: Any, error: str | None) -> str:
    parts = [
        f"in   {as_text(given)}" if given is not None else "",
        f"out  {as_text(came)}" if came is not None else "",
        f"error {error}" if error else "",
    ]
    return "\n".join(part for part in parts if part) or "(nothing recorded)"


def _trajectory(shown: Attempt) -> None:
    expected, actual = _sequences(shown, shown.score(Feeds.TRAJECTORY))
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
        top.append(f":gray-badge[{_chip(name)}]" if name is not None else ":gray[ ·· ]")
        if other is None:
            below.append(f":red-badge[✕ missing{'' if len(found.expected) <= _SIDE_BY_SIDE else ' ' + _chip(name or '')}]")
        elif name is None:
            below.append(f":orange-badge[\\+ {_chip(other)}]")
        else:
            below.append(f":green-badge[✓ {_chip(other)}]")
    if len(top) <= _SIDE_BY_SIDE:
        columns = st.columns([1] + [2] * len(top), gap="small")
        columns[0].markdown(":gray[expected]\n\n:gray[actual]")
        for column, one, other in zip(columns[1:], top, below, strict=True):
            column.markdown(f"{one}\n\n{other}")
    else:
        st.markdown(":gray[expected] " + _chips([f":gray-badge[{_chip(name)}]" for name in found.expected]))
        st.markdown(":gray[actual] " + _chips(below))
        st.caption("✓ as expected · ✕ missing · + extra")


def _chip(name: str) -> str:
    return escaped(clip(name, 40))


def _chips(chips: Sequence[str]) -> str:
    return " ".join(chips[:_MOST_CHIPS]) + (f" and {len(chips) - _MOST_CHIPS} more" if len(chips) > _MOST_CHIPS else "")


def _sequences(shown: Attempt, score: Score | None) -> tuple[list[str], list[str]]:
    evidence: Mapping[str, Any] = score.evidence if score else {}
    expected, actual = evidence.get("expected"), evidence.get("actual")
    if not isinstance(expected, (list, tuple)):
        declared = shown.expects.get("expected_trajectory")
        expected = declared if isinstance(declared, (list, tuple)) else ()
    if not isinstance(actual, (list, tuple)):
        actual = [call.name for call in shown.tool_calls]
    return [str(label) for label in expected], [str(label) for label in actual]


def _aligned(pairs: Sequence[tuple[int, int]], expected: int, actual: int) -> list[tuple[int | None, int | None]]:
    """Columns of an alignment: matched, missing (None right) and extra (None left) in their places."""
    columns: list[tuple[int | None, int | None]] = []
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *pairs, (expected, actual)]):
        columns += [(place, None) for place in range(i + 1, next_i)]
        columns += [(None, place) for place in range(j + 1, next_j)]
        if next_i < expected and next_j < actual:
            columns.append((next_i, next_j))
    return columns
