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
    calm(figure, height=height)
    lines, words = _marks(points, baseline, limit)
    figure.update_layout(shapes=lines, annotations=words)
    figure.update_layout(margin={"t": 18})
    days = points["started_at"].dt.date.nunique()
    ticks = sorted({0, len(points) // 2, len(points) - 1}) if len(points) else []
    figure.update_xaxes(
        tickvals=ticks,
        ticktext=[f"{points['started_at'].iloc[tick]:{'%b %d' if days > 1 else '%H:%M:%S'}}" for tick in ticks],
        showgrid=False,
        range=[-0.6, max(len(points) - 0.4, 1)],
    )
    shown = [
        value for value in (*points["value"], *points["low"], *points["high"], baseline, limit) if value is not None and value == value
    ]
    figure.update_yaxes(**value_ticks(shown, unit))
    return figure


def _marks(points: pd.DataFrame, baseline: float | None, limit: float | None) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines and words over the plot, given at once: plotly's own ``add_hline`` checks the whole layout at every call."""
    lines: list[dict[str, Any]] = []
    words: list[dict[str, Any]] = []
    small = {"size": 10, "color": GREY}
    for name, y, colour, dash in (("baseline", baseline, GREY, "dot"), ("gate", limit, look("fail").colour, "dash")):
        if y is not None:
            line = {"color": colour, "width": 1, "dash": dash}
            lines.append({"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line, "name": name})
            words.append(
                {
                    "xref": "x domain",
                    "x": 0,
                    "y": y,
                    "text": name,
                    "showarrow": False,
                    "font": small,
                    "xanchor": "left",
                    "yanchor": "bottom",
                }
            )
    for place, what in changes(points):
        x = place - 0.5
        line = {"color": GREY, "width": 1}
        lines.append(
            {"type": "line", "yref": "y domain", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line, "opacity": 0.5, "name": "change"}
        )
        words.append(
            {
                "yref": "y domain",
                "x": x,
                "y": 1,
                "text": "◆",
                "showarrow": False,
                "hovertext": literal(what),
                "font": small,
                "yanchor": "bottom",
            }
        )
    return lines, words


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
