"""What each case takes now against then: latency and cost of the cases that both runs measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.compare.ratios import Ratios, case_ratios
from parts import stored
from parts.chrome import page_file
from parts.figures import clicked
from parts.stored import Fingerprint, fingerprint
from parts.view import View
from parts.words import escaped

QUANTITIES = {"latency_ms": ("Latency", "ms", "slow"), "cost_usd": ("Cost", "usd", "dear"), "tokens": ("Tokens", "tokens", "many")}
_DRAWN = ("latency_ms", "cost_usd")


def ratios_of(view: View) -> Mapping[str, Ratios]:
    """Paired values of the two runs by quantity."""
    assert view.baseline is not None
    then = view.baseline[0]
    return _ratios(view.path, then, (fingerprint(view.path), fingerprint(then)))


@st.cache_resource(max_entries=32, show_spinner=False)
def _ratios(now: Path, then: Path, identities: tuple[Fingerprint, ...]) -> dict[str, Ratios]:
    current, baseline = stored.run_at(now), stored.run_at(then)
    return {quantity: case_ratios(current, baseline, quantity) for quantity in QUANTITIES}


@st.cache_resource(max_entries=32, show_spinner=False)
def _drawn(now: Path, then: Path, identities: tuple[Fingerprint, ...], quantity: str) -> tuple[Any, int, int]:
    """The scatter of one quantity, and how many cases are far up and far down."""
    from agenteval.charts.comparison import FAR, case_scatter
    from agenteval.charts.deltas import case_points

    unit = QUANTITIES[quantity][1]
    points = case_points(_ratios(now, then, identities)[quantity], unit)
    return case_scatter(points, unit), int((points["ratio"] >= FAR).sum()), int((points["ratio"] <= 1 / FAR).sum())


def pairs(view: View) -> None:
    """A scatter of latency and one of cost, a point a case; a click opens the case in both runs."""
    found = ratios_of(view)
    measured = [quantity for quantity in _DRAWN if found[quantity].cases]
    if not measured:
        return
    st.markdown("##### Each case, now against then")
    for column, quantity in zip(st.columns(2, gap="large"), measured, strict=False):
        with column:
            _scatter(view, quantity, found[quantity])
    absent = [QUANTITIES[quantity][0].lower() for quantity in _DRAWN if quantity not in measured]
    words = "A case above the dotted line takes more now than then. A click on a point opens the case in both runs."
    st.caption(words + (f" No {' and no '.join(absent)} is recorded for any pair." if absent else ""))


def _scatter(view: View, quantity: str, found: Ratios) -> None:
    from agenteval.charts.comparison import FAR, FURTHEST, MOST_POINTS
    from agenteval.charts.deltas import typical_words

    assert view.baseline is not None
    then = view.baseline[0]
    figure, more, less = _drawn(view.path, then, (fingerprint(view.path), fingerprint(then)), quantity)
    title = QUANTITIES[quantity][0]
    st.markdown(f"**{title}** &nbsp; typical case {escaped(typical_words(found))}")
    words = [_format.count(len(found.cases), "pair")]
    words += [f"{number:,} {reason}" for reason, number in found.left_out.items()]
    if more:
        words.append(f"▲ {more:,} at least {FAR:g} times as much")
    if less:
        words.append(f"▼ {less:,} at most 1/{FAR:g}")
    if len(found.cases) > MOST_POINTS:
        rest = len(found.cases) - FURTHEST
        words.append(f"the {FURTHEST:,} that changed most are points, the other {rest:,} in squares: the more, the stronger the grey")
    st.caption(escaped(" · ".join(words)))
    data = clicked(
        figure,
        f"{title.lower()}-now-against-then",
        key=f"scatter-{quantity}-{view.head.run_id}",
        alt=f"{title} of each case, now against then",
    )
    if data:
        st.switch_page(page_file("compare"), query_params=view.selection.of_case(data[0]).query())
