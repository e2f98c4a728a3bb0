"""The repeats of one run: how often cases pass, how consistently, over k attempts, and what their answers say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import look
from agenteval.compare.curves import CurvePoint
from agenteval.compare.read_numbers import CaseNumbers
from agenteval.model.flakiness import AnswerCluster, CaseFlakiness
from agenteval.model.status import Status
from parts.chrome import link, page_file
from parts.figures import clicked
from parts.flakiness.steadiness import Steadiness
from parts.view import View
from parts.words import code, escaped

_MOST_ANSWERS = 6
_MOST_STRIPS = 6
_MOST_LINKS = 40
_FEW = 10


def open_case(view: View, case_id: str) -> None:
    """Turn to one case of this page."""
    st.switch_page(page_file("flakiness"), query_params=view.selection.of_case(case_id).query())


def scatter(view: View, cases: Sequence[CaseFlakiness]) -> None:
    """Pass rate against consistency; a click on a mark opens its case, or names its cases."""
    chosen = clicked(
        _scatter_figure(tuple(cases)),
        "steadiness",
        key=f"steadiness-{view.head.run_id}",
        alt="Pass rate and consistency of the repeated cases",
        theme="streamlit",
    )
    if len(chosen) == 1:
        open_case(view, str(chosen[0]))
    elif chosen:
        with st.container(horizontal=True, key="rows-mark"):
            for case_id in chosen[:_MOST_LINKS]:
                link("flakiness", code(str(case_id)), view.selection.of_case(str(case_id)))
            if len(chosen) > _MOST_LINKS:
                st.caption(f"and {len(chosen) - _MOST_LINKS} more, in the table")


@st.cache_resource(max_entries=16, show_spinner=False)
def _scatter_figure(cases: tuple[CaseFlakiness, ...]) -> Any:
    from agenteval.charts.flakiness import flakiness_rows, steadiness

    return steadiness(flakiness_rows(cases))


def curves(found: Steadiness) -> None:
    """pass^k and pass@k with their intervals, and what they stand on in words."""
    if not found.hat:
        st.markdown(escaped("No case that counts has a decided attempt: there is no pass^k."))
        return
    from agenteval.charts.layout import config

    st.plotly_chart(
        _curves_figure(found.hat, found.at), config=config("pass-k"), key="pass-k", alt="pass^k and pass@k over k, with intervals"
    )
    first, last = found.hat[0], found.hat[-1]
    words = [
        f"n {_format.count(first.cases, 'case')}",
        f"one attempt passes: {_format.rate(first.value)}, {_interval(first.low, first.high)}",
        f"pass^{last.k}, all of {_format.count(last.k, 'attempt')} pass: {_format.rate(last.value)}, {_interval(last.low, last.high)}",
        f"pass@{last.k}, at least one does: {_format.rate(found.at[-1].value)}, {_interval(found.at[-1].low, found.at[-1].high)}",
        "95% intervals by resampling cases, each with all its attempts",
    ]
    if any(point.short for point in found.hat):
        short = ", ".join(f"{point.short} at k {point.k}" for point in found.hat if point.short)
        words.append(f"left out for too few decided attempts: {short}")
    if last.cases < _FEW:
        words.append("fewer than 10 cases: the intervals can be too narrow")
    st.caption(escaped(" · ".join(words)))


@st.cache_resource(max_entries=16, show_spinner=False)
def _curves_figure(hat: tuple[CurvePoint, ...], at: tuple[CurvePoint, ...]) -> Any:
    from agenteval.charts.flakiness import pass_curves

    return pass_curves(hat, at)


def _interval(low: float | None, high: float | None) -> str:
    return "no interval from one case" if low is None else _format.percent_interval(low, high)


def table(view: View, cases: Sequence[CaseFlakiness]) -> None:
    """Every repeated case; a chosen row opens it."""
    from agenteval.charts.flakiness import flakiness_rows

    rows = flakiness_rows(cases)
    signs = {"stable": "● stable", "flaky": "◆ flaky", "unstable": "✕ unstable", "no evidence": "○ no evidence"}
    st.markdown("##### Cases")
    st.caption("Choose a row to see its attempts side by side.")
    rows["class"] = rows["classification"].map(lambda name: signs.get(name, name))
    rows["consistency"] = [_format.rate(None if value != value else value) for value in rows["consistency"]]
    rows["passed"] = [_format.of(passed, total) for passed, total in zip(rows["passed"], rows["total"], strict=True)]
    shown = rows[["case_id", "class", "passed", "consistency", "errors", "answers", "basis"]]
    event = st.dataframe(
        shown,
        hide_index=True,
        height="content" if len(shown) <= 10 else 400,
        on_select="rerun",
        selection_mode="single-row",
        key=f"flaky-{view.head.run_id}",
        column_config={
            "case_id": "case",
            "answers": st.column_config.Column("kinds of answers", width=110),
            "errors": st.column_config.Column("errors, in no rate", width=110),
            "basis": st.column_config.Column("consistency of", width=140),
        },
        alt="Repeated cases",
    )
    if event.selection.rows and event.selection.rows[0] < len(rows):
        open_case(view, str(rows["case_id"].iloc[event.selection.rows[0]]))


def answers(view: View, found: Steadiness) -> None:
    """Kinds of answers of the least consistent cases, each with a representative and its share."""
    several = sorted(
        (case for case in found.cases if len(case.answers) > 1), key=lambda case: (case.consistency is None, case.consistency, case.case_id)
    )
    if not several:
        return
    st.markdown("##### What the answers say")
    st.caption(escaped(f"{_format.count(len(several), 'case')} answered in more than one way, the least consistent first. Open one:"))
    for case in several[:_MOST_ANSWERS]:
        top = case.answers[0]
        label = f"{code(case.case_id)} :gray[{_format.of(case.passed, case.total)} passed · {len(case.answers)} kinds of answers, " + (
            f"the most frequent {escaped(_share(top, case.total))}]" if len(top.members) > 1 else "each attempt another one]"
        )
        with st.expander(label, on_change="rerun", key=f"answers-{view.head.run_id}-{case.case_id}") as opened:
            if opened.open:
                link("flakiness", "Its attempts side by side", view.selection.of_case(case.case_id))
                clusters(case, found.statuses.get(case.case_id, {}))
    if len(several) > _MOST_ANSWERS:
        st.caption(f"and {len(several) - _MOST_ANSWERS} more: choose them in the table")


def clusters(case: CaseFlakiness, statuses: Mapping[int, Status], *, most: int = 4) -> None:
    """Answers that say the same as one, with their share, their verdicts and which attempts they are."""
    if case.numeric is not None:
        number = case.numeric
        st.markdown(
            escaped(
                f"{_format.of(len(number.members), case.total)} answers agree on {_range(number.minimum, number.maximum)} "
                f"(tolerance {number.tolerance:g})"
            )
        )
    for group in case.answers[:most]:
        attempts = ", ".join(map(str, group.members))
        noun = "attempt" if len(group.members) == 1 else "attempts"
        st.markdown(f"**{escaped(_share(group, case.total))}** · {noun} {attempts} · {_verdicts(group, statuses)}")
        st.code(group.representative[:600] or "(no answer)", language=None, wrap_lines=True)
    if len(case.answers) > most:
        rest = sum(len(group.members) for group in case.answers[most:])
        st.caption(escaped(f"and {len(case.answers) - most} more kinds, {_format.of(rest, case.total)} answers"))


def _share(group: AnswerCluster, total: int) -> str:
    return f"{_format.of(len(group.members), total)} ({_format.rate(len(group.members) / total)})"


def _verdicts(group: AnswerCluster, statuses: Mapping[int, Status]) -> str:
    """``✓ passed 3, ✕ failed 1`` in colours; "" where the attempts are not stored."""
    words = []
    for status in (Status.PASSED, Status.FAILED):
        number = sum(statuses.get(member) is status for member in group.members)
        if number:
            shown = look(status)
            words.append(f":{shown.streamlit}[{escaped(shown.symbol)} {shown.word} {number}]")
    return ", ".join(words)


def _range(low: float, high: float) -> str:
    return f"the number {low:g}" if low == high else f"a number from {low:g} to {high:g}"


def strips(view: View, found: Steadiness) -> None:
    """The numbers of the cases whose answers differ in them, beside what is accepted."""
    differing = [numbers for numbers in found.numbers.values() if len({number.value for number in numbers.numbers}) > 1]
    if not found.numbers:
        return
    st.markdown("##### The numbers they give")
    if not differing:
        st.caption(escaped(f"{_format.count(len(found.numbers), 'case')} hold numbers, and each gave the same one every time."))
        return
    by_failures = sorted(differing, key=lambda case: -sum(number.status is Status.FAILED for number in case.numbers))
    st.caption(
        escaped(
            f"{_format.of(len(differing), len(found.numbers), 'case')} with numbers gave different ones. A mark an attempt: ● passed, "
            "✕ failed · line: the accepted number, band: its tolerance · a click opens the attempt"
        )
    )
    strip_chart(view, by_failures[:_MOST_STRIPS], "numbers")
    if len(differing) > _MOST_STRIPS:
        st.caption(f"and {len(differing) - _MOST_STRIPS} more: choose them in the table")


def strip_chart(view: View, cases: Sequence[CaseNumbers], name: str) -> None:
    """Strips of numbers; a click on a mark opens that attempt."""

    data = clicked(
        _strips_figure(tuple(cases)),
        name,
        key=f"{name}-{view.head.run_id}",
        alt="Numbers in the answers of repeated cases",
        theme="streamlit",
    )
    if data:
        st.switch_page(page_file("case"), query_params=view.selection.of_case(str(data[0]), int(data[1])).query())


@st.cache_resource(max_entries=16, show_spinner=False)
def _strips_figure(cases: tuple[CaseNumbers, ...]) -> Any:
    from agenteval.charts.number_strips import number_strips

    return number_strips(cases)
