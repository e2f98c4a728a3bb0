"""YAML as values and positions: composed by the C parser, then read by our own walk over the nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from agenteval._collection import collection_paused
from agenteval.suites.yaml_scalars import scalar

if TYPE_CHECKING:
    from yaml import SafeLoader as _Base
else:
    _Base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

PLAIN, QUOTED, COLLECTION = "plain", "quoted", "collection"
_STANDARD = "tag:yaml.org,2002:"
DEPTH_LIMIT = 100
"""Levels of lists and mappings inside each other."""
_ALIAS_LIMIT = 100_000
"""Nodes that aliases may expand a document to, where that is over 20 times what is written."""


class _Composer(_Base):
    """Composes without resolving tags: the walk does, and only where a value is read."""

    def resolve(self, kind: type[Node], value: Any, implicit: Any) -> str:
        if kind is not ScalarNode:
            return COLLECTION
        return PLAIN if implicit[0] else QUOTED

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Nothing to follow."""

    def ascend_resolver(self) -> None:
        """Nothing to follow."""


class UnreadableError(Exception):
    """The text is no document that can be read: what, what to do, and the 1-based line and column."""

    def __init__(self, what: str, fix: str = "", line: int = 1, column: int = 1) -> None:
        super().__init__(what)
        self.what, self.fix, self.line, self.column = what, fix, line, column


def compose(text: str) -> Node | None:
    """The node tree of the one document in a text; None for an empty one.

    Raises:
        UnreadableError: Not well-formed, several documents, nested too deeply, or aliases that explode.
    """
    composer = None
    try:
        with collection_paused():
            composer = _Composer(text)
            node: Node | None = composer.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise _refused(error) from error
    except yaml.reader.ReaderError as error:
        before = text[: error.position] if isinstance(error.position, int) else ""
        raise UnreadableError(
            f"character {error.character!r} is not allowed in YAML", "remove it", before.count("\n") + 1, len(before) - before.rfind("\n")
        ) from error
    except (yaml.YAMLError, ValueError) as error:
        raise UnreadableError(f"is not YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise UnreadableError("is nested too deeply") from error
    finally:
        if composer is not None:
            composer.dispose()
    if node is not None and "&" in text and "*" in text:
        _check_aliases(node)
    return node


def _refused(error: yaml.MarkedYAMLError) -> UnreadableError:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = error.problem or "not well-formed"
    if error.context == "expected a single document in the stream":
        return UnreadableError("a second YAML document begins here", "keep one document a file", line, column)
    if "Unicode character escape" in problem:
        return UnreadableError(f"is not YAML: {problem}", "write the character itself", line, column)
    context = f"{error.context}, " if error.context else ""
    return UnreadableError(f"is not YAML: {context}{problem}", _advice(problem), line, column)


def _advice(problem: str) -> str:
    if "tab character" in problem:
        return "indent with spaces"
    if "cannot start any token" in problem:
        return "indent with spaces, and quote a text that begins with a special character"
    if "mapping values are not allowed" in problem:
        return "mend the indentation, or quote a text that holds ': '"
    if "end of stream" in problem:
        return "close the quote or bracket that is still open"
    if "did not find expected" in problem or "could not find expected" in problem:
        return "check indentation, quotes and brackets here and on the line above"
    return ""


def _check_aliases(root: Node) -> None:
    """Refuse cycles, and aliases that would make far more of the document than is written."""
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: Node) -> int:
        key = id(node)
        if key in sizes:
            return sizes[key]
        if key in open_nodes:
            raise UnreadableError("an alias contains itself", "remove it", node.start_mark.line + 1, node.start_mark.column + 1)
        open_nodes.add(key)
        total = 1
        if isinstance(node, SequenceNode):
            total += sum(size(child) for child in node.value)
        elif isinstance(node, MappingNode):
            total += sum(1 + size(child) for _, child in node.value)
        open_nodes.discard(key)
        sizes[key] = total
        return total

    try:
        expanded = size(root)
    except RecursionError as error:
        raise UnreadableError("is nested too deeply") from error
    if expanded > max(_ALIAS_LIMIT, 20 * len(sizes)):
        raise UnreadableError(f"aliases expand {len(sizes):,} values to {expanded:,}", "write the values out, or fewer of them")


Fault = tuple[Node, str, str]
"""A node, what is wrong with it, and what to do."""


def value_of(node: Node, faults: list[Fault], depth: int = 0) -> Any:
    """The plain value of a node; faults are added for duplicate keys, tags and keys that are no text.

    Raises:
        UnreadableError: Nested deeper than ``DEPTH_LIMIT``.
    """
    kind = type(node)
    if kind is ScalarNode:
        return _scalar_of(node, faults)
    if depth > DEPTH_LIMIT:
        raise UnreadableError("is nested too deeply", f"at most {DEPTH_LIMIT} levels", node.start_mark.line + 1, node.start_mark.column + 1)
    if node.tag != COLLECTION and node.tag not in (f"{_STANDARD}map", f"{_STANDARD}seq"):
        faults.append((node, f"tag {_shown(node.tag)} is not allowed", "remove it"))
    if kind is SequenceNode:
        return [value_of(child, faults, depth + 1) for child in node.value]
    return _mapping_of(node, faults, depth)


def _mapping_of(node: Node, faults: list[Fault], depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    merged: dict[str, Any] = {}
    for key_node, child in node.value:
        if type(key_node) is not ScalarNode:
            faults.append((key_node, "a key must be a text", "quote it"))
            continue
        key = key_node.value
        if key == "<<" and key_node.tag == PLAIN:
            _merge(child, merged, faults, depth)
            continue
        if key in found:
            faults.append((key_node, f"duplicate key {key!r}, first on line {_line(node, key)}", "remove one of them"))
            continue
        if type(child) is ScalarNode and child.tag == QUOTED:
            found[key] = child.value
        else:
            found[key] = value_of(child, faults, depth + 1)
    return {**merged, **found} if merged else found


def _line(node: Node, key: str) -> int:
    return next(int(key_node.start_mark.line) + 1 for key_node, _ in node.value if key_node.value == key)


def _merge(child: Node, merged: dict[str, Any], faults: list[Fault], depth: int) -> None:
    """Add what ``<<`` brings; of several mappings the first wins."""
    for source in child.value if isinstance(child, SequenceNode) else [child]:
        if not isinstance(source, MappingNode):
            faults.append((source, "<< takes a mapping or a list of mappings", "write << : *name of an anchored mapping"))
            continue
        for key, value in _mapping_of(source, [], depth + 1).items():
            merged.setdefault(key, value)


def _scalar_of(node: Node, faults: list[Fault]) -> Any:
    tag = node.tag
    if tag == PLAIN:
        return scalar(node.value)
    if tag in (QUOTED, f"{_STANDARD}str"):
        return node.value
    if tag in (f"{_STANDARD}int", f"{_STANDARD}float", f"{_STANDARD}bool", f"{_STANDARD}null"):
        value = scalar(node.value)
        wanted: tuple[type, ...] = {"int": (int,), "float": (int, float), "bool": (bool,), "null": (type(None),)}[
            tag.removeprefix(_STANDARD)
        ]
        if type(value) in wanted:
            return value
    faults.append((node, f"tag {_shown(tag)} is not allowed", "remove it"))
    return node.value


def _shown(tag: str) -> str:
    return f"!!{tag.removeprefix(_STANDARD)}" if tag.startswith(_STANDARD) else tag
