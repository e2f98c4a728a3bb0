"""The attempts of a repeated case beside each other, what differs from the one shown marked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.compare.alignment import align
from agenteval.model.attempt import Attempt
from parts.difference import cut, word_difference
from parts.words import escaped, mark, text_block

_MOST = 12
_MOST_CALLS = 16


def attempts_beside(shown: Attempt, attempts: Sequence[Attempt]) -> None:
    """A box an attempt; answers and calls of the others are marked against those of the shown one."""
    same = sum(_said(attempt) == _said(shown) for attempt in attempts) - 1
    st.markdown("##### Attempts side by side")
    others = len(attempts) - 1
    st.caption(
        escaped(
            f"against attempt {shown.repetition}: {_format.of(same, others, 'other')} answered the same, word for word · "
            "what only the shown attempt says is struck through, what only the other says is bold"
        )
    )
    ordered = [shown, *(attempt for attempt in attempts if attempt is not shown)]
    for start in range(0, min(len(ordered), _MOST), 3):
        for column, attempt in zip(st.columns(3, gap="small"), ordered[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                _box(shown, attempt)
    if len(ordered) > _MOST:
        st.caption(f"and {len(ordered) - _MOST} more attempts; their links are above")


def _box(shown: Attempt, attempt: Attempt) -> None:
    here = attempt is shown
    st.markdown(f"**attempt {attempt.repetition}** &nbsp; {mark(attempt.status)}{' &nbsp; :gray[shown above]' if here else ''}")
    answer = _said(attempt)
    if here:
        text_block(answer or "(no answer)", most=1_500)
    elif answer == _said(shown):
        st.markdown(f":gray[\\= the same answer as attempt {shown.repetition}]")
    else:
        with st.container(height=280 if len(answer) + len(_said(shown)) > 1_400 else "content", border=False):
            st.markdown(word_difference(_said(shown), answer))
        left_out = cut(_said(shown), answer)
        if left_out:
            st.caption(left_out)
    st.markdown(_calls(shown, attempt))
    facts = [_format.ms(attempt.latency_ms), "unpriced" if attempt.cost_usd is None else _format.usd(attempt.cost_usd)]
    if attempt.latency_ms is not None or attempt.cost_usd is not None:
        st.caption(escaped(" · ".join(facts)))


def _said(attempt: Attempt) -> str:
    if attempt.turns:
        return "\n\n".join(f"{place}. {turn.output}" for place, turn in enumerate(attempt.turns, 1))
    return attempt.output or (attempt.error.message if attempt.error else "")


def _names(attempt: Attempt) -> list[str]:
    turns = [call.name for turn in attempt.turns for call in turn.tool_calls]
    return turns or [call.name for call in attempt.tool_calls]


def _name(name: str) -> str:
    return escaped(clip(name, 40))


def _calls(shown: Attempt, attempt: Attempt) -> str:
    """The tools an attempt called, in order; against the shown one's where they differ."""
    wanted, came = _names(shown), _names(attempt)
    if not wanted and not came:
        return ":gray[no tool calls]"
    if attempt is shown:
        chips = [_name(name) for name in came]
    elif wanted == came:
        return f":gray[\\= the same {_format.count(len(came), 'tool call')}]"
    else:
        found = align(wanted, came)
        extra = set(found.extra)
        chips = [f":green[**\\+ {_name(name)}**]" if j in extra else _name(name) for j, name in enumerate(came)]
        chips += [f":red[~~− {_name(name)}~~]" for name in found.missing_steps]
    rest = f" and {len(chips) - _MOST_CALLS} more" if len(chips) > _MOST_CALLS else ""
    return "tools " + " → ".join(chips[:_MOST_CALLS]) + rest if chips else ":gray[no tool calls]"
