"""Checks of single values, lists, mappings and choices, made of smaller checks."""

from __future__ import annotations

import math
import re
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agenteval._text import clip, nearest
from agenteval.errors import Problem
from agenteval.suites.rules import IsoDate, Unquoted

Check = Callable[[Any, str, list[Problem]], Any]
"""Takes a value, its path and the list of problems to add to; returns the value as its hint wants it."""


def describe(value: Any) -> str:
    """A value as a message names it: its kind and, where short, itself."""
    match value:
        case None:
            return "empty"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {clip(repr(value), 40)}"
        case str():
            return f"the text {clip(value, 40)!r}"
        case Unquoted():
            return f"unquoted {value.text}"
        case Mapping():
            return "a mapping"
    return "a list"


def text(value: Any, path: str, problems: list[Problem]) -> Any:
    """A text."""
    if type(value) is str:
        return value
    match value:
        case Unquoted():
            what = f"must be text, but YAML takes unquoted {value.text} for {value.meaning}"
            problems.append(Problem(what, f'quote it: "{value.text}"', path))
        case bool() | int() | float():
            shown = describe(value).removeprefix("the number ")
            problems.append(Problem(f"must be text, not {describe(value)}", f'quote it: "{shown}"', path))
        case None:
            problems.append(Problem("must be text, but is empty", "write the text or remove the key", path))
        case _:
            problems.append(Problem(f"must be text, not {describe(value)}", "write one text", path))
    return value


def boolean(value: Any, path: str, problems: list[Problem]) -> Any:
    """true or false; of YAML's other words only where they stand unquoted."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Unquoted) and isinstance(value.value, bool):
        return value.value
    fix = "remove the quotes" if value in ("true", "false") else "write true or false"
    problems.append(Problem(f"must be true or false, not {describe(value)}", fix, path))
    return value


def integer(value: Any, path: str, problems: list[Problem]) -> Any:
    """A whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    problems.append(Problem(f"must be a whole number, not {describe(value)}", _number_fix(value), path))
    return value


def number(value: Any, path: str, problems: list[Problem]) -> Any:
    """A finite number, as a float."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
        problems.append(Problem(f"must be a finite number, not {clip(repr(value), 40)}", path=path))
    else:
        problems.append(Problem(f"must be a number, not {describe(value)}", _number_fix(value), path))
    return value


def _number_fix(value: Any) -> str:
    if isinstance(value, Unquoted) and not isinstance(value.value, bool):
        return f"YAML takes it for {value.meaning}: write a plain decimal number"
    if isinstance(value, str) and re.fullmatch(r"[-+]?\d+(\.\d+)?", value):
        return "remove the quotes"
    return ""


def anything(value: Any, path: str, problems: list[Problem]) -> Any:
    """Any value that JSON can hold."""
    if type(value) is str:
        return value
    if isinstance(value, Unquoted):
        out = f'quote it: "{value.text}"'
        fix = f"write {value.meaning}, or {out}" if isinstance(value.value, bool) else out
        problems.append(Problem(f"YAML takes unquoted {value.text} for {value.meaning}", fix, path))
    elif isinstance(value, float) and not math.isfinite(value):
        problems.append(Problem("must be a finite number", f'quote it: "{value}"', path))
    elif isinstance(value, Mapping):
        return {key: anything(entry, f"{path}.{key}", problems) for key, entry in value.items()}
    elif isinstance(value, (list, tuple)):
        return [anything(entry, f"{path}[{index}]", problems) for index, entry in enumerate(value)]
    return value


def nothing(value: Any, path: str, problems: list[Problem]) -> Any:
    """An empty value."""
    if value is not None:
        problems.append(Problem(f"must be empty, not {describe(value)}", path=path))
    return None


SCALARS: dict[type, Check] = {str: text, bool: boolean, int: integer, float: number, types.NoneType: nothing}


def mapping(entry: Check) -> Check:
    """A mapping of texts to what ``entry`` accepts."""

    def check(value: Any, path: str, problems: list[Problem]) -> Any:
        if isinstance(value, Mapping):
            return {key: entry(item, f"{path}.{key}", problems) for key, item in value.items()}
        problems.append(Problem(f"must be a mapping of keys to values, not {describe(value)}", path=path))
        return value

    return check


def sequence(entry: Check, kind: Callable[[list[Any]], Any]) -> Check:
    """A list of what ``entry`` accepts, made into ``kind``."""

    def check(value: Any, path: str, problems: list[Problem]) -> Any:
        if isinstance(value, (list, tuple)):
            return kind([entry(item, f"{path}[{index}]", problems) for index, item in enumerate(value)])
        fix = f"write [{value}]" if isinstance(value, str) and len(value) <= 40 and value.isprintable() else "write a list: [...]"
        problems.append(Problem(f"must be a list, not {describe(value)}", fix, path))
        return value

    return check


def choice(options: Mapping[Any, Any]) -> Check:
    """One of the options, made into what it maps to."""
    shown = ", ".join(str(option) for option in options)

    def check(value: Any, path: str, problems: list[Problem]) -> Any:
        for option, meant in options.items():
            if value == option and type(value) is type(option):
                return meant
        close = nearest(value, [str(option) for option in options]) if isinstance(value, str) else None
        fix = f"did you mean {close!r}? Allowed: {shown}" if close else f"allowed: {shown}"
        what = f"unknown value {clip(value, 60)!r}" if isinstance(value, str) else f"must be one of its words, not {describe(value)}"
        problems.append(Problem(what, fix, path))
        return value

    return check


def constrained(inner: Check, rules: Sequence[Any]) -> Check:
    """The check of a value that must also keep rules (``Range``, ``Size``, ``Pattern``, ``IsoDate``)."""
    allow_date = any(isinstance(rule, IsoDate) for rule in rules)
    tests = [rule.problem for rule in rules if hasattr(rule, "problem")]

    def check(value: Any, path: str, problems: list[Problem]) -> Any:
        if allow_date and isinstance(value, Unquoted) and value.meaning == "a date":
            value = value.text
        before = len(problems)
        result = inner(value, path, problems)
        if len(problems) == before:
            problems.extend(Problem(what, path=path) for test in tests if (what := test(result)))
        return result

    return check
