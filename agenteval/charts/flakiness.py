"""How steady repeated cases are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import plotly.graph_objects as go

from agenteval._format import of, rate, short_id
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import ACCENT, GREY, look

if TYPE_CHECKING:
    import pandas as pd

CLASS_LOOKS = {
    "stable": ("#009e73", "circle"),
    "flaky": ("#d99000", "diamond"),
    "unstable": ("#d55e00", "x"),
    "no evidence": (GREY, "circle-open"),
}
"""Colour and marker of each class."""
_MOST_LABELS = 4
QUADRANTS = {"reliable": (1.03, 1.0), "steadily wrong": (-0.03, 1.0), "mostly right": (1.03, 0.5), "mostly wrong": (-0.03, 0.5)}


def steadiness(rows: pd.DataFrame) -> go.Figure:
    """Pass rate (across) and consistency (up), a mark a case, the four corners named; equal cases share a mark that counts them.

    Args:
        rows: As of ``frames.flakiness_rows``.
    """
    figure = go.Figure()
    decided = rows[rows["total"] > 0]
    for key, group in decided.groupby(["pass_rate", "consistency", "classification"], sort=True):
        passes, steady, kind = cast("tuple[float, float, str]", key)
        colour, marker = CLASS_LOOKS.get(str(kind), (GREY, "circle"))
        cases = list(group["case_id"])
        shown = "<br>".join(literal(case) for case in cases[:12]) + (f"<br>and {len(cases) - 12} more" if len(cases) > 12 else "")
        figure.add_scatter(
            x=[passes],
            y=[steady],
            mode="markers+text",
            marker={"size": 12 + 2 * min(len(cases), 10), "color": colour, "symbol": marker, "opacity": 0.9},
            text=[f"{len(cases)} cases" if len(cases) > 1 else literal(short_id(cases[0], 24))],
            textposition="top center" if 0.2 <= passes <= 0.8 else "middle left" if passes > 0.5 else "middle right",
            customdata=[[cases[0]]],
            hovertemplate=f"{shown}<br>passes {rate(passes)}, consistency {rate(steady)}, {kind}<extra></extra>",
            name=str(kind),
        )
    for words, (x, y) in QUADRANTS.items():
        figure.add_annotation(
            x=x,
            y=y,
            text=words,
            showarrow=False,
            font={"color": GREY, "size": 12},
            xanchor="right" if x > 0.5 else "left",
            yshift=32 if y == 1 else -16,
        )
    figure.add_vline(x=0.5, line={"color": GREY, "width": 1, "dash": "dot"})
    figure.add_hline(y=0.8, line={"color": GREY, "width": 1, "dash": "dot"})
    calm(figure, height=380)
    figure.update_xaxes(title="pass rate", tickformat=".0%", range=[-0.08, 1.08])
    figure.update_yaxes(title="consistency", tickformat=".0%", range=[0.4, 1.15], tickvals=[0.5, 0.6, 0.7, 0.8, 0.9, 1])
    return figure


def pass_curves(hat: Mapping[int, float | None], at: Mapping[int, float | None], *, cases: int, short: Mapping[int, int]) -> go.Figure:
    """pass^k (all k attempts pass) and pass@k (at least one does) over k, with the cases each point stands on.

    Args:
        hat, at: Mean over cases by k, in [0, 1]; None where undefined.
        cases: Repeated cases.
        short: Cases left out at k.
    """
    figure = go.Figure()
    for name, values, colour, dash, place in (
        ("pass@k", at, look("passed").colour, "dot", "top left"),
        ("pass^k", hat, ACCENT, "solid", "bottom left"),
    ):
        ks = [k for k in sorted(values) if values[k] is not None]
        figure.add_scatter(
            x=ks,
            y=[values[k] for k in ks],
            mode="lines+markers+text",
            line={"color": colour, "width": 2, "dash": dash},
            marker={"size": 8},
            text=_labels(name, values, ks),
            textposition=place,
            hovertext=[f"{name}, k {k}: {rate(values[k])}, {of(cases - short.get(k, 0), cases, 'case')}" for k in ks],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    calm(figure, height=300)
    last = max([*hat, *at], default=1)
    figure.update_xaxes(title="k attempts", dtick=1, range=[0.3, last + 0.5])
    figure.update_yaxes(tickformat=".0%", range=[-0.05, 1.12])
    return figure


def _labels(name: str, values: Mapping[int, float | None], ks: Sequence[int]) -> list[str]:
    """What stands at the points: the last one carries the curve's name; the first, which both share, speaks once; many stay bare."""
    words = [rate(values[k]) if len(ks) <= _MOST_LABELS or place == 0 else "" for place, k in enumerate(ks)]
    if name == "pass@k" and len(words) > 1:
        words[0] = ""
    return [*words[:-1], f"{name} {rate(values[ks[-1]])}"] if ks else []
