"""One case of the page Flakiness: its verdicts, its numbers, what it answers, and its attempts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from agenteval import _format
from agenteval._text import nearest
from agenteval.charts.palette import look
from agenteval.compare.flips import CaseFlips
from agenteval.compare.read_numbers import CaseNumbers
from agenteval.model.attempt import Attempt
from agenteval.model.flakiness import CaseFlakiness
from parts import stored
from parts.chrome import link
from parts.downloads import offer
from parts.flakiness.flips import last_flip, seen_in_history
from parts.flakiness.repeats import clusters, strip_chart
from parts.flakiness.steadiness import Steadiness
from parts.view import View
from parts.words import code, escaped, mark, text_block

if TYPE_CHECKING:
    from parts.downloads import Table

_MOST_SHOWN = 12
_A_ROW = 3


def show_case(view: View, found: Steadiness) -> None:
    """The chosen case, or that there is none of this name."""
    case_id = view.selection.case or ""
    case = next((case for case in found.cases if case.case_id == case_id), None)
    past = seen_in_history(found.flips, case_id)
    link("flakiness", "All cases", view.selection.without_case(), icon=":material/arrow_back:")
    if case is None and past is None:
        _absent(view, found, case_id)
        return
    st.markdown(f"#### {code(case_id)} {escaped(_sentence(case, past))}", anchors=False)
    with st.container(horizontal=True, gap="medium"):
        link("case", "Open the case", view.selection.of_case(case_id))
        if past is not None:
            last_flip(view, found, past)
    if case is None:
        st.markdown(f"Run {code(view.head.run_id)} did not repeat it:")
        st.code("agenteval run --repeat 5 --repeat-case CASE_ID", language="bash")
        return
    numbers = found.numbers.get(case_id)
    if numbers is not None:
        st.markdown("##### The numbers it gives")
        strip_chart(view, [numbers], f"numbers-of-{case_id}"[:80])
    if len(case.answers) > 1 and all(len(group.members) == 1 for group in case.answers):
        st.caption(escaped(f"No two of {_format.count(case.total, 'answer')} say the same."))
    elif case.answers:
        st.markdown("##### What the answers say")
        clusters(case, found.statuses.get(case_id, {}), most=8)
    _side_by_side(view, case_id)
    offer(f"flakiness-{view.head.run_id}-{_file_name(case_id)}", _tables(case, numbers))


def _file_name(case_id: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in case_id[:60])


def _tables(case: CaseFlakiness, numbers: CaseNumbers | None) -> dict[str, Table]:
    from agenteval.charts.flakiness import answer_rows
    from agenteval.charts.number_strips import number_rows

    tables: dict[str, Table] = {"answers": lambda: answer_rows([case])}
    if numbers is not None:
        tables["numbers"] = lambda: number_rows([numbers])
    return tables


def _sentence(case: CaseFlakiness | None, past: CaseFlips | None) -> str:
    parts = []
    if case is not None and case.total:
        parts.append(
            f"is {case.classification}: passed {_format.of(case.passed, case.total, 'decided attempt')} "
            f"({_format.rate(case.passed / case.total)})"
        )
        if case.errors:
            parts.append(f"{_format.count(case.errors, 'attempt')} ended undecided")
    elif case is not None:
        parts.append(f"has no decided attempt: {_format.count(case.errors, 'attempt')} ended in errors")
    if past is not None and past.transitions:
        parts.append(f"flipped in {_format.of(past.flips, past.transitions, 'transition')} from run to run")
    elif past is not None:
        parts.append("was decided by one run only, so it can't have flipped")
    return "; ".join(parts) + "."


def _absent(view: View, found: Steadiness, case_id: str) -> None:
    known = [*(case.case_id for case in found.cases), *(case.case_id for case in found.flips)]
    close = nearest(case_id, known)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":orange-badge[? unknown case] No run of this suite decided {code(case_id[:120])}.")
        if close is not None:
            st.markdown("Nearest:")
            link("flakiness", code(close), view.selection.of_case(close))


def _side_by_side(view: View, case_id: str) -> None:
    run = stored.run_at(view.path)
    primary = run.case(case_id)
    if primary is None:
        return
    attempts = [primary, *sorted((a for a in run.repetitions if a.case_id == case_id), key=lambda attempt: attempt.repetition)]
    st.markdown("##### Attempts side by side")
    for start in range(0, min(len(attempts), _MOST_SHOWN), _A_ROW):
        columns = st.columns(_A_ROW, gap="small")
        for column, attempt in zip(columns, attempts[start : min(start + _A_ROW, _MOST_SHOWN)], strict=False):
            with column, st.container(border=True, height="stretch", gap="small"):
                _attempt(view, attempt)
    if len(attempts) > _MOST_SHOWN:
        rest: Sequence[Attempt] = attempts[_MOST_SHOWN:]
        st.caption(f"and {len(rest)} more:")
        with st.container(horizontal=True, gap="small", key="rows-more-attempts"):
            for attempt in rest[:100]:
                shown = look(attempt.status)
                label = f":{shown.streamlit}[{escaped(f'{shown.symbol} {attempt.repetition}')}]"
                link("case", label, view.selection.of_case(case_id, attempt.repetition))


def _attempt(view: View, attempt: Attempt) -> None:
    label = f"**attempt {attempt.repetition}** &nbsp; {mark(attempt.status)}"
    link("case", label, view.selection.of_case(attempt.case_id, attempt.repetition))
    if attempt.reason:
        st.text(attempt.reason[:200])
    text_block(attempt.output or "(no answer)", most=1_500)
    calls = [call.name for call in attempt.tool_calls]
    st.text((" → ".join(calls[:12]) or "no tool calls") + (f" and {len(calls) - 12} more" if len(calls) > 12 else ""))
    facts = [
        _format.ms(attempt.latency_ms) if attempt.latency_ms is not None else "",
        _format.usd(attempt.cost_usd) if attempt.cost_usd is not None else "unpriced",
        _format.tokens(attempt.tokens) if attempt.tokens is not None else "",
    ]
    st.caption(escaped(" · ".join(fact for fact in facts if fact)))
