"""Text that Markdown must not read, and the short words of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval._time import now, parse
from agenteval.charts.palette import look
from agenteval.model.run import RunHead

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_COMMAND = re.compile(r"(`agenteval [a-z -]+`)")
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
    """A verdict's sentence with a capital, for Markdown; the commands that it quotes are code.

    >>> sentence("pin this run with `agenteval baseline set latest`")
    'Pin this run with `agenteval baseline set latest`'
    """
    parts = _COMMAND.split(text[:1].upper() + text[1:])
    spaced = [f"{' ' * part.startswith(' ')}{escaped(part)}{' ' * part.endswith(' ')}" for part in parts[::2]]
    return "".join(word for pair in zip(spaced, [*parts[1::2], ""], strict=True) for word in pair)


def text_block(text: str, *, most: int = 20_000) -> None:
    """Text from outside in a box, never Markdown, cut where it is longer than ``most``."""
    cut = text[:most]
    st.code(cut, language=None, wrap_lines=True)
    if len(text) > len(cut):
        st.caption(f"the first {most:,} of {len(text):,} characters; the stored record has all")


def as_text(value: Any) -> str:
    """A stored value on one line: text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def as_yaml(value: Any, *, width: int = 40) -> str:
    """A stored value as a suite's author would write it.

    >>> as_yaml({"contains": "30 days", "must_call_tools": ("look", "check")})
    'contains: 30 days\\nmust_call_tools: [look, check]'
    """
    import json

    import yaml

    plain = json.loads(json.dumps(value, default=str))
    parts = [{name: item} for name, item in plain.items()] if isinstance(plain, dict) else [plain]
    return "".join(
        # A mapping of scalars alone would be written in braces.
        yaml.safe_dump(part, sort_keys=False, allow_unicode=True, width=width, default_flow_style=None if _nested(part) else False)
        for part in parts
    ).rstrip()


def _nested(part: Any) -> bool:
    return not isinstance(part, dict) or any(isinstance(item, (dict, list)) for item in part.values())


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
