"""Text as the product compares and shows it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, options: Iterable[str]) -> str | None:
    """The option most like a misspelt name, or None.

    >>> nearest("contians", ["exact", "contains"])
    'contains'
    """
    found = difflib.get_close_matches(name, list(options), n=1, cutoff=0.6)
    return found[0] if found else None


def plain(text: str) -> str:
    """Text safe on a terminal: control characters other than newline and tab become visible escapes.

    >>> plain("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(char if char in "\n\t" or char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def clip(text: str, limit: int) -> str:
    """Text of at most ``limit`` characters on one line, cut with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
