"""JSON in what an agent says: bare, fenced or within prose."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"```[ \t]*(?:json[5c]?|JSON)?[ \t]*\n(?P<body>.*?)\n?[ \t]*```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_TRIES = 50
_LIMIT = 2_000_000


class NotJsonError(ValueError):
    """The text holds no valid JSON; the message says why."""


def find_json(text: str) -> Any:
    """The JSON value of a text: the whole of it, else its one fenced block, else the first object or list within the prose.

    Raises:
        NotJsonError: None of them is valid, or there are several fenced blocks of different content.
    """
    if len(text) > _LIMIT:
        raise NotJsonError(f"the answer is too long to be read as JSON ({len(text)} characters)")
    try:
        return _strict(text.strip())
    except NotJsonError as error:
        reason = error
    blocks = [found["body"] for found in _FENCE.finditer(text)]
    values = [value for block in blocks for value in _valid(block)]
    if values:
        if any(value != values[0] for value in values[1:]):
            raise NotJsonError(f"the answer holds {len(values)} different JSON blocks")
        return values[0]
    decoder = json.JSONDecoder(parse_constant=_refused)
    for opening in list(_OPENING.finditer(text))[:_TRIES]:
        try:
            value: Any = decoder.raw_decode(text, opening.start())[0]
        except (ValueError, RecursionError):
            continue
        return value
    raise reason


def _valid(block: str) -> list[Any]:
    try:
        return [_strict(block.strip())]
    except NotJsonError:
        return []


def _strict(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise NotJsonError(f"not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise NotJsonError("not valid JSON: nested too deeply") from None
    except ValueError as error:
        raise NotJsonError(f"not valid JSON: {error}") from None


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")
