"""A case in the stored runs before: where it passed last, and what is different now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import look
from agenteval.errors import AgentEvalError
from agenteval.model.attempt import Attempt
from agenteval.model.run import Outcome, RunHead
from agenteval.model.status import Status
from parts import stored
from parts.chrome import link
from parts.view import View
from parts.words import code, escaped, when

RUNS = 30
"""How many stored runs back a case is followed."""


def history(view: View, case_id: str) -> None:
    """The case over the stored runs: a symbol each, a link each."""
    past: list[tuple[RunHead, Outcome]] = []
    for head, path in view.siblings()[-RUNS:]:
        outcome = next((outcome for outcome in outcomes_at(path) if outcome.case_id == case_id), None)
        if outcome is not None:
            past.append((head, outcome))
    if len(past) < 2:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap=None, key="history"):
        st.markdown(f"History, {_format.count(len(past), 'run')}: &nbsp; ")
        for head, outcome in past:
            shown = look(outcome.status)
            here = head.run_id == view.head.run_id
            label = f":{shown.streamlit}{'-background' if here else ''}[{escaped(shown.symbol)}]"
            link(
                "case",
                label,
                replace(view.selection, run=head.run_id).of_case(case_id),
                help_text=f"{shown.word}, {escaped(when(head))} {code(head.run_id)}",
            )
    earlier = [head for head, outcome in past if outcome.status is Status.PASSED and head.started_at < view.head.started_at]
    if earlier:
        good = earlier[-1]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            link(
                "case", f"Last passed {escaped(when(good))} {code(good.run_id)}", replace(view.selection, run=good.run_id).of_case(case_id)
            )
            link(
                "compare",
                "What changed since",
                replace(view.selection, baseline=good.run_id).of_case(case_id),
                icon=":material/compare_arrows:",
            )
    elif any(head.run_id == view.head.run_id for head, _ in past):
        st.caption(
            "It never passed before in the stored runs." if past[0][0].run_id != view.head.run_id else "This is its first stored run."
        )


def outcomes_at(path: Path) -> Sequence[Outcome]:
    """How the cases of a stored run ended; none where the file can't be read."""
    try:
        return stored.run_at(path).outcomes
    except AgentEvalError:
        return ()


def against_last_pass(view: View, shown: Attempt, attempts: Sequence[Attempt]) -> None:
    """What changed since the attempt that passed last, folded; nothing where this one passed or none ever did."""
    if shown.status is Status.PASSED:
        return
    with_case = f"{shown.case_id}-{shown.repetition}"
    good = next((attempt for attempt in attempts if attempt.status is Status.PASSED), None)
    run_id = None
    if good is not None:
        label = f"Against attempt {good.repetition} of this run, which passed"
    else:
        run_id = last_pass(view, shown.case_id)
        if run_id is None:
            return
        label = f"Against the last run that passed, {code(run_id)}"
    with st.expander(label, on_change="rerun", key=f"difference-{with_case}", icon=":material/difference:") as opened:
        if opened.open:
            from parts.beside import beside

            then = good or (_stored_attempt(view, run_id, shown.case_id) if run_id is not None else None)
            if then is None:
                st.markdown("Its record can't be read.")
            else:
                names = (f"attempt {then.repetition}", f"attempt {shown.repetition}") if good is not None else ("then", "now")
                beside(then, shown, names)


def last_pass(view: View, case_id: str) -> str | None:
    """Id of the newest run before the chosen one in which the case passed."""
    for head, path in reversed([item for item in view.siblings() if item[0].started_at < view.head.started_at][-RUNS:]):
        if any(outcome.case_id == case_id and outcome.status is Status.PASSED for outcome in outcomes_at(path)):
            return head.run_id
    return None


def _stored_attempt(view: View, run_id: str, case_id: str) -> Attempt | None:
    try:
        return stored.run_at(view.runs[run_id][1]).case(case_id)
    except AgentEvalError:
        return None
