"""Words that several tables share."""

from __future__ import annotations

from agenteval.charts.palette import look


def status_words(status: str | None) -> str:
    """Symbol and word of a status, for a table's cell.

    >>> status_words("failed"), status_words(None)
    ('✕ failed', '')
    """
    if status is None:
        return ""
    shown = look(status)
    return f"{shown.symbol} {shown.word}"
