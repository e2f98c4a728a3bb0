"""One panel a measure: its word, its newest value, its line over the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import metric_title
from agenteval.compare.changepoints import Change
from agenteval.compare.movement import Movement
from agenteval.compare.provenance_changes import ProvenanceChange
from agenteval.compare.trend import Direction
from agenteval.model.gates import GateLimits
from agenteval.model.run import Measure
from parts.figures import clicked, follow
from parts.trends.history import History
from parts.trends.sentences import evidence, origin_marks, state
from parts.view import View
from parts.words import escaped

_LIMITS = {
    "hallucination_rate": "max_hallucination_rate",
    "tool_call_accuracy": "min_tool_accuracy",
    "latency_p95_ms": "max_latency_p95_ms",
    "pass_rate": "min_pass_rate",
    "break_rate": "max_break_rate",
    "tool_efficiency_avg": "min_tool_efficiency",
    "faithfulness_avg": "min_faithfulness",
    "retrieval_f1_avg": "min_retrieval_f1",
    "citation_f1_avg": "min_citation_f1",
    "judge_kappa": "min_judge_kappa",
    "judged_pass_rate_corrected": "min_judged_pass_rate",
}
_DROPS = {"correctness_rate": "max_correctness_drop", "pass_rate": "max_pass_rate_drop"}
_KEY_MEASURES = 4
_MOVING = (Direction.IMPROVING, Direction.WORSENING, Direction.UNSTEADY)


def key_measures(found: Mapping[str, Movement], limits: GateLimits) -> list[str]:
    """Correctness, what moves, and what has a gate, at most four, in the order of all: figures are what a click waits for."""

    def rank(name: str) -> int:
        movement = found[name]
        gated = getattr(limits, _LIMITS.get(name) or _DROPS.get(name, ""), None) is not None
        if name == "correctness_rate":
            return 0
        return 1 if movement.late or movement.changes else 2 if movement.trend.direction in _MOVING else 3 if gated else 4

    chosen = sorted(found, key=rank)[:_KEY_MEASURES]
    return [name for name in found if name in chosen]


def panels(
    view: View,
    names: Sequence[str],
    runs: History,
    found: Mapping[str, Movement],
    before: Mapping[str, Measure],
    limits: GateLimits,
    origins: Sequence[ProvenanceChange],
) -> None:
    """Two panels a row. ``before`` holds the baseline's measures."""
    for pair in range(0, len(names), 2):
        for column, name in zip(st.columns(2, gap="medium"), names[pair : pair + 2], strict=False):
            with column:
                _panel(view, name, runs, found[name], before.get(name), limits, origins)


def _panel(
    view: View,
    name: str,
    runs: History,
    movement: Movement,
    before: Measure | None,
    limits: GateLimits,
    origins: Sequence[ProvenanceChange],
) -> None:

    known = runs.newest(name)
    unit = known.unit if known else "score"
    last = runs.measured(-1).get(name)
    with st.container(gap=None):
        st.markdown(f"**{escaped(metric_title(name))}** &nbsp; {state(movement, runs.labels)}")
        words = [escaped(_format.measure(last)) if last and last.value is not None else "n/a in the last run"]
        more = evidence(movement, unit, runs.heads, runs.labels, origins)
        st.caption("  \n".join([*words, more] if more else words))
    lines = (before.value if before else None, None if runs.tag else _limit(name, limits, before))
    data = clicked(
        _figure(runs.key, name, unit, lines, view.head.run_id, runs, movement.changes, origin_marks(origins, runs.heads)),
        name,
        key=f"trend-{name}-{view.head.run_id}",
        alt=f"{metric_title(name)} over {_format.count(len(runs.heads), 'run')}",
    )
    follow(view, data, runs.files)


@st.cache_resource(max_entries=64, show_spinner=False)
def _figure(
    key: str,
    name: str,
    unit: str,
    lines: tuple[float | None, float | None],
    selected: str,
    _runs: History,
    _changes: Sequence[Change],
    _marks: Mapping[int, tuple[str, str]],
) -> Any:
    """The figure of a measure, kept: building it costs more than everything else on the page."""
    from agenteval.charts.history import metric_points
    from agenteval.charts.trends import metric_trend

    points = metric_points(_runs.heads, name, stored=_runs.files, measured=_runs.of_part)
    return metric_trend(
        points,
        unit=unit,
        labels=_runs.labels,
        baseline=lines[0],
        limit=lines[1],
        selected=selected,
        changes=_changes,
        marks=_marks,
    )


def _limit(name: str, limits: GateLimits, before: Measure | None) -> float | None:
    key = _LIMITS.get(name)
    value = getattr(limits, key) if key else None
    drop = getattr(limits, _DROPS[name]) if name in _DROPS else None
    if value is None and drop is not None and before is not None and before.value is not None:
        return float(before.value - drop)
    return value
