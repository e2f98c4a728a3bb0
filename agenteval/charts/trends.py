"""One metric over runs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from agenteval import _format
from agenteval.charts.layout import calm, drawn_once, literal, room_for, value_ticks
from agenteval.charts.palette import ACCENT, BAND, DIRECTION_COLOURS, GREY, look
from agenteval.compare.changepoints import Change

if TYPE_CHECKING:
    import pandas as pd

_MARKERS = {"pass": "circle", "fail": "x", "inconclusive": "diamond", "part": "circle"}
_SMALL = {"size": 10, "color": GREY}


def metric_trend(
    points: pd.DataFrame,
    *,
    unit: str,
    labels: Sequence[str],
    baseline: float | None = None,
    limit: float | None = None,
    selected: str | None = None,
    changes: Sequence[Change] = (),
    marks: Mapping[int, tuple[str, str]] | None = None,
) -> go.Figure:
    """Line of one metric over runs with its interval, the baseline, the gate's limit and its changes of level.

    Args:
        points: As of ``history.metric_points``, oldest first; runs stand side by side, whatever time lies between them.
        unit: As of ``Measure``.
        labels: What a point is called below the axis, one a row.
        baseline, limit: Drawn as a dotted and a dashed line, in the metric's unit.
        selected: Run id to ring.
        changes: Their places are rows of ``points``.
        marks: Letters on top, and words on hover, of what changed at a row (suite, model, metadata).
    """
    figure = go.Figure()
    if points["low"].notna().any():
        _band(figure, points)
    _line(figure, points)
    _ring(figure, points, selected)
    lines = _level_lines(baseline, limit)
    words: list[dict[str, Any]] = []
    for more_lines, more_words in (_change_marks(changes, unit, len(points)), _origin_marks(marks or {})):
        lines += more_lines
        words += more_words
    known = (*points["value"], *points["low"], *points["high"], baseline, limit)
    axis = value_ticks([value for value in known if value is not None and value == value], unit)
    calm(figure, height=200)
    ticks = sorted({0, (len(points) - 1) // 2, len(points) - 1}) if len(points) else []
    figure.update_layout(
        shapes=lines,
        annotations=words,
        # Margins of our own: plotly measures its labels only by drawing everything twice.
        margin={"l": room_for(axis.get("ticktext", ())), "r": 26, "t": 18, "b": 24},
        xaxis={
            "tickvals": ticks,
            "ticktext": [literal(labels[tick]) for tick in ticks],
            "tickangle": 0,
            "showgrid": False,
            "range": [-0.6, max(len(points) - 0.4, 1)],
            "automargin": False,
        },
        yaxis={**axis, "automargin": False},
    )
    return drawn_once(figure)


def _line(figure: go.Figure, points: pd.DataFrame) -> None:
    colours = [ACCENT if gate in ("", "part") else look(gate).colour for gate in points["gate"]]
    many = len(points) > 60
    figure.add_scatter(
        x=list(range(len(points))),
        y=points["value"].tolist(),  # A list: plotly takes packed numbers that are handed over again for new ones.
        mode="lines+markers",
        line={"color": ACCENT, "width": 1 if many else 2},
        connectgaps=False,
        marker={
            "size": [(6 if many else 10) if gate in ("fail", "inconclusive") else (4 if many else 8) for gate in points["gate"]],
            "symbol": [_MARKERS.get(gate, "circle-open") for gate in points["gate"]],
            "color": colours,
            "line": {"width": 1, "color": colours},
        },
        customdata=points[["run_id"]].to_numpy(dtype=object).tolist(),
        hovertext=[_hover(row) for row in points.to_dict("records")],
        hovertemplate="%{hovertext}<extra></extra>",
        name="value",
    )


Drawn = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Shapes and annotations, given to the layout at once: plotly's own ``add_hline`` checks the whole layout at every call."""


def _level_lines(baseline: float | None, limit: float | None) -> list[dict[str, Any]]:
    lines = []
    for name, y, colour, dash in (("baseline", baseline, GREY, "dot"), ("gate", limit, look("fail").colour, "dash")):
        if y is not None:
            line = {"color": colour, "width": 1, "dash": dash}
            lines.append({"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line, "name": name})
    return lines


def _change_marks(changes: Sequence[Change], unit: str, runs: int) -> Drawn:
    """At every change a line in its direction's colour with both levels, and the levels along their runs."""
    lines, words = [], []
    for place, change in enumerate(changes):
        x, colour = change.at - 0.5, DIRECTION_COLOURS["better" if change.better else "worse"]
        start = changes[place - 1].at - 0.5 if place else -0.5
        end = changes[place + 1].at - 0.5 if place + 1 < len(changes) else runs - 0.5
        lines.append(_upright(x, {"color": colour, "width": 2}, "change of level"))
        for x0, x1, y in ((start, x, change.before), (x, end, change.after)):
            line = {"color": colour, "width": 1}
            lines.append({"type": "line", "x0": x0, "x1": x1, "y0": y, "y1": y, "line": line, "opacity": 0.7, "name": "level"})
        left = x > runs * 0.6
        # On the side with the room, and there above or below the line.
        low = (change.before > change.after) is left
        words.append(
            {
                "yref": "y domain",
                "x": x,
                "y": 0 if low else 1,
                "xanchor": "right" if left else "left",
                "yanchor": "bottom" if low else "top",
                "text": f"{_format.value(change.before, unit)} → {_format.value(change.after, unit)}",
                "font": {"size": 11, "color": colour},
                "showarrow": False,
            }
        )
    return lines, words


def _origin_marks(marks: Mapping[int, tuple[str, str]]) -> Drawn:
    lines, words = [], []
    for place, (letters, what) in marks.items():
        x = place - 0.5
        lines.append({**_upright(x, {"color": GREY, "width": 1, "dash": "dot"}, "origin"), "opacity": 0.6})
        words.append(
            {
                "yref": "y domain",
                "x": x,
                "y": 1,
                "text": f"<b>{literal(letters)}</b>",
                "showarrow": False,
                "hovertext": literal(what),
                "font": _SMALL,
                "yanchor": "bottom",
            }
        )
    return lines, words


def _upright(x: float, line: dict[str, Any], name: str) -> dict[str, Any]:
    return {"type": "line", "yref": "y domain", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line, "name": name}


def _ring(figure: go.Figure, points: pd.DataFrame, selected: str | None) -> None:
    here = points[(points["run_id"] == selected) & points["value"].notna()]
    if len(here):
        figure.add_scatter(
            x=list(here.index),
            y=here["value"].tolist(),
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
    parts = [literal(str(row["text"])), literal(str(row["run_id"]))]
    if row["started_at"] == row["started_at"]:  # A moment that can't be read is NaT, which is unlike itself.
        parts.append(f"{row['started_at']:%Y-%m-%d %H:%M} UTC")
    parts += [f"{word} {literal(_format.short_id(str(row[word]), 60))}" for word in ("commit", "model", "metadata") if row[word]]
    if gate not in ("", "part"):
        parts.append(f"{look(gate).symbol} gate {look(gate).word.lower()}")
    if not row["stored"]:
        parts.append("from the ledger; the run's file is gone")
    return "<br>".join(parts)
