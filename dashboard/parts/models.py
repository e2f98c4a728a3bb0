"""Models: which agent does this suite best, and how sure is that?"""

from __future__ import annotations

from parts.view import View


def show(view: View) -> None:
    """The whole page."""
