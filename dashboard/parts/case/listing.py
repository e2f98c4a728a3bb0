"""The cases of one run to choose from: a list, a table, and what is said of a case that is not there."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from agenteval import _format
from agenteval._text import nearest
from agenteval.charts.palette import STATUSES, look
from agenteval.model.run import Run
from agenteval.model.status import Status
from parts.case.before import RUNS, outcomes_at
from parts.chrome import link
from parts.downloads import offer
from parts.view import View
from parts.words import code, escaped, when

_ORDER = {status: place for place, status in enumerate((*STATUSES[1:4], *STATUSES[4:], STATUSES[0]))}


def choose_case(view: View, run: Run, asked: str | None) -> None:
    """The list of cases to choose from, trouble first."""
    ordered = sorted(run.outcomes, key=lambda outcome: (_ORDER.get(outcome.status, 9), outcome.case_id))
    labels = {outcome.case_id: f"{look(outcome.status).symbol} {outcome.case_id}" for outcome in ordered}
    options = list(labels)
    key = f"choose-case-{view.head.run_id}-{asked}"

    def write() -> None:
        st.query_params.from_dict(view.selection.of_case(st.session_state[key]).query())

    st.selectbox(
        "Case",
        options,
        index=options.index(asked) if asked in labels else None,
        format_func=lambda case: labels.get(case, case),
        key=key,
        on_change=write,
        placeholder=f"{_format.count(len(options), 'case')}, failures first",
    )


def table_of_cases(view: View, run: Run) -> None:
    """Every case of the run; a chosen row opens it."""
    import pandas as pd

    from agenteval.charts.frames import status_words

    if not run.outcomes:
        st.markdown("This run holds no case.")
        return
    present = [status.value for status in Status if any(outcome.status is status for outcome in run.outcomes)]
    wanted = st.segmented_control(
        "Status",
        present,
        selection_mode="multi",
        format_func=lambda status: f"{look(status).symbol} {look(status).word}",
        key="status",
        bind="query-params",
        label_visibility="collapsed",
    )
    rows = [outcome for outcome in run.outcomes if not wanted or outcome.status in wanted]
    rows.sort(key=lambda outcome: (_ORDER.get(outcome.status, 9), outcome.case_id))
    frame = pd.DataFrame(
        {
            "case": [outcome.case_id for outcome in rows],
            "status": [status_words(outcome.status) for outcome in rows],
            "score": [_format.score(outcome.score) for outcome in rows],
            "latency": [_format.ms(outcome.latency_ms) for outcome in rows],
            "cost": [_format.usd(outcome.cost_usd) for outcome in rows],
            "tokens": [_format.value(outcome.tokens, "tokens") for outcome in rows],
            "tags": [", ".join(outcome.tags) for outcome in rows],
            "role": [str(outcome.role or ("critical" if outcome.critical else "")) for outcome in rows],
        }
    )
    st.caption(f"{_format.of(len(rows), len(run.outcomes), 'case')}; choose a row to open it")
    event = st.dataframe(
        frame, hide_index=True, on_select="rerun", selection_mode="single-row", key=f"cases-{view.head.run_id}", alt="Cases of this run"
    )
    chosen = event.selection.rows
    if chosen and chosen[0] < len(rows):
        from parts.chrome import page_file

        st.switch_page(page_file("case"), query_params=view.selection.of_case(rows[chosen[0]].case_id).query())
    offer(view.head.run_id, {"cases": frame})


def absent_case(view: View, run: Run, asked: str) -> None:
    """The case is not in this run: gone, or a wrong id."""
    ids = [outcome.case_id for outcome in run.outcomes]
    close = nearest(asked, ids) or (ids[0] if ids else None)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":orange-badge[? unknown case] There is no case {code(asked)} in this run.")
        if close is not None:
            st.markdown("Nearest:")
            link("case", code(close), view.selection.of_case(close))
    before = [(head, path) for head, path in reversed(view.siblings()) if head.run_id != view.head.run_id][:RUNS]
    for head, path in before:
        if any(outcome.case_id == asked for outcome in outcomes_at(path)):
            st.markdown("It was last in this run:")
            link("case", f"{code(head.run_id)} {escaped(when(head))}", replace(view.selection, run=head.run_id))
            return
    choose_case(view, run, None)
