"""Two runs, metric by metric and case by case, with the test behind the verdict."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import STATUSES, look
from agenteval.model.comparison import Comparison, PairedTest
from parts import project, stored
from parts.cases import change_rows
from parts.chrome import link
from parts.overview import gate_lines, why_counts_differ
from parts.view import View
from parts.words import ago, badge, code, escaped, mark, sentence, when


def show(view: View) -> None:
    """The whole page."""
    if view.baseline is None:
        _nothing(view)
        return
    limits, source = project.limits(view.head.agent)
    found = stored.comparison(view.path, view.baseline[0], limits)
    _head(view, found, source)
    st.markdown("##### Metrics")
    _metrics(found)
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown("##### Transitions")
        _matrix(found)
    with right:
        st.markdown("##### Test")
        if found.test is None:
            st.markdown("No cases are paired: no test.")
        else:
            _test(found.test)
    _cases(view, found)
    told = found.test.warnings if found.test else ()
    for note in found.notes:
        if note not in told:
            st.caption(escaped(note))
    with st.expander("Copy as Markdown", icon=":material/content_copy:", on_change="rerun", key="copy-markdown") as copy:
        if copy.open:
            from agenteval.reports.markdown import comparison_markdown

            st.code(comparison_markdown(found), language="markdown", wrap_lines=True)


def _nothing(view: View) -> None:
    st.markdown("#### Nothing to compare with", anchors=False)
    st.markdown(f"Run {code(view.head.run_id)} has no baseline. Choose another run under **Compared with**, or pin one:")
    st.code(f"agenteval baseline set {view.head.run_id}", language="bash")


def _head(view: View, found: Comparison, source: str) -> None:
    assert found.baseline is not None
    with st.container(key=f"verdict-{found.verdict.outcome.value}", gap="small"):
        st.markdown(f"#### {badge(found.verdict.outcome.value)} {sentence(found.verdict.sentence)}", anchors=False)
        gate_lines(found.verdict)
        st.caption(
            f"now {code(found.current.run_id)} {escaped(when(found.current))}, {escaped(ago(found.current))} · "
            f"then {code(found.baseline.run_id)} {escaped(when(found.baseline))}, {escaped(ago(found.baseline))} · {source}"
        )


def _metrics(found: Comparison) -> None:
    from agenteval.charts.comparison import delta_forest
    from agenteval.charts.frames import metric_rows
    from agenteval.charts.layout import config

    rows = metric_rows([delta for delta in found.metrics if _any(delta.baseline) or _any(delta.current)])
    if rows.empty:
        st.markdown("Neither run recorded a measure.")
        return
    words = {"better": "▲ better", "worse": "▼ worse", "same": "= same", "unknown": "–"}
    shown = rows.assign(direction=rows["direction"].map(words)).rename(
        columns={"baseline": "then", "current": "now", "direction": "verdict"}
    )
    shown = shown.drop(columns=[name for name in ("note", "left_out", "p", "interval") if not shown[name].str.strip(" –").any()])
    widths = {"metric": 128, "then": 184, "now": 186, "change": 78, "verdict": 74, "interval": 130, "p": 72, "left_out": 125}
    titles = {"interval": "95% interval", "p": "p (Holm)", "left_out": "left out"}
    names = {name: st.column_config.TextColumn(titles.get(name, name), width=width) for name, width in widths.items()}
    st.dataframe(shown, hide_index=True, height="content", column_config=names, alt="Metrics then and now")
    if any(delta.delta is not None and delta.low is not None for delta in found.metrics):
        st.plotly_chart(
            delta_forest([delta for delta in found.metrics if _any(delta.current) and delta.low is not None]),
            config=config("changes"),
            key="forest",
            alt="Changes of rates with intervals",
        )


def _any(measured: object) -> bool:
    return getattr(measured, "value", None) is not None


def _matrix(found: Comparison) -> None:
    import pandas as pd

    matrix: Mapping[str, Mapping[str, int]] = found.matrix
    if not matrix:
        st.markdown("No case is in both runs.")
        return
    seen = {now for row in matrix.values() for now in row}
    columns = [status for status in STATUSES if status in seen] + sorted(seen.difference(STATUSES))
    rows = {f"then {look(then).symbol} {look(then).word}": [matrix[then].get(now, 0) for now in columns] for then in matrix}
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[f"now {look(now).symbol} {look(now).word}" for now in columns])
    event = st.dataframe(frame, on_select="rerun", selection_mode="single-cell", key="matrix", alt="Cases by outcome then and now")
    cells = event.selection.cells
    if cells:
        row, name = cells[0]
        then, now = list(matrix)[row], columns[list(frame.columns).index(name)]
        chosen = [item for item in found.transitions if (item.before, item.after) == (then, now)]
        st.markdown(f"{mark(then)} → {mark(now)}: {_format.count(len(chosen), 'case')}")
        st.session_state["_cell"] = [item.case_id for item in chosen]
        _chips(chosen)
    else:
        st.caption("Choose a cell to see its cases.")


def _chips(chosen: list) -> None:  # type: ignore[type-arg]
    from parts.chrome import view

    with st.container(key="rows-cell"):
        for item in chosen[:20]:
            link("case", code(item.case_id), view().selection.of_case(item.case_id))
        if len(chosen) > 20:
            st.caption(f"and {len(chosen) - 20} more")


def _test(test: PairedTest) -> None:
    facts = [
        (
            test.method,
            f"{_format.p_value(test.p)} · {_format.count(test.n_pairs, 'pair')}, {test.regressed} regressed, {test.improved} improved",
        ),
        (
            "difference",
            f"{_format.points(test.difference)} · Newcombe 95% {_format.points_interval(test.newcombe_low, test.newcombe_high)}",
        ),
        ("bootstrap 95%", _format.points_interval(test.bootstrap_low, test.bootstrap_high) if test.bootstrap_low is not None else None),
        ("mid-p", _format.p_value(test.mid_p) if test.mid_p is not None else None),
        ("chi-square", f"{test.chi_square:.2f}, {_format.p_value(test.chi_square_p)}" if test.chi_square is not None else None),
        ("paired t-test", _format.p_value(test.t_p) if test.t_p is not None else None),
        (
            "found with power 80%",
            f"a drop of {_format.points(test.minimum_detectable_drop).lstrip('+')}"
            if test.minimum_detectable_drop is not None
            else "no drop",
        ),
        (
            "smallest drop that could be proven",
            _format.points(test.smallest_possible_drop).lstrip("+") if test.smallest_possible_drop is not None else "none",
        ),
    ]
    with st.container(gap="xxsmall"):
        for name, value in facts:
            if value is not None:
                st.markdown(f":gray[{escaped(name)}] &nbsp; **{escaped(value)}**")
    for warning in test.warnings:
        st.caption(escaped(warning))


def _cases(view: View, found: Comparison) -> None:
    groups = (
        ("Regressed", ("regressed",)),
        ("Errored", ("errored",)),
        ("Missing", ("missing",)),
        ("Improved", ("improved", "recovered")),
        ("New", ("new",)),
        ("Changed definition: in the rates, in no paired test", ("changed_definition",)),
        ("Not selected", ("not_selected",)),
    )
    st.markdown("##### Changed cases")
    some = False
    for title, kinds in groups:
        items = found.of_kind(*kinds)
        if items:
            some = True
            st.markdown(f"**{title}** ({len(items)})")
            if kinds == ("regressed",):
                why_counts_differ(found)
            change_rows(items, view.selection, title)
    if not some:
        st.markdown("None: every case ended as in the baseline.")
