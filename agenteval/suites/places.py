"""Where each path of a suite stands, over all the files that it is read from."""

from __future__ import annotations

from dataclasses import dataclass, field

from agenteval.suites.documents import Document


@dataclass(frozen=True, slots=True)
class Segment:
    """Cases ``first`` and on stand in ``document`` at ``root[0]`` and on."""

    first: int
    document: Document
    root: str


@dataclass
class Places:
    """Cases count over the whole suite; the keys of an included file stand under the path that includes it.

    Attributes:
        segments: Runs of cases, first to last.
        prefixes: The suite file whose keys stand under each prefix; "" is the suite's own.
    """

    segments: list[Segment] = field(default_factory=list)
    prefixes: dict[str, Document] = field(default_factory=dict)

    def locate(self, path: str) -> tuple[int, str, int, int]:
        """``(order, file, line, column)`` of a path, or of the nearest enclosing node."""
        document, local = self._find(path)
        line, column = document.locate(local)
        return document.order, document.shown, line, column

    def _find(self, path: str) -> tuple[Document, str]:
        """The document that a path lies in, and the path inside it."""
        if path.startswith("cases["):
            index, _, rest = path[6:].partition("]")
            if index.isdigit():
                for segment in reversed(self.segments):
                    if segment.first <= int(index):
                        return segment.document, f"{segment.root}[{int(index) - segment.first}]{rest}"
        prefix = max((prefix for prefix in self.prefixes if path.startswith(prefix)), key=len)
        return self.prefixes[prefix], path[len(prefix) :]


def suite_path(local: str, first: int, prefix: str) -> str:
    """A path inside a file, such as ``[3].id`` or ``cases[3].id``, as the suite counts it."""
    index, bracket, rest = local.removeprefix("cases").removeprefix("[").partition("]")
    if bracket and index.isdigit() and local.startswith(("[", "cases[")):
        return f"cases[{first + int(index)}]{rest}"
    return prefix + local if local else prefix.rstrip(".")
