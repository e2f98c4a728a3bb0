"""Two runs against each other: changes with their intervals, and what each case takes now against then."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from agenteval import _format
from agenteval.charts.layout import calm, drawn_once, literal, log_ticks, room_for
from agenteval.charts.palette import DIRECTION_COLOURS, GREY, look

if TYPE_CHECKING:
    import pandas as pd

FAR = 2.0
"""A point is far off the line where a case takes at least this many times as much, or as little."""
MOST_NAMES = 6
MOST_POINTS = 400
"""Of so many cases each is a point of its own."""
FURTHEST = 200
"""Of more cases, so many that changed most are; the others are counted in cells."""
_CELLS = 40
_LONGEST_NAME = 24
_LETTER, _LINE = 0.02, 0.05
"""A letter's width and a line's height, as shares of the axes at the usual size of the figure."""

_SUFFIXES = {"points": " pts", "score": "", "percent": "%"}


def delta_forest(rows: pd.DataFrame, family: str) -> go.Figure:
    """A dot a change with its 95% interval, zero marked; hollow where the interval holds zero or there is none.

    The dot's colour tells the direction, its label the number.

    Args:
        rows: As of ``deltas.forest_rows``; those of ``family`` are drawn, since each unit has an axis of its own.
    """
    drawn: list[dict[str, Any]] = [{**row} for _, row in rows[rows["family"] == family].iterrows()]
    figure = go.Figure()
    for place, row in enumerate(drawn):
        colour = DIRECTION_COLOURS.get(row["direction"], GREY)
        known = not math.isnan(row["low"])
        proven = known and (row["low"] > 0 or row["high"] < 0)
        figure.add_scatter(
            x=[row["value"]],
            y=[place],
            mode="markers+text",
            text=[row["text"]],
            textposition="top center",
            textfont={"size": 12},
            marker={"color": colour, "size": 11, "symbol": "circle" if proven else "circle-open", "line": {"width": 2, "color": colour}},
            error_x=_interval(row, colour) if known else None,
            hovertemplate=f"{literal(row['title'])}: {literal(row['hover'])}<extra></extra>",
            name=row["name"],
        )
    calm(figure, height=60 + 42 * max(1, len(drawn)))
    figure.add_vline(x=0, line={"color": GREY, "width": 1})
    figure.update_yaxes(tickvals=list(range(len(drawn))), ticktext=[literal(row["title"]) for row in drawn], range=[len(drawn) - 0.4, -0.8])
    ends = [0.0, *(row[name] for row in drawn for name in ("value", "low", "high") if not math.isnan(row[name]))]
    # Room for the numbers above the outermost dots.
    pad = 0.22 * (max(ends) - min(ends)) or 1.0
    figure.update_xaxes(ticksuffix=_SUFFIXES[family], nticks=4, tickangle=0, range=[min(ends) - pad, max(ends) + pad])
    return figure


def _interval(row: dict[str, Any], colour: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [row["high"] - row["value"]],
        "arrayminus": [row["value"] - row["low"]],
        "color": colour,
        "thickness": 2,
        "width": 5,
    }


def case_scatter(points: pd.DataFrame, unit: str) -> go.Figure:
    """A point a case, then across and now up, both logarithmic, with the line on which nothing changed; far points are named.

    Of more than ``MOST_POINTS`` cases the ``FURTHEST`` from the line are points, and the others are counted in cells: the more cases, the
    stronger the grey. ``customdata`` of a point is its case id.

    Args:
        points: As of ``deltas.case_points``, at least one.
        unit: ``ms``, ``usd`` or ``tokens``.
    """
    low = min(points["then"].min(), points["now"].min()) / 1.25
    high = max(points["then"].max(), points["now"].max()) * 1.25
    figure = go.Figure()
    if len(points) > MOST_POINTS:
        order = _furthest_first(points)
        _cells(figure, points.loc[order[FURTHEST:]], low, high, unit)
        points = points.loc[order[:FURTHEST]]
    figure.add_scatter(
        x=[low, high], y=[low, high], mode="lines", line={"color": GREY, "width": 1, "dash": "dot"}, hoverinfo="skip", name="the same"
    )
    more, less = points["ratio"] >= FAR, points["ratio"] <= 1 / FAR
    named = _named(points[more | less], low, high)
    groups = (
        ("near", points[~more & ~less], GREY, "circle"),
        ("more", points[more], DIRECTION_COLOURS["worse"], "triangle-up"),
        ("less", points[less], DIRECTION_COLOURS["better"], "triangle-down"),
    )
    for name, group, colour, symbol in groups:
        if group.empty:
            continue
        names = [literal(_format.short_id(case, _LONGEST_NAME)) if case in named else "" for case in group["case_id"]]
        figure.add_scatter(
            x=group["then"].tolist(),
            y=group["now"].tolist(),
            mode="markers+text" if any(names) else "markers",
            text=names,
            textposition=[
                "middle left" if _place(case, then, now, low, high)[2] else "middle right"
                for case, then, now in zip(group["case_id"], group["then"], group["now"], strict=True)
            ],
            textfont={"size": 12},
            marker={"color": colour, "size": 8 if name == "near" else 11, "symbol": symbol, "opacity": 0.7 if name == "near" else 1.0},
            customdata=[[case] for case in group["case_id"]],
            hovertext=[
                f"{literal(case)}<br>{text}<br>{look(then).word} → {look(now).symbol} {look(now).word}"
                for case, text, then, now in zip(group["case_id"], group["text"], group["status_then"], group["status_now"], strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    calm(figure, height=400)
    ticks = log_ticks(low, high, unit)
    axis = {"type": "log", "range": [math.log10(low), math.log10(high)], "ticks": "", "automargin": False, **ticks}
    figure.update_layout(margin={"l": room_for(ticks["ticktext"]) + 22, "r": 8, "t": 8, "b": 46})
    figure.update_xaxes(**axis, tickangle=0, title={"text": "then", "font": {"color": GREY, "size": 12}})
    figure.update_yaxes(**axis, title={"text": "now", "font": {"color": GREY, "size": 12}})
    return drawn_once(figure)


def _furthest_first(points: pd.DataFrame) -> pd.Index:
    return points["ratio"].map(lambda ratio: -abs(math.log(ratio))).sort_values(kind="stable").index


def _cells(figure: go.Figure, points: pd.DataFrame, low: float, high: float, unit: str) -> None:
    """How many of these cases lie in each cell of an even grid over both axes; empty cells are clear."""
    step = math.log(high / low) / _CELLS
    edges = [low * math.exp(place * step) for place in range(_CELLS + 1)]
    counts = Counter(
        (int(math.log(then / low) / step), int(math.log(now / low) / step)) for then, now in zip(points["then"], points["now"], strict=True)
    )
    shades: list[list[float | None]] = [[None] * _CELLS for _ in range(_CELLS)]
    words = [[""] * _CELLS for _ in range(_CELLS)]
    spans = [f"{_format.value(start, unit)} to {_format.value(end, unit)}" for start, end in pairwise(edges)]
    for (across, up), number in counts.items():
        shades[up][across] = math.log10(number)
        words[up][across] = f"{_format.count(number, 'case')}<br>then {spans[across]}, now {spans[up]}"
    figure.add_heatmap(
        x=edges,
        y=edges,
        z=shades,
        zmin=0,
        zmax=max(1.0, math.log10(max(counts.values()))),
        colorscale=[[0, _rgba(GREY, 0.25)], [1, _rgba(GREY, 0.95)]],
        showscale=False,
        hoverongaps=False,
        text=words,
        hovertemplate="%{text}<extra></extra>",
        name="cells",
    )


def _rgba(colour: str, share: float) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"


def _named(far: pd.DataFrame, low: float, high: float) -> set[str]:
    """Which far points get their name: the farthest first, none over another, measured in shares of the axes."""
    taken: list[tuple[float, float, float]] = []
    names: set[str] = set()
    for case, then, now in far.loc[_furthest_first(far), ["case_id", "then", "now"]].itertuples(index=False):
        across, up, leftwards = _place(case, then, now, low, high)
        width = _width(case)
        left, right = (across - width, across) if leftwards else (across, across + width)
        if len(names) < MOST_NAMES and all(abs(up - other) > _LINE or right < start or left > end for start, end, other in taken):
            taken.append((left, right, up))
            names.add(case)
    return names


def _place(case: str, then: float, now: float, low: float, high: float) -> tuple[float, float, bool]:
    """Where a point stands in shares of the axes, and whether its name stands to its left: away from the line if there is room."""
    span = math.log(high / low)
    across, up = math.log(then / low) / span, math.log(now / low) / span
    return across, up, across >= _width(case) if up > across else across + _width(case) > 1


def _width(case: str) -> float:
    return _LETTER * min(len(case), _LONGEST_NAME)
