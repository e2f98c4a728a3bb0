"""Two runs against each other."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from agenteval import _format
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import DIRECTION_COLOURS, GREY, metric_title
from agenteval.model.comparison import MetricDelta


def delta_forest(deltas: Sequence[MetricDelta]) -> go.Figure:
    """A dot a rate or score with its 95% interval, in points, zero in the middle; metrics in other units are left to the table.

    The dot's colour tells the direction, its label the number.
    """
    drawn = [delta for delta in deltas if delta.delta is not None and _unit(delta) in ("rate", "score")]
    figure = go.Figure()
    for place, delta in enumerate(drawn):
        assert delta.delta is not None
        colour = DIRECTION_COLOURS.get(delta.direction, GREY)
        bars = {}
        if delta.low is not None and delta.high is not None:
            bars = {
                "type": "data",
                "symmetric": False,
                "array": [(delta.high - delta.delta) * 100],
                "arrayminus": [(delta.delta - delta.low) * 100],
                "color": colour,
                "thickness": 2,
                "width": 5,
            }
        figure.add_scatter(
            x=[delta.delta * 100],
            y=[place],
            mode="markers+text",
            text=[_format.delta(delta.delta, _unit(delta))],
            textposition="top center",
            textfont={"size": 12},
            marker={"color": colour, "size": 11},
            error_x=bars or None,
            hovertemplate=f"{literal(metric_title(delta.name))}: {_format.delta(delta.delta, _unit(delta))} "
            f"{_format.points_interval(delta.low, delta.high)}, {delta.direction}<extra></extra>",
            name=delta.name,
        )
    calm(figure, height=70 + 46 * max(1, len(drawn)))
    figure.add_vline(x=0, line={"color": GREY, "width": 1})
    figure.update_yaxes(
        tickvals=list(range(len(drawn))), ticktext=[literal(metric_title(delta.name)) for delta in drawn], range=[len(drawn) - 0.4, -0.8]
    )
    ends = [0.0, *(end * 100 for delta in drawn for end in (delta.delta, delta.low, delta.high) if end is not None)]
    pad = 0.06 * (max(ends) - min(ends)) or 1.0
    figure.update_xaxes(ticksuffix=" pts", nticks=7, range=[min(ends) - pad, max(ends) + pad])
    return figure


def _unit(delta: MetricDelta) -> str:
    known = delta.current or delta.baseline
    return known.unit if known else ""
