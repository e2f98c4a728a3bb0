"""The steps of one attempt on a time line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import GREY, look

if TYPE_CHECKING:
    import pandas as pd

KIND_COLOURS = {
    "tool_call": "#0072b2",
    "model": "#8a8f98",
    "reasoning": "#b7bcc4",
    "retrieval": "#56b4e9",
    "node": "#6b7fb3",
    "message": "#b7bcc4",
}
MOST = 200
"""Steps drawn; more would be thinner than a pixel, the table below holds them all."""


def waterfall(rows: pd.DataFrame) -> go.Figure:
    """A bar a step from its start over its duration, in order, coloured by kind; errors in the colour and with the symbol of errors.

    Args:
        rows: As of ``frames.step_rows``.
    """
    drawn = rows.head(MOST)
    failed = drawn["error"] != ""
    names = [
        f"{'· ' * depth}{'! ' if error else ''}{literal(label)}"
        for depth, error, label in zip(drawn["depth"], drawn["error"], drawn["label"], strict=True)
    ]
    end = float((drawn["start_ms"] + drawn["duration_ms"]).max()) if len(drawn) else 1.0
    shortest = max(end, 1.0) / 250
    figure = go.Figure(
        go.Bar(
            x=drawn["duration_ms"].clip(lower=shortest),
            base=drawn["start_ms"],
            y=drawn["place"],
            orientation="h",
            marker={
                "color": [
                    look("agent_error").colour if bad else KIND_COLOURS.get(kind, GREY)
                    for bad, kind in zip(failed, drawn["kind"], strict=True)
                ]
            },
            text=[literal(text) for text in drawn["text"]],
            textposition="auto",
            constraintext="none",
            textfont={"size": 12},
            hovertext=[f"{name}<br>{literal(text)}" for name, text in zip(names, drawn["text"], strict=True)],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    calm(figure, height=56 + 30 * max(1, len(drawn)))
    figure.update_yaxes(tickvals=list(drawn["place"]), ticktext=names, autorange="reversed", showgrid=False)
    figure.update_xaxes(ticksuffix=" ms", tickformat=",", range=[0, max(end, 1.0) * 1.4], nticks=6)
    return figure
