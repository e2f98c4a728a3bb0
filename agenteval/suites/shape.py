"""The one checker of plain values against type hints: case keys, ``expects``, ``agents.yaml``, gates, evaluator parameters.

A problem found here carries only the ``path`` inside the document; who knows the file adds the position.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from agenteval._text import clip, nearest
from agenteval.errors import Problem
from agenteval.suites import leaves
from agenteval.suites.leaves import Check, describe
from agenteval.suites.rules import IsoDate, Pattern, Range, Size, Unquoted, Word

__all__ = [
    "IsoDate",
    "Pattern",
    "Range",
    "Size",
    "Unquoted",
    "Word",
    "build",
    "check_fields",
    "check_of",
    "fields_of",
    "json_schema",
    "main_field",
    "unknown_key",
]

T = TypeVar("T")


def build(cls: type[T], params: Any, path: str = "", *, exclude: frozenset[str] = frozenset()) -> tuple[T | None, list[Problem]]:
    """An instance of a dataclass from what a user wrote, or None and why not.

    A value that is no mapping stands for the first field that is not keyword-only (``max_steps: 8``); None stands for no parameters.
    A ``ValueError`` of ``__post_init__`` is a problem at ``path``.
    """
    problems: list[Problem] = []
    if isinstance(params, Mapping) or params is None:
        values = check_fields(cls, params or {}, path, problems, exclude=exclude)
    else:
        values = _lone_value(cls, params, path, problems)
    if problems:
        return None, problems
    try:
        return cls(**values), []
    except ValueError as error:
        return None, [Problem(str(error), path=path)]


def main_field(cls: type) -> str | None:
    """The field that a lone value stands for: the first that is not keyword-only."""
    return next((field.name for field in dataclasses.fields(cls) if field.init and not field.kw_only), None)


def _lone_value(cls: type, value: Any, path: str, problems: list[Problem]) -> dict[str, Any]:
    """The lone value as the first field's; it stands at ``path`` itself, not under a key."""
    main = main_field(cls)
    if main is None:
        problems.append(Problem(f"must be a mapping of parameters, not {describe(value)}", path=path))
        return {}
    fields = fields_of(cls)
    problems.extend(_missing(name, path) for name, field in fields.items() if field.required and name != main)
    return {main: fields[main].check(value, path, problems)}


def _missing(name: str, path: str) -> Problem:
    return Problem(f"{name} is required", "add it", path=path)


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a mapping: its check, its hint and whether it must be there."""

    hint: Any
    check: Check
    required: bool


@cache
def fields_of(cls: type) -> dict[str, Field]:
    """The keys of a dataclass, in order."""
    hints = get_type_hints(cls, include_extras=True)
    return {
        field.name: Field(
            hints[field.name],
            check_of(hints[field.name]),
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
        )
        for field in dataclasses.fields(cls)
        if field.init
    }


@cache
def _required(cls: type) -> tuple[str, ...]:
    return tuple(name for name, field in fields_of(cls).items() if field.required)


def check_fields(
    cls: type,
    params: Mapping[Any, Any],
    path: str,
    problems: list[Problem],
    *,
    exclude: frozenset[str] = frozenset(),
    misplaced: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The checked values of the keys that are there; unknown and missing keys, and wrong types, become problems.

    Args:
        exclude: Fields that are no keys.
        misplaced: What to do about keys that people write here although they belong elsewhere.
    """
    fields = fields_of(cls)
    values: dict[str, Any] = {}
    for key, value in params.items():
        field = fields.get(key)
        if field is None or key in exclude:
            fix = misplaced.get(key) if misplaced else None
            problems.append(unknown_key(str(key), [name for name in fields if name not in exclude], path, fix))
        else:
            values[key] = field.check(value, f"{path}.{key}" if path else key, problems)
    problems.extend(_missing(name, path) for name in _required(cls) if name not in params)
    return values


def unknown_key(key: str, known: Sequence[str], path: str, fix: str | None = None) -> Problem:
    """The problem of a key that nobody reads, with the nearest one that somebody does."""
    close = nearest(key, known)
    fix = fix or (f"did you mean {close!r}?" if close else f"known keys: {', '.join(known)}" if known else "it takes none")
    return Problem(f"unknown key {clip(key, 60)!r}", fix, path=f"{path}.{key}" if path else key)


@cache
def check_of(hint: Any) -> Check:
    """The check that a type hint stands for."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        whole = next((rule.check for rule in hint.__metadata__ if hasattr(rule, "check")), None)
        return leaves.constrained(whole or check_of(arguments[0]), hint.__metadata__)
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if origin is Literal:
        return leaves.choice({choice: choice for choice in arguments})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return leaves.choice({member.value: member for member in hint})
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _nested(hint)
    kind = origin or hint
    if isinstance(kind, type) and kind in leaves.SCALARS:
        return leaves.SCALARS[kind]
    if isinstance(kind, type) and kind is not str and issubclass(kind, Mapping):
        return leaves.mapping(check_of(arguments[1] if arguments else Any))
    if isinstance(kind, type) and kind is not str and issubclass(kind, (Sequence, set, frozenset)):
        return leaves.sequence(check_of(arguments[0] if arguments else Any), kind if kind in (tuple, set, frozenset) else list)
    return leaves.anything


def _nested(cls: type) -> Check:
    def check(value: Any, path: str, problems: list[Problem]) -> Any:
        if not isinstance(value, Mapping):
            problems.append(Problem(f"must be a mapping with {', '.join(fields_of(cls))}, not {describe(value)}", path=path))
            return value
        instance, found = build(cls, value, path)
        problems.extend(found)
        return instance

    return check


def _union(hints: Sequence[Any]) -> Check:
    branches = [check_of(hint) for hint in hints]

    def check(value: Any, path: str, problems: list[Problem]) -> Any:
        attempts: list[list[Problem]] = []
        for branch in branches:
            found: list[Problem] = []
            result = branch(value, path, found)
            if not found:
                return result
            attempts.append(found)
        problems.extend(_closest(attempts, hints))
        return value

    return check


def _closest(attempts: list[list[Problem]], hints: Sequence[Any]) -> list[Problem]:
    """The problems of the branch that got furthest: one that found fault inside the value, else the first that isn't None's."""
    real = [found for found, hint in zip(attempts, hints, strict=True) if hint is not types.NoneType]
    return max(real, key=lambda found: (max(len(problem.path) for problem in found), "must be" not in found[0].what))


def json_schema(hint: Any) -> dict[str, Any]:
    """The JSON Schema of what ``check_of(hint)`` accepts."""
    from agenteval.suites.hint_schema import json_schema as make

    return make(hint)
