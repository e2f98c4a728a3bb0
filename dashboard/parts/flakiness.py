"""How steady the repeated cases of a run are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from agenteval import _format
from agenteval.model.flakiness import CaseFlakiness
from agenteval.model.run import Repeats
from parts import stored
from parts.chrome import link, page_file
from parts.view import View
from parts.words import code, escaped, when

_MOST_ANSWERS = 12


def show(view: View) -> None:
    """The whole page."""
    run = stored.run_at(view.path)
    sidecar = stored.sidecar_of(run)
    if sidecar is None:
        _nothing(view)
        return
    cases = sidecar.cases
    if not cases:
        from agenteval.compare.flakiness import flakiness

        cases = tuple(flakiness(run.observations()))
    st.markdown(f"#### {_sentence(cases)}", anchors=False)
    st.caption(
        f"run {code(view.head.run_id)} · {escaped(when(view.head))} · {escaped(_format.count(sidecar.k, 'attempt'))} a case · "
        "stable: the same verdict every time · flaky: in at least 80% of the attempts · unstable: in fewer"
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("##### How often it passes, and how consistently")
        _scatter(view, cases)
    with right:
        st.markdown("##### Over k attempts")
        _curves(view.head.repeats)
    _table(view, cases)
    _answers(view, cases)


def _sentence(cases: Sequence[CaseFlakiness]) -> str:
    classes = Counter(case.classification for case in cases)
    shaky = [case.case_id for case in cases if case.classification in ("unstable", "flaky")]
    total = _format.count(len(cases), "repeated case")
    if not shaky:
        if classes["stable"]:
            return escaped(f"Steady: {_format.of(classes['stable'], len(cases), 'repeated case')} gave the same verdict every time.")
        return escaped(f"No evidence: none of {total} has two decided attempts.")
    words = [f"{classes[name]} {name}" for name in ("unstable", "flaky", "stable", "no evidence") if classes[name]]
    return escaped(f"{_format.of(len(shaky), len(cases), 'repeated case')} not steady ({', '.join(words)}): {_format.joined(shaky)}.")


def _nothing(view: View) -> None:
    st.markdown("#### This run repeated no case", anchors=False)
    st.markdown("One attempt says nothing about steadiness. Run each case several times:")
    st.code("agenteval run --repeat 5 --repeat-all", language="bash")
    st.markdown("or only some of them:")
    st.code("agenteval run --repeat 5 --repeat-case CASE_ID", language="bash")
    with_repeats = [head for head, _ in reversed(view.siblings()) if head.repeats is not None][:5]
    if with_repeats:
        st.markdown("Stored runs that did:")
        from dataclasses import replace

        for head in with_repeats:
            link("flakiness", f"{code(head.run_id)} {escaped(when(head))}", replace(view.selection, run=head.run_id).without_case())


def _scatter(view: View, cases: Sequence[CaseFlakiness]) -> None:
    from agenteval.charts.flakiness import steadiness
    from agenteval.charts.frames import flakiness_rows
    from agenteval.charts.layout import config

    st.plotly_chart(
        steadiness(flakiness_rows(cases)),
        config=config("steadiness"),
        key="steadiness",
        alt="Pass rate and consistency of the repeated cases",
    )


def _curves(repeats: Repeats | None) -> None:
    if repeats is None or not (repeats.pass_hat_k or repeats.pass_at_k):
        st.markdown(":gray[The run's head does not record pass^k.]".replace("^", "\\^"))
        return
    from agenteval.charts.flakiness import pass_curves
    from agenteval.charts.layout import config

    figure = pass_curves(repeats.pass_hat_k, repeats.pass_at_k, cases=repeats.cases, short=repeats.short)
    st.plotly_chart(figure, config=config("pass-k"), key="pass-k", alt="pass^k and pass@k over k")
    words = [f"n {_format.count(repeats.cases, 'case')}", "pass^k: all of k attempts pass", "pass@k: at least one does"]
    if repeats.clustered_se is not None:
        words.append(f"standard error of pass^1 {_format.points(repeats.clustered_se).lstrip('+')}, cases as clusters")
    if repeats.short:
        words.append("left out for too few decided attempts: " + ", ".join(f"{number} at k {k}" for k, number in repeats.short.items()))
    st.caption(escaped(" · ".join(words)))


def _table(view: View, cases: Sequence[CaseFlakiness]) -> None:
    from agenteval.charts.frames import flakiness_rows

    rows = flakiness_rows(cases)
    signs = {"stable": "● stable", "flaky": "◆ flaky", "unstable": "✕ unstable", "no evidence": "○ no evidence"}
    st.markdown("##### Cases")
    rows["class"] = rows["classification"].map(lambda name: signs.get(name, name))
    rows["consistency"] = [_format.rate(None if value != value else value) for value in rows["consistency"]]
    rows["passed"] = [_format.of(passed, total) for passed, total in zip(rows["passed"], rows["total"], strict=True)]
    shown = rows[["case_id", "class", "passed", "consistency", "errors", "answers", "basis"]]
    event = st.dataframe(
        shown,
        hide_index=True,
        height="content" if len(shown) <= 15 else 560,
        on_select="rerun",
        selection_mode="single-row",
        key=f"flaky-{view.head.run_id}",
        column_config={"case_id": "case", "answers": "kinds of answers", "errors": "errors, in no rate", "basis": "consistency of"},
        alt="Repeated cases",
    )
    if event.selection.rows and event.selection.rows[0] < len(rows):
        case = str(rows["case_id"].iloc[event.selection.rows[0]])
        st.switch_page(page_file("case"), query_params=view.selection.of_case(case).query())


def _answers(view: View, cases: Sequence[CaseFlakiness]) -> None:
    several = sorted((case for case in cases if len(case.answers) > 1), key=lambda case: case.consistency is None or case.consistency)
    if not several:
        return
    st.markdown("##### What the answers say")
    st.caption(escaped(f"{_format.count(len(several), 'case')} answered in more than one way, the least consistent first. Open one:"))
    for case in several[:_MOST_ANSWERS]:
        label = f"{code(case.case_id)} :gray[{_format.of(case.passed, case.total)} passed, {len(case.answers)} kinds of answers]"
        with st.expander(label, on_change="rerun", key=f"answers-{view.head.run_id}-{case.case_id}") as opened:
            if not opened.open:
                continue
            link("case", "Open the case", view.selection.of_case(case.case_id))
            if case.numeric is not None:
                number = case.numeric
                st.markdown(
                    escaped(
                        f"{_format.of(len(number.members), case.total)} answers hold {_range(number.minimum, number.maximum)} "
                        f"(tolerance {number.tolerance:g})"
                    )
                )
            for group in case.answers[:4]:
                attempts = ", ".join(map(str, group.members))
                noun = "attempt" if len(group.members) == 1 else "attempts"
                st.markdown(escaped(f"{_format.of(len(group.members), case.total)} · {noun} {attempts}"))
                st.code(group.representative[:600], language=None, wrap_lines=True)
            if len(case.answers) > 4:
                st.caption(f"and {len(case.answers) - 4} more kinds of answers")
    if len(several) > _MOST_ANSWERS:
        st.caption(f"and {len(several) - _MOST_ANSWERS} more: their pages show the attempts side by side")


def _range(low: float, high: float) -> str:
    return f"the number {low:g}" if low == high else f"a number from {low:g} to {high:g}"
