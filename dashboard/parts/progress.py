"""Runs that are not finished: how far they are, and how to go on with the crashed."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

import streamlit as st

from agenteval import _format
from agenteval.artifacts.store import OpenRun
from agenteval.model.status import RunStatus
from parts import stored
from parts.words import code, escaped, moment

_EVERY_S = 2.0
_MOST = 5


def unfinished(agent: str | None = None) -> None:
    """A notice a run; while one is running it refreshes itself, and the whole page once it has finished."""
    found = _open(agent)
    if not found:
        return
    alive = any(item.head.status is RunStatus.RUNNING for item in found)
    before = {item.head.run_id for item in found if item.head.status is RunStatus.RUNNING}

    def draw() -> None:
        now = _open(agent)
        if not before <= {item.head.run_id for item in now if item.head.status is RunStatus.RUNNING}:
            st.rerun()
        for item in now[-_MOST:]:
            _notice(item)
        if len(now) > _MOST:
            st.caption(f"and {len(now) - _MOST} older unfinished runs")

    st.fragment(draw, run_every=_EVERY_S if alive else None)()


def _open(agent: str | None) -> Sequence[OpenRun]:
    return [item for item in stored.listing().running if agent in (None, item.head.agent)]


def _notice(item: OpenRun) -> None:
    head = item.head
    running = head.status is RunStatus.RUNNING
    total = _attempts(item)
    done = _format.of(min(item.done, total), total, "attempt") if total else _format.count(item.done, "attempt")
    began = moment(head.started_at)
    since = f", started {_format.date(began)}" if began else ""
    badge = ":blue-badge[▶ running]" if running else ":orange-badge[! crashed]"
    with st.container(border=True, gap="small"):
        st.markdown(f"{badge} {code(head.agent)} {escaped(f'{done} done of suite {head.suite.name}{since}')} · {code(head.run_id)}")
        if running:
            if total:
                st.progress(min(item.done / total, 1.0))
        else:
            again = head.parameters.get("rescored")
            command = f"agenteval rescore {quote(str(head.parent))}" if again else f"agenteval run --resume {quote(head.run_id)}"
            st.caption("No evidence is lost. Judge it again:" if again else "Nothing that finished is lost. Go on where it stopped:")
            st.code(command, language="bash")


def _attempts(item: OpenRun) -> int | None:
    """Attempts that the run will make, None where its head does not tell: a suite's own repeats are not in it.

    How many of the suite's cases run (candidates do not) is known from the newest stored run of the same suite and selection.
    """
    head = item.head
    repeat = int(head.parameters.get("repeat") or 1)
    if repeat > 1 and not head.parameters.get("repeat_all"):
        return None
    alike = (
        sum(run.head.counts.values())
        for run in reversed(stored.listing().runs)
        if head.suite.hash and run.head.suite.hash == head.suite.hash and run.head.selection.filter == head.selection.filter
    )
    total = repeat * next(alike, (head.suite.cases or 0) - head.selection.left_out)
    return total if item.done <= total else None
