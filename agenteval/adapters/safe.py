"""Any Python object as JSON-safe evidence: bounded, acyclic, without NaN, and never an exception."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date, time
from enum import Enum
from pathlib import PurePath
from typing import Any

from agenteval._redact import redact

MAX_TEXT = 200_000
"""Characters kept of one text; an answer beyond it is judged and stored up to here, with a note."""
MAX_DEPTH = 24
MAX_ITEMS = 5_000
MAX_TOTAL = 4_000_000
"""Characters kept of one response in all."""
MAX_ENTRIES = 100_000
"""Steps, tool calls and the like kept of one response; an endless iterator must end somewhere."""
LONGEST_SECRET = 10_000


def cut(text: str, limit: int) -> str:
    """The beginning of a text, redacted; a secret that the cut would halve, and so hide from redaction later, is whole here."""
    return redact(text[: limit + LONGEST_SECRET])[:limit] if limit else ""


class Sanitizer:
    """Turns one response's values into JSON-safe ones and keeps notes of what it had to change."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._room = MAX_TOTAL
        self._open: set[int] = set()

    def note(self, text: str) -> None:
        """Add a note once."""
        if text not in self.notes:
            self.notes.append(text)

    def text(self, value: Any, what: str = "text") -> str:
        """A value as text: no lone surrogates, at most MAX_TEXT characters."""
        if type(value) is not str:
            value = str.__str__(value) if isinstance(value, str) else self._described(value)
        limit = min(MAX_TEXT, max(self._room, 0))
        if len(value) > limit:
            self.note(f"{what} cut from {len(value):,} to {limit:,} characters")
            value = cut(value, limit)
        self._room -= len(value)
        if not value.isascii():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                self.note(f"{what}: lone surrogates replaced")
                value = value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        return str(value)

    def number(self, value: Any, what: str) -> float | None:
        """A finite float >= 0, or None with a note."""
        if value is None:
            return None
        try:
            number = float(value)
        except Exception:
            self.note(f"{what} is not a number: left out")
            return None
        if not math.isfinite(number) or number < 0:
            self.note(f"{what} was {number}: left out")
            return None
        return number

    def count(self, value: Any, what: str) -> int | None:
        """A whole number >= 0, or None with a note."""
        number = self.number(value, what)
        return None if number is None else int(number)

    def value(self, value: Any, depth: int = 0) -> Any:
        """The JSON-safe form of anything; what cannot be kept becomes a text that names its type."""
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            return self.text(value)
        if kind is int:
            return value if value.bit_length() <= 1024 else self._lost(value, "too large a number")
        if kind is float:
            if math.isfinite(value):
                return value
            self.note(f"{value} stored as null")
            return None
        if depth >= MAX_DEPTH:
            return self._lost(value, "nested too deep")
        if id(value) in self._open:
            return self._lost(value, "refers to itself")
        self._open.add(id(value))
        try:
            return self._composite(value, depth + 1)
        except Exception as error:
            return self._lost(value, f"{type(error).__name__} while reading it")
        finally:
            self._open.discard(id(value))

    def _composite(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return self._mapping(value.items(), depth)
        if isinstance(value, list | tuple | Set):
            return self._items(value, depth)
        if isinstance(value, bytes | bytearray):
            return self.text(bytes(value).decode("utf-8", "replace"))
        if isinstance(value, PurePath):
            return self.text(str(value))
        if isinstance(value, Enum):
            return self.value(value.value, depth)
        if isinstance(value, date | time):
            return value.isoformat()
        if isinstance(value, type):
            return self._lost(value, "a class")
        if is_dataclass(value):
            return self._mapping([(field.name, getattr(value, field.name)) for field in fields(value)], depth)
        for name in ("model_dump", "tolist", "isoformat"):
            convert = getattr(value, name, None)
            if callable(convert):
                return self.value(convert(), depth)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return self.value(float(value), depth)
        return self._lost(value, "no JSON form")

    def _mapping(self, items: Any, depth: int) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for number, (key, item) in enumerate(items):
            if number >= MAX_ITEMS or self._room <= 0:
                self.note(f"a mapping was cut after {number:,} keys")
                break
            kept[self.text(key if isinstance(key, str) else self._described(key))] = self.value(item, depth)
        return kept

    def _items(self, items: Any, depth: int) -> list[Any]:
        kept = []
        for number, item in enumerate(items):
            if number >= MAX_ITEMS or self._room <= 0:
                self.note(f"a list was cut after {number:,} items")
                break
            kept.append(self.value(item, depth))
        return kept

    def _lost(self, value: Any, why: str) -> str:
        self.note(f"a {type(value).__name__} could not be stored ({why})")
        return f"<{type(value).__name__}: {why}>"

    def _described(self, value: Any) -> str:
        try:
            return str.__str__(str(value))
        except Exception:
            return self._lost(value, "no text form")
