"""How the arguments of a tool call are compared with the expected ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from agenteval.evaluators import numerals
from agenteval.evaluators.equality import equal
from agenteval.evaluators.folding import folded
from agenteval.suites.shape import Range

Mode = Literal["exact", "subset", "superset", "ignore"]


@dataclass(frozen=True)
class Near:
    """A number within a distance.

    Attributes:
        tolerance: Largest absolute difference.
    """

    tolerance: Annotated[float, Range(ge=0)]


Matcher = Literal["exact", "contains", "regex", "any", "ignore"] | Near


def matches(matcher: Matcher, expected: Any, actual: Any) -> bool:
    """Whether one argument is as expected."""
    if isinstance(matcher, Near):
        return _near(expected, actual, matcher.tolerance)
    if matcher == "any":
        return True
    if matcher == "contains":
        return isinstance(actual, str) and folded(str(expected)) in folded(actual)
    if matcher == "regex":
        from agenteval.evaluators.bounded_search import search

        return isinstance(actual, str) and search(re.compile(str(expected)), actual) is not None
    return equal(expected, actual)


def _near(expected: Any, actual: Any, tolerance: float) -> bool:
    numbers = [value for value in (expected, actual) if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(numbers) < 2:
        return False
    first, second, allowed = (numerals.PRECISION.create_decimal(repr(value)) for value in (*numbers, tolerance))
    return abs(first - second) <= allowed


def credit(expected: Mapping[str, Any], actual: Mapping[str, Any] | None, mode: Mode, matchers: Mapping[str, Matcher]) -> float:
    """The share of arguments that are as expected, in [0, 1]; 1 where there is nothing to compare.

    ``exact`` counts expected and surplus arguments, ``superset`` lets the call have more, ``subset`` lets it leave some out.
    """
    if mode == "ignore":
        return 1.0
    if actual is None:
        return 0.0
    ignored = {name for name, matcher in matchers.items() if matcher == "ignore"}
    wanted = (expected.keys() | (matchers.keys() - ignored)) - ignored
    given = actual.keys() - ignored
    right = sum(1 for name in wanted & given if matches(matchers.get(name, "exact"), expected.get(name), actual[name]))
    total = len({"exact": wanted | given, "superset": wanted, "subset": given}[mode])
    return right / total if total else 1.0


def parsed(arguments: Any) -> tuple[Mapping[str, Any] | None, str | None]:
    """The arguments of a call as a mapping, JSON text read; None and the reason where they are none."""
    if arguments is None or arguments == "":
        return {}, None
    if isinstance(arguments, Mapping):
        return arguments, None
    if not isinstance(arguments, str):
        return None, f"its arguments are a {type(arguments).__name__}, not a mapping"
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return None, "its arguments are not valid JSON"
    if not isinstance(value, Mapping):
        return None, "its arguments are JSON, but not an object"
    return value, None
