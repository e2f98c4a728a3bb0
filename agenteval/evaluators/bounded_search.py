"""Searching with someone's regular expression without hanging: what could take long runs in a process of its own, under a time limit."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

TIME_LIMIT_S = 2.0
_STEPS = 20_000_000
"""Steps that a search may take in this process, about a fifth of a second."""
_LONG = 20
_CHILD = (
    "import json,re,sys\n"
    "pattern,flags,text=json.load(sys.stdin)\n"
    "found=re.compile(pattern,flags).search(text)\n"
    "print(json.dumps(found and found.span()))"
)


class SearchTimeoutError(Exception):
    """The pattern took longer than the limit on this text."""


def search(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    """Where a pattern first matches, or None.

    Python's matcher cannot be stopped, and a pattern with nested repetition can take for ever on a short text. So the steps are
    estimated from the pattern's repeats and the text's length; where they could be many, another process searches.

    Raises:
        SearchTimeoutError: It took longer than ``TIME_LIMIT_S``.
    """
    repeats = unbounded_repeats(pattern.pattern, pattern.flags)
    if repeats == 0 or (repeats is not None and (len(text) + 1) ** (repeats + 1) <= _STEPS):
        found = pattern.search(text)
        return found.span() if found else None
    return _apart(pattern, text)


@cache
def unbounded_repeats(pattern: str, flags: int) -> int | None:
    """How many repeats without a small bound a pattern has; None where they are nested or repeat alternatives or back references."""
    return _count(parser.parse(pattern, flags & ~re.DEBUG), inside=False)


def _count(parsed: Any, *, inside: bool) -> int | None:
    total = 0
    for operator, argument in parsed:
        found: int | None = 0
        if operator in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, high, repeated = argument
            varies = high != low
            if inside and varies:
                return None
            found = _count(repeated, inside=inside or high > 1)
            if found is not None and varies and high > _LONG:
                found += 1
        elif operator is codes.BRANCH:
            if inside:
                return None
            found = _summed(argument[1], inside=inside)
        elif operator is codes.GROUPREF or operator is codes.GROUPREF_EXISTS:
            return None
        elif operator is codes.SUBPATTERN:
            found = _count(argument[3], inside=inside)
        elif operator in (codes.ASSERT, codes.ASSERT_NOT):
            found = _count(argument[1], inside=inside)
        elif operator is codes.ATOMIC_GROUP:
            found = _count(argument, inside=inside)
        if found is None:
            return None
        total += found
    return total


def _summed(branches: Any, *, inside: bool) -> int | None:
    counts = [_count(branch, inside=inside) for branch in branches]
    return None if None in counts else sum(count for count in counts if count is not None)


def _apart(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    question = json.dumps([pattern.pattern, int(pattern.flags), text])
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD],
            input=question,
            capture_output=True,
            text=True,
            encoding="ascii",
            timeout=TIME_LIMIT_S,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise SearchTimeoutError(
            f"the pattern took longer than {TIME_LIMIT_S:g} s on an answer of {len(text)} characters; make its repeats less ambiguous"
        ) from None
    span = json.loads(done.stdout)
    return None if span is None else (span[0], span[1])
