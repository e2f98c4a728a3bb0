"""The numbers that repeated answers hold, beside the number that was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from agenteval._format import short_id
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import BAND, GREY, look
from agenteval.compare.read_numbers import CaseNumbers
from agenteval.model.status import Status

if TYPE_CHECKING:
    import pandas as pd

_BINS = 40
"""Dots whose values fall into one of so many parts of the axis are stacked."""
_MARKS = {Status.PASSED: "circle", Status.FAILED: "x"}


def number_rows(cases: Sequence[CaseNumbers]) -> pd.DataFrame:
    """One row a number, in the given order of cases.

    Returns:
        Columns ``case_id`` (str), ``attempt`` (int), ``value`` (float), ``status`` (str), ``expected``, ``tolerance`` (float, NaN where the
        suite does not write the number as one).
    """
    import pandas as pd

    rows = [
        (case.case_id, number.repetition, number.value, number.status.value, case.expected, case.tolerance)
        for case in cases
        for number in case.numbers
    ]
    frame = pd.DataFrame(rows, columns=["case_id", "attempt", "value", "status", "expected", "tolerance"])
    return frame.astype({"expected": "float64", "tolerance": "float64"})


def number_strips(cases: Sequence[CaseNumbers]) -> go.Figure:
    """A strip a case with its own axis: one dot an attempt (✓ green dot, ✕ red cross), the accepted band grey with a line at its middle.

    A dot's ``customdata`` holds case and attempt.
    """
    figure = make_subplots(rows=max(1, len(cases)), cols=1, vertical_spacing=0.0 if len(cases) < 2 else min(0.12, 0.45 / len(cases)))
    for row, case in enumerate(cases, 1):
        low, high = _range(case)
        heights = _stacked(case, low, high)
        if case.expected is not None and case.tolerance is not None:
            figure.add_vrect(
                case.expected - case.tolerance,
                case.expected + case.tolerance,
                fillcolor=BAND,
                line_width=0,
                row=row,
                col=1,
                exclude_empty_subplots=False,
            )
            figure.add_vline(case.expected, line={"color": GREY, "width": 1.5}, row=row, col=1, exclude_empty_subplots=False)
        for status, marker in _MARKS.items():
            chosen = [place for place, number in enumerate(case.numbers) if number.status is status]
            if not chosen:
                continue
            shown = look(status)
            figure.add_scatter(
                x=[case.numbers[place].value for place in chosen],
                y=[heights[place] for place in chosen],
                mode="markers",
                marker={"color": shown.colour, "symbol": marker, "size": 10, "line": {"width": 0}},
                customdata=[[case.case_id, case.numbers[place].repetition] for place in chosen],
                hovertext=[
                    f"{case.numbers[place].value:g}<br>attempt {case.numbers[place].repetition} {shown.symbol} {shown.word}"
                    for place in chosen
                ],
                hovertemplate="%{hovertext}<extra></extra>",
                name=shown.word,
                row=row,
                col=1,
            )
        figure.update_xaxes(range=[low, high], nticks=6, row=row, col=1)
        figure.update_yaxes(range=[-0.8, max(2.2, max(heights, default=0) + 0.8)], row=row, col=1)
        figure.add_annotation(
            x=0,
            xref="x domain" if row == 1 else f"x{row} domain",
            y=1,
            yref="y domain" if row == 1 else f"y{row} domain",
            yanchor="bottom",
            xanchor="left",
            showarrow=False,
            text=f"{literal(short_id(case.case_id, 40))} · {_told(case)}",
            font={"size": 12},
        )
    axes = {name: figure.layout[name].to_plotly_json() for name in figure.layout if str(name)[:5] in ("xaxis", "yaxis")}
    calm(figure, height=40 + 105 * max(1, len(cases)))
    common = {**figure.layout.xaxis.to_plotly_json()}
    shared = {key: common[key] for key in ("gridcolor", "zeroline", "linecolor", "tickfont", "fixedrange")}
    for name, axis in axes.items():
        figure.update_layout({name: {**shared, **axis}})
    figure.update_yaxes(showticklabels=False, showgrid=False)
    figure.update_layout(margin={"t": 26})
    return figure


def _told(case: CaseNumbers) -> str:
    """What is accepted and what the strip stands on: ``accepted 64 ± 0.01 · n 5``."""
    accepted = "accepted number not recorded" if case.expected is None else f"accepted {case.expected:g} ± {case.tolerance:g}"
    unread = f", {case.unread} without a number" if case.unread else ""
    return f"{accepted} · n {len(case.numbers)}{unread}"


def _range(case: CaseNumbers) -> tuple[float, float]:
    values = [number.value for number in case.numbers]
    if case.expected is not None and case.tolerance is not None:
        values += [case.expected - case.tolerance, case.expected + case.tolerance]
    low, high = min(values), max(values)
    pad = (high - low) * 0.08 or abs(high) * 0.05 or 1.0
    return low - pad, high + pad


def _stacked(case: CaseNumbers, low: float, high: float) -> list[int]:
    """The height of each dot: how many lie below it at about the same place."""
    seen: Counter[int] = Counter()
    heights = []
    for number in case.numbers:
        place = int((number.value - low) / (high - low) * _BINS)
        heights.append(seen[place])
        seen[place] += 1
    return heights
