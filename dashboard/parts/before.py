"""A case in the stored runs before: where it passed last, and what is different now."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agenteval.errors import AgentEvalError
from agenteval.model.attempt import Attempt
from agenteval.model.status import Status
from parts import stored
from parts.view import View
from parts.words import code

RUNS = 30
"""How many stored runs back a case is followed."""


def against_last_pass(view: View, shown: Attempt, attempts: Sequence[Attempt]) -> None:
    """What changed since the attempt that passed last, folded; nothing where this one passed or none ever did."""
    if shown.status is Status.PASSED:
        return
    with_case = f"{shown.case_id}-{shown.repetition}"
    good = next((attempt for attempt in attempts if attempt.status is Status.PASSED), None)
    if good is not None:
        label = f"Against attempt {good.repetition} of this run, which passed"
    else:
        run_id = last_pass(view, shown.case_id)
        if run_id is None:
            return
        label = f"Against the last run that passed, {code(run_id)}"
    with st.expander(label, on_change="rerun", key=f"difference-{with_case}", icon=":material/difference:") as opened:
        if opened.open:
            from parts.difference import difference

            then = good or _stored_attempt(view, run_id, shown.case_id)
            if then is None:
                st.markdown("Its record can't be read.")
            else:
                difference(then, shown)


def last_pass(view: View, case_id: str) -> str | None:
    """Id of the newest run before the chosen one in which the case passed."""
    for head, path in reversed([item for item in view.siblings() if item[0].started_at < view.head.started_at][-RUNS:]):
        try:
            outcomes = stored.run_at(path).outcomes
        except AgentEvalError:
            continue
        if any(outcome.case_id == case_id and outcome.status is Status.PASSED for outcome in outcomes):
            return head.run_id
    return None


def _stored_attempt(view: View, run_id: str, case_id: str) -> Attempt | None:
    try:
        return stored.run_at(view.runs[run_id][1]).case(case_id)
    except AgentEvalError:
        return None
