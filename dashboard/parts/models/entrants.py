"""The contenders of a suite as rows, the links to their comparisons, and the page of one who has nobody to compete with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from agenteval import _format
from agenteval.compare.contenders import Contender
from parts.chrome import link
from parts.models.contenders import Field
from parts.selection import NONE, Selection
from parts.view import View
from parts.words import ago, code, escaped, when

_MOST_ROWS = 20


def rows(view: View, ranked: Sequence[Contender]) -> None:
    """One box a contender, the best first: its name leads to its Overview, and a link to its comparison with the best."""
    for place, found in enumerate(ranked[:_MOST_ROWS], 1):
        rival = ranked[0] if place > 1 else ranked[1]
        with st.container(border=True, key=f"rows-contender-{place}"):
            cells = st.columns([5, 4, 3, 3, 4], vertical_alignment="top", gap="small")
            with cells[0]:
                link("overview", f"**{place}.** {code(_format.short_id(found.name, 40))}", _run_of(found), help_text=code(found.name))
                st.caption(escaped(" · ".join(_identity(view, found))))
                link("compare", f":small[compare with {code(_format.short_id(rival.name, 28))}]", against(found, rival))
            cells[1].markdown(_correctness(found))
            cells[2].markdown(_steady(found))
            cells[3].markdown(_latency(found))
            cells[4].markdown(_cost(found))
    if len(ranked) > _MOST_ROWS:
        st.caption(f"and {len(ranked) - _MOST_ROWS} more, in the download")


def _identity(view: View, found: Contender) -> list[str]:
    model = str(found.head.parameters.get("model") or "")
    words = [f"model {model}" if model else "model not recorded", f"run of {when(found.head)}, {ago(found.head)}"]
    return [*words, "chosen in the sidebar"] if found.head.run_id == view.head.run_id else words


def _run_of(found: Contender) -> Selection:
    return Selection(agent=found.head.agent, run=found.head.run_id)


def _told(title: str, value: str, evidence: str) -> str:
    return f":gray[{escaped(title)}]  \n**{escaped(value)}**  \n:small[:gray[{escaped(evidence)}]]"


def _correctness(found: Contender) -> str:
    right = found.measure("correctness_rate")
    if right is None:
        return _told("correctness", "n/a", "no case was decided")
    words = [_format.evidence(right), _format.left_out(right.left_out)]
    return _told("correctness", _format.rate(right.value), " · ".join(word for word in words if word))


def _steady(found: Contender) -> str:
    hat = found.hat
    if hat is None or hat.k < 2:
        return _told("pass^k", "n/a", "not repeated")
    interval = "no interval" if hat.low is None else _format.percent_interval(hat.low, hat.high)
    return _told(f"pass^{hat.k}", _format.rate(hat.value), f"n {_format.count(hat.cases, 'case')} · {interval}")


def _latency(found: Contender) -> str:
    slow = found.measure("latency_p95_ms")
    return _told("latency p95", _format.ms(slow.value), _format.evidence(slow)) if slow else _told("latency p95", "n/a", "not measured")


def _cost(found: Contender) -> str:
    dollars, tokens = found.measure("total_cost_usd"), found.measure("total_tokens")
    words = []
    if dollars is not None:
        words += [f"{_format.usd(dollars.value)} a run", f"n {dollars.n}", _format.left_out(dollars.left_out)]
    if tokens is not None and tokens.value is not None:
        words.append(f"{_format.value(tokens.value / tokens.n, 'tokens')} tokens a case, n {tokens.n}")
    value = f"{_format.usd(found.cost.value)} a case" if found.cost else "unpriced"
    return _told("cost", value, " · ".join(word for word in words if word) or "no tokens reported")


def against(found: Contender, other: Contender) -> Selection:
    """What the page Compare shows of two contenders."""
    return replace(_run_of(found), baseline=other.head.run_id)


def cost_line(front: Sequence[str], unpriced: Sequence[str], *, beaten: bool) -> str:
    """What the figure's signs mean, who is on the front, and who is not drawn for lack of a price."""
    words = [
        f"◆ on the front, nobody costs no more and is no worse: {_format.joined(list(front), 6)}",
        *(["○ beaten: another one costs no more and is no worse"] if beaten else []),
        "whiskers: 95% intervals, of the mean cost over cases and of correctness",
    ]
    if unpriced:
        words.append(f"not drawn, without a price: {_format.joined(list(unpriced), 6)}")
    return " · ".join(words)


def alone(found: Field) -> str:
    """The headline while there is nobody to compare with, in Markdown."""
    suite = code(found.suite) if found.suite else "this suite"
    if not found.contenders:
        return f"#### No agent has a finished run of the whole of {suite}"
    return f"#### Only {code(found.contenders[0].name)} has run {suite} whole: there is nobody to compare it with"


def one_agent(view: View, found: Field) -> None:
    """What the page is for while nobody else ran the suite."""
    for one in found.contenders:
        st.markdown(_correctness(one))
        link("overview", "Its overview", replace(_run_of(one), baseline=view.selection.baseline if one.head == view.head else NONE))
    st.markdown(
        "This page sets several agents, or several models of one agent, against each other on one suite: who is best, how sure that is, "
        "and at what cost. Run a second one on the same suite:"
    )
    st.code("agenteval run --agent OTHER_AGENT\nagenteval run --model OTHER_MODEL", language="bash")
    not_compared(found)


def not_compared(found: Field) -> None:
    """Agents that have run the suite only in part, and runs that can't be read."""
    if found.partial:
        named = [f"{head.agent} ({_format.count(head.selection.left_out, 'case')} left out)" for head in found.partial]
        st.caption(escaped(f"Not compared, for lack of a finished run of the whole suite: {_format.joined(named, 6)}."))
    for problem in found.broken[:3]:
        st.caption(escaped(f"left out: {problem}"))
