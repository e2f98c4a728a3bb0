"""JSON as values, and as nodes with positions where a position is asked for."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from agenteval.suites.yaml_nodes import COLLECTION, DEPTH_LIMIT, PLAIN, QUOTED, UnreadableError

_BLANK = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"[^\s,:\]}]+")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Mark:
    """0-based position, as YAML's nodes carry it."""

    line: int
    column: int


class _RepeatedKeyError(Exception):
    """Some object has a key twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RepeatedKeyError
    return found


def value_of(text: str, line: int = 0) -> Any:
    """The value of a JSON text whose first line is number ``line`` (0-based) of its file.

    Raises:
        UnreadableError: Not JSON, a key twice in one object, or half a surrogate pair.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        what = error.msg[:1].lower() + error.msg[1:]
        column = error.colno
        raise UnreadableError(f"is not JSON: {what}", _advice(error), error.lineno + line, column) from error
    except _RepeatedKeyError:
        raise _first_repeated(compose(text, line)) from None
    except RecursionError as error:
        raise UnreadableError("is nested too deeply", line=line + 1) from error
    except ValueError as error:
        raise UnreadableError("holds a number of too many digits", "write it as text", line=line + 1) from error
    if _deeper(value, DEPTH_LIMIT):
        raise UnreadableError("is nested too deeply", f"at most {DEPTH_LIMIT} levels", line=line + 1)
    if _SURROGATE.search(text):
        _refuse_lone_surrogates(value, text, line)
    return value


def _deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects lie more than so many levels inside each other."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return levels < 0 or any(_deeper(child, levels - 1) for child in value)


def _advice(error: json.JSONDecodeError) -> str:
    if "property name" in error.msg or "Illegal trailing comma" in error.msg:
        return 'write keys in "double quotes", and no comma after the last'
    return ""


def _refuse_lone_surrogates(value: Any, text: str, line: int) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        match = _SURROGATE.search(text)
        before = text[: match.start()] if match else ""
        raise UnreadableError(
            "half a surrogate pair is no character",
            "write the character itself",
            line + 1 + before.count("\n"),
            len(before) - before.rfind("\n"),
        ) from error


def _first_repeated(node: Node) -> UnreadableError:
    pending = [node]
    while pending:
        node = pending.pop()
        seen: dict[str, int] = {}
        for child in node.value if isinstance(node, (MappingNode, SequenceNode)) else []:
            if isinstance(node, MappingNode):
                key, child = child
                if key.value in seen:
                    what = f"duplicate key {key.value!r}, first on line {seen[key.value]}"
                    return UnreadableError(what, "remove one of them", key.start_mark.line + 1, key.start_mark.column + 1)
                seen[key.value] = key.start_mark.line + 1
            pending.append(child)
    return UnreadableError("an object has a key twice", "remove one of them")


def compose(text: str, line: int = 0) -> Node:
    """The node tree of well-formed JSON."""
    return _Scanner(text, line).node()


class _Scanner:
    """Walks well-formed JSON once, keeping where everything begins."""

    def __init__(self, text: str, line: int) -> None:
        self.text, self.at, self.line, self.line_start, self.counted = text, 0, line, 0, 0

    def mark(self) -> Mark:
        """The position of the next character that is not blank."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        newlines = self.text.count("\n", self.counted, self.at)
        if newlines:
            self.line += newlines
            self.line_start = self.text.rfind("\n", 0, self.at) + 1
        self.counted = self.at
        return Mark(self.line, self.at - self.line_start)

    def next_is(self, char: str) -> bool:
        """Skip blanks and, if it is next, the character."""
        self.mark()
        found = self.text[self.at : self.at + 1] == char
        self.at += found
        return found

    def node(self) -> Node:
        """The value that begins here."""
        start: Any = self.mark()
        if self.next_is("["):
            items = []
            while not self.next_is("]"):
                items.append(self.node())
                self.next_is(",")
            return SequenceNode(COLLECTION, items, start)
        if self.next_is("{"):
            pairs = []
            while not self.next_is("}"):
                key = self.node()
                self.next_is(":")
                pairs.append((key, self.node()))
                self.next_is(",")
            return MappingNode(COLLECTION, pairs, start)
        if self.next_is('"'):
            value, self.at = scanstring(self.text, self.at, False)
            return ScalarNode(QUOTED, value, start)
        word = _WORD.match(self.text, self.at)
        if word is None:
            raise ValueError(f"no JSON value at {self.at}")
        self.at = word.end()
        return ScalarNode(PLAIN, word.group(), start)
