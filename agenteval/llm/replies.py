"""What a model replied, read strictly: one JSON object or an error; nothing is ever inferred from words."""

from __future__ import annotations

import json
from typing import Any


class ReplyError(ValueError):
    """The reply is not what was asked for; the text says why."""


def one_object(text: str) -> dict[str, Any]:
    """The only JSON object of a reply, bare, fenced or within prose.

    Raises:
        ReplyError: None, several, a broken one, a repeated key, or NaN.

    >>> one_object('```json\\n{"passed": true}\\n```')
    {'passed': True}
    """
    found: list[dict[str, Any]] = []
    place = text.find("{")
    while place >= 0:
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            reason = error.args[0] if isinstance(error, ReplyError) else "holds a broken JSON object"
            raise ReplyError(reason) from error
        found.append(value)
        place = text.find("{", end)
    if not found:
        raise ReplyError("holds no JSON object" if text.strip() else "is empty")
    if len(found) > 1:
        raise ReplyError(f"holds {len(found)} JSON objects, and one was asked for")
    return found[0]


def verdict(reply: dict[str, Any]) -> bool:
    """The field ``passed``, which must be true or false.

    Raises:
        ReplyError: It is absent or something else.
    """
    found = reply.get("passed")
    if not isinstance(found, bool):
        raise ReplyError(f"'passed' must be true or false, not {_shown(reply, 'passed')}")
    return found


def points(reply: dict[str, Any], low: int = 1, high: int = 10) -> int:
    """The field ``score``, a whole number in [low, high].

    Raises:
        ReplyError: It is absent, out of range or something else.
    """
    found = reply.get("score")
    if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
        raise ReplyError(f"'score' must be a whole number from {low} to {high}, not {_shown(reply, 'score')}")
    return found


def word(reply: dict[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    """A field that holds one of some words.

    Raises:
        ReplyError: It is absent or something else.
    """
    found = reply.get(name)
    if found not in allowed or not isinstance(found, str):
        raise ReplyError(f"{name!r} must be one of {', '.join(allowed)}, not {_shown(reply, name)}")
    return found


def reason(reply: dict[str, Any]) -> str:
    """The field ``reason`` where it is text, else nothing; half a surrogate pair, which no file takes, becomes a question mark."""
    found = reply.get("reason")
    return " ".join(found.encode("utf-8", "replace").decode().split()) if isinstance(found, str) else ""


def _shown(reply: dict[str, Any], name: str) -> str:
    return json.dumps(reply[name])[:80] if name in reply else "absent"


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ReplyError("says a key twice")
    return found


def _constant(name: str) -> Any:
    raise ReplyError(f"holds {name}, which is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
