"""One case in two runs, side by side, and the way through all cases that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from agenteval import _format
from agenteval._text import clip, nearest
from agenteval.errors import AgentEvalError
from agenteval.model.attempt import Attempt
from agenteval.model.comparison import Comparison, Transition
from parts import stored
from parts.beside import beside
from parts.case.attempt import answer_and_scores
from parts.chrome import link, page_file, trouble
from parts.compare.cases import Cell, cell_asked, moved_cases, query_of
from parts.view import View
from parts.words import badge, code, escaped, mark


def side_by_side(view: View, found: Comparison, case_id: str) -> None:
    """The case's two records, and links to the changed cases before and after it."""
    assert view.baseline is not None
    cell = cell_asked()
    moved = [item.case_id for item in moved_cases(found, cell)]
    _choose(view, found, moved, cell, case_id)
    item = next((item for item in found.transitions if item.case_id == case_id), None)
    if item is None:
        _unknown(view, found, case_id)
        return
    _way(view, moved, cell, case_id)
    _head(view, item)
    then, now = _attempt(view.baseline[0], case_id), _attempt(view.path, case_id)
    if then is not None and now is not None:
        beside(then, now)
    elif then is not None or now is not None:
        st.markdown(f"Only the run {'then' if now is None else 'now'} holds this case.")
        answer_and_scores(then or now)  # type: ignore[arg-type]


def _attempt(path: Path, case_id: str) -> Attempt | None:
    try:
        return stored.run_at(path).case(case_id)
    except AgentEvalError as error:
        trouble(str(error))
        return None


def _choose(view: View, found: Comparison, moved: Sequence[str], cell: Cell | None, case_id: str) -> None:
    """Any case of either run, the changed ones first."""
    options = [*moved, *(item.case_id for item in found.transitions if item.case_id not in set(moved))]
    words = {item.case_id: f"{item.case_id} · {item.kind.replace('_', ' ')}" for item in found.transitions}
    key = f"choose-pair-{view.selection.run}-{view.selection.baseline}-{case_id}"

    def write() -> None:
        st.query_params.from_dict(query_of(view, cell, st.session_state[key]))

    st.selectbox(
        "Case in both runs",
        options,
        index=options.index(case_id) if case_id in options else None,
        format_func=lambda case: words.get(case, case),
        key=key,
        on_change=write,
    )


def _way(view: View, moved: Sequence[str], cell: Cell | None, case_id: str) -> None:
    """Previous and next changed case, and back to the whole comparison."""
    place = moved.index(case_id) if case_id in moved else None
    what = f"{mark(cell.then)} → {mark(cell.now)}" if cell else "changed"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        page = page_file("compare")
        st.page_link(page, label="whole comparison", icon=":material/arrow_upward:", query_params=query_of(view, cell))
        if place is None:
            if moved:
                label = f"first of {_format.count(len(moved), 'changed case')}"
                st.page_link(page, label=label, query_params=query_of(view, cell, moved[0]))
            return
        if place > 0:
            before = moved[place - 1]
            st.page_link(
                page, label="previous", icon=":material/chevron_left:", query_params=query_of(view, cell, before), help=code(before)
            )
        st.markdown(f"{_format.of(place + 1, len(moved))} {what}")
        if place + 1 < len(moved):
            after = moved[place + 1]
            st.page_link(
                page,
                label="next",
                icon=":material/chevron_right:",
                icon_position="right",
                query_params=query_of(view, cell, after),
                help=code(after),
            )


def _head(view: View, item: Transition) -> None:
    assert view.baseline is not None
    extra = " :red-badge[critical]" if item.critical else ""
    if item.role:
        extra += f" :gray-badge[{escaped(item.role)}]"
    move = f"{badge(item.before or 'new')} → {badge(item.after or 'missing')}"
    st.markdown(f"#### {move} {code(item.case_id)}{extra}", anchors=False)
    if item.kind == "changed_definition":
        st.markdown("The suite defines this case otherwise now, so that no paired test uses it.")
    if item.reason:
        st.markdown(escaped(clip(item.reason, 600)))
    then = view.baseline[1].run_id
    with st.container(horizontal=True, gap="small"):
        if item.after not in (None, "missing", "not_selected"):
            link("case", "The case now, with its steps", view.selection.of_case(item.case_id), icon=":material/description:")
        if item.before is not None and then in view.runs:
            link("case", "The case then", replace(view.selection, run=then).of_case(item.case_id), icon=":material/history:")


def _unknown(view: View, found: Comparison, case_id: str) -> None:
    ids = [item.case_id for item in found.transitions]
    close = nearest(case_id, ids)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":orange-badge[? unknown case] Neither run holds a case {code(case_id)}.")
        if close is not None:
            st.markdown("Nearest:")
            link("compare", code(close), view.selection.of_case(close))
        link("compare", "whole comparison", view.selection.without_case())
