"""The steps of one attempt on a time line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from agenteval import _format
from agenteval.charts.layout import calm, literal, value_ticks
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


def waterfall(rows: pd.DataFrame) -> go.Figure:
    """A bar a step from its start over its duration, in order, coloured by kind; errors in the colour and with the symbol of errors.

    Args:
        rows: As of ``timeline.step_rows``, or a part of it; times are from the attempt's start.
    """
    failed = rows["error"] != ""
    names = [
        f"{'· ' * min(depth, 8)}{'! ' if error else ''}{literal(label)}"
        for depth, error, label in zip(rows["depth"], rows["error"], rows["label"], strict=True)
    ]
    texts = [literal(text) for text in rows["text"]]
    first = float(rows["start_ms"].min()) if len(rows) else 0.0
    last = float((rows["start_ms"] + rows["duration_ms"]).max()) if len(rows) else 1.0
    span = max(last - first, 1.0)
    figure = go.Figure(
        go.Bar(
            x=rows["duration_ms"].clip(lower=span / 250),
            base=rows["start_ms"],
            y=list(range(len(rows))),
            orientation="h",
            marker={
                "color": [
                    look("agent_error").colour if bad else KIND_COLOURS.get(kind, GREY)
                    for bad, kind in zip(failed, rows["kind"], strict=True)
                ]
            },
            text=texts,
            textposition="auto",
            constraintext="none",
            textfont={"size": 12},
            hovertext=[
                f"{place}. {name}<br>{text}<br>starts at {_format.ms(start)}{f'<br>error: {literal(error[:200])}' if error else ''}"
                for place, name, text, start, error in zip(rows["place"], names, texts, rows["start_ms"], rows["error"], strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    calm(figure, height=56 + (30 if len(rows) <= 20 else 22) * max(1, len(rows)))
    figure.update_yaxes(tickvals=list(range(len(rows))), ticktext=names, autorange="reversed", showgrid=False)
    ticks = value_ticks([first, last], "ms")
    figure.update_xaxes(tickvals=ticks["tickvals"], ticktext=ticks["ticktext"], range=[first, first + span * 1.4])
    return figure
