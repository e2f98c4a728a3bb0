"""One run taken apart in figures: the cases that make up its bill, and its cases by tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.layout import calm, drawn_once, literal, room_for
from agenteval.charts.palette import ACCENT, GREY, GRID
from agenteval.compare.breakdown import TagMeasures
from agenteval.model.run import Measure

if TYPE_CHECKING:
    import pandas as pd

_MOST_BARS = 15


def amount_pareto(shares: Sequence[tuple[str, float, float]], unit: str, run_id: str) -> go.Figure:
    """The cases that make up a sum, the dearest on top (left), and the share of the sum that they make together (right).

    Args:
        shares: As of ``compare.breakdown.shares``, at least one; the dearest are drawn, the others in one line.
        unit: ``usd`` or ``tokens``.
    """
    top, rest = shares[:_MOST_BARS], shares[_MOST_BARS:]
    names = [literal(_format.short_id(case, 26)) for case, _, _ in top]
    words = [_format.value(value, unit) for _, value, _ in top]
    reached = [share for _, _, share in top]
    if rest:
        names.append(f"the other {_format.count(len(rest), 'case')}")
        words.append(f"{_format.value(sum(value for _, value, _ in rest), unit)} together")
        reached.append(rest[-1][2])
    places = list(range(len(names)))
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True, column_widths=[0.62, 0.38], horizontal_spacing=0.06)
    figure.add_bar(
        x=[*(value for _, value, _ in top), *([0.0] if rest else [])],  # All others are no case: no bar beside those of cases.
        y=places,
        orientation="h",
        marker={"color": ACCENT},
        text=words,
        textposition="outside",
        cliponaxis=False,
        customdata=[*([case, run_id] for case, _, _ in top), *([[]] if rest else [])],
        hovertext=_bar_words(top, rest, unit),
        hovertemplate="%{hovertext}<extra></extra>",
        name="amount",
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=reached,
        y=places,
        mode="lines+markers+text",
        line={"color": GREY, "width": 1},
        marker={"color": ACCENT, "size": 6},
        text=[f"{_format.rate(share)} " for share in reached],
        textposition="middle left",
        textfont={"size": 11},
        hoverinfo="skip",
        name="share so far",
        row=1,
        col=2,
    )
    return drawn_once(
        _pareto_axes(calm(figure, height=112 + 24 * len(names)), names, max((value for _, value, _ in top), default=0.0) or 1.0)
    )


def _pareto_axes(figure: go.Figure, names: Sequence[str], most: float) -> go.Figure:
    figure.update_layout(
        margin={"l": room_for(names), "t": 64}
    )  # The buttons of the figure lie over its upper edge: titles stand below them.
    bare = {"showticklabels": False, "fixedrange": True, "gridcolor": GRID, "zeroline": False, "side": "top", "automargin": False}
    figure.update_xaxes(title={"text": "each", "font": {"size": 12}}, range=[0, most * 1.45], row=1, col=1, **bare)
    figure.update_xaxes(title={"text": "so far", "font": {"size": 12}}, range=[-0.9, 1.08], tickvals=[0, 0.5, 1], row=1, col=2, **bare)
    rows = {"range": [len(names) - 0.4, -0.6], "showgrid": False, "fixedrange": True, "zeroline": False, "automargin": False}
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=list(names), row=1, col=1, **rows)
    figure.update_yaxes(row=1, col=2, **rows)
    return figure


def _bar_words(top: Sequence[tuple[str, float, float]], rest: Sequence[tuple[str, float, float]], unit: str) -> list[str]:
    words = [
        f"{literal(clip(case, 80))}<br>{_format.value(value, unit)}<br>{_format.rate(share)} of the sum up to here"
        for case, value, share in top
    ]
    if rest:
        words.append(f"{_format.count(len(rest), 'case')}, at most {_format.value(rest[0][1], unit)} each")
    return words


def tag_rates(tags: Sequence[TagMeasures]) -> go.Figure:
    """The pass rate of the cases of each tag with its 95% interval, the lowest on top.

    Tags without a decided case are left to the table.
    """
    drawn = [(item, item.measures["pass_rate"]) for item in tags if item.measures["pass_rate"].value is not None]
    rates = [measure.value or 0.0 for _, measure in drawn]
    figure = go.Figure(
        go.Scatter(
            x=rates,
            y=list(range(len(drawn))),
            mode="markers",
            marker={"color": ACCENT, "size": 10},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [(measure.high or 0.0) - rate for rate, (_, measure) in zip(rates, drawn, strict=True)],
                "arrayminus": [rate - (measure.low or 0.0) for rate, (_, measure) in zip(rates, drawn, strict=True)],
                "color": GREY,
                "thickness": 2,
                "width": 4,
            },
            hovertext=[f"{literal(clip(item.tag, 60))}<br>{_format.measure(measure)}" for item, measure in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
            name="pass rate",
        )
    )
    calm(figure, height=64 + 26 * max(1, len(drawn)))
    figure.update_xaxes(tickformat=".0%", range=[-0.03, 1.03], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=[f"{literal(_format.short_id(item.tag, 24))}  {_hits(measure)}" for item, measure in drawn],
        range=[len(drawn) - 0.4, -0.6],
    )
    return figure


def _hits(measure: Measure) -> str:
    return _format.of(round((measure.value or 0.0) * measure.n), measure.n)


def tag_rows(tags: Sequence[TagMeasures]) -> pd.DataFrame:
    """The table of tags, in the order given.

    Returns:
        Columns ``tag`` (str), ``cases``, ``passed``, ``decided`` (int), ``pass_rate``, ``low``, ``high`` (float in [0, 1], NaN where no
        case was decided), ``left_out`` (str), ``latency_p95_ms``, ``cost_usd``, ``tokens`` (float, NaN unknown).
    """
    import pandas as pd

    rows = []
    for item in tags:
        rate = item.measures["pass_rate"]
        passed = round((rate.value or 0.0) * rate.n)
        amounts = [item.measures[name].value for name in ("latency_p95_ms", "total_cost_usd", "total_tokens")]
        rows.append((item.tag, item.cases, passed, rate.n, rate.value, rate.low, rate.high, _format.left_out(rate.left_out), *amounts))
    names = ["tag", "cases", "passed", "decided", "pass_rate", "low", "high", "left_out", "latency_p95_ms", "cost_usd", "tokens"]
    frame = pd.DataFrame(rows, columns=names)
    for column in ("pass_rate", "low", "high", "latency_p95_ms", "cost_usd", "tokens"):
        frame[column] = frame[column].astype("float64")
    return frame
