"""Text that Markdown must not read, and the short words of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from agenteval import _format
from agenteval._text import clip
from agenteval._time import now, parse
from agenteval.charts.palette import look
from agenteval.model.run import RunHead

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_AUTOLINK = re.compile(r"(?i)(://|www\.)")


def escaped(text: str) -> str:
    """Text for a Markdown heading, label or sentence, shown as it is on one line; addresses do not become links.

    >>> escaped("[x](y)")
    '\\\\[x\\\\]\\\\(y\\\\)'
    """
    line = _AUTOLINK.sub("\u2060\\1", " ".join(text.split()))
    return _PUNCTUATION.sub(r"\\\1", line)


def code(text: str) -> str:
    """An id as inline code, in which Markdown reads nothing, whatever it holds.

    >>> code("a_b"), code("a`b")
    ('`a_b`', '``a`b``')
    """
    line = " ".join(text.split()) or "(empty)"
    fence = "`" * (max((len(run) for run in re.findall(r"`+", line)), default=0) + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"


def sentence(text: str) -> str:
    """A verdict's sentence with a capital, for Markdown."""
    return escaped(text[:1].upper() + text[1:])


def badge(status: str | None) -> str:
    """A status as a coloured badge with symbol and word, in Markdown."""
    shown = look(status)
    return f":{shown.streamlit}-badge[{escaped(shown.symbol)} {escaped(shown.word)}]"


def mark(status: str | None) -> str:
    """A status's symbol and word in its colour, in Markdown."""
    shown = look(status)
    return f":{shown.streamlit}[{escaped(shown.symbol)} {escaped(shown.word)}]"


def moment(text: str | None) -> datetime | None:
    """The moment of a stored time, None where it is none."""
    try:
        return parse(text) if text else None
    except ValueError:
        return None


def when(head: RunHead) -> str:
    """``2026-11-30 22:28 UTC``."""
    started = moment(head.started_at)
    return _format.date(started) if started else head.started_at


def ago(head: RunHead) -> str:
    """``3 days ago``."""
    started = moment(head.started_at)
    return _format.age(started, now()) if started else ""


def tally(head: RunHead) -> str:
    """Passed of the cases that count, with what else there was: ``44 of 50 passed, 1 agent error``."""
    counts = head.counts
    total = sum(number for status, number in counts.items() if status not in ("candidate", "quarantined"))
    words = [f"{_format.of(counts.get('passed', 0), total)} passed"]
    words += [
        _format.count(counts[status], look(status).word, look(status).word if status in ("skipped", "unscored") else None)
        for status in ("agent_error", "evaluator_error", "skipped", "unscored")
        if counts.get(status)
    ]
    return ", ".join(words)


def run_labels(heads: Sequence[RunHead]) -> dict[str, str]:
    """Runs as a list names them, by id: gate, date, passed cases, label; the id's end where two would look the same. Plain text."""
    labels = {head.run_id: _run_label(head) for head in heads}
    seen = Counter(labels.values())
    return {run_id: label if seen[label] == 1 else f"{label} · {run_id[-6:]}" for run_id, label in labels.items()}


def _run_label(head: RunHead) -> str:
    started = moment(head.started_at)
    gate = look(head.gate.outcome.value).symbol if head.gate else "○"
    total = sum(number for status, number in head.counts.items() if status not in ("candidate", "quarantined"))
    parts = [f"{gate} {started:%m-%d %H:%M}" if started else f"{gate} {head.started_at}", _format.of(head.counts.get("passed", 0), total)]
    if head.label:
        parts.append(clip(head.label, 24))
    return " · ".join(parts)
