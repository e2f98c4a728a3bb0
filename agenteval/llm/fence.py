"""Text of strangers inside a prompt: shut in by a boundary that it cannot guess."""

from __future__ import annotations

import hashlib
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


def boundary(seed: int | None, prompt: Prompt, vote: int) -> str:
    """A boundary that no text between its marks can know.

    Drawn anew; or, where a seed asks for the same reply to the same question, a hash of both: a text that holds the hash of the prompt
    it stands in cannot be made.
    """
    if seed is None:
        return secrets.token_hex(8)
    return hashlib.sha256(json.dumps([seed, vote, prompt(FIXED)]).encode()).hexdigest()[:16]
