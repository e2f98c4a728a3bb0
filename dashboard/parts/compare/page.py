"""Two runs, metric by metric and case by case, with the test behind the verdict; or one case of both, side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from agenteval.model.comparison import Comparison
from parts import project, stored
from parts.chrome import link
from parts.compare.cases import changed_cases, changed_definitions, transitions
from parts.compare.metrics import metrics, the_test
from parts.compare.pairs import QUANTITIES, pairs, ratios_of
from parts.compare.side_by_side import side_by_side
from parts.downloads import offer
from parts.overview.page import all_gates, gate_lines
from parts.selection import PINNED
from parts.view import View
from parts.words import ago, badge, code, escaped, sentence, tally, when

if TYPE_CHECKING:
    import pandas as pd

_OFFERED = 8


def show(view: View) -> None:
    """The whole page."""
    if view.baseline is None or view.baseline[1].run_id == view.head.run_id:
        _nothing(view)
        return
    limits, source = project.limits(view.head)
    found = stored.comparison(view.path, view.baseline[0], limits)
    _head(view, found, source, short=view.selection.case is not None)
    if view.selection.case is not None:
        side_by_side(view, found, view.selection.case)
        return
    metrics(view, found)
    the_test(found)
    changed_cases(view, found, transitions(view, found))
    pairs(view)
    changed_definitions(view, found)
    told = found.test.warnings if found.test else ()
    for note in found.notes:
        if note not in told:
            st.caption(escaped(note))
    all_gates(found.verdict)
    _take_along(view, found)


def _nothing(view: View) -> None:
    """Why there is nothing to see, and what to compare the run with: the newest others of the same suite."""
    itself = view.pinned is not None and view.pinned.run_id == view.head.run_id
    if itself or view.baseline is not None:
        st.markdown("#### This run is the baseline itself", anchors=False)
        st.markdown("Against itself nothing changed.")
    else:
        st.markdown("#### Nothing to compare with", anchors=False)
        st.markdown(f"Run {code(view.head.run_id)} {'is judged alone: no baseline is chosen' if view.pinned else 'has no baseline'}.")
    if view.pinned is not None and not itself:
        pinned = replace(view.selection, baseline=PINNED).without_case()
        link("compare", f"Compare it with the pinned baseline {code(view.pinned.run_id)}", pinned, icon=":material/push_pin:")
    others = [head for head, _ in view.runs.values() if head.suite.name == view.head.suite.name and head.run_id != view.head.run_id]
    if others:
        st.markdown("Compare it with another run of its suite:")
        with st.container(key="rows-others"):
            for head in others[::-1][:_OFFERED]:
                cells = st.columns([4, 5, 4], vertical_alignment="center", gap="small")
                with cells[0]:
                    link("compare", f"{code(head.run_id)}", replace(view.selection, baseline=head.run_id).without_case())
                cells[1].markdown(f"{badge(head.gate.outcome.value) if head.gate else ''} {escaped(tally(head))}")
                cells[2].caption(f"{escaped(when(head))}, {escaped(ago(head))}")
        if len(others) > _OFFERED:
            st.caption(f"and {len(others) - _OFFERED} older ones: choose one under **Compared with**")
    else:
        st.markdown(f"No other run of suite {code(view.head.suite.name)} is stored. Run it again after a change:")
        st.code("agenteval run", language="bash")
    if view.pinned is None:
        st.markdown("Or pin a run, and every later one is compared with it:")
        st.code(f"agenteval baseline set {view.head.run_id}", language="bash")


def _head(view: View, found: Comparison, source: str, *, short: bool) -> None:
    assert found.baseline is not None
    with st.container(key=f"verdict-{found.verdict.outcome.value}", gap="small"):
        st.markdown(f"#### {badge(found.verdict.outcome.value)} {sentence(found.verdict.sentence)}", anchors=False)
        if not short:
            gate_lines(found.verdict)
        now, then = ("", "") if found.current.agent == found.baseline.agent else (found.current.agent, found.baseline.agent)
        st.caption(
            f"now {_of(now)}{code(found.current.run_id)} {escaped(when(found.current))}, {escaped(ago(found.current))} · "
            f"then {_of(then)}{code(found.baseline.run_id)} {escaped(when(found.baseline))}, {escaped(ago(found.baseline))} · {source}"
        )


def _of(agent: str) -> str:
    """Whose run it is, where two agents are compared."""
    return f"{code(agent)}, " if agent else ""


def _take_along(view: View, found: Comparison) -> None:
    """The comparison for a pull request, and as files."""
    assert found.baseline is not None
    with st.expander("Copy as Markdown", icon=":material/content_copy:", on_change="rerun", key="copy-markdown") as copy:
        if copy.open:
            from agenteval.reports.markdown import comparison_markdown

            st.code(comparison_markdown(found), language="markdown", wrap_lines=True)

    offer(
        f"{found.current.run_id}-against-{found.baseline.run_id}",
        {"metrics": partial(_metrics, found), "transitions": partial(_transitions, found), "latency and cost": partial(_values, view)},
    )


def _metrics(found: Comparison) -> pd.DataFrame:
    from agenteval.charts.deltas import metric_numbers

    return metric_numbers(found.metrics)


def _transitions(found: Comparison) -> pd.DataFrame:
    from agenteval.charts.deltas import transition_rows

    return transition_rows(found.transitions)


def _values(view: View) -> pd.DataFrame:
    """Paired values of every quantity, one row a case and quantity."""
    import pandas as pd

    from agenteval.charts.deltas import case_points

    frames = [case_points(found, QUANTITIES[name][1]).assign(quantity=name) for name, found in ratios_of(view).items()]
    return pd.concat(frames, ignore_index=True).drop(columns="text")
