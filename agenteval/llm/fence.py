"""Text of strangers inside a prompt: shut in by a boundary that it cannot guess."""

from __future__ import annotations

import secrets
from collections.abc import Callable

FIXED = "0" * 16
"""Stands for the boundary where a prompt is only compared, not sent."""

Prompt = Callable[[str], list[dict[str, str]]]
"""Chat messages for a boundary; what does not depend on it is the same for every one."""


def fenced(name: str, text: str, boundary: str) -> str:
    """The text between two marks that carry the boundary; a mark that it holds itself is taken out.

    >>> print(fenced("answer", "yes", "b1"))
    <<<answer b1>>>
    yes
    <<<end of answer b1>>>
    """
    return f"<<<{name} {boundary}>>>\n{text.replace(boundary, '')}\n<<<end of {name} {boundary}>>>"


def boundary() -> str:
    """A boundary that nobody can have known."""
    return secrets.token_hex(8)
