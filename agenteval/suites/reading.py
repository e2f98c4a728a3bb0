"""Reading a suite: its file, included files and datasets, into one ``Suite`` and every problem at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from agenteval._collection import collection_paused
from agenteval._text import clip
from agenteval.errors import Problem
from agenteval.suites import dialects, hashing, shape, tables
from agenteval.suites.cases import check_case, combine, make_case
from agenteval.suites.documents import Document, load
from agenteval.suites.keys import SuiteKeys
from agenteval.suites.places import Places, Segment, suite_path
from agenteval.suites.suite import Case, Suite

DATASET_SUFFIXES = (".yaml", ".yml", ".json", ".jsonl", ".csv")
_FOR_CASES = ("tools", "context")
_FOR_INCLUDED_CASES = ("model", "timeout_s", "repeat")
_OF_SUITE = ("agent", "model", "repeat", "concurrency", "timeout_s", "judge", "context", "metadata")


def read(path: Path, *, dialect: str | None = None, shown: str | None = None) -> tuple[Suite, list[Problem]]:
    """The suite in a file, and everything wrong with it in document order; cases with problems are left out.

    Args:
        dialect: ``native`` to read the file as a native suite whatever its cases look like; None detects.
        shown: The file's name in messages; the path as given where None.

    Raises:
        InputError: An unknown dialect.
    """
    dialects.check_name(dialect)
    reading = _Reading(dialect)
    with collection_paused():
        values = reading.file(path, shown or str(path))
    for document in reading.documents:
        document.value = None  # the suite keeps the documents to locate problems, which takes their text alone
    problems = sorted(reading.problems, key=lambda problem: problem.position)
    return reading.suite(values, path, shown or str(path)), problems


@dataclass
class _Reading:
    dialect: str | None
    problems: list[Problem] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    places: Places = field(default_factory=Places)
    cases: list[Case] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    count: int = 0
    files: dict[Path, str] = field(default_factory=dict)
    """Suite files read so far, with their shown names."""
    imports: list[str] = field(default_factory=list)
    faulty: set[str] = field(default_factory=set)

    def suite(self, values: Mapping[str, Any], path: Path, shown: str) -> Suite:
        """What was read."""
        given = {key: values[key] for key in _OF_SUITE if values.get(key) is not None}
        given |= {
            "name": values.get("name") or path.stem,
            "imports": tuple(dict.fromkeys(self.imports)),
            "tools": tuple(values.get("tools", ())),
        }
        digest = hashing.suite_hash(given, self.texts)
        description = values.get("description", "")
        return Suite(**given, description=description, path=shown, hash=digest, cases=tuple(self.cases), locate=self.places.locate)

    def add(self, found: list[Problem]) -> None:
        """Keep problems that carry only a path, with their positions."""
        for problem in found:
            if problem.path in self.faulty:
                continue
            order, file, line, column = self.places.locate(problem.path)
            self.problems.append(replace(problem, order=order, file=file, line=line, column=column))

    def _keep(self, document: Document, prefix: str = "") -> None:
        """Keep what is wrong with a document's text; its values at the same paths are not complained about again."""
        placed = [replace(problem, path=suite_path(problem.path, self.count, prefix)) for problem in document.problems]
        self.faulty.update(problem.path for problem in placed if problem.path)
        self.problems.extend(placed)

    def open(self, path: Path, shown: str) -> Document:
        """The document in a file; what is wrong with it as a whole is kept."""
        document = load(path, shown, len(self.documents))
        self.documents.append(document)
        return document

    def file(self, path: Path, shown: str, inherited: Mapping[str, Any] | None = None, prefix: str = "") -> dict[str, Any]:
        """Read a suite file and those it includes; returns the checked values of its keys."""
        self.files[path.resolve()] = shown
        document = self.open(path, shown)
        self.places.prefixes[prefix] = document
        self._keep(document, prefix)
        if document.value is None:
            return {}
        if isinstance(document.value, list):
            self._items(document, "", self._rows(document, path.name, inherited or {}), inherited or {})
            return {}
        if not isinstance(document.value, Mapping):
            self.add([Problem("must be a list of cases, or a mapping with cases", "see `agenteval schema suite`", prefix.rstrip("."))])
            return {}
        return self._mapping(document, document.value, path, inherited, prefix)

    def _mapping(
        self, document: Document, raw: Mapping[str, Any], path: Path, inherited: Mapping[str, Any] | None, prefix: str
    ) -> dict[str, Any]:
        cases = raw.get("cases")
        if self._refused(document, "cases", cases if isinstance(cases, list) else [], raw):
            return {}
        found: list[Problem] = []
        values = shape.check_fields(SuiteKeys, raw, prefix.rstrip("."), found, misplaced={"evaluators": "write it under defaults"})
        self.add(found)
        wrong = {problem.path[len(prefix) :].partition(".")[0].partition("[")[0] for problem in found}
        values = {key: value for key, value in values.items() if key not in wrong}
        passed_on = _FOR_CASES if inherited is None else (*_FOR_CASES, *_FOR_INCLUDED_CASES)
        inherited = combine(inherited or {}, {key: values[key] for key in passed_on if values.get(key) is not None})
        inherited = combine(inherited, {key: value for key, value in values.get("defaults", {}).items() if value is not None})
        self.imports.extend(values.get("imports", ()))
        if "cases" not in raw and "include" not in raw:
            self.add([Problem("cases is required", "add at least one case", prefix.rstrip("."))])
        elif isinstance(values.get("cases"), str):
            self._dataset(path, values["cases"], f"{prefix}cases", inherited)
        elif "cases" in values and (values["cases"] or "include" not in raw):
            self._items(document, "cases", values["cases"], inherited)
        for index, name in enumerate(values.get("include", ())):
            self._include(path, name, f"{prefix}include[{index}]", inherited)
        return values

    def _refused(self, document: Document, root: str, items: list[Any], raw: Mapping[str, Any]) -> bool:
        """Whether the cases are of another dialect; the problem is kept."""
        refused = dialects.refusal(items, raw, self.dialect)
        if refused is None:
            return False
        index, what, fix = refused
        local = "" if index is None else f"{root}[{index}]"
        self.problems.append(document.problem(local, what, fix, "" if index is None else f"cases[{self.count + index}]"))
        return True

    def _items(self, document: Document, root: str, items: list[Any], inherited: Mapping[str, Any]) -> None:
        """Read a list of cases."""
        self.places.segments.append(Segment(self.count, document, root))
        if not items:
            self.problems.append(document.problem(root, "has no cases", "write at least one"))
        elif root or not self._refused(document, root, items, {}):
            for item in items:
                self._case(item, inherited)

    def _case(self, raw: Any, inherited: Mapping[str, Any]) -> None:
        path = f"cases[{self.count}]"
        self.count += 1
        found: list[Problem] = []
        values = check_case(raw, path, found)
        case_id = raw.get("id") if isinstance(raw, Mapping) else None
        if isinstance(case_id, str) and self.ids.setdefault(case_id, path) != path:
            _, file, line, column = self.places.locate(f"{self.ids[case_id]}.id")
            found.append(
                Problem(f"duplicate id {clip(case_id, 60)!r}, first at {file}:{line}:{column}", "give each case its own", f"{path}.id")
            )
        if found:
            self.add(found)
        elif values is not None:
            case, texts = make_case(combine(inherited, values) if inherited else values, path)
            self.cases.append(case)
            self.texts.append(texts)

    def _dataset(self, suite: Path, name: str, path: str, inherited: Mapping[str, Any]) -> None:
        """Read the cases of a file named by ``cases: path``; its problems point into it."""
        if PurePath(name).suffix.lower() not in DATASET_SUFFIXES:
            self.add([Problem(f"{clip(name, 80)!r} is no dataset", f"name a file ending in {', '.join(DATASET_SUFFIXES)}", path)])
            return
        document = self._beside(suite, name, path)
        if document is None:
            return
        self._keep(document)
        if document.value is None:
            return
        if not isinstance(document.value, list):
            self.problems.append(document.problem("", "must hold a list of cases", "to add a whole suite, name it under include"))
        elif document.value or not document.problems:
            self._items(document, "", self._rows(document, name, inherited), inherited)

    def _rows(self, document: Document, name: str, inherited: Mapping[str, Any]) -> list[Any]:
        if PurePath(name).suffix.lower() != ".csv" or not document.value:
            return list(document.value)
        found: list[Problem] = []
        places = tables.columns(list(document.value[0]), found)
        self.problems.extend(replace(problem, file=document.shown, line=1, column=1, order=document.order) for problem in found)
        return [tables.case_of(row, places, inherited) for row in document.value]

    def _include(self, suite: Path, name: str, path: str, inherited: Mapping[str, Any]) -> None:
        target = suite.parent / name
        known = self.files.get(target.resolve())
        if known is not None:
            self.add(
                [
                    Problem(
                        f"{clip(name, 80)!r} is read already, as {known}", "include each file once, and none that includes this one", path
                    )
                ]
            )
        elif self._may_read(target, name, path):
            self.file(target, self._shown(suite, name), inherited, f"{path}.")

    def _beside(self, suite: Path, name: str, path: str) -> Document | None:
        target = suite.parent / name
        return self.open(target, self._shown(suite, name)) if self._may_read(target, name, path) else None

    def _may_read(self, target: Path, name: str, path: str) -> bool:
        if PurePath(name).is_absolute() or "\x00" in name:
            self.add([Problem(f"{clip(name, 80)!r} is no relative path", "write it relative to this file", path)])
        elif not target.is_file():
            self.add([Problem(f"there is no file {clip(name, 80)!r}", "write its path relative to this file", path)])
        else:
            return True
        return False

    def _shown(self, suite: Path, name: str) -> str:
        """A file's name as the user would type it: beside the suite's own."""
        folder = PurePath(self.files[suite.resolve()]).parent
        parts: list[str] = []
        for part in PurePath(folder, name).parts:
            if part == ".." and parts and parts[-1] not in ("..", "/"):
                parts.pop()
            else:
                parts.append(part)
        return str(PurePath(*parts))
