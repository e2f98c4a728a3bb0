"""``field`` and ``no_error``: what the attempt recorded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from decimal import Decimal
from typing import Annotated, Any

from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.equality import equal
from agenteval.evaluators.json_text import NotJsonError, find_json
from agenteval.model.score import Score
from agenteval.suites.shape import Pattern, Size

_ABSENT: Any = object()
_ROOTS = ("output", "raw", "tool_calls", "nodes_fired", "steps", "retrieved_context", "citations", "turns")
_PLAIN = ("cost_usd", "latency_ms", "claimed_latency_ms", "model", "tokens", "usage", "notes")
_PATH = r"[^.\[\]]+(?:\.[^.\[\]]+|\[-?\d+\])*"
_UNSET = "\x00unset"


@dataclass(frozen=True)
class Field:
    """A recorded value is as expected: a benchmark's own reward, a final state, a key of an answer in JSON.

    Attributes:
        path: Where it is, e.g. raw.reward, output.total (the answer read as JSON), tool_calls[0].arguments.city, usage.total_tokens.
        equals: The value it must equal; 1 equals 1.0.
        one_of: Values of which it must equal one.
        min: Least number.
        max: Largest number.
    """

    path: Annotated[str, Pattern(_PATH, "a path such as raw.reward or tool_calls[0].name")]
    equals: Any = _UNSET
    one_of: Annotated[list[Any], Size(1)] | None = None
    min: float | None = None
    max: float | None = None

    def __post_init__(self) -> None:
        root = re.split(r"[.\[]", self.path)[0]
        if root not in (*_ROOTS, *_PLAIN):
            raise ValueError(f"path {self.path!r} begins with {root!r}; it can begin with {', '.join((*_ROOTS, *_PLAIN))}")
        bounds = self.min is not None or self.max is not None
        if (self.equals != _UNSET) + (self.one_of is not None) + bounds != 1:
            raise ValueError("say what it must be: equals, one_of, or min and max")

    def evaluate(self, context: Context) -> Score:
        """1 or 0; not applicable where there is no such value."""
        found = lookup(context, self.path)
        if found is _ABSENT:
            return Score("field", reason=f"not applicable: the attempt holds no {self.path}")
        passed, wanted = self._verdict(found)
        shown = clip(repr(found), 120)
        return Score(
            "field", float(passed), passed, f"{self.path} is {shown}{'' if passed else f', not {wanted}'}", {"read": _short(found)}
        )

    def _verdict(self, found: Any) -> tuple[bool, str]:
        if self.equals != _UNSET:
            return equal(self.equals, found), clip(repr(self.equals), 120)
        if self.one_of is not None:
            return any(equal(value, found) for value in self.one_of), f"one of {clip(repr(self.one_of), 120)}"
        number = isinstance(found, (int, float, Decimal)) and not isinstance(found, bool)
        holds = number and (self.min is None or found >= self.min) and (self.max is None or found <= self.max)
        least = "" if self.min is None else f"at least {self.min:g}"
        most = "" if self.max is None else f"at most {self.max:g}"
        return bool(holds), " and ".join(part for part in (least, most) if part)


def lookup(context: Context, path: str) -> Any:
    """The value at a path of the recorded evidence, or a value that equals nothing where there is none."""
    keys = re.findall(r"[^.\[\]]+", path)
    current = _root(context, keys[0], deeper=len(keys) > 1)
    for key in keys[1:]:
        current = _step(current, key)
        if current is _ABSENT:
            return _ABSENT
    return current


def _root(context: Context, name: str, *, deeper: bool) -> Any:
    attempt = context.attempt
    if name == "output" and deeper:
        try:
            return find_json(attempt.output)
        except NotJsonError:
            return _ABSENT
    if name == "tokens":
        return _ABSENT if attempt.tokens is None else attempt.tokens
    value = getattr(attempt, name)
    return _ABSENT if value is None else value


def _step(value: Any, key: str) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
        found = value.get(key, _ABSENT)
        return _ABSENT if found is None else found
    if isinstance(value, Mapping):
        return value.get(key, _ABSENT)
    if isinstance(value, Sequence) and not isinstance(value, str) and re.fullmatch(r"-?\d+", key):
        index = int(key)
        return value[index] if -len(value) <= index < len(value) else _ABSENT
    return _ABSENT


def _short(value: Any) -> Any:
    if isinstance(value, (bool, int, float)) or value is None:
        return value
    if isinstance(value, str):
        return value if len(value) <= 500 else f"{value[:500]}…"
    return clip(repr(value), 500)


@dataclass(frozen=True)
class NoError:
    """The agent finished without an error."""

    def evaluate(self, context: Context) -> Score:
        """1 where there is no error."""
        error = context.attempt.error
        if error is None:
            return Score("no_error", 1.0, True, "the agent finished without an error")
        return Score("no_error", 0.0, False, f"{error.type}: {clip(error.message, 200)}")
