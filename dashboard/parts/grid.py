"""Every case over the stored runs, and where a click on a mark leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.errors import AgentEvalError
from agenteval.model.run import RunHead
from parts import stored
from parts.chrome import page_file
from parts.stored import Fingerprint, fingerprint
from parts.view import View
from parts.words import escaped, moment

_RUNS = 30
_CASES = 25


def grid(view: View) -> None:
    """Cases that did not pass in every run, the most troubled first."""
    from agenteval.charts.layout import config

    siblings = view.siblings()[-_RUNS:]
    labels = _labels([head for head, _ in siblings])
    figure, words = _drawn(tuple((head.run_id, path, fingerprint(path)) for head, path in siblings), labels)
    st.markdown("##### Every case over the runs")
    st.caption(escaped(words))
    if figure is None:
        return
    event = st.plotly_chart(
        figure,
        config=config("cases-over-runs"),
        key=f"grid-{view.head.run_id}",
        on_select="rerun",
        selection_mode="points",
        alt="Outcome of every case in every run",
    )
    follow(view, event, labels)


def follow(view: View, event: object, files: Mapping[str, object]) -> None:
    """Open the run, or the case of a run, whose mark was clicked."""
    points = getattr(getattr(event, "selection", None), "points", None) or []
    data = points[0].get("customdata") if points else None
    if not data:
        return
    run = data[-1]
    if run not in files:
        st.caption("That run's file is gone; only its line in the ledger is left.")
    elif len(data) == 2:
        st.switch_page(page_file("case"), query_params=replace(view.selection, run=run, case=data[0], attempt=None).query())
    else:
        st.switch_page(page_file("overview"), query_params=replace(view.selection, run=run).without_case().query())


def _labels(heads: list[RunHead]) -> dict[str, str]:
    """Columns by run id: days, or times where all ran on one day."""
    form = "%b %d" if len({head.started_at[:10] for head in heads}) > 1 else "%H:%M:%S"
    moments = {head.run_id: moment(head.started_at) for head in heads}
    return {run_id: f"{started:{form}}" if started else run_id[-6:] for run_id, started in moments.items()}


@st.cache_resource(max_entries=16, show_spinner=False)
def _drawn(runs: tuple[tuple[str, Path, Fingerprint], ...], labels: dict[str, str]) -> tuple[Any, str]:
    """The figure and what it shows in words; None where every case always passed."""
    from agenteval.charts.frames import outcome_grid
    from agenteval.charts.outcomes import outcome_heatmap

    readable, broken = [], []
    for run_id, path, _ in runs:
        try:
            readable.append((run_id, stored.run_at(path).outcomes))
        except AgentEvalError as error:
            broken.append(str(error))
    outcomes = outcome_grid(readable)
    if outcomes.empty:
        return None, "; ".join(["No case is recorded", *broken]) + "."
    failed = outcomes[outcomes["status"] != "passed"]
    cases = outcomes["case_id"].nunique()
    troubled = list(dict.fromkeys(failed["case_id"]))
    words = f"{_format.of(len(troubled), cases, 'case')} did not pass at least once in the last {_format.count(len(runs), 'run')}"
    if broken:
        words += f"; {_format.count(len(broken), 'run')} can't be read: {broken[0]}"
    if not troubled:
        return None, f"{words}."
    if len(troubled) > _CASES:
        words += f"; the {_CASES} worst are drawn"
    figure = outcome_heatmap(outcomes[outcomes["case_id"].isin(troubled[:_CASES])], labels)
    return figure, f"{words}. A click on a symbol opens the case in that run."
