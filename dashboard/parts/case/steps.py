"""What an attempt did: its trajectory against the expected one, its steps on a time line or as a transcript."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.model.attempt import Attempt
from agenteval.model.response import Step
from parts.trajectory import trajectory
from parts.windows import window
from parts.words import as_text, code, escaped, text_block

if TYPE_CHECKING:
    import pandas as pd

_MOST = 60
"""Steps on screen at once; more would neither be read nor drawn quickly."""
_MOST_ERRORS = 8
_MOST_OF_STEP = 1_500
_ALL = "all"


def steps_and_trajectory(shown: Attempt) -> None:
    """Expected and actual steps aligned, then what happened, step by step."""
    trajectory(shown)
    steps = steps_of_attempt(shown)
    if steps:
        st.markdown("##### Steps")
        if any(step.duration_ms is not None for step in steps):
            _time_line(steps, shown)
        else:
            st.caption(escaped(f"{_format.count(len(steps), 'step')}, none with a time"))
            part = window(len(steps), _MOST, "steps", "steps")
            _transcript(list(enumerate(steps, 1))[part])
    elif shown.tool_calls:
        st.markdown("##### Tool calls")
        part = window(len(shown.tool_calls), _MOST, "steps", "calls")
        for place, call in list(enumerate(shown.tool_calls, 1))[part]:
            st.markdown(f"{place}\\. {code(call.name)}")
            text_block(_exchange(call.arguments, call.result, call.error), most=_MOST_OF_STEP)


def steps_of_attempt(shown: Attempt) -> Sequence[Step]:
    """The attempt's steps; a conversation's turns one after the other."""
    if any(turn.steps for turn in shown.turns):
        from agenteval.charts.timeline import conversation_steps

        return conversation_steps([turn.steps for turn in shown.turns])
    return shown.steps


def _time_line(steps: Sequence[Step], shown: Attempt) -> None:
    from agenteval.charts.layout import config
    from agenteval.charts.steps import waterfall
    from agenteval.charts.timeline import step_rows

    rows = step_rows(steps)
    words = [_format.count(len(steps), "step")]
    timed = int(rows["timed"].sum())
    if timed < len(steps):
        words.append(f"{timed:,} with a duration")
    failed = rows[rows["error"] != ""]
    if len(failed):
        words.append(f"{len(failed):,} with an error")
    st.caption(escaped(", ".join(words)))
    for _, row in failed.head(_MOST_ERRORS).iterrows():
        st.markdown(f":violet[! error] :gray[in step {row['place']}] {code(row['label'])} {escaped(clip(row['error'], 200))}")
    if len(failed) > _MOST_ERRORS:
        st.caption(f"and {len(failed) - _MOST_ERRORS:,} more errors")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rows = _levels(rows)
        rows = rows.iloc[window(len(rows), _MOST, "steps", "steps")]
    st.plotly_chart(waterfall(rows), config=config("steps"), key=f"waterfall-{shown.repetition}", alt="Steps on a time line")
    label = f"Inputs and outputs of {_format.count(len(rows), 'step')}"
    with st.expander(label, on_change="rerun", key=f"step-io-{shown.repetition}") as details:
        if details.open:
            _transcript([(place, steps[place - 1]) for place in rows["place"]])


def _levels(rows: pd.DataFrame) -> pd.DataFrame:
    """The levels of nesting that are drawn: as many as fit, or as chosen."""
    from agenteval.charts.timeline import folded, levels_that_fit

    deepest = int(rows["depth"].max()) + 1
    if deepest == 1:
        return rows
    options = [*map(str, range(1, min(deepest, 6))), _ALL]
    fitting = levels_that_fit(rows, _MOST)
    default = str(fitting) if str(fitting) in options else _ALL
    chosen = st.segmented_control(
        f"Levels of nesting, of {deepest}", options, default=default, required=True, key="levels", bind="query-params"
    )
    return folded(rows, deepest if chosen in (_ALL, None) else int(chosen))


def _transcript(drawn: Sequence[tuple[int, Step]]) -> None:
    """Who said or did what, in order: place, name and kind left, words right."""
    with st.container(key="rows-steps"):
        for place, step in drawn:
            left, right = st.columns([2, 7], gap="small")
            facts = [step.kind, *([_format.ms(step.duration_ms)] if step.duration_ms is not None else [])]
            sign = ":violet[! ]" if step.error else ""
            left.markdown(f"{place}\\. {sign}{code(clip(step.name or step.kind, 48))}  \n:gray[{escaped(' · '.join(facts))}]")
            with right:
                text_block(_said(step), most=_MOST_OF_STEP)


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
