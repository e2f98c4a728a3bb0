"""Runs: what is stored, where, and is it as it was written?"""

from __future__ import annotations

from parts.view import View


def show(view: View) -> None:
    """The whole page."""
