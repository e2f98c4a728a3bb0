"""Lists of cases, each row a link to its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from agenteval._format import short_id
from agenteval._text import clip
from agenteval.charts.palette import look
from agenteval.model.comparison import Transition
from agenteval.model.run import Outcome
from parts.chrome import page_file, view
from parts.selection import Selection
from parts.words import code, escaped

MOST = 40
"""Rows drawn as links; the rest are found on the Case page."""


def change_rows(
    items: Sequence[Transition], selection: Selection, key: str, *, page: str = "case", more: Mapping[str, str] | None = None
) -> None:
    """Cases with status then and now, and the reason as text; each opens on ``page``, with ``more`` in its address.

    A case that is gone opens in the run that it was compared with, where that is stored.
    """
    opened = view()
    then = opened.baseline[1].run_id if opened.baseline else None
    held = replace(selection, run=then) if then in opened.runs else selection
    with st.container(key=f"rows-{key}"):
        for item in items[:MOST]:
            cells = st.columns([4, 3, 6], vertical_alignment="center", gap="small")
            with cells[0]:
                gone = item.after in (None, "missing", "not_selected")
                where = held if gone and page == "case" else selection
                _case_link(item.case_id, item.after or "missing", where, critical=item.critical, page=page, more=more)
            cells[1].markdown(_move(item))
            if item.reason:
                cells[2].text(clip(item.reason, 160))
        _rest(len(items))


def outcome_rows(items: Sequence[Outcome], selection: Selection, key: str, reasons: Mapping[str, str] | None = None) -> None:
    """Cases of one run with their status, and why or their tags."""
    with st.container(key=f"rows-{key}"):
        for item in items[:MOST]:
            cells = st.columns([4, 3, 6], vertical_alignment="center", gap="small")
            with cells[0]:
                _case_link(item.case_id, item.status, selection, critical=item.critical)
            cells[1].markdown(_coloured(item.status))
            if reasons and reasons.get(item.case_id):
                cells[2].text(clip(reasons[item.case_id], 160))
            elif item.tags:
                cells[2].caption(escaped(", ".join(item.tags)))
        _rest(len(items))


def _case_link(
    case_id: str, status: str, selection: Selection, *, critical: bool = False, page: str = "case", more: Mapping[str, str] | None = None
) -> None:
    shown = look(status)
    label = f":{shown.streamlit}[**{escaped(shown.symbol)}**] {code(short_id(case_id, 44))}"
    if critical:
        label += " :red-badge[critical]"
    query = {**selection.of_case(case_id).query(), **(more or {})}
    st.page_link(page_file(page), label=label, query_params=query, help=code(case_id))


def _move(item: Transition) -> str:
    before = _coloured(item.before) if item.before else ":gray[not there]"
    after = _coloured(item.after) if item.after else ":gray[gone]"
    if item.before == item.after:
        return after
    return f"{before} → {after}"


def _coloured(status: str) -> str:
    shown = look(status)
    return f":{shown.streamlit}[{escaped(shown.word)}]"


def _rest(number: int) -> None:
    if number > MOST:
        st.caption(f"and {number - MOST} more: choose them on the Case page")
