"""How the cases of many runs ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from agenteval._format import short_id
from agenteval.charts.layout import calm, drawn_once, literal, room_for
from agenteval.charts.palette import STATUSES, look
from agenteval.compare.case_history import CaseHistory

_NAME = 22
"""Characters of a case's id beside its row: a phone's width leaves no more; the whole id stands on hover."""
_MANY_RUNS = 40


def outcome_heatmap(cases: Sequence[CaseHistory], run_labels: Mapping[str, str]) -> go.Figure:
    """Cases by runs, a cell coloured by status, blank where a run has no such case; what did not pass carries its symbol.

    Symbols are marks of their own, so that only they answer to a pointer: thousands of cells that passed cost nothing to draw.

    Args:
        cases: Rows from the top; their statuses are one a run.
        run_labels: What a column is called, by run id, oldest first.
    """
    runs = list(run_labels)
    values = [[None if status is None else STATUSES.index(status.value) for status in case.statuses] for case in cases]
    marks = [
        (column, row, status.value)
        for row, case in enumerate(cases)
        for column, status in enumerate(case.statuses)
        if status is not None and status.value != "passed"
    ]
    dense = len(runs) > _MANY_RUNS
    figure = go.Figure(
        go.Heatmap(
            z=values,
            colorscale=_steps(),
            zmin=-0.5,
            zmax=len(STATUSES) - 0.5,
            showscale=False,
            xgap=1 if dense else 2,
            ygap=2,
            hoverinfo="skip",
        )
    )
    figure.add_scatter(
        x=[column for column, _, _ in marks],
        y=[row for _, row, _ in marks],
        mode="markers+text",
        marker={"symbol": "square", "size": 8 if dense else 14, "opacity": 0},
        text=[look(status).symbol for _, _, status in marks],
        textfont={"color": "#ffffff", "size": 8 if dense else 10},
        customdata=[[cases[row].case_id, runs[column]] for column, row, _ in marks],
        hovertext=[
            f"{literal(cases[row].case_id)}<br>{literal(run_labels[runs[column]])}<br>{literal(runs[column])}"
            f"<br>{look(status).symbol} {look(status).word}"
            for column, row, status in marks
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    names = [short_id(case.case_id, _NAME) for case in cases]
    calm(figure, height=56 + 20 * len(cases))
    ticks = sorted({round(share * (len(runs) - 1)) for share in (0, 1 / 3, 2 / 3, 1)})
    figure.update_layout(
        margin={"l": room_for(names), "r": 22, "t": 48},
        xaxis={
            "tickvals": ticks,
            "ticktext": [literal(run_labels[runs[tick]]) for tick in ticks],
            "tickangle": 0,
            "showgrid": False,
            "side": "top",
            "range": [-0.5, len(runs) - 0.5],
            "automargin": False,
        },
        yaxis={
            "tickvals": list(range(len(cases))),
            "ticktext": [literal(name) for name in names],
            "tickfont": {"size": 11},
            "showgrid": False,
            "range": [len(cases) - 0.5, -0.5],
            "automargin": False,
        },
    )
    return drawn_once(figure)


def _steps() -> list[list[float | str]]:
    """A colour scale of flat steps, one a status."""
    share = 1 / len(STATUSES)
    scale: list[list[float | str]] = []
    for place, status in enumerate(STATUSES):
        colour = look(status).colour if status != "passed" else "#8fd3bf"
        scale += [[place * share, colour], [(place + 1) * share, colour]]
    return scale
