"""The evidence of one attempt: conversation, expectation, scores. Everything an agent said is shown as text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.palette import look
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from agenteval.model.status import Status
from agenteval.reports.conversations import ended_lines
from parts.windows import window
from parts.words import as_yaml, code, escaped, mark, text_block

_TURNS = 10
"""Turns of a conversation on screen at once; the first that did not pass is among them."""


def answer_and_scores(shown: Attempt) -> None:
    """What was asked and answered, what was expected, and each check's word, side by side."""
    if shown.turns:
        left, right = st.columns([6, 4], gap="medium")
        with left:
            _conversation(shown)
            _error(shown)
        with right:
            _judged(shown)
            _expected(shown)
        return
    left, middle, right = st.columns([4, 3, 3], gap="medium")
    with left:
        st.markdown("##### Prompt")
        text_block(shown.prompt)
        st.markdown("##### Answer")
        text_block(shown.output or ("(no answer)" if shown.error else "(empty answer)"))
        _error(shown)
    with middle:
        _expected(shown)
    with right:
        _judged(shown)


def _judged(shown: Attempt) -> None:
    st.markdown("##### Scores")
    if shown.scores or not shown.turns:
        _scores(shown.scores)
    else:
        st.markdown(":gray[none of the whole conversation; those of a turn stand beside it where they did not pass]")
    if shown.notes:
        st.markdown("##### Notes")
        for note in shown.notes:
            st.text(note)


def _conversation(shown: Attempt) -> None:
    st.markdown("##### Conversation")
    bad = next((place for place, turn in enumerate(shown.turns) if turn.status is not Status.PASSED and not asks_nothing(turn)), 0)
    part = window(len(shown.turns), _TURNS, "turns", "turns", first=bad)
    for place, turn in list(enumerate(shown.turns, 1))[part]:
        with st.chat_message("user", avatar=":material/person:"):
            text_block(turn.prompt)
        with st.chat_message("assistant", avatar=":material/smart_toy:"):
            text_block(turn.output or "(no answer)")
            st.markdown(f":gray[turn {place}] {'' if asks_nothing(turn) else mark(turn.status)}".rstrip())
            if turn.error is not None:
                st.text(f"{turn.error.kind}: {turn.error.message}")
            for score in turn.scores:
                if score.passed is not True and (score.required or score.passed is False):
                    _score(score)
    _ended(shown)


def asks_nothing(turn: Attempt) -> bool:
    """True of a turn without checks of its own: it is unscored because nobody asked, not for lack of a verdict."""
    return turn.status is Status.UNSCORED and not turn.expects and not turn.evaluators


def _ended(shown: Attempt) -> None:
    """Why a scripted user stopped, and what it never said; nothing where no script was played."""
    lines = ended_lines(shown)
    if lines:
        st.caption(escaped(f"{lines[0].strip().capitalize()}."))
    for line in lines[1:]:
        st.text(line.strip())


def _error(shown: Attempt) -> None:
    if shown.error is None:
        return
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
    st.markdown("##### Expected")
    declared = dict(shown.expects)
    if shown.evaluators:
        declared["evaluators"] = list(shown.evaluators)
    if not shown.expect_pass:
        declared["expect_pass"] = False
    if declared:
        text_block(as_yaml(declared), most=4_000)
    asked = [(place, turn) for place, turn in enumerate(shown.turns, 1) if turn.expects or turn.evaluators]
    for place, turn in asked[:_TURNS]:
        st.markdown(f":gray[turn {place}]")
        text_block(as_yaml({**turn.expects, **({"evaluators": list(turn.evaluators)} if turn.evaluators else {})}), most=4_000)
    if len(asked) > _TURNS:
        st.caption(f"and {len(asked) - _TURNS} more turns that expect something; the stored record has all")
    if not declared and not asked:
        st.markdown(":gray[the file does not record what was expected]")


def handed_over(shown: Attempt) -> None:
    """What else the agent handed over, folded; nothing where there is nothing."""
    if shown.raw:
        with st.expander("What else the agent handed over (raw)", on_change="rerun", key=f"raw-{shown.case_id}-{shown.repetition}") as raw:
            if raw.open:
                text_block(as_yaml(shown.raw, width=100))
