"""One attempt against another of the same case: words of the answer, steps of the trajectory."""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.model.attempt import Attempt
from parts.words import escaped

_MOST_WORDS = 1_200
_MOST_STEPS = 80
_WORDS = re.compile(r"\S+")


def difference(then: Attempt, now: Attempt) -> None:
    """What the answer says and the agent did differently; removed words are struck through, added ones bold."""
    st.markdown("**Answer** :gray[– then struck through, now bold]")
    if then.output == now.output:
        st.markdown("The same, word for word.")
    else:
        st.markdown(word_difference(then.output, now.output))
        if max(len(_WORDS.findall(text)) for text in (then.output, now.output)) > _MOST_WORDS:
            st.caption(f"the first {_MOST_WORDS:,} words are compared")
    _trajectories(then, now)


def word_difference(then: str, now: str) -> str:
    """Both texts as one, in Markdown in which nothing of them is read as such.

    >>> word_difference("not eligible for it", "now eligible for it")
    ':red[~~not~~] :green[**now**] eligible for it'
    """
    before, after = _WORDS.findall(then)[:_MOST_WORDS], _WORDS.findall(now)[:_MOST_WORDS]
    parts = []
    for kind, i, end_i, j, end_j in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(escaped(" ".join(before[i:end_i])))
            continue
        if end_i > i:
            parts.append(f":red[~~{escaped(' '.join(before[i:end_i]))}~~]")
        if end_j > j:
            parts.append(f":green[**{escaped(' '.join(after[j:end_j]))}**]")
    return " ".join(parts) or "(empty answer)"


def _trajectories(then: Attempt, now: Attempt) -> None:
    from agenteval.compare.trajectories import Trajectory, diff_trajectories, steps_of
    from agenteval.model.record import to_record

    def steps(attempt: Attempt) -> Trajectory:
        return steps_of(json.loads(json.dumps(to_record(attempt), default=str)))

    found = diff_trajectories(steps(then), steps(now))
    if not found.entries:
        return
    st.markdown("**Steps**")
    counts = [f"{found.count(kind)} {kind}" for kind in ("removed", "added", "changed", "unchanged") if found.count(kind)]
    st.caption(escaped(f"{', '.join(counts)} · similarity {_format.score(found.similarity)}"))
    signs = {"removed": ":red[− ", "added": ":green[\\+ ", "changed": ":orange[~ ", "unchanged": ":gray[= "}
    lines = []
    for entry in found.entries[:_MOST_STEPS]:
        label = escaped(clip((entry.step_a or entry.step_b or ""), 60))
        detail = f" {escaped(clip(entry.detail, 240))}" if entry.detail else ""
        lines.append(f"{signs[entry.kind]}{label}]{detail}")
    st.markdown("  \n".join(lines))
    if len(found.entries) > _MOST_STEPS:
        st.caption(f"and {len(found.entries) - _MOST_STEPS} more steps")
