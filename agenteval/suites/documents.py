"""Files as values with positions: YAML, JSON, JSON lines and CSV behind one face."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from agenteval.errors import Problem
from agenteval.suites import json_nodes, yaml_nodes
from agenteval.suites.json_nodes import Mark
from agenteval.suites.yaml_nodes import COLLECTION, PLAIN, QUOTED, Fault, UnreadableError

SIZE_LIMIT = 200 * 1024 * 1024
"""Bytes of one file; a larger one is no suite but a mistake."""


@dataclass
class Document:
    """One file's value. Nodes are made again when a position is asked for, so a good file costs no memory for them.

    ``value`` is None where the file can't be read or is empty; ``problems`` then says why.
    """

    shown: str
    order: int = 0
    value: Any = None
    problems: list[Problem] = field(default_factory=list)
    make_node: Callable[[], Node | None] = field(default=lambda: None, repr=False)
    _node: Node | None = None

    def locate(self, path: str, *, value: bool = False) -> tuple[int, int]:
        """1-based line and column of a path such as ``cases[0].id``, or of the nearest enclosing node.

        Args:
            value: Point at an entry's value instead of its key.
        """
        if self._node is None:
            self._node = self.make_node()
        return find(self._node, path, value=value) if self._node is not None else (1, 1)

    def problem(self, local: str, what: str, fix: str = "", path: str | None = None) -> Problem:
        """A problem at a path of this document, shown as ``path`` where that differs."""
        line, column = self.locate(local)
        return Problem(what, fix, local if path is None else path, self.shown, line, column, self.order)


def find(node: Node, path: str, *, value: bool = False) -> tuple[int, int]:
    """1-based position of the deepest part of a path that exists: an entry's key (or value), an item's first character."""
    mark = node.start_mark
    while path:
        if path[0] == "[":
            index, _, rest = path[1:].partition("]")
            if not isinstance(node, SequenceNode) or not index.isdigit() or int(index) >= len(node.value):
                break
            node, path = node.value[int(index)], rest
            mark = node.start_mark
            continue
        path = path.removeprefix(".")
        entry = _entry(node, path)
        if entry is None:
            break
        key, node = entry
        mark, path = (node if value else key).start_mark, path[len(key.value) :]
    return mark.line + 1, mark.column + 1


def _entry(node: Node, path: str) -> tuple[Node, Node] | None:
    """The entry whose key begins the path, the longest one where keys hold dots; merged entries last."""
    if not isinstance(node, MappingNode):
        return None
    fitting = [
        (key, child) for key, child in node.value if isinstance(key.value, str) and path.startswith(key.value) and _ends(path, key.value)
    ]
    if fitting:
        return max(fitting, key=lambda entry: len(entry[0].value))
    for key, child in node.value:
        if key.value == "<<" and key.tag == PLAIN:
            for source in child.value if isinstance(child, SequenceNode) else [child]:
                if found := _entry(source, path):
                    return found
    return None


def _ends(path: str, key: str) -> bool:
    return bool(key) and (len(path) == len(key) or path[len(key)] in ".[")


def load(path: Path, shown: str, order: int = 0) -> Document:
    """The document in a file, by its suffix; YAML where the suffix says nothing."""
    document = Document(shown, order)
    try:
        text = _decode(path)
        _read(path.suffix.lower(), text, document)
        if document.value is None and not document.problems:
            raise UnreadableError("is empty", "write at least one case")
    except UnreadableError as refused:
        document.problems.append(Problem(refused.what, refused.fix, "", shown, refused.line, refused.column, order))
    except OSError as error:
        document.problems.append(Problem(*_unreadable(error), file=shown, order=order))
    return document


def _unreadable(error: OSError) -> tuple[str, str]:
    if isinstance(error, FileNotFoundError):
        return "there is no such file", "check the path"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file", "name a file in it"
    return f"cannot be read: {error.strerror or error}", "check the path and its permissions"


def _decode(path: Path) -> str:
    with path.open("rb") as file:
        source = file.read(SIZE_LIMIT + 1)
    if len(source) > SIZE_LIMIT:
        raise UnreadableError(f"is larger than {SIZE_LIMIT // 1024**2} MB", "split it, or keep the cases in several datasets")
    if source.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in source[:200]:
        raise UnreadableError("is not UTF-8 text (UTF-16, UTF-32 or binary)", "save it as UTF-8")
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = source[: error.start]
        raise UnreadableError(
            f"byte 0x{source[error.start]:02x} is not UTF-8",
            "save the file as UTF-8",
            before.count(b"\n") + 1,
            len(before) - before.rfind(b"\n"),
        ) from error
    return text.replace("\r\n", "\n")


def _read(suffix: str, text: str, document: Document) -> None:
    if not text.strip() or text.isspace():
        raise UnreadableError("is empty", "write at least one case")
    if suffix == ".json":
        document.value = json_nodes.value_of(text)
        document.make_node = lambda: json_nodes.compose(text)
    elif suffix == ".jsonl":
        _read_lines(text, document)
    elif suffix == ".csv":
        _read_csv(text, document)
    else:
        _read_yaml(text, document)


def _read_yaml(text: str, document: Document) -> None:
    node = yaml_nodes.compose(text)
    if node is None:
        raise UnreadableError("is empty", "write at least one case")
    faults: list[Fault] = []
    document.value = yaml_nodes.value_of(node, faults)
    document.make_node = lambda: yaml_nodes.compose(text)
    if faults:
        paths = paths_of(node, [id(fault[0]) for fault in faults])
        for fault, what, fix in faults:
            mark = fault.start_mark
            path = paths.get(id(fault), "")
            document.problems.append(Problem(what, fix, path, document.shown, mark.line + 1, mark.column + 1, document.order))


def paths_of(root: Node, wanted: list[int]) -> dict[int, str]:
    """The path of each wanted node (by ``id``), a key's being that of its entry."""
    found: dict[int, str] = {}
    missing = set(wanted)
    pending: list[tuple[Node, str]] = [(root, "")]
    while pending and missing:
        node, path = pending.pop()
        if id(node) in missing:
            missing.discard(id(node))
            found[id(node)] = path
        if isinstance(node, SequenceNode):
            pending.extend((child, f"{path}[{index}]") for index, child in enumerate(node.value))
        elif isinstance(node, MappingNode):
            for key, child in node.value:
                inner = (
                    f"{path}.{key.value}" if path and isinstance(key.value, str) else str(key.value) if isinstance(key.value, str) else path
                )
                pending.extend([(key, inner), (child, inner)])
    return found


def _read_lines(text: str, document: Document) -> None:
    """JSON lines: every bad line is a problem, the others are still read."""
    values: list[Any] = []
    numbers: list[int] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            values.append(json_nodes.value_of(line, number))
            numbers.append(number + 1)
        except UnreadableError as refused:
            document.problems.append(Problem(refused.what, refused.fix, "", document.shown, refused.line, refused.column, document.order))
    document.value = values

    document.make_node = lambda: _sequence([json_nodes.compose(lines[number - 1], number - 1) for number in numbers])


def _read_csv(text: str, document: Document) -> None:
    """CSV: one mapping of texts a row, under the header's names; rows of another length are problems."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[dict[str, str]] = []
    numbers: list[int] = []
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            start, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = [cell.strip() for cell in cells]
                _check_header(header, document, start)
            elif len(cells) != len(header):
                what = f"has {len(cells)} cells, the header has {len(header)}"
                document.problems.append(Problem(what, "quote cells that hold a comma", "", document.shown, start, 1, document.order))
            else:
                rows.append(dict(zip(header, cells, strict=True)))
                numbers.append(start)
    except csv.Error as error:
        raise UnreadableError(f"is not CSV: {error}", "check the quotes in this row", line) from error
    document.value = rows
    document.make_node = lambda: _sequence([ScalarNode(QUOTED, "", Mark(number - 1, 0)) for number in numbers])  # type: ignore[arg-type]


def _sequence(rows: list[Node]) -> Node:
    start: Any = Mark(0, 0)
    return SequenceNode(COLLECTION, rows, start)


def _check_header(header: list[str], document: Document, line: int) -> None:
    for column, name in enumerate(header):
        if not name:
            document.problems.append(
                Problem(f"column {column + 1} has no name", "name it in the first row", "", document.shown, line, 1, document.order)
            )
        elif name in header[:column]:
            document.problems.append(
                Problem(f"duplicate column {name!r}", "remove one of them", "", document.shown, line, 1, document.order)
            )
