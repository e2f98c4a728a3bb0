"""The verdict in words, the measures, and what changed; words first, charts after."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import STATUSES, look
from agenteval.compare.judge_note import judge_note
from agenteval.errors import AgentEvalError
from agenteval.model.attempt import Attempt
from agenteval.model.comparison import Comparison, Transition
from agenteval.model.gates import GateOutcome, Verdict
from agenteval.model.status import Role
from parts import project, stored
from parts.cases import change_rows, outcome_rows
from parts.chrome import link, trouble
from parts.downloads import offer
from parts.overview.cards import cards, measure_table
from parts.progress import unfinished
from parts.selection import Selection
from parts.view import View, stored_verdict
from parts.words import ago, badge, code, escaped, mark, sentence, tally, when

_MOST_REASONS = 40


def show(view: View) -> None:
    """The whole page."""
    if len(view.agents) > 1 and st.query_params.get("agent") is None:
        _agents(view)
    place = st.container()
    unfinished(view.head.agent)
    known = stored_verdict(view)
    if known is not None:
        with place:
            banner(view, known, "as recorded when it ran")
    found: Comparison | None = None
    limits, source = project.limits(view.head)
    try:
        found = stored.comparison(view.path, view.baseline[0] if view.baseline else None, limits)
    except AgentEvalError as error:
        trouble(str(error))
    if known is None and found is not None:
        with place:
            banner(view, found.verdict, source)
    cards(view, found)
    _outcomes(view)
    if found is not None:
        _changed(view, found)
    offer(f"{view.head.agent}-{view.head.run_id}-overview", {"measures": lambda: measure_table(view.head)})


def banner(view: View, verdict: Verdict, source: str) -> None:
    """The verdict's sentence, the gates behind it, and which run it is."""
    head = view.head
    with st.container(key=f"verdict-{verdict.outcome.value}", gap="small"):
        st.markdown(f"#### {badge(verdict.outcome.value)} {sentence(verdict.sentence)}", anchors=False)
        gate_lines(verdict)
        if note := judge_note(head.metrics, verdict):
            st.markdown(f":orange-badge[? judge] {sentence(note)}.")
        parts = [
            f"run {code(head.run_id)}",
            f"{escaped(when(head))}, {escaped(ago(head))}",
            f"suite {code(head.suite.name)}" if head.suite.name else "suite not recorded",
            escaped(tally(head)),
        ]
        if head.status != "completed":
            parts.append(f":orange[{escaped(head.status.value)}]")
        if head.selection.left_out:
            parts.append(f"{_format.count(head.selection.left_out, 'case')} left out by selection")
        if head.label:
            parts.append(escaped(head.label))
        if head.parent and head.parameters.get("rescored"):
            parts.append(f"judged again from {code(head.parent)}")
        if head.legacy:
            parts.append(f"file of {escaped(head.legacy)}")
        st.caption(" · ".join([*parts, source]))


def gate_lines(verdict: Verdict) -> None:
    """The gates that decided against the run, as far as the sentence does not quote them already."""
    decisive = [gate for gate in verdict.gates if gate.outcome in (GateOutcome.FAIL, GateOutcome.INCONCLUSIVE)]
    untold = [gate for gate in decisive if gate.message.removeprefix(f"{gate.gate}: ") not in verdict.sentence]
    if untold:
        with st.container(gap="xxsmall"):
            for gate in untold[:6]:
                st.markdown(f"{mark(gate.outcome.value)} {escaped(gate.message)}")
            if len(untold) > 6:
                st.caption(f"and {_format.count(len(untold) - 6, 'more gate')}, below")


def _agents(view: View) -> None:
    st.markdown("##### Agents")
    with st.container(key="rows-agents"):
        newest = sorted(view.agents.items(), key=lambda item: item[1].started_at, reverse=True)
        for name, head in sorted(newest, key=lambda item: item[1].gate is None or item[1].gate.passed):
            cells = st.columns([4, 2, 5, 4], vertical_alignment="center")
            with cells[0]:
                link("overview", code(name), Selection(agent=name))
            cells[1].markdown(badge(head.gate.outcome.value) if head.gate else ":gray[no verdict recorded]")
            measured = head.metrics.get("correctness_rate")
            cells[2].markdown(escaped(f"correctness {_format.measure(measured)}") if measured else "correctness n/a")
            cells[3].caption(f"{escaped(tally(head))} · {escaped(ago(head))}")
    st.markdown(f"##### {code(view.head.agent)}")


def _outcomes(view: View) -> None:
    """Counts in words, and the same as one bar of our own markup: a chart library would cost more than the page."""
    counts = view.head.counts
    words = [f"{mark(status)} **{number:,}**" for status, number in counts.items() if number]
    if not words:
        return
    st.markdown("**Outcomes** &nbsp; " + " &nbsp; ".join(words))
    parts = [
        f'<div title="{counts[status]:,} {look(status).word}" style="flex:{counts[status]} 0 2px;background:{look(status).colour}"></div>'
        for status in STATUSES
        if counts.get(status)
    ]
    st.html(f'<div style="display:flex;gap:2px;height:14px;border-radius:4px;overflow:hidden">{"".join(parts)}</div>')


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
        why_counts_differ(found)
        change_rows(moved, selection, "moved")
    else:
        st.markdown(nothing_moved(found))
    _folded("No verdict now", undecided(found), selection)
    _folded(
        "Still failing",
        [item for item in found.of_kind("unchanged") if item.after in ("failed", "agent_error", "evaluator_error")],
        selection,
    )
    _folded("Changed definition, compared apart", found.of_kind("changed_definition"), selection)
    _quarantined(view)
    _folded("Candidates, in no rate", [item for item in found.transitions if item.role == Role.CANDIDATE], selection)
    _folded("Not selected in this run", found.of_kind("not_selected"), selection)
    all_gates(found.verdict)


def undecided(found: Comparison) -> list[Transition]:
    """Cases without a verdict now that ended otherwise in the baseline: neither better nor worse, and not the same."""
    return [item for item in found.of_kind("no_verdict") if item.before != item.after and item.after not in ("passed", "failed")]


def nothing_moved(found: Comparison) -> str:
    """What to say where no case got better or worse."""
    lost = undecided(found)
    if lost:
        has = "has" if len(lost) == 1 else "have"
        return f"No case got better or worse, but {_format.count(len(lost), 'case')} of the baseline {has} no verdict now."
    return "Nothing: every case ended as in the baseline."


def _folded(title: str, items: Sequence[Transition], selection: Selection) -> None:
    if items:
        with st.expander(f"{title} ({len(items)})"):
            change_rows(items, selection, title)


def _alone(view: View) -> None:
    run = stored.run_at(view.path)
    rows = [outcome for outcome in run.outcomes if outcome.status != "passed" and outcome.role is None]
    if rows:
        told = {outcome.case_id: _reason(run.case(outcome.case_id)) for outcome in rows[:_MOST_REASONS]}
        outcome_rows(rows, view.selection, "alone", told)
    else:
        st.markdown("Every case passed.")
    if view.pinned is None and not view.head.selection.partial:
        st.caption("No baseline: pin a run to see what later ones change.")
        st.code(f"agenteval baseline set {view.head.run_id}", language="bash")
    _quarantined(view)


def why_counts_differ(found: Comparison) -> None:
    """The sentence counts what is tested, correctness; a case can fail by another required check and keep its correctness."""
    regressed = len(found.of_kind("regressed"))
    if found.test is None or regressed == found.test.regressed or f"({regressed} no longer" in found.verdict.sentence:
        return
    went = f"{_format.count(regressed, 'case')} went from passed to failed"
    if found.test.method == "exact McNemar":
        told = f"in {found.test.regressed} of them correctness itself fell, which is what the test counts. The others failed by another"
        st.caption(f"{went}; {told} required check.")
    else:
        st.caption(
            f"{went} in the run's own attempt; the test counts the mean over each case's repeats, which fell in {found.test.regressed}."
        )


def _reason(attempt: Attempt | None) -> str:
    """What decided against an attempt, in one line."""
    if attempt is None:
        return ""
    if attempt.error is not None:
        return f"{attempt.error.kind}: {attempt.error.message}"
    scores = [*attempt.scores, *(score for turn in attempt.turns for score in turn.scores)]
    failed = next((score for score in scores if score.required and (score.error or score.passed is False)), None)
    return f"{failed.name}: {failed.error or failed.reason}" if failed else ""


def _quarantined(view: View) -> None:
    """Quarantined cases with the date until which they do not gate, and why."""
    run = stored.run_at(view.path)
    rows = [outcome for outcome in run.outcomes if outcome.role == Role.QUARANTINED]
    if not rows:
        return
    told = {}
    for outcome in rows[:_MOST_REASONS]:
        attempt = run.case(outcome.case_id)
        terms = attempt.quarantine if attempt is not None and attempt.quarantine else {}
        told[outcome.case_id] = f"until {terms.get('until', 'no date')}: {terms.get('reason') or 'no reason given'}"
    title = f"Quarantined, in no rate and no gate ({len(rows)})"
    with st.expander(title):
        outcome_rows(rows, view.selection, "quarantined", told)


def all_gates(verdict: Verdict) -> None:
    """Every gate with its message, folded."""
    with st.expander(f"All gates ({len(verdict.gates)})"):
        for gate in verdict.gates:
            st.markdown(f"{mark(gate.outcome.value)} {escaped(gate.message)}")
