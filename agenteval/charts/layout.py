"""What all figures share: calm grid, no decoration, text instead of legends where there is room."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import plotly.graph_objects as go

from agenteval._format import value
from agenteval.charts.palette import GREY, GRID

_BUTTONS = ["zoom2d", "pan2d", "select2d", "lasso2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d"]
"""What moves axes that are fixed."""


def config(name: str) -> dict[str, Any]:
    """For ``st.plotly_chart(config=...)``: one button, which saves the picture as ``name.png``, made in the browser."""
    return {
        "displaylogo": False,
        "displayModeBar": "hover",
        "modeBarButtonsToRemove": _BUTTONS,
        "toImageButtonOptions": {"format": "png", "scale": 2, "filename": name},
    }


_AXIS: dict[str, Any] = {
    "gridcolor": GRID,
    "zeroline": False,
    "linecolor": GRID,
    "tickfont": {"color": GREY},
    "automargin": True,
    "fixedrange": True,
}


def literal(text: str) -> str:
    """Text that plotly shows as it is: its labels and hovers read a little HTML.

    >>> literal("<b>&")
    '&lt;b&gt;&amp;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def calm(figure: go.Figure, *, height: int, title: str = "") -> go.Figure:
    """The figure with the common layout; colours of text and paper are left to the page's theme."""
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 30 if title else 8, "b": 8},
        title={"text": literal(title), "font": {"size": 14}, "x": 0, "xanchor": "left", "y": 0.98, "yanchor": "top"} if title else None,
        showlegend=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"align": "left"},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": GREY},
        bargap=0.25,
        dragmode=False,
        xaxis=_AXIS,
        yaxis=_AXIS,
    )
    return figure


class Drawn(go.Figure):  # type: ignore[misc]  # plotly ships no types
    """A finished figure, turned into what the browser gets only once, and without the template that plotly always adds."""

    _plain: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figure as plain values; not to be changed."""
        if self._plain is None:
            plain: dict[str, Any] = super().to_dict()
            plain["layout"].pop("template", None)
            self._plain = plain
        return self._plain


def drawn_once(figure: go.Figure) -> Drawn:
    """A finished figure, to be shown with ``theme=None`` and ``on_select``, that the browser draws once and not twice.

    After the first drawing Streamlit hands everything over again as copies, with modes of the pointer where they are absent. Without a
    template, with the modes in place, values in lists and a revision that tells that they are the same, plotly has nothing to do. See
    ``datarevision`` in plotly's reference.
    """
    figure.update_layout(
        font={"family": "sans-serif", "size": 12, "color": GREY},
        hoverlabel={"bgcolor": "#31333f", "bordercolor": "#31333f", "font": {"color": "#ffffff"}},
        clickmode="event+select",
        hovermode="closest",
        dragmode="pan",
        datarevision=str(crc32(figure.to_json(validate=False).encode())),
    )
    return Drawn(figure)


def value_ticks(values: Sequence[float], unit: str) -> dict[str, Any]:
    """Axis options for values of a unit: about four round ticks, written as everywhere else.

    >>> value_ticks([1480.0, 1730.0], "ms")["ticktext"]
    ['1.5 s', '1.6 s', '1.7 s']
    """
    if not values:
        return {}
    low, high = min(values), max(values)
    pad = (high - low or abs(high) or 1.0) * 0.12
    step = _round_step((high - low or abs(high) or 1.0) / 3)
    ticks, words = _ticks(low, high, pad, step, unit)
    if len(set(words)) < len(words):
        # Finer than the unit is written: dollars get more digits, everything else fewer ticks.
        if unit == "usd":
            words = [f"${tick:.6g}" for tick in ticks]
        else:
            ticks, words = _ticks(low, high, pad, step * 2, unit)
    return {"tickvals": ticks, "ticktext": words, "range": [low - pad, high + pad]}


def room_for(labels: Sequence[str]) -> int:
    """Pixels that an axis needs for its longest label."""
    return 14 + round(7 * max(map(len, labels), default=0))


def _ticks(low: float, high: float, pad: float, step: float, unit: str) -> tuple[list[float], list[str]]:
    places = range(math.ceil((low - pad) / step), math.floor((high + pad) / step) + 1)
    round_numbers = (round(place * step, 12) for place in places)
    ticks = [tick for tick in round_numbers if not (unit == "rate" and tick > 1) and (tick >= 0 or low < 0)]
    return ticks, [value(tick, unit) for tick in ticks]


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def log_ticks(low: float, high: float, unit: str) -> dict[str, Any]:
    """Round ticks of a logarithmic axis, written as everywhere else: ones alone where they are enough, else twos and fives too."""
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    inside = [factor * 10.0**decade for decade in decades for factor in (1, 2, 5) if low <= factor * 10.0**decade <= high]
    ones = [tick for tick in inside if math.isclose(math.log10(tick), round(math.log10(tick)))]
    ticks = ones if len(ones) >= 3 else inside
    return {"tickvals": ticks, "ticktext": [value(tick, unit) for tick in ticks]}
