"""Whose dialect a file is written in, by its cases' own keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agenteval._text import nearest
from agenteval.errors import InputError, Problem

NATIVE = "native"
DIALECTS = {NATIVE: "native", "agentlens": "AgentLens", "cognite": "Cognite"}
_SIGNS = {"agentlens": "'input'", "cognite": "turns with 'input'", NATIVE: "'prompt'"}
_ROOT_KEYS = {"agentlens": ("repetitions",), "cognite": ("dataModels", "instanceSpaces", "appContext")}


def check_name(dialect: str | None) -> None:
    """Refuse a dialect that nobody speaks.

    Raises:
        InputError: An unknown name; the known ones are listed.
    """
    if dialect is not None and dialect not in DIALECTS:
        close = nearest(dialect, DIALECTS)
        raise InputError(
            Problem(
                f"unknown dialect {dialect!r}", f"did you mean {close!r}?" if close else f"known: {', '.join(DIALECTS)}", file="--dialect"
            )
        )


def first_of_each(cases: Sequence[Any]) -> dict[str, int]:
    """The dialects that cases are written in, each with the index of its first case."""
    found: dict[str, int] = {}
    for index, case in enumerate(cases):
        if isinstance(case, Mapping) and (dialect := _dialect_of(case)) is not None:
            found.setdefault(dialect, index)
    return found


def _dialect_of(case: Mapping[str, Any]) -> str | None:
    if "prompt" in case:
        return NATIVE
    if "input" in case:
        return "agentlens"
    turns = case.get("turns")
    if isinstance(turns, list):
        keys = {key for turn in turns if isinstance(turn, Mapping) for key in turn}
        if "prompt" in keys:
            return NATIVE
        if "input" in keys:
            return "cognite"
    return None


def refusal(cases: Sequence[Any], root: Mapping[str, Any], dialect: str | None) -> tuple[int | None, str, str] | None:
    """Why these cases are not read as native ones: index of the case to point at, what, what to do; None where they are."""
    if dialect == NATIVE:
        return None
    found = first_of_each(cases)
    foreign = [name for name in found if name != NATIVE]
    if dialect is None and len(found) > 1:
        name = foreign[0] if NATIVE in found else foreign[1]
        other = next(one for one in found if one != name)
        this, that = (f"{_SIGNS[one]} ({DIALECTS[one]})" for one in (name, other))
        what = f"mixes dialects: this case has {this}, cases[{found[other]}] has {that}"
        return found[name], what, "keep one dialect a suite"
    name = (
        dialect
        or next(iter(foreign), None)
        or next((one for one, keys in _ROOT_KEYS.items() if not found and not root.keys().isdisjoint(keys)), "")
    )
    if not name or name == NATIVE:
        return None
    return (
        found.get(name),
        f"is a suite in the {DIALECTS[name]} dialect ({_SIGNS[name]}), which is not read yet",
        "write its cases with 'prompt' and 'expects'",
    )
