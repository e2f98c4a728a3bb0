"""Flips from run to run, cases that flake together, and cases in quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.palette import look
from agenteval.compare.flips import CaseFlips
from agenteval.compare.together import SAME_ERROR, FlakeGroup
from parts.chrome import link
from parts.flakiness.steadiness import RUNS, Steadiness
from parts.view import View
from parts.words import code, escaped, mark, moment

_MOST_ROWS = 12
_MOST_GROUPS = 8
_MOST_SHARED = 4


def flips(view: View, found: Steadiness) -> None:
    """Cases that flipped over the stored runs, the most restless first."""
    st.markdown("##### Flips from run to run")
    runs = _format.count(len(found.runs), "run")
    window = f"the newest {RUNS} runs" if len(found.runs) == RUNS else runs
    if len(found.runs) < 2:
        st.markdown(f"{runs} of this suite is stored: a flip needs two. Run it again:")
        st.code("agenteval run", language="bash")
        return
    flipped = [case for case in found.flips if case.flips]
    steady = sum(1 for case in found.flips if case.transitions and not case.flips)
    total = sum(case.transitions for case in found.flips)
    flipping = sum(case.flips for case in found.flips)
    st.caption(
        escaped(
            f"{_format.of(flipping, total, 'transition')} over {window} flipped. A transition: two runs in a row that decided the case, "
            "its definition unchanged · same code: commit and model unchanged too, so nothing of yours explains the flip"
        )
    )
    if not flipped:
        st.markdown(escaped(f"None: {_format.count(steady, 'case')} never flipped."))
        return
    with st.container(key="rows-flips"):
        for case in flipped[:_MOST_ROWS]:
            _flip_row(view, found, case)
    rest = len(flipped) - _MOST_ROWS
    st.caption(escaped((f"and {rest} more, in the download · " if rest > 0 else "") + f"{_format.count(steady, 'case')} never flipped"))


def _flip_row(view: View, found: Steadiness, case: CaseFlips) -> None:
    cells = st.columns([4, 3, 3, 5], vertical_alignment="center", gap="small")
    with cells[0]:
        short = code(_format.short_id(case.case_id, 40))
        link("flakiness", f":orange[**⇄**] {short}", view.selection.of_case(case.case_id), help_text=code(case.case_id))
    cells[1].markdown(f"**{case.flips}** of {_format.count(case.transitions, 'transition')}")
    same = case.same_version_transitions
    cells[2].markdown(f"{case.same_version} of {same} at the same code" if same else ":gray[same code: none known]")
    with cells[3]:
        last_flip(view, found, case)


def last_flip(view: View, found: Steadiness, case: CaseFlips) -> None:
    """A link to the case in the run where it last flipped."""
    if case.last_run is None or case.last_from is None or case.last_to is None:
        return
    before, after = look(case.last_from), look(case.last_to)
    started = moment(found.runs.get(case.last_run))
    day = f"{started:%b %d %H:%M}" if started else _format.short_id(case.last_run)
    label = f":gray[last:] :{before.streamlit}[{escaped(before.symbol)}] → {mark(case.last_to)} :gray[{escaped(day)}]"
    link(
        "case", label, replace(view.selection, run=case.last_run).of_case(case.case_id), help_text=f"{after.word} in {code(case.last_run)}"
    )


def causes(view: View, found: Steadiness) -> None:
    """Groups of cases that flake together, what they share and how sure that is."""
    restless = sum(1 for case in found.cases if 0 < case.passed < case.total) or sum(1 for case in found.flips if case.flips)
    if restless < 2:
        return
    st.markdown("##### Flaking together")
    if not found.groups:
        st.markdown(
            escaped(
                "No two cases flake together more often than chance has it, and no error is shared. "
                "Few attempts of many cases can't show it; more attempts, or a longer history, can."
            )
        )
        return
    for place, group in enumerate(found.groups[:_MOST_GROUPS]):
        _group(view, group, f"rows-group-{place}")
    if len(found.groups) > _MOST_GROUPS:
        st.caption(f"and {len(found.groups) - _MOST_GROUPS} more groups, in the download")


def _group(view: View, group: FlakeGroup, key: str) -> None:
    with st.container(border=True, gap="small"):
        st.markdown(f"**{escaped(_title(group))}** &nbsp; :gray[{escaped(_certainty(group))}]")
        with st.container(horizontal=True, gap="small", key=key):
            for case_id in group.cases[:_MOST_ROWS]:
                link("flakiness", code(_format.short_id(case_id, 40)), view.selection.of_case(case_id), help_text=code(case_id))
            if len(group.cases) > _MOST_ROWS:
                st.caption(f"and {len(group.cases) - _MOST_ROWS} more")
        st.caption(escaped(_shared(group)))


def _title(group: FlakeGroup) -> str:
    return f"{_format.count(len(group.cases), 'case')} {'carry one error' if group.basis == SAME_ERROR else 'flip together'}"


def _certainty(group: FlakeGroup) -> str:
    if group.correlation is None:
        return f"the error's text is the same, numbers apart; no test · n at least {group.observations} observations a case"
    return f"phi {group.correlation:.2f} · {_format.p_value(group.p)} after Benjamini-Hochberg · n at least {group.observations} a pair"


def _shared(group: FlakeGroup) -> str:
    if not group.shared:
        return "their failures share no tool, tag or error"
    words = [_label(label, number, group.others) for label, number in zip(group.shared, group.elsewhere, strict=True)]
    more = len(words) - _MOST_SHARED
    return "their failures share " + "; ".join(words[:_MOST_SHARED]) + (f"; and {more} more" if more > 0 else "")


def _label(label: str, number: int, others: int) -> str:
    kind, _, name = label.partition(":")
    told = f"{kind} {name}"
    if not others:
        return told
    rest = _format.count(others, "other flaky case")
    return f"{told} (also {number} of {rest})" if number else f"{told} (none of {rest})"


def quarantine(view: View, found: Steadiness) -> None:
    """Quarantined cases with date and reason, overdue ones first, and how they fared since."""
    if not found.quarantined:
        return
    history = {case.case_id: case for case in found.flips}
    late = sum(case.overdue for case in found.quarantined)
    st.markdown("##### In quarantine")
    st.caption(
        escaped(
            f"{_format.count(len(found.quarantined), 'case')}, {late} overdue. A quarantined case runs and is shown; "
            "it is in no rate and no gate until its date, and gates again from then on."
        )
    )
    with st.container(key="rows-quarantine"):
        for case in found.quarantined[: 4 * _MOST_ROWS]:
            cells = st.columns([3, 5, 3, 5], vertical_alignment="center", gap="small")
            with cells[0]:
                shown = look(case.status)
                label = f":{shown.streamlit}[**{escaped(shown.symbol)}**] {code(_format.short_id(case.case_id, 40))}"
                link("case", label, view.selection.of_case(case.case_id), help_text=f"{shown.word}: {code(case.case_id)}")
            until = f"until {case.until}" if case.until else "no date recorded"
            badge = ":orange-badge[‖ overdue] " if case.overdue else ":gray-badge[‖ quarantined] "
            cells[1].markdown(badge + escaped(until + (", gates again" if case.gated else "")))
            cells[2].markdown(_fared(history.get(case.case_id)))
            cells[3].text(clip(case.reason, 160) or "no reason given")


def _fared(case: CaseFlips | None) -> str:
    return f"passed in {_format.of(case.passed, case.decided, 'run')}" if case else ":gray[never decided]"


def seen_in_history(flips_of: Sequence[CaseFlips], case_id: str) -> CaseFlips | None:
    """A case's flips, None where no run decided it."""
    return next((case for case in flips_of if case.case_id == case_id), None)
