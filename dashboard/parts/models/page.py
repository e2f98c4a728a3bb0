"""Models: which agent does this suite best, and how sure is that?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from agenteval import _format
from agenteval._text import nearest
from agenteval.compare.contenders import Duel, Leader, leader
from agenteval.compare.front import pareto_front
from parts.chrome import page_file
from parts.downloads import offer
from parts.models.contenders import Field, contend, field, suites
from parts.models.entrants import against, alone, cost_line, not_compared, one_agent, rows
from parts.view import View
from parts.words import code, escaped

if TYPE_CHECKING:
    from parts.downloads import Table

_MOST_PAIRS = 45


def show(view: View) -> None:
    """The whole page."""
    first_line = st.container()
    found = field(view, _suite(view))
    if len(found.contenders) < 2:
        first_line.markdown(alone(found), anchors=False)
        one_agent(view, found)
        offer(f"models-{found.suite or 'suite'}", _tables(found, []))
        return
    duels = contend(found)
    first_line.markdown(f"#### {escaped(_sentence(found, duels))}", anchors=False)
    st.caption(_caption(found))
    rows(view, found.contenders)
    st.markdown("##### Every two, over the cases that both decided")
    _pairs(found, duels)
    st.markdown("##### Cost against quality")
    _cost(found)
    not_compared(found)
    offer(f"models-{found.suite or 'suite'}", _tables(found, duels))


def _suite(view: View) -> str:
    """The suite that is shown: of the URL, else of the sidebar's run. With one suite there is nothing to choose."""
    options = suites()
    default = view.head.suite.name
    asked = st.query_params.get("suite")
    if asked is not None and asked not in options:
        close = nearest(asked, options)
        st.markdown(
            f":orange-badge[? unknown suite] There is no suite {code(asked[:120])} here"
            + (f"; the nearest is {code(close)}." if close else ".")
        )
    if len(options) < 2 or not all(options):
        return default
    return st.selectbox("Suite", options, index=options.index(default), key="suite", bind="query-params", width=320)


def _sentence(found: Field, duels: list[Duel]) -> str:
    rates = _rates(found)
    first = leader(rates, duels)
    if first is None:
        return f"None of {_format.count(len(found.contenders), 'agent')} has a decided case in this suite."
    best = f"{_format.rate(rates[first.name][0])} of {_format.count(rates[first.name][1], 'case')} correct"
    silent = next(one.undecided for one in found.contenders if one.name == first.name)
    if silent:
        best += f", {_format.count(silent, 'undecided case')} left out"
    return _told_apart(first, rates, duels, best) if not first.undecided else _not_told_apart(first, rates, best)


def _told_apart(first: Leader, rates: dict[str, tuple[float, int]], duels: list[Duel], best: str) -> str:
    others = "the other one" if len(rates) == 2 else f"each of the other {len(rates) - 1}"
    mine = [duel for duel in duels if duel.first == first.name]
    closest = min(mine, key=lambda duel: 2.0 if duel.difference is None else duel.difference)
    return (
        f"{first.name} is best ({best}), and better than {others}: closest is {closest.second}, {_format.points(closest.difference)} "
        f"over {_format.count(closest.cases, 'case')} that both decided, {_format.p_value(closest.p_adjusted)} after Holm."
    )


def _not_told_apart(first: Leader, rates: dict[str, tuple[float, int]], best: str) -> str:
    rivals = {name for duel in first.undecided for name in (duel.first, duel.second)} - {first.name}
    second = min(rivals, key=lambda name: (-rates.get(name, (-1.0, 0))[0], name))
    duel = next(duel for duel in first.undecided if second in (duel.first, duel.second))
    more = len(rivals) - 1
    if not duel.cases:
        return f"No best can be named: {first.name} ({best}) and {second} decided no case in common."
    lead = duel.difference if duel.first == first.name else -(duel.difference or 0.0)
    apart = f"{_format.points(lead)} over the {_format.count(duel.cases, 'case')} that both decided, {_format.p_value(duel.p_adjusted)}"
    tail = f" Nor can {first.name} be told from {_format.count(more, 'other')}." if more else ""
    share = _format.rate(rates[second][0]) if second in rates else "n/a"
    return f"The best two can't be told apart at this n: {first.name} ({best}) and {second} ({share}), {apart}.{tail}"


def _rates(found: Field) -> dict[str, tuple[float, int]]:
    """Correctness and its n by name, of those that have any."""
    measured = ((one.name, one.measure("correctness_rate")) for one in found.contenders)
    return {name: (right.value, right.n) for name, right in measured if right is not None and right.value is not None}


def _caption(found: Field) -> str:
    words = [
        escaped(_format.count(len(found.contenders), "contender")),
        "each agent's newest run of the whole suite, one for every model it ran with",
    ]
    if found.chosen is not None:
        words.append(f"for {escaped(found.chosen)} the run chosen in the sidebar")
    return " · ".join([*words, "the sidebar's agent hides no other"])


def _pairs(found: Field, duels: list[Duel]) -> None:
    from agenteval.charts.models import duel_rows

    alike = sum(not duel.told_apart for duel in duels)
    methods = sorted({duel.test.method for duel in duels if duel.test.p is not None})
    words = [f"{_format.of(alike, len(duels), 'pair')} not distinguishable"]
    if methods:
        words.append(f"{' or '.join(methods)}, p adjusted by Holm over {_format.count(len(duels), 'pair')}, each interval alone")
    words += _reach(duels)
    edited = max((duel.edited for duel in duels), default=0)
    if edited:
        words.append(f"up to {_format.count(edited, 'case')} with differing definitions in no test")
    st.caption(escaped(" · ".join([*words, "choose a row to compare case by case"])))
    widths = {
        "first": 184,
        "second": 184,
        "verdict": 154,
        "difference": 78,
        "interval": 134,
        "p": 66,
        "cases": 60,
        "correctness": 96,
        "split": 96,
    }
    titles = {"interval": "95% interval", "p": "p (Holm)", "cases": "n cases", "split": "only one right"}
    event = st.dataframe(
        duel_rows(duels[:_MOST_PAIRS])[list(widths)],
        hide_index=True,
        height="content" if len(duels) <= 12 else 460,
        on_select="rerun",
        selection_mode="single-row",
        column_config={name: st.column_config.Column(titles.get(name, name), width=width) for name, width in widths.items()},
        key="pairs",
        alt="Pairwise differences",
    )
    if event.selection.rows and event.selection.rows[0] < len(duels):
        duel = duels[event.selection.rows[0]]
        by_name = {one.name: one for one in found.contenders}
        st.switch_page(page_file("compare"), query_params=against(by_name[duel.first], by_name[duel.second]).query())
    if len(duels) > _MOST_PAIRS:
        st.caption(f"and {len(duels) - _MOST_PAIRS} more pairs, in the download")


def _reach(duels: list[Duel]) -> list[str]:
    """What a difference would have to be to be found, of the pair on the fewest cases."""
    known = [duel.test.minimum_detectable_drop for duel in duels if duel.test.minimum_detectable_drop is not None]
    return [f"at this n a difference of about {_format.points(max(known)).lstrip('+')} is found with power 80%"] if known else []


def _cost(found: Field) -> None:
    rates = _rates(found)
    priced = {one.name: (one.cost.value, rates[one.name][0]) for one in found.contenders if one.cost is not None and one.name in rates}
    unpriced = [one.name for one in found.contenders if one.name not in priced]
    if not priced:
        st.markdown("No agent reported or was given a price, so none is drawn. Prices stand in `agents.yaml` under `pricing`, by model.")
        return
    from agenteval.charts.layout import config
    from agenteval.charts.models import cost_quality

    front = pareto_front(priced)
    st.caption(escaped(cost_line(front, unpriced, beaten=len(front) < len(priced))))
    figure = cost_quality(found.contenders, front)
    st.plotly_chart(figure, config=config("cost-quality"), key="cost-quality", alt="Cost of a case against correctness, with intervals")


def _tables(found: Field, duels: list[Duel]) -> dict[str, Table]:
    from agenteval.charts.models import contender_rows, duel_rows

    agents: dict[str, Table] = {"agents": lambda: contender_rows(found.contenders)}
    return {**agents, "pairs": lambda: duel_rows(duels)} if duels else agents
