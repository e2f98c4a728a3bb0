"""How steady a suite's cases are: over the repeats of a run, and over its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from agenteval import _format
from agenteval.model.flakiness import CaseFlakiness
from agenteval.reports.costs import variance_text
from parts.chrome import link, trouble
from parts.downloads import offer
from parts.flakiness.flips import causes, flips, quarantine
from parts.flakiness.one_case import show_case
from parts.flakiness.repeats import answers, curves, scatter, strips, table
from parts.flakiness.steadiness import Steadiness, steadiness
from parts.view import View
from parts.words import code, escaped, when

if TYPE_CHECKING:
    from parts.downloads import Table


def show(view: View) -> None:
    """The whole page; with a case chosen, that case alone."""
    found = steadiness(view)
    if view.selection.case is not None:
        show_case(view, found)
        return
    st.markdown(f"#### {escaped(_sentence(found))}", anchors=False)
    _overdue(found)
    if found.cases:
        _repeated(view, found)
    flips(view, found)
    causes(view, found)
    quarantine(view, found)
    if found.problem:
        trouble(found.problem)
    elif not found.cases:
        _no_repeats(view)
    for problem in found.broken[:3]:
        st.caption(escaped(f"left out: {problem}"))
    offer(f"flakiness-{view.head.run_id}", _tables(found))


def _sentence(found: Steadiness) -> str:
    return _of_repeats(found.cases) if found.cases else _of_runs(found)


def _of_repeats(cases: Sequence[CaseFlakiness]) -> str:
    classes = Counter(case.classification for case in cases)
    by_consistency = sorted(cases, key=lambda case: case.consistency or 0.0)
    shaky = [_format.short_id(case.case_id, 40) for case in by_consistency if case.classification in ("unstable", "flaky")]
    total = _format.count(len(cases), "repeated case")
    if not shaky:
        if classes["stable"]:
            return f"Steady: {_format.of(classes['stable'], len(cases), 'repeated case')} gave the same verdict every time."
        return f"No evidence: none of {total} has two decided attempts."
    words = [f"{classes[name]} {name}" for name in ("unstable", "flaky", "stable", "no evidence") if classes[name]]
    return f"{_format.of(len(shaky), len(cases), 'repeated case')} not steady ({', '.join(words)}): {_format.joined(shaky)}."


def _of_runs(found: Steadiness) -> str:
    """The same from the history of runs alone."""
    seen = [case for case in found.flips if case.transitions]
    flipped = [case for case in seen if case.flips]
    runs = _format.count(len(found.runs), "run")
    if not seen:
        return "No evidence of steadiness yet: this suite has one run of this agent, and it repeated no case."
    if not flipped:
        return f"No flips: {_format.count(len(seen), 'case')} ended the same way in each of {runs} that decided them."
    named = [f"{_format.short_id(case.case_id, 40)} ({case.flips} of {case.transitions})" for case in flipped]
    return f"{_format.of(len(flipped), len(seen), 'case')} flipped between pass and fail over {runs}: {_format.joined(named)}."


def _overdue(found: Steadiness) -> None:
    late = [case for case in found.quarantined if case.overdue]
    if late:
        named = [f"{_format.short_id(case.case_id, 40)} (until {case.until})" for case in late]
        noun = "quarantine is" if len(late) == 1 else "quarantines are"
        st.markdown(f":orange-badge[‖ overdue] {escaped(f'{len(late)} {noun} past the date: {_format.joined(named)}.')}")


def _repeated(view: View, found: Steadiness) -> None:
    st.caption(
        f"run {code(view.head.run_id)} · {escaped(when(view.head))} · {escaped(_format.count(found.k, 'attempt'))} a case · "
        "stable: the same verdict every time · flaky: in at least 80% of the attempts · unstable: in fewer"
    )
    if found.variance is not None:
        text = variance_text(found.variance)
        st.markdown(escaped(f"{text[:1].upper()}{text[1:]}."))
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("##### How often it passes, and how consistently")
        scatter(view, found.cases)
    with right:
        st.markdown("##### Over k attempts")
        curves(found)
    table(view, found.cases)
    answers(view, found)
    strips(view, found)


def _no_repeats(view: View) -> None:
    with_repeats = [head for head, _ in reversed(view.siblings()) if head.repeats is not None][:5]
    with st.container(border=True, gap="small"):
        st.markdown(f"Run {code(view.head.run_id)} repeated no case, so only its suite's history speaks. To see luck apart:")
        st.code("agenteval run --repeat 5 --repeat-all\nagenteval run --repeat 5 --repeat-case CASE_ID", language="bash")
        if with_repeats:
            st.markdown("Stored runs that did:")
        for head in with_repeats:
            link("flakiness", f"{code(head.run_id)} {escaped(when(head))}", replace(view.selection, run=head.run_id).without_case())


def _tables(found: Steadiness) -> dict[str, Table]:
    from agenteval.charts.costs import variance_rows
    from agenteval.charts.flakiness import answer_rows, curve_rows, flakiness_rows
    from agenteval.charts.flips import flip_rows, group_rows, quarantine_rows
    from agenteval.charts.number_strips import number_rows

    tables: dict[str, Table] = {}
    if found.cases:
        tables["repeated cases"] = lambda: flakiness_rows(found.cases)
        tables["answers"] = lambda: answer_rows(found.cases)
        tables["pass over k"] = lambda: curve_rows(found.hat, found.at)
    if found.numbers:
        tables["numbers"] = lambda: number_rows(list(found.numbers.values()))
    if found.variance is not None:
        split = found.variance
        tables["variance"] = lambda: variance_rows(split)
    tables["flips over runs"] = lambda: flip_rows(found.flips)
    if found.groups:
        tables["flaking together"] = lambda: group_rows(found.groups)
    if found.quarantined:
        tables["quarantined"] = lambda: quarantine_rows(found.quarantined)
    return tables
