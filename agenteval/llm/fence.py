"""Text of strangers inside a prompt: shut in by a boundary that it cannot guess."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

FIXED = "0" * 16
"""Stands for the boundary where a prompt is only compared, not sent."""

Prompt = Callable[[str], list[dict[str, str]]]
"""Chat messages for a boundary; what does not depend on it is the same for every one."""


def fenced(name: str, text: str, boundary: str) -> str:
    """The text between two marks that carry the boundary; a boundary that it holds itself is taken out.

    Where prompts are only compared, no two texts look alike: nothing is taken out, and the text can't imitate a mark.

    >>> print(fenced("answer", "yes", "b1"))
    <<<answer b1>>>
    yes
    <<<end of answer b1>>>
    """
    inside = json.dumps(text) if boundary == FIXED else text.replace(boundary, "")
    return f"<<<{name} {boundary}>>>\n{inside}\n<<<end of {name} {boundary}>>>"


def boundary() -> str:
    """A boundary that nobody can have known."""
    return secrets.token_hex(8)
