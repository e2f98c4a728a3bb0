"""Equality of JSON values as evaluators mean it: 1 equals 1.0, true does not equal 1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from agenteval.evaluators import numerals

_DEPTH = 200


def equal(expected: Any, actual: Any, depth: int = 0) -> bool:
    """Whether two JSON values are the same; numbers compare by value after rounding to 15 significant digits."""
    if depth > _DEPTH:
        return False
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return expected == actual or _same_number(expected, actual)
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return expected.keys() == actual.keys() and all(equal(value, actual[key], depth + 1) for key, value in expected.items())
    if _is_list(expected) and _is_list(actual):
        return len(expected) == len(actual) and all(equal(a, b, depth + 1) for a, b in zip(expected, actual, strict=True))
    return type(expected) is type(actual) and bool(expected == actual)


def contained(expected: Any, actual: Any, depth: int = 0) -> bool:
    """Whether everything in ``expected`` is in ``actual``: the keys of a mapping, the entries of a list in any order."""
    if depth > _DEPTH:
        return False
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return all(key in actual and contained(value, actual[key], depth + 1) for key, value in expected.items())
    if _is_list(expected) and _is_list(actual):
        from agenteval.evaluators.assignment import best_pairing

        credit = [[float(contained(value, other, depth + 1)) for other in actual] for value in expected]
        return len(best_pairing(credit)) == len(expected)
    return equal(expected, actual, depth)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _same_number(expected: float, actual: float) -> bool:
    if not (math.isfinite(expected) and math.isfinite(actual)):
        return False
    first, second = (numerals.PRECISION.create_decimal(repr(value)) for value in (expected, actual))
    return first == second
