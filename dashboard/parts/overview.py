"""The verdict in words, the measures, and what changed; words first, charts after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import look, metric_title
from agenteval.compare.trend import dead_band
from agenteval.errors import AgentEvalError
from agenteval.model.comparison import Comparison, MetricDelta, Transition
from agenteval.model.gates import GateOutcome, Verdict
from agenteval.model.run import Measure
from parts import stored
from parts.cases import change_rows, outcome_rows
from parts.chrome import link, trouble
from parts.selection import Selection
from parts.view import View, stored_verdict
from parts.words import ago, badge, code, escaped, mark, sentence, tally, when

CARDS = ("correctness_rate", "tool_call_accuracy", "hallucination_rate", "latency_p95_ms", "total_cost_usd")
_SPARK = 30


def show(view: View) -> None:
    """The whole page."""
    if len(view.agents) > 1 and st.query_params.get("agent") is None:
        _agents(view)
    place = st.container()
    known = stored_verdict(view)
    if known is not None:
        with place:
            banner(view, known, "as recorded when it ran")
    found: Comparison | None = None
    limits, source = stored.limits(view.head.agent)
    try:
        found = stored.comparison(view.path, view.baseline[0] if view.baseline else None, limits)
    except AgentEvalError as error:
        trouble(str(error))
    if known is None and found is not None:
        with place:
            banner(view, found.verdict, source)
    _cards(view, found)
    _outcomes(view)
    if found is not None:
        _changed(view, found)


def banner(view: View, verdict: Verdict, source: str) -> None:
    """The verdict's sentence, the gates behind it, and which run it is."""
    head = view.head
    with st.container(key=f"verdict-{verdict.outcome.value}", gap="small"):
        st.markdown(f"#### {badge(verdict.outcome.value)} {sentence(verdict.sentence)}", anchors=False)
        gate_lines(verdict)
        parts = [
            f"run {code(head.run_id)}",
            f"{escaped(when(head))}, {escaped(ago(head))}",
            f"suite {code(head.suite.name)}",
            escaped(tally(head)),
        ]
        if head.status != "completed":
            parts.append(f":orange[{escaped(head.status.value)}]")
        if head.selection.left_out:
            parts.append(f"{_format.count(head.selection.left_out, 'case')} left out by selection")
        if head.label:
            parts.append(escaped(head.label))
        if head.legacy:
            parts.append(f"file of {escaped(head.legacy)}")
        st.caption(" · ".join([*parts, source]))


def gate_lines(verdict: Verdict) -> None:
    """The gates that decided against the run, as far as the sentence does not quote them already."""
    decisive = [gate for gate in verdict.gates if gate.outcome in (GateOutcome.FAIL, GateOutcome.INCONCLUSIVE)]
    untold = [gate for gate in decisive if gate.message not in verdict.sentence]
    if untold:
        with st.container(gap="xxsmall"):
            for gate in untold[:6]:
                st.markdown(f"{mark(gate.outcome.value)} {escaped(gate.message)}")
            if len(untold) > 6:
                st.caption(f"and {len(untold) - 6} more gates, below")


def _agents(view: View) -> None:
    st.markdown("##### Agents")
    with st.container(key="rows-agents"):
        for name, head in sorted(view.agents.items(), key=lambda item: item[1].started_at, reverse=True):
            cells = st.columns([3, 2, 3, 4], vertical_alignment="center")
            with cells[0]:
                link("overview", code(name), Selection(agent=name))
            cells[1].markdown(badge(head.gate.outcome.value) if head.gate else ":gray[no verdict recorded]")
            measured = head.metrics.get("correctness_rate")
            cells[2].markdown(escaped(f"correctness {_format.measure(measured)}") if measured else "correctness n/a")
            cells[3].caption(f"{escaped(tally(head))} · {escaped(ago(head))}")
    st.markdown(f"##### {code(view.head.agent)}")


def _cards(view: View, found: Comparison | None) -> None:
    head = view.head
    deltas = {delta.name: delta for delta in found.metrics} if found else {}
    series = [sibling for sibling, _ in view.siblings() if sibling.started_at <= head.started_at][-_SPARK:]
    first = [name for name in CARDS if name in head.metrics]
    with st.container(key="cards"):
        columns = st.columns(max(1, len(first)), gap="small") if first else []
    for column, name in zip(columns, first, strict=True):
        with column, st.container(border=True, gap="small", height="stretch"):
            values = [sibling.metrics[name].value for sibling in series if name in sibling.metrics]
            _card(name, head.metrics[name], deltas.get(name), [value for value in values if value is not None])
    rest = [name for name in head.metrics if name not in first and head.metrics[name].n]
    if rest:
        words = " · ".join(
            f"{escaped(metric_title(name))} **{escaped(_format.measure(head.metrics[name]))}**{_change(deltas.get(name))}" for name in rest
        )
        st.caption(words.replace(" \\· ", " · "))


def _change(delta: MetricDelta | None) -> str:
    if delta is None or delta.delta is None or delta.current is None or delta.direction in ("same", "unknown"):
        return ""
    text = _format.delta(delta.delta, delta.current.unit, delta.baseline.value if delta.baseline else None)
    return f" :{'green' if delta.direction == 'better' else 'red'}[{escaped(text)} {delta.direction}]"


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
    colour = {"better": "green", "worse": "red"}.get(delta.direction, "gray")
    if (
        delta.baseline is not None
        and delta.baseline.value is not None
        and abs(delta.delta) <= dead_band([delta.baseline.value], measured.unit)
    ):
        colour = "gray"  # Too small to be called a change; the word stays, the alarm does not.
    arrow = "up" if delta.delta > 0 else "down" if delta.delta < 0 else "off"
    return escaped(f"{text} {delta.direction}"), colour, arrow


def _outcomes(view: View) -> None:
    counts = view.head.counts
    words = [f"{mark(status)} **{number:,}**" for status, number in counts.items() if number]
    if not words:
        return
    st.markdown("##### Outcomes")
    st.markdown(" &nbsp; ".join(words))
    from agenteval.charts.layout import CONFIG
    from agenteval.charts.outcomes import outcomes_bar

    st.plotly_chart(outcomes_bar(counts), config=CONFIG, key="outcomes", alt="Cases by outcome")


def _changed(view: View, found: Comparison) -> None:
    selection = view.selection
    st.markdown("##### What changed" if found.baseline else "##### Not passed")
    if found.baseline is None:
        _alone(view)
        return
    moved = [
        *found.of_kind("regressed"),
        *found.of_kind("errored"),
        *found.of_kind("missing"),
        *found.of_kind("improved", "recovered"),
        *found.of_kind("new"),
    ]
    if moved:
        change_rows(moved, selection, "moved")
    else:
        st.markdown("Nothing: every case ended as in the baseline.")
    _folded(
        "Still failing",
        [item for item in found.of_kind("unchanged") if item.after in ("failed", "agent_error", "evaluator_error")],
        selection,
    )
    _folded("Changed definition, compared apart", found.of_kind("changed_definition"), selection)
    _folded("Quarantined and candidates, in no rate", [item for item in found.transitions if item.role], selection)
    _folded("Not selected in this run", found.of_kind("not_selected"), selection)
    _gates(found.verdict)


def _folded(title: str, items: Sequence[Transition], selection: Selection) -> None:
    if items:
        with st.expander(f"{title} ({len(items)})"):
            change_rows(items, selection, title)


def _alone(view: View) -> None:
    run = stored.run_at(view.path)
    rows = [outcome for outcome in run.outcomes if outcome.status != "passed" and outcome.role is None]
    if rows:
        outcome_rows(rows, view.selection, "alone")
    else:
        st.markdown("Every case passed.")
    if view.pinned is None and not view.head.selection.partial:
        st.caption("No baseline: pin a run to see what later ones change.")
        st.code(f"agenteval baseline set {view.head.run_id}", language="bash")


def _gates(verdict: Verdict) -> None:
    with st.expander(f"All gates ({len(verdict.gates)})"):
        for gate in verdict.gates:
            st.markdown(f"{mark(gate.outcome.value)} {escaped(gate.message)}")


def cell_of(before: Selection, run_id: str) -> Selection:
    """The same case in another run."""
    return replace(before, run=run_id)


def symbols(statuses: Sequence[str | None]) -> str:
    """Attempts or runs as a row of symbols."""
    return "".join(look(status).symbol if status else "·" for status in statuses)
