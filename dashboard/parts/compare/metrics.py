"""Every metric then and now: the table, the changes on their axes, and the test behind the verdict."""

from __future__ import annotations

from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.compare.deltas import NOISE
from agenteval.model.comparison import Comparison, MetricDelta, PairedTest
from parts.compare.pairs import ratios_of
from parts.view import View
from parts.words import escaped

_SIGNS = {"better": "▲", "worse": "▼", "same": "=", "unknown": "–"}
_WIDTHS = {"metric": 122, "then": 186, "now": 178, "change": 76, "verdict": 98, "interval": 132, "p": 66, "left_out": 126}
_TITLES = {"interval": "95% interval", "p": "p (Holm)", "left_out": "left out"}


def metrics(view: View, found: Comparison) -> None:
    """The table, and under it one forest a family of units."""
    from agenteval.charts.deltas import metric_rows

    st.markdown("##### Metrics")
    measured = [delta for delta in found.metrics if _any(delta)]
    rows = metric_rows(measured)
    if rows.empty:
        st.markdown(
            "No measure stands on both sides: no case was decided in both runs." if _recorded(found) else "Neither run recorded a measure."
        )
        return
    words = [_verdict(direction) for direction in rows["direction"]]
    bare = rows["p"].str.removeprefix("p ").str.removeprefix("= ")
    shown = rows.assign(direction=words, p=bare).rename(columns={"baseline": "then", "current": "now", "direction": "verdict"})
    empty = [name for name in ("left_out", "p", "interval") if not shown[name].str.strip(" –").any()]
    shown = shown.drop(columns=["note", *empty])
    names = {name: st.column_config.TextColumn(_TITLES.get(name, name), width=width) for name, width in _WIDTHS.items()}
    st.dataframe(shown, hide_index=True, height="content", column_config=names, alt="Metrics then and now")
    for note in dict.fromkeys(filter(None, rows["note"])):
        st.caption(escaped(f"{', '.join(rows.loc[rows['note'] == note, 'metric'])}: {note}"))
    _forests(view, measured)


def _verdict(direction: str) -> str:
    """A direction in sign and word; where it is within noise, neither better nor worse is said."""
    if direction == NOISE:
        return f"≈ {NOISE}"
    return f"{_SIGNS.get(direction, '–')} {direction.replace('unknown', '')}".strip()


def _recorded(found: Comparison) -> bool:
    """Whether one of the runs measured anything by itself."""
    heads = [head for head in (found.current, found.baseline) if head is not None]
    return any(measure.value is not None for head in heads for measure in head.metrics.values())


def _any(delta: MetricDelta) -> bool:
    return any(measure is not None and measure.value is not None for measure in (delta.baseline, delta.current))


def _forests(view: View, measured: list[MetricDelta]) -> None:
    """Changes that can be drawn, each family of units on an axis of its own."""
    from agenteval.charts.comparison import delta_forest
    from agenteval.charts.deltas import FAMILIES, forest_rows
    from agenteval.charts.layout import config

    ratios = ratios_of(view)
    rows = forest_rows(measured, ratios)
    rows = rows[rows["direction"] != "same"]
    families = [family for family in FAMILIES if (rows["family"] == family).any()]
    if not families:
        return
    for column, family in zip(st.columns(len(families), gap="medium"), families, strict=True):
        with column:
            st.markdown(f"**{FAMILIES[family]}**")
            st.plotly_chart(
                delta_forest(rows, family),
                config=config(f"changes-{family}"),
                key=f"forest-{family}",
                alt=f"Changes with intervals: {FAMILIES[family]}",
            )
    told = "Bars are 95% intervals of the change; a hollow dot is within noise, or has no interval; what stayed the same is not drawn."
    if "percent" in families and any(found.typical is not None for found in ratios.values()):
        told += " Typical case: the geometric mean of now / then over the paired cases."
    st.caption(told)


def the_test(found: Comparison) -> None:
    """The paired test, with what it could have found."""
    st.markdown("##### Test")
    if found.test is None or not found.test.n_pairs:
        st.markdown("No cases are paired: no test.")
        return
    with st.container(horizontal=True, gap="small"):
        for name, value in _facts(found.test):
            if value is not None:
                st.markdown(f":gray[{escaped(name)}] **{escaped(value)}**", width="content")
    for warning in found.test.warnings:
        st.caption(escaped(warning))


def _facts(test: PairedTest) -> list[tuple[str, Any]]:
    counted = f"{_format.count(test.n_pairs, 'pair')}, {test.regressed} regressed, {test.improved} improved"
    known = test.newcombe_low is not None
    newcombe = f" · Newcombe 95% {_format.points_interval(test.newcombe_low, test.newcombe_high)}" if known else ""
    drop, smallest = test.minimum_detectable_drop, test.smallest_possible_drop
    return [
        (test.method, f"{_format.p_value(test.p)} · {counted}"),
        ("difference", _format.points(test.difference) + newcombe),
        ("bootstrap 95%", None if test.bootstrap_low is None else _format.points_interval(test.bootstrap_low, test.bootstrap_high)),
        ("mid-p", None if test.mid_p is None else _format.p_value(test.mid_p)),
        ("chi-square", None if test.chi_square is None else f"{test.chi_square:.2f}, {_format.p_value(test.chi_square_p)}"),
        ("paired t-test", None if test.t_p is None else _format.p_value(test.t_p)),
        ("found with power 80%", "no drop" if drop is None else f"a drop of {_format.points(drop).lstrip('+')}"),
        ("smallest drop that could be proven", "none" if smallest is None else _format.points(smallest).lstrip("+")),
    ]
