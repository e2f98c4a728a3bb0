"""Every measure over the stored runs of one suite and selection, and every case over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import look, metric_title
from agenteval.compare.trend import Direction, trend
from agenteval.model.gates import GateLimits
from agenteval.model.run import Measure, RunHead
from parts import project, stored
from parts.chrome import link
from parts.grid import follow, grid
from parts.view import View, comparable
from parts.words import badge, code, escaped, tally, when

WINDOWS = {"last 30": 30, "last 100": 100, "all": 1_000_000}
_LIMITS = {
    "hallucination_rate": "max_hallucination_rate",
    "tool_call_accuracy": "min_tool_accuracy",
    "latency_p95_ms": "max_latency_p95_ms",
    "pass_rate": "min_pass_rate",
    "break_rate": "max_break_rate",
    "tool_efficiency_avg": "min_tool_efficiency",
}
_DROPS = {"correctness_rate": "max_correctness_drop", "pass_rate": "max_pass_rate_drop"}
KEY = "key measures"
_KEY_MEASURES = 4
_WORDS = {Direction.STEADY: "no trend"}
"""A few runs that fall at the end have no trend yet; calling that steady beside a falling line would not be believed."""
_COLOURS = {Direction.IMPROVING: "green", Direction.WORSENING: "red", Direction.UNSTEADY: "orange"}


def show(view: View) -> None:
    """The whole page."""
    heads, files = _history(view)
    found = _trends(heads)
    metrics = list(found)
    limits, _ = project.limits(view.head.agent)
    st.markdown(f"#### {_sentence(len(heads), found)}", anchors=False)
    gone = sum(head.run_id not in files for head in heads)
    suite = f"suite {code(view.head.suite.name)}" if view.head.suite.name else "a suite that is not recorded"
    words = [f"{_format.count(len(heads), 'run')} of {suite}", "same selection as the chosen run"]
    if gone:
        words.append(f"{gone} known from the ledger only")
    st.caption(" · ".join(words))
    if len(heads) == 1:
        st.markdown("One run is stored: a trend needs five. Run the suite again and it grows:")
        st.code("agenteval run", language="bash")
    with st.container(horizontal=True):
        window = st.segmented_control("Runs", list(WINDOWS), default="last 30", label_visibility="collapsed") or "last 30"
        key = _key_measures(found, limits)
        which = KEY
        if len(key) < len(metrics):
            which = st.segmented_control("Measures", [KEY, f"all {len(metrics)}"], default=KEY, label_visibility="collapsed") or KEY
    drawn = heads[-WINDOWS[window] :]
    shown = key if which == KEY else metrics
    for pair in range(0, len(shown), 2):
        for column, name in zip(st.columns(2, gap="medium"), shown[pair : pair + 2], strict=False):
            with column:
                _panel(view, name, found[name], drawn, files, limits)
    rest = [name for name in metrics if name not in shown]
    if rest:
        st.caption("Not drawn: " + " · ".join(f"{escaped(metric_title(name))} {_direction_word(found[name][0])}" for name in rest))
    st.caption(
        "● gate passed  ✕ failed  ◆ inconclusive  ○ no verdict · grey band: 95% interval · dotted: baseline · dashed: gate"
        " · ◆ on top: suite or model changed"
    )
    grid(view)
    _runs(view, heads, files)


def _history(view: View) -> tuple[list[RunHead], Mapping[str, object]]:
    """Heads of this suite and selection, stored or only in the ledger, oldest first; and which of them have a file."""
    files = {head.run_id: path for head, path in view.siblings()}
    heads = {head.run_id: head for head in stored.ledger_heads(view.head.agent) if comparable(head, view.head)}
    heads |= {head.run_id: head for head, _ in view.siblings()}
    return sorted(heads.values(), key=lambda head: (head.started_at, head.run_id)), files


def _key_measures(found: Mapping[str, tuple[Direction, Measure]], limits: GateLimits) -> list[str]:
    """Correctness, what moves, and what has a gate, at most four, in the order of all: figures are what a click waits for."""

    def rank(name: str) -> int:
        moves = found[name][0] in _COLOURS
        gated = getattr(limits, _LIMITS.get(name) or _DROPS.get(name, ""), None) is not None
        return 0 if name == "correctness_rate" else 1 if moves else 2 if gated else 3

    chosen = sorted(found, key=rank)[:_KEY_MEASURES]
    return [name for name in found if name in chosen]


def _direction_word(direction: Direction) -> str:
    word = _WORDS.get(direction, direction.value)
    return f":{_COLOURS[direction]}[**{word}**]" if direction in _COLOURS else f":gray[{word}]"


def _measured(head: RunHead, name: str) -> Measure | None:
    measured = head.metrics.get(name)
    return measured if measured is not None and measured.value is not None else None


def _inside(title: str) -> str:
    """A title inside a sentence: ``trajectory F1``."""
    return title[:1].lower() + title[1:]


def _trends(heads: Sequence[RunHead]) -> dict[str, tuple[Direction, Measure]]:
    """Where each measure is heading, and its newest value; measures in the newest run's order, none that was never measured."""
    found = {}
    for name in dict.fromkeys(name for head in reversed(heads) for name in head.metrics):
        series = [head.metrics.get(name) for head in heads]
        known = next((measured for measured in reversed(series) if measured is not None and measured.value is not None), None)
        if known is not None:
            values = tuple(None if measured is None else measured.value for measured in series)
            found[name] = (_direction(values, known.unit, known.better), known)
    return found


@lru_cache(maxsize=256)
def _direction(values: tuple[float | None, ...], unit: str, better: str) -> Direction:
    """The trend's word, kept: all pairs of up to 200 runs are compared for it."""
    return trend(values, unit=unit, better=better).direction


def _sentence(runs: int, found: Mapping[str, tuple[Direction, Measure]]) -> str:
    by_direction: dict[Direction, list[str]] = {}
    for name, (direction, _) in found.items():
        by_direction.setdefault(direction, []).append(_inside(metric_title(name)))
    if not found:
        return "No measure was recorded yet."
    if set(by_direction) == {Direction.TOO_FEW}:
        return f"Too few runs for a trend: {_format.count(runs, 'run')} so far, five are needed."
    parts = [
        f"{words}: {escaped(_format.joined(by_direction[direction], 4))}"
        for direction, words in ((Direction.WORSENING, "Worsening"), (Direction.IMPROVING, "improving"), (Direction.UNSTEADY, "unsteady"))
        if direction in by_direction
    ]
    if not parts:
        return "No trend: no measure moves in one direction."
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}; no trend in the rest." if len(by_direction) > len(parts) else f"{text[0].upper()}{text[1:]}."


def _panel(
    view: View,
    name: str,
    found: tuple[Direction, Measure],
    drawn: Sequence[RunHead],
    files: Mapping[str, object],
    limits: GateLimits,
) -> None:
    from agenteval.charts.layout import config

    direction, known = found
    last = _measured(drawn[-1], name) if drawn else None
    with st.container(gap=None):
        st.markdown(f"**{escaped(metric_title(name))}** &nbsp; {_direction_word(direction)}")
        st.caption(escaped(_format.measure(last)) if last else "n/a in the last run")
    before = view.baseline[1].metrics.get(name) if view.baseline else None
    runs = tuple((head.run_id, head.digest, head.run_id in files) for head in drawn)
    lines = (before.value if before else None, _limit(name, limits, before))
    event = st.plotly_chart(
        _figure(name, known.unit, runs, lines, view.head.run_id, drawn),
        config=config(name),
        key=f"trend-{name}-{view.head.run_id}",
        on_select="rerun",
        selection_mode="points",
        alt=f"{metric_title(name)} over runs",
    )
    follow(view, event, files)


@st.cache_resource(max_entries=64, show_spinner=False)
def _figure(
    name: str,
    unit: str,
    runs: tuple[tuple[str, str | None, bool], ...],
    lines: tuple[float | None, float | None],
    selected: str,
    _heads: Sequence[RunHead],
) -> Any:
    """The figure of a measure, kept: building it costs more than everything else on the page."""
    from agenteval.charts.frames import metric_points
    from agenteval.charts.trends import metric_trend

    points = metric_points(_heads, name, stored=[run_id for run_id, _, stored_ in runs if stored_])
    return metric_trend(points, unit=unit, baseline=lines[0], limit=lines[1], selected=selected)


def _limit(name: str, limits: GateLimits, before: Measure | None) -> float | None:
    key = _LIMITS.get(name)
    value = getattr(limits, key) if key else None
    drop = getattr(limits, _DROPS[name]) if name in _DROPS else None
    if value is None and drop is not None and before is not None and before.value is not None:
        return float(before.value - drop)
    return value


def _runs(view: View, heads: Sequence[RunHead], files: Mapping[str, object]) -> None:
    shown = list(reversed(heads))[:20]
    with st.expander(f"The newest {len(shown)} runs", on_change="rerun", key="newest-runs") as opened, st.container(key="rows-runs"):
        for head in shown if opened.open else ():
            cells = st.columns([5, 2, 5], vertical_alignment="center")
            with cells[0]:
                if head.run_id in files:
                    link("overview", code(head.run_id), replace(view.selection, run=head.run_id).without_case())
                else:
                    st.markdown(code(head.run_id))
            cells[1].markdown(badge(head.gate.outcome.value) if head.gate else f":gray[{look(None).symbol} no verdict]")
            cells[2].caption(f"{escaped(when(head))} · {escaped(tally(head))}")
