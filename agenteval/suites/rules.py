"""What a hint may ask of a value beyond its type, and the scalars that YAML reads differently from people."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from agenteval._text import clip


@dataclass(frozen=True, slots=True)
class Unquoted:
    """A scalar written without quotes that YAML 1.1 takes for something else: ``no``, ``2026-01-31``, ``010``, ``1:30``."""

    text: str
    meaning: str
    """What YAML 1.1 makes of it, e.g. ``false`` or ``a date``."""
    value: Any = None
    """The boolean that it means, None for the other kinds."""


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of a number, for ``Annotated[float, Range(ge=0)]``."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None

    def problem(self, value: Any) -> str | None:
        """What is wrong with the number, or None."""
        if self.ge is not None and self.ge == self.le and value != self.ge:
            return f"must be {self.ge:g}, not {value!r}"
        if self.ge is not None and self.le is not None and not self.ge <= value <= self.le:
            return f"must be between {self.ge:g} and {self.le:g}, not {value!r}"
        if self.ge is not None and value < self.ge:
            return f"must be at least {self.ge:g}, not {value!r}"
        if self.gt is not None and value <= self.gt:
            return f"must be more than {self.gt:g}, not {value!r}"
        if self.le is not None and value > self.le:
            return f"must be at most {self.le:g}, not {value!r}"
        return None


@dataclass(frozen=True, slots=True)
class Size:
    """Fewest and most entries of a list, or characters of a text."""

    least: int = 0
    most: int | None = None

    def problem(self, value: Any) -> str | None:
        """What is wrong with the size, or None."""
        size = len(value.strip()) if isinstance(value, str) else len(value)
        if size < self.least:
            return "must not be empty" if self.least == 1 else f"needs at least {self.least} entries, has {size}"
        if self.most is not None and size > self.most:
            unit = "characters" if isinstance(value, str) else "entries"
            return f"must have at most {self.most} {unit}, has {size}"
        return None


@dataclass(frozen=True, slots=True)
class Pattern:
    """Form of a text; ``words`` says it to people, e.g. ``lower-case letters, digits, - and _``."""

    regex: str
    words: str

    def problem(self, value: Any) -> str | None:
        """What is wrong with the form, or None."""
        return None if re.fullmatch(self.regex, value) else f"{clip(value, 60)!r} must be {self.words}"


@dataclass(frozen=True, slots=True)
class IsoDate:
    """A date such as 2026-12-31; the one text that may stand unquoted although YAML takes it for a date."""

    def problem(self, value: Any) -> str | None:
        """What is wrong with the date, or None."""
        try:
            date.fromisoformat(value)
        except ValueError:
            return f"{clip(value, 60)!r} is no date; write it as 2026-12-31"
        return None


Word = Annotated[str, Size(1)]
"""A text that is not blank."""
