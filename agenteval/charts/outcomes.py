"""How the cases of many runs ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from agenteval._format import short_id
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import STATUSES, look

if TYPE_CHECKING:
    import pandas as pd


def outcome_heatmap(grid: pd.DataFrame, run_labels: Mapping[str, str]) -> go.Figure:
    """Cases by runs, a cell coloured by status, blank where a run has no such case; what did not pass carries its symbol.

    Symbols are marks of their own, so that only they answer to a pointer: thousands of cells that passed cost nothing to draw.

    Args:
        grid: As of ``frames.outcome_grid``.
        run_labels: What a column is called, by run id, oldest first.
    """
    runs = list(run_labels)
    cases = list(dict.fromkeys(grid["case_id"]))
    place = {run: index for index, run in enumerate(runs)}
    row_of = {case: index for index, case in enumerate(cases)}
    values: list[list[int | None]] = [[None] * len(runs) for _ in cases]
    marks: list[tuple[int, int, str]] = []
    for case, run, status in zip(grid["case_id"], grid["run_id"], grid["status"], strict=True):
        if run in place and status in STATUSES:
            values[row_of[case]][place[run]] = STATUSES.index(status)
            if status != "passed":
                marks.append((place[run], row_of[case], status))
    figure = go.Figure(
        go.Heatmap(
            z=values,
            colorscale=_steps(),
            zmin=-0.5,
            zmax=len(STATUSES) - 0.5,
            showscale=False,
            xgap=2,
            ygap=2,
            hoverinfo="skip",
        )
    )
    figure.add_scatter(
        x=[column for column, _, _ in marks],
        y=[row for _, row, _ in marks],
        mode="markers+text",
        marker={"symbol": "square", "size": 14, "opacity": 0},
        text=[look(status).symbol for _, _, status in marks],
        textfont={"color": "#ffffff", "size": 11},
        customdata=[[cases[row], runs[column]] for column, row, _ in marks],
        hovertext=[
            f"{literal(cases[row])}<br>{literal(runs[column])}<br>{look(status).symbol} {look(status).word}"
            for column, row, status in marks
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    calm(figure, height=80 + 20 * len(cases))
    ticks = list(range(0, len(runs), max(1, -(-len(runs) // 8))))
    figure.update_layout(
        xaxis={
            "tickvals": ticks,
            "ticktext": [literal(run_labels[runs[tick]]) for tick in ticks],
            "showgrid": False,
            "side": "top",
            "range": [-0.5, len(runs) - 0.5],
        },
        yaxis={
            "tickvals": list(range(len(cases))),
            "ticktext": [literal(short_id(case, 26)) for case in cases],
            "showgrid": False,
            "range": [len(cases) - 0.5, -0.5],
        },
    )
    return figure


def _steps() -> list[list[float | str]]:
    """A colour scale of flat steps, one a status."""
    share = 1 / len(STATUSES)
    scale: list[list[float | str]] = []
    for place, status in enumerate(STATUSES):
        colour = look(status).colour if status != "passed" else "#8fd3bf"
        scale += [[place * share, colour], [(place + 1) * share, colour]]
    return scale
