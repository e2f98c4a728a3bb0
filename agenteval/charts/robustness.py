"""Break rates of adversarial cases: by group, and over runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import ACCENT, GREY, look
from agenteval.compare.robustness import BreakRate, Mutant
from agenteval.model.run import Measure, RunHead

if TYPE_CHECKING:
    import pandas as pd

MOST_GROUPS = 20
_MOST_LABELS = 8


def break_rates(groups: Sequence[BreakRate]) -> go.Figure:
    """The break rate of each group with its 95% interval, in the order given, the first on top; the first twenty that have one."""
    drawn = [item for item in groups if item.measure.value is not None][:MOST_GROUPS]
    measured = [item.measure for item in drawn]
    figure = go.Figure(
        go.Scatter(
            x=[measure.value for measure in measured],
            y=list(range(len(drawn))),
            mode="markers",
            marker={"color": [_colour(measure) for measure in measured], "size": 10},
            error_x=_bars(measured),
            hovertext=[f"{literal(clip(item.name, 60))}<br>{_format.measure(item.measure)}" for item in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
            name="break rate",
        )
    )
    calm(figure, height=80 + 30 * max(1, len(drawn)))
    figure.update_layout(margin_t=32)  # The button that saves the picture stands above the first mark.
    figure.update_xaxes(tickformat=".0%", range=[-0.03, 1.03], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        # Isolated: a name that is written from right to left must not turn the count round.
        ticktext=[f"\u2068{literal(_format.short_id(item.name, 24))}\u2069  {_hits(item.measure)}" for item in drawn],
        range=[len(drawn) - 0.4, -0.6],
    )
    return figure


def break_history(heads: Sequence[RunHead], labels: Sequence[str], shown: str) -> go.Figure:
    """The break rate of each run with its 95% interval, oldest first; the run ``shown`` is filled. Runs without one leave a gap.

    Args:
        labels: What each run is called below the axis.
    """
    known = [(place, head, measure) for place, head in enumerate(heads) if (measure := _break_rate(head)) is not None]
    measured = [measure for _, _, measure in known]
    figure = go.Figure(
        go.Scatter(
            x=[place for place, _, _ in known],
            y=[measure.value for measure in measured],
            mode="lines+markers",
            line={"color": GREY, "width": 1},
            marker={
                "color": ACCENT,
                "opacity": 1.0,
                "size": [13 if head.run_id == shown else 9 for _, head, _ in known],
                "symbol": ["circle" if head.run_id == shown else "circle-open" for _, head, _ in known],
                "line": {"width": 2, "color": ACCENT},
            },
            error_y=_bars(measured),
            hovertext=[f"{literal(clip(head.run_id, 60))}<br>{literal(labels[at])}<br>{_format.measure(one)}" for at, head, one in known],
            hovertemplate="%{hovertext}<extra></extra>",
            name="break rate",
        )
    )
    calm(figure, height=280)
    figure.update_layout(margin_t=32)
    step = max(1, -(-len(heads) // _MOST_LABELS))
    places = list(range(len(heads) - 1, -1, -step))[::-1]
    figure.update_xaxes(tickvals=places, ticktext=[literal(labels[place]) for place in places], range=[-0.5, len(heads) - 0.5])
    figure.update_yaxes(title="break rate", tickformat=".0%", range=[-0.03, 1.03], tickvals=[0, 0.25, 0.5, 0.75, 1])
    return figure


def rate_rows(groups: Sequence[BreakRate]) -> pd.DataFrame:
    """One row a group, in the order given.

    Returns:
        Columns ``name`` (str), ``cases``, ``broken``, ``decided`` (int), ``break_rate``, ``low``, ``high`` (float in [0, 1], NaN where no
        case was decided), ``left_out`` (str).
    """
    import pandas as pd

    rows = [(item.name, item.cases, *_figures(item.measure), _format.left_out(item.measure.left_out)) for item in groups]
    names = ["name", "cases", "broken", "decided", "break_rate", "low", "high", "left_out"]
    return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(("break_rate", "low", "high"), "float64"))


def mutant_rows(mutants: Sequence[Mutant]) -> pd.DataFrame:
    """One row an adversarial case, in the order given.

    Returns:
        Columns ``case_id``, ``strategy``, ``status``, ``parent_id``, ``parent_status``, ``role``, ``reason`` (str, NaN unknown),
        ``broken``, ``broken_by_mutation`` (bool).
    """
    import pandas as pd

    rows = [
        (
            item.case_id,
            item.strategy,
            look(item.status.value).word,
            item.parent_id,
            look(item.parent_status.value).word if item.parent_status else None,
            item.role.value if item.role else None,
            item.reason,
            item.broken,
            item.by_mutation,
        )
        for item in mutants
    ]
    names = ["case_id", "strategy", "status", "parent_id", "parent_status", "role", "reason", "broken", "broken_by_mutation"]
    return pd.DataFrame(rows, columns=names)


def history_rows(heads: Sequence[RunHead]) -> pd.DataFrame:
    """One row a run that has a break rate, in the order given.

    Returns:
        Columns ``run_id``, ``started_at`` (str), ``broken``, ``decided`` (int), ``break_rate``, ``low``, ``high`` (float in [0, 1]).
    """
    import pandas as pd

    rows = [(head.run_id, head.started_at, *_figures(measure)) for head in heads if (measure := _break_rate(head)) is not None]
    names = ["run_id", "started_at", "broken", "decided", "break_rate", "low", "high"]
    return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(("break_rate", "low", "high"), "float64"))


def _break_rate(head: RunHead) -> Measure | None:
    measure = head.metrics.get("break_rate")
    return measure if measure is not None and measure.value is not None else None


def _figures(measure: Measure) -> tuple[int, int, float | None, float | None, float | None]:
    return round((measure.value or 0.0) * measure.n), measure.n, measure.value, measure.low, measure.high


def _bars(measured: Sequence[Measure]) -> dict[str, Any]:
    """Error bars; an end that was not recorded has none."""
    values = [measure.value or 0.0 for measure in measured]
    return {
        "type": "data",
        "symmetric": False,
        "array": [0.0 if one.high is None else one.high - value for one, value in zip(measured, values, strict=True)],
        "arrayminus": [0.0 if one.low is None else value - one.low for one, value in zip(measured, values, strict=True)],
        "color": GREY,
        "thickness": 2,
        "width": 4,
    }


def _colour(measure: Measure) -> str:
    return look("failed" if measure.value else "passed").colour


def _hits(measure: Measure) -> str:
    return _format.of(round((measure.value or 0.0) * measure.n), measure.n)
