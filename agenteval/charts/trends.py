"""One metric over runs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from agenteval.charts.frames import changes
from agenteval.charts.layout import calm, literal, value_ticks
from agenteval.charts.palette import ACCENT, BAND, GREY, look

if TYPE_CHECKING:
    import pandas as pd

_MARKERS = {"pass": "circle", "fail": "x", "inconclusive": "diamond", "not_evaluated": "circle-open", "": "circle-open"}


def metric_trend(
    points: pd.DataFrame,
    *,
    unit: str,
    baseline: float | None = None,
    limit: float | None = None,
    selected: str | None = None,
    height: int = 210,
) -> go.Figure:
    """Line of one metric over runs with its interval, the baseline and the gate's limit; markers tell the gate's outcome of each run.

    Args:
        points: As of ``frames.metric_points``, oldest first; runs stand side by side, whatever time lies between them.
        unit: As of ``Measure``.
        baseline, limit: Drawn as a dotted and a dashed line, in the metric's unit.
        selected: Run id to ring.
    """
    figure = go.Figure()
    places = list(range(len(points)))
    if points["low"].notna().any():
        _band(figure, points)
    colours = [look(gate).colour if gate else ACCENT for gate in points["gate"]]
    figure.add_scatter(
        x=places,
        y=points["value"],
        mode="lines+markers",
        line={"color": ACCENT, "width": 2},
        connectgaps=False,
        marker={
            "size": [10 if gate in ("fail", "inconclusive") else 8 for gate in points["gate"]],
            "symbol": [_MARKERS.get(gate, "circle-open") for gate in points["gate"]],
            "color": colours,
            "line": {"width": 1, "color": colours},
        },
        customdata=points[["run_id"]].to_numpy(dtype=object).tolist(),
        hovertext=[_hover(row) for row in points.to_dict("records")],
        hovertemplate="%{hovertext}<extra></extra>",
        name="value",
    )
    _ring(figure, points, selected)
    for words, value, colour, dash in (("baseline", baseline, GREY, "dot"), ("gate", limit, look("fail").colour, "dash")):
        if value is not None:
            figure.add_hline(
                y=value,
                line={"color": colour, "width": 1, "dash": dash},
                name=words,
                annotation={"text": words, "font": {"size": 10, "color": GREY}, "xanchor": "left"},
                annotation_position="top left",
            )
    for place, what in changes(points):
        figure.add_vline(x=place - 0.5, line={"color": GREY, "width": 1}, opacity=0.5)
        figure.add_annotation(
            x=place - 0.5,
            y=1,
            yref="paper",
            text="◆",
            showarrow=False,
            hovertext=literal(what),
            font={"size": 10, "color": GREY},
            yanchor="bottom",
        )
    calm(figure, height=height)
    figure.update_layout(margin={"t": 18})
    ticks = sorted({0, len(points) // 2, len(points) - 1}) if len(points) else []
    figure.update_xaxes(
        tickvals=ticks,
        ticktext=[f"{points['started_at'].iloc[tick]:%b %d}" for tick in ticks],
        showgrid=False,
        range=[-0.6, max(len(points) - 0.4, 1)],
    )
    shown = [
        value for value in (*points["value"], *points["low"], *points["high"], baseline, limit) if value is not None and value == value
    ]
    figure.update_yaxes(**value_ticks(shown, unit))
    return figure


def _ring(figure: go.Figure, points: pd.DataFrame, selected: str | None) -> None:
    here = points[(points["run_id"] == selected) & points["value"].notna()]
    if len(here):
        figure.add_scatter(
            x=list(here.index),
            y=here["value"],
            mode="markers",
            marker={"size": 18, "symbol": "circle-open", "color": GREY, "line": {"width": 2}},
            hoverinfo="skip",
            name="chosen run",
        )


def _band(figure: go.Figure, points: pd.DataFrame) -> None:
    measured = points[points["low"].notna() & points["high"].notna()]
    places = list(measured.index)
    figure.add_scatter(
        x=places + places[::-1],
        y=list(measured["high"]) + list(measured["low"])[::-1],
        fill="toself",
        fillcolor=BAND,
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        name="95% interval",
    )


def _hover(row: Mapping[Hashable, Any]) -> str:
    gate = str(row["gate"])
    parts = [literal(str(row["text"])), literal(str(row["run_id"])), f"{row['started_at']:%Y-%m-%d %H:%M} UTC"]
    if gate:
        parts.append(f"{look(gate).symbol} gate {look(gate).word.lower()}")
    if not row["stored"]:
        parts.append("from the ledger; the run's file is gone")
    return "<br>".join(parts)
