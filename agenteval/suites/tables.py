"""Rows of a CSV dataset as cases: which column is which key, and what a cell means."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Union, get_args, get_origin

from agenteval._text import clip, nearest
from agenteval.errors import Problem
from agenteval.suites import shape
from agenteval.suites.keys import CaseKeys, Expects
from agenteval.suites.yaml_scalars import scalar

Place = tuple[str, str | None, Callable[[str], Any]]
"""Case key, key below it or None, and how its cells are read."""

_FREE = ("context", "metadata")


def columns(header: Sequence[str], problems: list[Problem]) -> dict[str, Place]:
    """The place of each column; unknown columns become problems, once."""
    found = {}
    for name in header:
        place = _place(name)
        if place is None:
            known = [
                *(key for key in shape.fields_of(CaseKeys) if key not in ("turns", "user", "expects", "evaluators", "quarantine")),
                *shape.fields_of(Expects),
            ]
            close = nearest(name, [*known, *(f"expects.{key}" for key in shape.fields_of(Expects))])
            fix = (
                f"did you mean {close!r}?" if close else "columns are keys of a case or of its expects, or metadata.<name>, context.<name>"
            )
            problems.append(Problem(f"unknown column {clip(name, 60)!r}", fix))
        elif name:
            found[name] = place
    return found


def _place(name: str) -> Place | None:
    group, dot, key = name.partition(".")
    expected = shape.fields_of(Expects)
    if dot and key and group in _FREE:
        return group, key, str
    if dot and group == "expects" and key in expected:
        return "expects", key, _reader(expected[key].hint)
    field = shape.fields_of(CaseKeys).get(name)
    if field is not None and (kind := _kind(field.hint)) in (str, bool, int, float, list):
        return name, None, _reader(kind)
    return ("expects", name, _reader(expected[name].hint)) if name in expected else None


def _kind(hint: Any) -> Any:
    """The plain type behind annotations and ``| None``."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _kind(get_args(hint)[0])
    if origin in (Union, types.UnionType):
        return _kind(get_args(hint)[0])
    return origin or hint


def _reader(hint: Any) -> Callable[[str], Any]:
    kind = _kind(hint)
    if kind is list:
        return _split
    return _typed if kind in (bool, int, float) else str


def _split(cell: str) -> list[str]:
    """A cell's entries: parted by ``;`` where it holds one, else by commas."""
    return [part.strip() for part in cell.split(";" if ";" in cell else ",") if part.strip()]


def _typed(cell: str) -> Any:
    word = cell.strip()
    return scalar(word.lower() if word.lower() in ("true", "false") else word)


def case_of(row: Mapping[str, str], places: Mapping[str, Place], inherited: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a case would be written. Empty cells say nothing; a truth is a number only where the case is numeric."""
    case: dict[str, Any] = {}
    for name, (key, inner, read) in places.items():
        cell = row[name]
        if not cell.strip():
            continue
        if inner is None:
            case[key] = read(cell)
        else:
            case.setdefault(key, {})[inner] = read(cell)
    expects = case.get("expects", {})
    kind = expects.get("correctness_type", inherited.get("expects", {}).get("correctness_type"))
    if kind == "numeric" and isinstance(expects.get("ground_truth"), str):
        number = scalar(expects["ground_truth"].strip())
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            expects["ground_truth"] = number
    return case
