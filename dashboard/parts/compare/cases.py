"""What became of each case: counts by outcome then and now, the changed ones as links, those with a changed definition apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import STATUSES, look
from agenteval.model.comparison import Comparison, Transition
from parts.cases import change_rows
from parts.chrome import page_file
from parts.overview.page import nothing_moved, why_counts_differ
from parts.view import View
from parts.words import mark

_GROUPS = (
    ("Regressed", ("regressed",)),
    ("Errored", ("errored",)),
    ("Missing", ("missing",)),
    ("Improved", ("improved", "recovered")),
    ("New", ("new",)),
    ("Not selected", ("not_selected",)),
)
_EDITED = ("changed_definition",)


class Cell(NamedTuple):
    """A cell of the transitions, in the address as ``then=passed&now=failed``."""

    then: str
    now: str

    def holds(self, item: Transition) -> bool:
        """Whether a case went this way; cases with a role are in no cell."""
        return item.role is None and (item.before or "new", item.after or "missing") == self


def cell_asked() -> Cell | None:
    """The cell that the address names, None where it names none."""
    then, now = st.query_params.get("then"), st.query_params.get("now")
    return Cell(then, now) if then and now else None


def moved_cases(found: Comparison, cell: Cell | None) -> list[Transition]:
    """The cases to go through: those of the cell, else all that changed, in the order in which the page lists them."""
    if cell is not None:
        return [item for item in found.transitions if cell.holds(item)]
    kinds = [kind for _, group in _GROUPS[:-1] for kind in group]
    listed = [item for kind in kinds for item in found.of_kind(kind)]
    return [*listed, *found.of_kind(*_EDITED)]


def query_of(view: View, cell: Cell | None, case: str | None = None) -> dict[str, str]:
    """The address's parameters of this page, with its cell and a case."""
    chosen = view.selection.without_case() if case is None else view.selection.of_case(case)
    return {**chosen.query(), **({} if cell is None else {"then": cell.then, "now": cell.now})}


def transitions(view: View, found: Comparison) -> Cell | None:
    """Counts of cases by outcome then (rows) and now (columns); a chosen cell filters the list below and stands in the address."""
    import pandas as pd

    st.markdown("##### Transitions")
    matrix: Mapping[str, Mapping[str, int]] = found.matrix
    if not matrix:
        st.markdown("No case is in both runs.")
        return None
    before = _ordered(matrix)
    seen = {now for row in matrix.values() for now in row}
    columns = _ordered(seen)
    rows = {_name(then): [matrix[then].get(now, 0) for now in columns] for then in before}
    titles = [_name(now) for now in columns]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=titles).rename_axis("then ↓ now →")
    asked = cell_asked()
    place = None if asked is None or asked.then not in matrix or asked.now not in columns else asked
    key = f"cells-{view.selection.run}-{view.selection.baseline}-{place}"

    def write() -> None:
        cells = st.session_state[key].selection.cells
        chosen = Cell(before[cells[0][0]], columns[titles.index(cells[0][1])]) if cells else None
        st.query_params.from_dict(query_of(view, chosen))

    with st.container(key="matrix"):
        st.dataframe(
            frame,
            on_select=write,
            selection_mode="single-cell",
            selection_default=None
            if place is None
            else {"selection": {"cells": [(before.index(place.then), titles[columns.index(place.now)])]}},
            key=key,
            height="content",
            width="content",
            alt="Cases by outcome then and now",
        )
    if asked is not None and place is None:
        st.markdown(f":orange-badge[? unknown cell] No case went {mark(asked.then)} → {mark(asked.now)}.")
    elif asked is None:
        st.caption("Choose a cell to see its cases.")
    return place


def _ordered(statuses: Iterable[str]) -> list[str]:
    """Statuses first, in their usual order, then what else became of cases."""
    known = set(statuses)
    return [status for status in STATUSES if status in known] + sorted(known.difference(STATUSES))


def _name(status: str) -> str:
    return f"{look(status).symbol} {look(status).word}"


def changed_cases(view: View, found: Comparison, cell: Cell | None) -> None:
    """The cases that changed, by what became of them; or those of the chosen cell."""
    st.markdown("##### Changed cases" if cell is None else "##### Chosen cases")
    if cell is not None:
        chosen = moved_cases(found, cell)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{mark(cell.then)} → {mark(cell.now)}: {_format.count(len(chosen), 'case')}")
            st.page_link(page_file("compare"), label="all changed cases", icon=":material/close:", query_params=query_of(view, None))
        change_rows(chosen, view.selection, "cell", page="compare", more=cell._asdict())
        return
    some = False
    for title, kinds in _GROUPS:
        items = found.of_kind(*kinds)
        if items:
            some = True
            st.markdown(f"**{title}** ({len(items)})")
            if kinds == ("regressed",):
                why_counts_differ(found)
            change_rows(items, view.selection, title, page="compare")
    if not some:
        st.markdown(nothing_moved(found).replace("Nothing:", "None:"))


def changed_definitions(view: View, found: Comparison) -> None:
    """Cases that the suite defines otherwise now: what changed may be the question, not the agent."""
    items: Sequence[Transition] = found.of_kind(*_EDITED)
    if items:
        st.markdown(f"##### Changed definition ({len(items)})")
        st.caption("The suite asks or expects something else now: these cases count in the rates and in no paired test.")
        change_rows(items, view.selection, "definition", page="compare")
