"""Runs: what is stored, where, and is it as it was written?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import streamlit as st

from agenteval import _format
from agenteval.artifacts.store import OpenRun, StoredHead, Unreadable
from agenteval.model.run import RunHead
from agenteval.model.status import RunStatus
from parts import project, stored
from parts.places import place_names, places, unreadable
from parts.progress import unfinished
from parts.runs.one_run import one_run
from parts.runs.table import filtered, run_table
from parts.view import View
from parts.words import ago, badge, code, escaped


def show(view: View) -> None:
    """The whole page."""
    found = stored.listing()
    ledgers = stored.ledgers()
    gone = _gone(found.runs, found.running, ledgers)
    files = [(item.place, item.head.agent) for item in found.runs]
    lost = [(str(folder / "history.json"), head.agent) for head, folder in gone]
    going = [(str(item.path.parent), item.head.agent) for item in found.running]
    named = place_names([*files, *lost, *going])
    counts = Counter(named[place] for place, _ in files)
    _sentence([item.head for item in found.runs], found.running, len(gone), len(counts), _broken(found.unreadable, ledgers.unreadable))
    places(counts)
    unreadable((*found.unreadable, *ledgers.unreadable))

    from agenteval.charts.run_list import ListedRun

    pins = _pins(found.runs)
    listed = [
        ListedRun(item.head, named[item.place], item.place, _state(item.head), pins.get(_suite(item.head)) == item.head.run_id)
        for item in found.runs
    ]
    listed += [ListedRun(head, named[place], None, "file gone, ledger only") for (head, _), (place, _) in zip(gone, lost, strict=True)]
    listed += [ListedRun(item.head, named[place], None, _open_state(item)) for item, (place, _) in zip(found.running, going, strict=True)]
    listed.sort(key=lambda item: (item.head.started_at, item.head.run_id), reverse=True)
    run_table(view, filtered(listed), len(listed))
    unfinished()
    one_run(view)


def _suite(head: RunHead) -> tuple[str, str]:
    return head.agent, head.suite.name


def _sentence(heads: Sequence[RunHead], running: Sequence[OpenRun], gone: int, where: int, broken: str) -> None:
    newest = max(heads, key=lambda head: head.started_at)
    agents = len({head.agent for head in heads})
    told = f"{_format.count(len(heads), 'run')} of {_format.count(agents, 'agent')} in {_format.count(where, 'place')}; "
    told += f"{broken} can't be read." if broken else "every file can be read."
    st.markdown(f"#### {escaped(told)}", anchors=False)
    verdict = badge(newest.gate.outcome.value) if newest.gate else ":gray-badge[· no verdict recorded]"
    words = [f"Newest: {verdict} {code(newest.agent)} {escaped(ago(newest))}"]
    alive = sum(item.head.status is RunStatus.RUNNING for item in running)
    if alive:
        words.append(f"{_format.count(alive, 'run')} still running")
    if len(running) > alive:
        words.append(f"{_format.count(len(running) - alive, 'run')} crashed before the end")
    if gone:
        words.append(f"{_format.count(gone, 'older run')} known from the ledger only, the files are gone")
    st.markdown(" · ".join(words))


def _broken(files: Sequence[Unreadable], ledgers: Sequence[Unreadable]) -> str:
    """``8 files and 1 ledger``; "" where everything can be read."""
    parts = [_format.count(len(files), "file") if files else "", _format.count(len(ledgers), "ledger") if ledgers else ""]
    return " and ".join(filter(None, parts))


def _gone(runs: Iterable[StoredHead], running: Iterable[OpenRun], ledgers: stored.Ledgers) -> list[tuple[RunHead, Path]]:
    """Heads in ledgers whose run file is in no place."""
    heads = [*(item.head for item in runs), *(item.head for item in running)]
    known = {(head.agent, head.run_id) for head in heads}
    return [(head, folder) for head, folder in ledgers.heads if (head.agent, head.run_id) not in known]


def _pins(runs: Iterable[StoredHead]) -> dict[tuple[str, str], str]:
    """Id of the pinned run of each agent's suite."""
    newest = {_suite(item.head): item.head for item in runs}
    found = {suite: project.pinned(head) for suite, head in newest.items()}
    return {suite: pin.head.run_id for suite, pin in found.items() if pin is not None and pin.head is not None}


def _state(head: RunHead) -> str:
    """What the head alone tells of the file's evidence."""
    if head.digest is not None:
        return "not verified"
    return "no digest: older format" if head.legacy else "no digest"


def _open_state(item: OpenRun) -> str:
    done = _format.count(item.done, "attempt")
    return f"▶ running, {done} done" if item.head.status is RunStatus.RUNNING else f"! crashed, {done} done"
