"""The measures of a run: the first ones as cards with their history, the others in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import metric_title
from agenteval.model.comparison import Comparison, MetricDelta
from agenteval.model.run import Measure, RunHead
from parts.view import View
from parts.words import escaped

if TYPE_CHECKING:
    import pandas as pd

FIRST = (
    "correctness_rate",
    "tool_call_accuracy",
    "hallucination_rate",
    "latency_p95_ms",
    "total_cost_usd",
    "faithfulness_avg",
    "retrieval_f1_avg",
    "pass_rate",
    "trajectory_f1_avg",
    "total_tokens",
)
"""Measures worth a card, the most telling first; the first five that the run measured get one."""
_CARDS = 5
_COLOURS = {"better": "green", "worse": "red"}
_SPARK = 30


def cards(view: View, found: Comparison | None) -> None:
    """Every measure with its count, its interval, its change and what it leaves out; those not measured are named."""
    metrics = view.head.metrics
    deltas = {delta.name: delta for delta in found.metrics} if found else {}
    series = [sibling for sibling, _ in view.siblings() if sibling.started_at <= view.head.started_at][-_SPARK:]
    measured = [name for name in metrics if metrics[name].value is not None]
    first = [name for name in FIRST if name in measured][:_CARDS]
    if first:
        with st.container(key="cards"):
            columns = st.columns(len(first), gap="small")
        for column, name in zip(columns, first, strict=True):
            with column, st.container(border=True, gap="small", height="stretch"):
                values = [sibling.metrics[name].value for sibling in series if name in sibling.metrics]
                _card(name, metrics[name], deltas.get(name), [value for value in values if value is not None])
    words = [
        f"{escaped(metric_title(name))} **{escaped(_format.measure(metrics[name]))}**{_change(deltas.get(name))}"
        for name in measured
        if name not in first
    ]
    repeats = view.head.repeats
    if repeats is not None:
        words += [
            f"pass\\^{k} **{_format.rate(value)} · n {_format.count(repeats.cases - repeats.short.get(k, 0), 'case')}**"
            for k, value in repeats.pass_hat_k.items()
            if value is not None and k > 1
        ][-1:]
    missing = [metric_title(name).lower() for name in FIRST[:_CARDS] if name not in measured]
    if missing:
        words.append(f"not measured: {escaped(_format.joined(missing))}")
    if any(delta.delta is not None for delta in deltas.values()):
        both = found.verdict.details.get("decided_in_both") if found else None
        words.append(f"changes over the {_format.count(int(both or 0), 'case')} that both runs decided")
    if words:
        st.caption(" · ".join(words))


def _change(delta: MetricDelta | None) -> str:
    if delta is None or delta.delta is None or delta.current is None or delta.direction in ("same", "unknown"):
        return ""
    text = _format.delta(delta.delta, delta.current.unit, delta.baseline.value if delta.baseline else None)
    return f" :{_COLOURS.get(delta.direction, 'gray')}[{escaped(text)} {delta.direction}]"


def _card(name: str, measured: Measure, delta: MetricDelta | None, series: Sequence[float]) -> None:
    text, colour, arrow = _direction(measured, delta)
    st.metric(
        metric_title(name),
        escaped(_format.value(measured.value, measured.unit)),
        delta=text,
        delta_color=colour,  # type: ignore[arg-type]
        delta_arrow=arrow,  # type: ignore[arg-type]
        chart_data=list(series) if len(series) > 1 else None,
        chart_type="line",
    )
    words = [_format.evidence(measured), _format.left_out(measured.left_out)]
    if measured.value is None:
        words = ["not measured"]
    if len(series) > 1:
        words.append(_format.count(len(series), "run"))
    st.caption(escaped(" · ".join(word for word in words if word)))


def _direction(measured: Measure, delta: MetricDelta | None) -> tuple[str | None, str, str]:
    if delta is None or delta.delta is None:
        return None, "off", "off"
    text = _format.delta(delta.delta, measured.unit, delta.baseline.value if delta.baseline else None)
    colour = _COLOURS.get(delta.direction, "gray")
    arrow = "up" if delta.delta > 0 else "down" if delta.delta < 0 else "off"
    return escaped(f"{text} {delta.direction.replace('unknown', '')}".strip()), colour, arrow


def measure_table(head: RunHead) -> pd.DataFrame:
    """Every measure of a run: ``name``, ``value``, ``n``, ``unit``, ``low``, ``high``, ``left_out`` (in words)."""
    import pandas as pd

    rows = [
        (name, measure.value, measure.n, measure.unit, measure.low, measure.high, _format.left_out(measure.left_out))
        for name, measure in head.metrics.items()
    ]
    return pd.DataFrame(rows, columns=["name", "value", "n", "unit", "low", "high", "left_out"])
