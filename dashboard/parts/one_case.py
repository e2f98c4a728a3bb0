"""One case of one run: what was asked, expected and answered, why it counts as it does, and how it fared before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from agenteval import _format
from agenteval._text import nearest
from agenteval.charts.palette import STATUSES, look
from agenteval.errors import AgentEvalError
from agenteval.model.attempt import Attempt
from agenteval.model.run import Run
from agenteval.model.status import Status
from parts import stored
from parts.attempt import answer_and_scores, sources
from parts.before import RUNS, against_last_pass, history, outcomes_at
from parts.chrome import link, trouble
from parts.steps import steps_and_trajectory
from parts.view import View
from parts.words import badge, code, escaped, mark, when

_ORDER = {status: place for place, status in enumerate((*STATUSES[1:4], *STATUSES[4:], STATUSES[0]))}


def show(view: View) -> None:
    """The whole page."""
    run = stored.run_at(view.path)
    asked = view.selection.case
    ids = [outcome.case_id for outcome in run.outcomes]
    if asked is not None and asked not in ids:
        _absent(view, run, asked)
        return
    _choose(view, run, asked)
    if asked is None:
        _table(view, run)
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
    sources(shown)
    against_last_pass(view, shown, attempts)
    steps_and_trajectory(shown)
    if len(attempts) > 1:
        _side_by_side(attempts)
    _more(shown)


def _attempts(run: Run, primary: Attempt) -> list[Attempt]:
    """All attempts of the case, the run's own first."""
    try:
        rest = [attempt for attempt in run.repetitions if attempt.case_id == primary.case_id]
    except AgentEvalError as error:
        trouble(str(error))
        rest = []
    return [primary, *sorted(rest, key=lambda attempt: attempt.repetition)]


def _choose(view: View, run: Run, asked: str | None) -> None:
    """The list of cases to choose from, trouble first."""
    ordered = sorted(run.outcomes, key=lambda outcome: (_ORDER.get(outcome.status, 9), outcome.case_id))
    labels = {outcome.case_id: f"{look(outcome.status).symbol} {outcome.case_id}" for outcome in ordered}
    options = list(labels)
    key = f"choose-case-{view.head.run_id}-{asked}"

    def write() -> None:
        st.query_params.from_dict(view.selection.of_case(st.session_state[key]).query())

    st.selectbox(
        "Case",
        options,
        index=options.index(asked) if asked in labels else None,
        format_func=lambda case: labels.get(case, case),
        key=key,
        on_change=write,
        placeholder=f"{_format.count(len(options), 'case')}, failures first",
    )


def _table(view: View, run: Run) -> None:
    """Every case of the run; a chosen row opens it."""
    import pandas as pd

    from agenteval.charts.frames import status_words

    if not run.outcomes:
        st.markdown("This run holds no case.")
        return
    present = [status for status in Status if any(outcome.status is status for outcome in run.outcomes)]
    wanted = st.segmented_control(
        "Status",
        present,
        selection_mode="multi",
        format_func=lambda status: f"{look(status).symbol} {look(status).word}",
        label_visibility="collapsed",
    )
    rows = [outcome for outcome in run.outcomes if not wanted or outcome.status in wanted]
    rows.sort(key=lambda outcome: (_ORDER.get(outcome.status, 9), outcome.case_id))
    frame = pd.DataFrame(
        {
            "case": [outcome.case_id for outcome in rows],
            "status": [status_words(outcome.status) for outcome in rows],
            "score": [_format.score(outcome.score) for outcome in rows],
            "latency": [_format.ms(outcome.latency_ms) for outcome in rows],
            "cost": [_format.usd(outcome.cost_usd) for outcome in rows],
            "tokens": [_format.value(outcome.tokens, "tokens") for outcome in rows],
            "tags": [", ".join(outcome.tags) for outcome in rows],
            "role": [str(outcome.role or ("critical" if outcome.critical else "")) for outcome in rows],
        }
    )
    st.caption(f"{_format.of(len(rows), len(run.outcomes), 'case')}; choose a row to open it")
    event = st.dataframe(
        frame, hide_index=True, on_select="rerun", selection_mode="single-row", key=f"cases-{view.head.run_id}", alt="Cases of this run"
    )
    chosen = event.selection.rows
    if chosen and chosen[0] < len(rows):
        from parts.chrome import page_file

        st.switch_page(page_file("case"), query_params=view.selection.of_case(rows[chosen[0]].case_id).query())


def _absent(view: View, run: Run, asked: str) -> None:
    """The case is not in this run: gone, or a wrong id."""
    ids = [outcome.case_id for outcome in run.outcomes]
    close = nearest(asked, ids) or (ids[0] if ids else None)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":orange-badge[? unknown case] There is no case {code(asked)} in this run.")
        if close is not None:
            st.markdown("Nearest:")
            link("case", code(close), view.selection.of_case(close))
    before = [(head, path) for head, path in reversed(view.siblings()) if head.run_id != view.head.run_id][:RUNS]
    for head, path in before:
        if any(outcome.case_id == asked for outcome in outcomes_at(path)):
            st.markdown("It was last in this run:")
            link("case", f"{code(head.run_id)} {escaped(when(head))}", replace(view.selection, run=head.run_id))
            return
    _choose(view, run, None)


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
    bad = [place for place, turn in enumerate(shown.turns, 1) if turn.status is not Status.PASSED]
    if bad:
        return f"{_format.of(len(bad), len(shown.turns), 'turn')} not passed: {', '.join(map(str, bad[:8]))}"
    required = [score for score in shown.scores if score.required and score.passed]
    return f"Every required check held ({len(required)})." if shown.status is Status.PASSED else look(shown.status).word.capitalize() + "."


def _side_by_side(attempts: Sequence[Attempt]) -> None:
    st.markdown("##### Attempts side by side")
    for start in range(0, min(len(attempts), 12), 3):
        for column, attempt in zip(st.columns(3, gap="small"), attempts[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**attempt {attempt.repetition}** &nbsp; {mark(attempt.status)}")
                st.code(
                    attempt.output or (attempt.error.message if attempt.error else "") or "(no answer)",
                    language=None,
                    wrap_lines=True,
                    height=200 if len(attempt.output) > 500 else "content",
                )
                calls = [call.name for call in attempt.tool_calls]
                st.text((" → ".join(calls[:12]) or "no tool calls") + (f" and {len(calls) - 12} more" if len(calls) > 12 else ""))
                if attempt.latency_ms is not None or attempt.cost_usd is not None:
                    st.caption(escaped(f"{_format.ms(attempt.latency_ms)} · {_cost(attempt)}"))
    if len(attempts) > 12:
        st.caption(f"and {len(attempts) - 12} more attempts; their links are above")


def _more(shown: Attempt) -> None:
    with st.expander("The stored record", on_change="rerun", key=f"record-{shown.case_id}-{shown.repetition}") as record:
        if record.open:
            from agenteval.model.record import to_record

            st.json(to_record(shown), expanded=1)
