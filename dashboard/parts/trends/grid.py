"""Every case over the stored runs: which began to fail and when, and where a click on a mark leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import look
from agenteval.compare.case_history import CaseHistory, Standing
from agenteval.model.run import RunHead
from parts.chrome import link
from parts.figures import clicked, follow
from parts.trends.history import History, cases, run_days
from parts.view import View
from parts.words import code, escaped

MOST_RUNS = 100
_CASES = 25
_NAMED = 5


def stored_part(runs: History) -> list[RunHead]:
    """The runs whose cases are drawn: those that have files, the newest hundred."""
    return [head for head in runs.heads if head.run_id in runs.files][-MOST_RUNS:]


def grid(view: View, runs: History) -> list[CaseHistory]:
    """Cases that did not pass in every run, those that began to fail lately first; returns all of them."""
    heads = stored_part(runs)
    histories, broken = cases(heads, runs.files, runs.tag)
    labels = dict(zip((head.run_id for head in heads), run_days(heads), strict=True))
    troubled = [case for case in histories if case.standing is not Standing.PASSES]
    st.markdown("##### Every case over the runs")
    began = [case for case in troubled if case.standing is Standing.BEGAN and case.role is None]
    with st.container(key="rows-began"):
        for case in began[:_NAMED]:
            _began(view, case, heads, list(labels.values()))
    st.caption(escaped(_words(histories, troubled, began, len(heads), len(runs.heads), broken)))
    if not troubled:
        return histories
    data = clicked(
        _figure(runs.key, heads[0].run_id, troubled[:_CASES], labels),
        "cases-over-runs",
        key=f"grid-{view.head.run_id}",
        alt=f"Outcome of {_format.count(min(len(troubled), _CASES), 'case')} in {_format.count(len(heads), 'run')}",
    )
    follow(view, data, labels)
    return histories


def _began(view: View, case: CaseHistory, heads: Sequence[RunHead], labels: Sequence[str]) -> None:
    """``✕ refund_after_30_days  fails since Nov 28, 4 runs, first at commit a1b2c3d``; the id leads to the case in that first run."""
    since = case.since or 0
    head, newest = heads[since], next(status for status in reversed(case.statuses) if status is not None)
    shown = look(newest.value)
    commit = str(head.git.get("commit") or "")[:7]
    verb = "fails" if newest.value == "failed" else f"ends in {shown.word}"
    words = [f"{verb} since {labels[since]}", _format.count(case.failing, "run"), f"passed {case.passed_before} in a row before"]
    if commit:
        words.append(f"first at commit {commit}")
    if case.redefined:
        words.append("its definition changed there")
    cells = st.columns([4, 9], vertical_alignment="center")
    with cells[0]:
        label = f":{shown.streamlit}[{escaped(shown.symbol)}] {code(_format.short_id(case.case_id, 40))}"
        link("case", label, replace(view.selection, run=head.run_id, case=case.case_id, attempt=None))
    cells[1].caption(escaped(", ".join(words)))


def _words(
    histories: Sequence[CaseHistory],
    troubled: Sequence[CaseHistory],
    began: Sequence[CaseHistory],
    drawn: int,
    runs: int,
    broken: Sequence[str],
) -> str:
    """What the figure shows; plain text."""
    if not histories:
        return "; ".join(["No case is recorded", *broken]) + "."
    words = f"{_format.of(len(troubled), len(histories), 'case')} did not pass at least once in {_format.count(drawn, 'run')}"
    if drawn < runs:
        words += f" (of the {runs:,} above those that have files, the newest {MOST_RUNS} at most)"
    if len(began) > _NAMED:
        words += f"; {len(began) - _NAMED} more began to fail, the rows below the first"
    elif not began and troubled and drawn >= 5:
        words += "; none passed for a while and fails ever since"
    if len(troubled) > _CASES:
        words += f"; the {_CASES} to look at first are drawn, the download has all"
    if broken:
        words += f"; {_format.count(len(broken), 'run')} can't be read: {broken[0]}"
    return f"{words}. A click on a symbol opens the case in that run." if troubled else f"{words}."


@st.cache_resource(max_entries=16, show_spinner=False)
def _figure(key: str, first: str, _cases: Sequence[CaseHistory], _labels: Mapping[str, str]) -> Any:
    from agenteval.charts.outcomes import outcome_heatmap

    return outcome_heatmap(_cases, _labels)
