"""One case of one run: what was asked, expected and answered, why it counts as it does, and how it fared before."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import look
from agenteval.compare.costs import Attribution
from agenteval.errors import AgentEvalError
from agenteval.model.attempt import Attempt
from agenteval.model.run import Run
from agenteval.model.status import Status
from parts import stored
from parts.case.attempt import answer_and_scores, asks_nothing, handed_over
from parts.case.attempts import attempts_beside
from parts.case.before import against_last_pass, history
from parts.case.grounding import grounding, repeated
from parts.case.listing import absent_case, choose_case, table_of_cases
from parts.case.steps import steps_and_trajectory, steps_of_attempt
from parts.chrome import link, trouble
from parts.costs import cost_of_steps, step_costs
from parts.downloads import offer
from parts.view import View
from parts.words import badge, code, escaped

if TYPE_CHECKING:
    import pandas as pd

_MOST_OF_RECORD = 1_000_000
"""Bytes of a record that a browser still unfolds at once."""


def show(view: View) -> None:
    """The whole page."""
    run = stored.run_at(view.path)
    asked = view.selection.case
    ids = [outcome.case_id for outcome in run.outcomes]
    if asked is not None and asked not in ids:
        absent_case(view, run, asked)
        return
    choose_case(view, run, asked)
    if asked is None:
        table_of_cases(view, run)
        return
    primary = run.case(asked)
    if primary is None:
        return
    attempts = _attempts(run, primary)
    number = view.selection.attempt or 0
    shown = next((attempt for attempt in attempts if attempt.repetition == number), None)
    if shown is None:
        with st.container(border=True, horizontal=True):
            st.markdown(f":orange-badge[? unknown attempt] There is no attempt {number}; nearest:")
            link("case", f"attempt {attempts[-1].repetition}", view.selection.of_case(asked, attempts[-1].repetition))
        shown = primary
    _head(view, shown, attempts)
    answer_and_scores(shown)
    grounding(shown)
    handed_over(shown)
    against_last_pass(view, shown, attempts)
    repeated(shown)
    steps_and_trajectory(shown)
    costs = step_costs(run, shown)
    cost_of_steps(costs)
    if len(attempts) > 1:
        attempts_beside(shown, attempts)
    _more(view.head.run_id, shown)
    _files(view, shown, attempts, costs)


def _attempts(run: Run, primary: Attempt) -> list[Attempt]:
    """All attempts of the case, the run's own first."""
    try:
        rest = [attempt for attempt in run.repetitions if attempt.case_id == primary.case_id]
    except AgentEvalError as error:
        trouble(str(error))
        rest = []
    return [primary, *sorted(rest, key=lambda attempt: attempt.repetition)]


def _head(view: View, shown: Attempt, attempts: Sequence[Attempt]) -> None:
    extra = " :red-badge[critical]" if shown.critical else ""
    if shown.role:
        extra += f" :gray-badge[{escaped(shown.role.value)}]"
    st.markdown(f"#### {badge(shown.status)} {code(shown.case_id)}{extra}", anchors=False)
    st.markdown(escaped(_why(shown)))
    facts = [
        "no latency recorded" if shown.latency_ms is None else _format.ms(shown.latency_ms),
        "no tokens reported" if shown.tokens is None else _format.tokens(shown.tokens),
        _cost(shown),
    ]
    if shown.model:
        facts.append(shown.model)
    if shown.seed is not None:
        facts.append(f"seed {shown.seed}")
    if shown.tags:
        facts.append("tags " + ", ".join(shown.tags))
    if shown.quarantine:
        facts.append(f"quarantined until {shown.quarantine.get('until', '?')}: {shown.quarantine.get('reason', '')}")
    st.caption(escaped(" · ".join(facts)))
    if len(attempts) > 1:
        passed = sum(attempt.status is Status.PASSED for attempt in attempts)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"Attempts, {_format.of(passed, len(attempts))} passed:")
            for attempt in attempts:
                here = attempt.repetition == shown.repetition
                label = f"{look(attempt.status).symbol} {attempt.repetition}"
                colour = look(attempt.status).streamlit
                link(
                    "case",
                    f":{colour}[{'**' if here else ''}{escaped(label)}{'**' if here else ''}]",
                    view.selection.of_case(shown.case_id, attempt.repetition),
                )
    history(view, shown.case_id)


def _cost(shown: Attempt) -> str:
    return "unpriced" if shown.cost_usd is None else _format.usd(shown.cost_usd)


def _why(shown: Attempt) -> str:
    """The one sentence: what decided the case."""
    if shown.error is not None:
        return f"{shown.error.kind}: {shown.error.message}"
    failed = [score for score in shown.scores if score.required and (score.error or score.passed is False)]
    if failed:
        reasons = [f"{score.name}: {score.error or score.reason}" for score in failed]
        return "; ".join(reasons[:3]) + (f"; and {len(reasons) - 3} more checks" if len(reasons) > 3 else "")
    bad = [place for place, turn in enumerate(shown.turns, 1) if turn.status is not Status.PASSED and not asks_nothing(turn)]
    if bad:
        return f"{_format.of(len(bad), len(shown.turns), 'turn')} not passed: {', '.join(map(str, bad[:8]))}"
    required = [score for part in (shown, *shown.turns) for score in part.scores if score.required and score.passed]
    return f"Every required check held ({len(required)})." if shown.status is Status.PASSED else look(shown.status).word.capitalize() + "."


def _more(run_id: str, shown: Attempt) -> None:
    with st.expander("The stored record", on_change="rerun", key=f"record-{shown.case_id}-{shown.repetition}") as record:
        if record.open:
            _record(run_id, shown)


def _record(run_id: str, shown: Attempt) -> None:
    from agenteval._files import dumps
    from agenteval.model.record import to_record

    record = to_record(shown)
    size = len(dumps(record))
    if size <= _MOST_OF_RECORD:
        st.json(record, expanded=1)
    else:
        st.markdown(f"It is {size / 1e6:.1f} MB long, too much for a page:")
        st.code(f"agenteval trace {run_id} --case-id {shlex.quote(shown.case_id)} --json", language="bash")


def _files(view: View, shown: Attempt, attempts: Sequence[Attempt], costs: Attribution) -> None:
    stem = f"{view.head.run_id}-{re.sub(r'[^A-Za-z0-9_.-]+', '-', shown.case_id)[:60]}"
    tables = {"scores": partial(_scores, shown)}
    if any(score.name == "faithfulness" for part in (shown, *shown.turns) for score in part.scores):
        tables["sentences"] = partial(_sentences, shown)
    if steps_of_attempt(shown):
        tables["steps"] = partial(_steps, shown)
    if costs.known:
        tables["cost of steps"] = partial(_costs, costs)
    if len(attempts) > 1:
        tables["attempts"] = partial(_attempt_rows, attempts)
    offer(stem, tables)


def _scores(shown: Attempt) -> pd.DataFrame:
    from agenteval.charts.case_tables import score_table

    return score_table(shown)


def _sentences(shown: Attempt) -> pd.DataFrame:
    from agenteval.charts.grounding import claim_table

    return claim_table(shown)


def _steps(shown: Attempt) -> pd.DataFrame:
    from agenteval.charts.case_tables import step_table

    return step_table(steps_of_attempt(shown))


def _costs(costs: Attribution) -> pd.DataFrame:
    from agenteval.charts.costs import cost_rows

    return cost_rows(costs)


def _attempt_rows(attempts: Sequence[Attempt]) -> pd.DataFrame:
    from agenteval.charts.case_tables import attempt_table

    return attempt_table(attempts)
