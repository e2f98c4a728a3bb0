"""Several agents on one suite: the table, the pairs, and cost against quality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from agenteval import _format
from agenteval.charts.layout import calm, literal, value_ticks
from agenteval.charts.palette import ACCENT, GREY
from agenteval.compare.contenders import Contender, Duel

if TYPE_CHECKING:
    import pandas as pd


def contender_rows(contenders: Sequence[Contender]) -> pd.DataFrame:
    """One row a contender, in the given order.

    Returns:
        Columns ``name``, ``agent``, ``model``, ``run_id``, ``started_at`` (str); ``correctness_n``, ``undecided`` (errors, skipped,
        unscored), ``priced_cases``, ``tokens_n`` (int); ``correctness``, ``pass_hat_k`` (in [0, 1], each with ``_low`` and ``_high``),
        ``k``, ``latency_p95_ms``, ``cost_per_case_usd`` (with ``cost_per_case_low`` and ``_high``), ``cost_per_run_usd``,
        ``tokens_per_case`` (float, NaN where not measured).
    """
    import pandas as pd

    frame = pd.DataFrame([_row(found) for found in contenders], columns=[*_WORDS, *_COUNTS, *_NUMBERS])
    return frame.astype(dict.fromkeys(_NUMBERS, "float64"))


_WORDS = ("name", "agent", "model", "run_id", "started_at")
_COUNTS = ("correctness_n", "undecided", "priced_cases", "tokens_n")
_NUMBERS = (
    *("correctness", "correctness_low", "correctness_high", "k", "pass_hat_k", "pass_hat_k_low", "pass_hat_k_high", "latency_p95_ms"),
    *("cost_per_case_usd", "cost_per_case_low", "cost_per_case_high", "cost_per_run_usd", "tokens_per_case"),
)


def _row(found: Contender) -> tuple[object, ...]:
    head, hat, cost = found.head, found.hat, found.cost
    right, slow, dollars, tokens = (
        found.measure(metric) for metric in ("correctness_rate", "latency_p95_ms", "total_cost_usd", "total_tokens")
    )
    return (
        *(found.name, head.agent, str(head.parameters.get("model") or ""), head.run_id, head.started_at),
        *(right.n if right else 0, found.undecided, dollars.n if dollars else 0, tokens.n if tokens else 0),
        *((right.value, right.low, right.high) if right else (None, None, None)),
        *((hat.k, hat.value, hat.low, hat.high) if hat else (None, None, None, None)),
        slow.value if slow else None,
        *((cost.value, cost.low, cost.high) if cost else (None, None, None)),
        dollars.value if dollars else None,
        tokens.value / tokens.n if tokens and tokens.value is not None and tokens.n else None,
    )


def duel_rows(duels: Iterable[Duel]) -> pd.DataFrame:
    """One row a pair, in words for a table.

    Returns:
        Columns ``first``, ``second`` (str), ``cases`` (int), ``correctness``, ``difference``, ``interval``, ``split`` (cases only one of
        them got right), ``p``, ``verdict`` (str).
    """
    import pandas as pd

    names = ["first", "second", "cases", "correctness", "difference", "interval", "split", "p", "verdict"]
    return pd.DataFrame([_duel_row(duel) for duel in duels], columns=names)


def _duel_row(duel: Duel) -> tuple[object, ...]:
    if duel.difference is None:
        return duel.first, duel.second, 0, "no case decided by both", "n/a", "n/a", "", "n/a", "? no common case"
    return (
        duel.first,
        duel.second,
        duel.cases,
        f"{_format.rate(duel.first_rate)} – {_format.rate(duel.second_rate)}",
        _format.points(duel.difference),
        _format.points_interval(duel.low, duel.high),
        f"{duel.test.improved} – {duel.test.regressed}",
        _format.p_value(duel.p_adjusted),
        "▲ first is better" if duel.told_apart else "= not distinguishable",
    )


def cost_quality(contenders: Sequence[Contender], front: Sequence[str]) -> go.Figure:
    """Cost a case (across) against correctness (up) with 95% whiskers; the front is drawn as steps and its members are filled.

    Args:
        contenders: Only those with a price and a correctness are drawn.
        front: Names on the Pareto front, cheapest first.
    """
    drawn = [(found, found.cost, right) for found in contenders if found.cost and (right := found.measure("correctness_rate"))]
    figure = go.Figure()
    places = {found.name: (cost.value, right.value) for found, cost, right in drawn}
    line = [places[name] for name in front if name in places]
    if len(line) > 1:
        figure.add_scatter(
            x=[x for x, _ in line],
            y=[y for _, y in line],
            mode="lines",
            line={"color": ACCENT, "width": 1.5, "dash": "dot", "shape": "hv"},
            hoverinfo="skip",
            name="front",
        )
    dearest = max((cost.value for _, cost, _ in drawn), default=0.0)
    for place, (found, cost, right) in enumerate(sorted(drawn, key=lambda item: item[1].value)):
        on_front = found.name in front
        colour = ACCENT if on_front else GREY
        priced = f"{_format.usd(cost.value)} a case" + ("" if cost.low is None else f", {_format.interval(cost.low, cost.high, 'usd')}")
        figure.add_scatter(
            x=[cost.value],
            y=[right.value],
            mode="markers+text",
            marker={"size": 13, "color": colour, "symbol": "diamond" if on_front else "circle-open", "line": {"width": 2, "color": colour}},
            error_x=_whisker(cost.value, cost.low, cost.high, colour),
            error_y=_whisker(right.value, right.low, right.high, colour),
            text=[literal(_format.short_id(found.name, 32))],
            # Neighbours in cost speak above and below, so that their names do not lie on each other.
            textposition=f"{'bottom' if place % 2 else 'top'} {'left' if cost.value > dearest / 2 else 'right'}",
            customdata=[[found.head.run_id]],
            hovertext=[
                f"{literal(found.name)}<br>correctness {_format.measure(right)}<br>{priced}<br>"
                f"{'on the front' if on_front else 'another one costs no more and is no worse'}"
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=literal(found.name),
        )
    calm(figure, height=400)
    ends = [end for _, cost, _ in drawn for end in (cost.low, cost.value, cost.high) if end is not None]
    lows = [low for _, _, right in drawn for low in (right.low, right.value) if low is not None]
    figure.update_xaxes(title="cost a case", **value_ticks([0.0, *ends], "usd"))
    figure.update_yaxes(title="correctness", tickformat=".0%", range=[min([0.5, *lows]) - 0.05, 1.08])
    return figure


def _whisker(value: float | None, low: float | None, high: float | None, colour: str) -> dict[str, object] | None:
    if value is None or low is None or high is None:
        return None
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - value],
        "arrayminus": [value - low],
        "color": colour,
        "thickness": 1.2,
        "width": 4,
    }
