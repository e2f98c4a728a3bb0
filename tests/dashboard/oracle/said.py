"""What pages are held against: a word that stands in a piece of a page, and a text with its numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tests.dashboard.oracle import Folder, Run, status
from tests.dashboard.oracle.words import (
    count,
    of,
)
from tests.dashboard.rich_folder import AGENT

Said = list[tuple[str, str]]
"""A word that stands in a piece of the page, and a text with the numbers of that piece."""

_WORDS = {"agent_error": "agent error", "evaluator_error": "evaluator error", "not_selected": "not selected"}
ERRORS = ("agent_error", "evaluator_error")


@dataclass(frozen=True)
class Seen:
    """What a page was opened on."""

    folder: Folder
    run: Run
    then: Run | None


def with_numbers(said: Said) -> Said:
    """Without the pieces that hold none."""
    return [(word, text) for word, text in said if any(letter.isdigit() for letter in text)]


def word(name: str) -> str:
    return _WORDS.get(name, name)


def tally(run: Run) -> str:
    """``13 of 21 passed, 1 agent error``."""
    counts = Counter(map(status, run.counted()))
    parts = [f"{of(counts['passed'], len(run.counted()))} passed"]
    parts += [count(counts[name], word(name)) for name in ERRORS if counts[name]]
    return ", ".join(parts + [f"{counts[name]} {name}" for name in ("skipped", "unscored") if counts[name]])


def notices(folder: Folder, agent: str | None = None) -> Said:
    """Runs that are not finished: how many of as many attempts as the newest run of the same cases made."""
    said: Said = []
    for head, done in folder.open:
        if agent in (None, head["agent"]):
            alike = [
                run for run in folder.runs if run.head["suite"]["hash"] == head["suite"]["hash"] and not run.head["selection"]["filter"]
            ]
            whole = len(alike[-1].cases)
            said.append(("done of suite", f"{of(done, whole, 'attempt')} done"))
            if head["agent"] == AGENT:  # its lock is held: it is running
                said.append(("% done", f"{100 * done // whole}% done"))
    return said
