"""A run taken apart: how its latencies are spread, what makes up its bill, and how its cases fare by tag."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from agenteval import _format
from parts import stored
from parts.figures import clicked, follow
from parts.stored import Fingerprint, fingerprint
from parts.view import View
from parts.words import escaped

_TAGS = 20
_AMOUNTS = {"cost": ("cost_usd", "usd", "unpriced"), "tokens": ("tokens", "tokens", "reported no tokens")}


@st.cache_resource(max_entries=16, show_spinner=False)
def _facts(path: Path, identity: Fingerprint) -> Any:
    from agenteval.compare.breakdown import counted_facts

    return counted_facts(stored.run_at(path))


@st.cache_resource(max_entries=16, show_spinner=False)
def _curve(path: Path, identity: Fingerprint) -> tuple[Any, Any]:
    """The figure, None without a latency, and the latencies."""
    from agenteval.charts.one_run import latency_curve
    from agenteval.compare.breakdown import latencies

    found = latencies(_facts(path, identity))
    return latency_curve(found, stored.run_at(path).head.run_id) if found.cases else None, found


def latency(view: View) -> None:

    figure, found = _curve(view.path, fingerprint(view.path))
    st.markdown("##### Latency")
    if figure is None:
        st.markdown(f"No finished call: none of {_format.count(found.left_out, 'case')} has a latency.")
        return
    words = [f"share of calls that took at most so long, n {len(found.cases):,}"]
    if found.left_out:
        words.append(f"{_format.count(found.left_out, 'case')} without a finished call left out")
    st.caption(f"{', '.join(words)}. The slowest carry a mark: a click opens the case.")
    data = clicked(
        figure,
        "latency",
        key=f"latency-{view.head.run_id}",
        alt=f"Latency of {len(found.cases)} calls: p50 {_format.ms(found.p50)}, p95 {_format.ms(found.p95)}",
    )
    follow(view, data, view.runs)


@st.cache_resource(max_entries=32, show_spinner=False)
def _pareto(path: Path, identity: Fingerprint, amount: str) -> tuple[Any, Any, int]:
    """The figure, None where no case has an amount, the shares, and how many cases have none."""
    from agenteval.charts.breakdown import amount_pareto
    from agenteval.compare.breakdown import shares

    run = stored.run_at(path)
    name, unit, _ = _AMOUNTS[amount]
    found, without = shares(run.outcomes, name)
    return amount_pareto(found, unit, run.head.run_id) if found else None, found, without


def bill(view: View) -> None:

    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("##### What makes up the bill")
        amount = st.segmented_control(
            "Amount",
            list(_AMOUNTS),
            default=_first_amount(view),
            key="amount",
            bind="query-params",
            required=True,
            label_visibility="collapsed",
        )
    _, unit, lacking = _AMOUNTS[amount]
    figure, found, without = _pareto(view.path, fingerprint(view.path), amount)
    if figure is None:
        st.markdown(f"No case has {'a cost' if amount == 'cost' else 'tokens'}: n 0, {_format.count(without, 'case')} {lacking}.")
        if amount == "cost":
            st.caption("A cost is what the agent reports, or its tokens times a price that `agents.yaml` names under `pricing`.")
        return
    total = _format.value(sum(value for _, value, _ in found), unit)
    half = next((place for place, (_, _, share) in enumerate(found, 1) if share >= 0.5), len(found))
    words = [f"{total}{' tokens' if unit == 'tokens' else ''} in all, n {len(found):,}"]
    if without:
        words.append(f"{_format.count(without, 'case')} {lacking}")
    words.append(f"{_format.count(half, 'case')} {'makes' if half == 1 else 'make'} half of it")
    st.caption(escaped(f"{', '.join(words)}. A click on a bar opens the case."))
    data = clicked(
        figure,
        amount,
        key=f"bill-{amount}-{view.head.run_id}",
        alt=f"The cases that make up the {amount}",
    )
    follow(view, data, view.runs)


def _first_amount(view: View) -> str:
    """Cost, but tokens where they alone are known."""
    known = {name: measure.value is not None for name, measure in view.head.metrics.items()}
    return "tokens" if known.get("total_tokens") and not known.get("total_cost_usd") else "cost"


@st.cache_resource(max_entries=16, show_spinner=False)
def tag_table(path: Path, identity: Fingerprint) -> tuple[Any, Any]:
    """The figure and the table."""
    from agenteval.charts.breakdown import tag_rates, tag_rows
    from agenteval.compare.breakdown import by_tag

    found = by_tag(_facts(path, identity))
    return tag_rates(found[:_TAGS]), tag_rows(found)


def tags(view: View) -> None:
    from agenteval.charts.layout import config

    figure, rows = tag_table(view.path, fingerprint(view.path))
    st.markdown("##### By tag")
    if rows.empty or (len(rows) == 1 and rows["tag"].iloc[0].startswith("(no")):
        st.markdown("No case carries a tag. Tags of a case (`tags:` in the suite) show where an agent is weak.")
        return
    st.caption("Pass rate with its 95% interval, the lowest first; a case counts under each of its tags. Few cases make wide intervals.")
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.plotly_chart(figure, config=config("tags"), key=f"tags-{view.head.run_id}", alt="Pass rate by tag with its interval")
        if len(rows) > _TAGS:
            st.caption(f"the {_TAGS} lowest of {len(rows)} tags; the table has all")
    with right:
        shown = rows[["tag", "cases", *(["left_out"] if rows["left_out"].any() else [])]].copy()
        ends = zip(rows["pass_rate"], rows["passed"], rows["decided"], rows["low"], rows["high"], strict=True)
        if "left_out" in shown:
            shown["left_out"] = [words.removesuffix(" left out") for words in shown["left_out"]]
        shown.insert(2, "passed", [_rate(*cells) for cells in ends])
        for column, write in (("latency_p95_ms", _format.ms), ("cost_usd", _format.usd), ("tokens", _whole)):
            shown[column] = [write(None if value != value else value) for value in rows[column]]
        names = {"left_out": "not decided", "latency_p95_ms": "latency p95", "cost_usd": "cost"}
        st.dataframe(
            shown,
            hide_index=True,
            height="content" if len(shown) <= 12 else 440,
            column_config=names,
            key=f"tag-table-{view.head.run_id}",
            alt="Measures by tag",
        )


def _rate(rate: float, passed: int, decided: int, low: float, high: float) -> str:
    if not decided:
        return _format.ABSENT
    return f"{_format.rate(rate)} · {_format.of(passed, decided)} · {_format.percent_interval(low, high)}"


def _whole(number: float | None) -> str:
    return _format.ABSENT if number is None else f"{round(number):,}"
