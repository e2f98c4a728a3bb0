"""A judge against people: kappa over calibrations, both verdicts in one table, and the rows behind them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from agenteval._format import kappa, of, rate
from agenteval._time import iso, parse
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import GREY
from agenteval.model.calibration import Calibration, Confusion, Standing

if TYPE_CHECKING:
    import pandas as pd

STANDING_LOOKS = {
    Standing.TRUSTED: ("#009e73", "circle", "✓", "trusted", "green"),
    Standing.UNPROVEN: ("#d99000", "diamond", "?", "not proven", "orange"),
    Standing.BELOW: ("#d55e00", "x", "✕", "below the limit", "red"),
}
"""Colour, marker, symbol, word and Streamlit's colour of each standing."""
_SCALE = [[0, "#b54f00"], [0.5, "#6b7079"], [1, "#00795a"]]
"""Disagreement, nothing, agreement: dark enough for white words on a light page and on a dark one."""


def calibration_rows(found: Sequence[Calibration]) -> pd.DataFrame:
    """One row a calibration, in the order given; figures that were not recorded are None.

    Columns: ``timestamp`` (datetime64[us, UTC]), ``judge``, ``model``, ``prompt_version``, ``golden_set``, ``kappa``, ``low``, ``high``,
    ``kappa_threshold``, ``standing``, ``n``, ``errors``, ``agreement``, ``sensitivity``, ``specificity`` (floats in [0, 1]), ``file``.
    """
    import pandas as pd

    rows = [
        {
            "timestamp": item.timestamp,
            "judge": item.judge,
            "model": "recorded verdicts" if item.recorded else item.model,
            "prompt_version": item.prompt_version,
            "golden_set": item.golden_set,
            "kappa": item.kappa,
            "low": item.low,
            "high": item.high,
            "kappa_threshold": item.kappa_threshold,
            "standing": item.standing.value,
            "n": item.n,
            "errors": None if item.legacy else item.errors,
            "agreement": item.agreement.value,
            "sensitivity": item.sensitivity.value if item.sensitivity else None,
            "specificity": item.specificity.value if item.specificity else None,
            "file": str(item.path),
        }
        for item in found
    ]
    frame = pd.DataFrame(rows)
    frame["timestamp"] = pd.to_datetime(frame["timestamp"], utc=True, format="ISO8601")
    return frame


def verdict_rows(calibration: Calibration) -> pd.DataFrame:
    """One row an item: ``id``, ``people``, ``judge``, ``agrees``, ``reason``, ``error``; empty where no verdicts are stored."""
    import pandas as pd

    rows = [(item.id, *item.verdicts, item.agrees, item.reason, item.error) for item in calibration.items]
    return pd.DataFrame(rows, columns=["id", "people", "judge", "agrees", "reason", "error"])


def kappa_history(found: Sequence[Calibration], shown: Calibration | None = None) -> go.Figure:
    """Kappa with its interval, a mark a calibration, oldest first, and the threshold as a dashed line.

    Args:
        found: Those with a kappa are drawn.
        shown: The one that the page shows, ringed.
    """
    figure = go.Figure()
    begin, end = _span(found)
    drawn = [item for item in found if item.kappa is not None]
    figure.add_scatter(
        x=[begin, *(item.timestamp for item in found), end],
        y=[found[0].kappa_threshold, *(item.kappa_threshold for item in found), found[-1].kappa_threshold],
        mode="lines",
        line={"color": GREY, "dash": "dash", "width": 1.5, "shape": "hv"},
        hovertemplate="limit %{y:.2f}<extra></extra>",
        name="limit",
    )
    figure.add_scatter(
        x=[item.timestamp for item in drawn],
        y=[item.kappa for item in drawn],
        mode="lines+markers+text",
        line={"color": GREY, "width": 1},
        marker={
            "size": 12,
            "color": [STANDING_LOOKS[item.standing][0] for item in drawn],
            "symbol": [STANDING_LOOKS[item.standing][1] for item in drawn],
            "line": {"width": [2 if shown is not None and item.path == shown.path else 0 for item in drawn], "color": GREY},
        },
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [_beyond(item.high, item.kappa) for item in drawn],
            "arrayminus": [_beyond(item.kappa, item.low) for item in drawn],
            "color": GREY,
            "thickness": 1.5,
            "width": 4,
        },
        text=[kappa(item.kappa) if item is drawn[-1] or item.path == (shown.path if shown else None) else "" for item in drawn],
        textposition="middle right",
        hovertext=[_told(item) for item in drawn],
        hovertemplate="%{hovertext}<extra></extra>",
        name="kappa",
    )
    calm(figure, height=300)
    known = [value for item in drawn for value in (item.low, item.kappa, item.kappa_threshold) if value is not None]
    figure.update_yaxes(title="kappa", range=[min([0.0, *known]) - 0.05, 1.08], tickformat=".1f")
    within_days = parse(found[-1].timestamp) - parse(found[0].timestamp) < timedelta(days=3)
    figure.update_xaxes(tickformat="%H:%M<br>%b %d" if within_days else "%b %d<br>%Y", nticks=6, range=[begin, end])
    return figure


def _span(found: Sequence[Calibration]) -> list[str]:
    """From the first to the last, with room for the marks and the last one's words; an hour around a single one."""
    first, last = parse(found[0].timestamp), parse(found[-1].timestamp)
    room = (last - first) * 0.04 or timedelta(hours=1)
    return [iso(first - room), iso(last + room * 5)]


def _beyond(upper: float | None, lower: float | None) -> float:
    return 0.0 if upper is None or lower is None else upper - lower


def _told(item: Calibration) -> str:
    interval = f", 95% {kappa(item.low)} to {kappa(item.high)}" if item.low is not None else ""
    model = "recorded verdicts" if item.recorded else item.model or "model not recorded"
    symbol, word = STANDING_LOOKS[item.standing][2:4]
    return f"{item.timestamp[:10]} {symbol} {word}<br>kappa {kappa(item.kappa)}{interval}<br>n {item.n:,}, {literal(model)}"


def confusion_table(confusion: Confusion) -> go.Figure:
    """Both verdicts: people down, the judge across; each cell with its count and, where there is room, its share of the row."""
    confusion = _without_ties(confusion)
    labels = list(confusion.labels)
    size = range(len(labels))
    total = sum(map(sum, confusion.table)) or 1
    few = len(labels) <= 3
    shares = [
        [count / total * (1 if row == column else -1) if count or few else None for column, count in enumerate(confusion.table[row])]
        for row in size
    ]
    words = [[_cell(confusion, row, column, few=few) for column in size] for row in size]
    largest = max((abs(share) for row in shares for share in row if share), default=1.0)
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=[f"judge: {literal(label)}" if few else literal(label) for label in labels],
            y=[f"people: {literal(label)}" if few else literal(label) for label in labels],
            text=words,
            texttemplate="%{text}",
            textfont={"size": 15 if few else 11, "color": "#ffffff"},
            colorscale=_SCALE,
            zmin=-largest,
            zmax=largest,
            showscale=False,
            xgap=3,
            ygap=3,
            hovertext=[
                [f"people {literal(labels[row])}, judge {literal(labels[column])}: {confusion.table[row][column]:,}" for column in size]
                for row in size
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    calm(figure, height=300 if few else 380)
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category", title=None if few else "people")
    figure.update_xaxes(showgrid=False, type="category", title=None if few else "judge")
    return figure


def _without_ties(confusion: Confusion) -> Confusion:
    """The table of pairs without its ties, where neither people nor the judge gave one."""
    if confusion.labels[-1:] != ("tie",) or any(confusion.table[-1]) or any(row[-1] for row in confusion.table):
        return confusion
    return Confusion(confusion.labels[:-1], tuple(row[:-1] for row in confusion.table[:-1]))


def _cell(confusion: Confusion, row: int, column: int, *, few: bool) -> str:
    count, of_row = confusion.table[row][column], sum(confusion.table[row])
    if not few:
        return f"{count:,}" if count else ""
    symbol = "✓" if row == column else "✕" if count else ""
    return f"{symbol} {of(count, of_row)}<br>{rate(count / of_row)}" if of_row else f"{symbol} {count:,}"
