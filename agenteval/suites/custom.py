"""Shapes that a type hint alone can't say: ids, lists of evaluators and tools, nested keys kept as written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agenteval._text import clip
from agenteval.errors import Problem
from agenteval.suites import shape
from agenteval.suites.leaves import anything, boolean, describe, text
from agenteval.suites.suite import EvaluatorSpec

ID_LIMIT = 200
"""Characters of an id: it stands in tables, file names and links."""


@dataclass(frozen=True, slots=True)
class CaseId:
    """A name on one line without control characters."""

    def problem(self, value: str) -> str | None:
        """What is wrong with the name, or None."""
        if value.isprintable() and 0 < len(value) <= ID_LIMIT and value == value.strip():
            return None
        if not value.strip():
            return "must not be empty"
        if len(value) > ID_LIMIT:
            return f"must have at most {ID_LIMIT} characters, has {len(value)}"
        if not value.isprintable():
            return f"holds a control or invisible character: {clip(ascii(value), 60)}"
        return f"{value!r} begins or ends with a space"

    def keywords(self) -> dict[str, Any]:
        """What JSON Schema can say of it."""
        return {"minLength": 1, "maxLength": ID_LIMIT, "pattern": r"^\S(.*\S)?$"}


@dataclass(frozen=True, slots=True)
class Keys:
    """A mapping with the keys of a dataclass, kept as a mapping of what is written."""

    cls: type

    def check(self, value: Any, path: str, problems: list[Problem]) -> Any:
        """The checked values of the keys that are there."""
        if isinstance(value, Mapping):
            return shape.check_fields(self.cls, value, path, problems)
        known = ", ".join(list(shape.fields_of(self.cls))[:4])
        problems.append(Problem(f"must be a mapping with keys such as {known}, not {describe(value)}", path=path))
        return {}

    def schema(self) -> dict[str, Any]:
        """The dataclass's JSON Schema."""
        return shape.json_schema(self.cls)


_SIDE_KEYS = ("required", "not")


@dataclass(frozen=True, slots=True)
class EvaluatorList:
    """``name``, ``{name: parameters}``, the latter with ``required`` and ``not`` beside the name, or ``not: {name: parameters}``."""

    def check(self, value: Any, path: str, problems: list[Problem]) -> tuple[EvaluatorSpec, ...]:
        """The entries as specs; whether the names and parameters mean anything is the evaluators' business."""
        if not isinstance(value, list):
            fix = f"write [{value}]" if isinstance(value, str) else "write a list: - name, or - name: parameters"
            problems.append(Problem(f"must be a list, not {describe(value)}", fix, path))
            return ()
        specs = (self._spec(entry, f"{path}[{index}]", problems) for index, entry in enumerate(value))
        return tuple(spec for spec in specs if spec is not None)

    def _spec(self, entry: Any, path: str, problems: list[Problem]) -> EvaluatorSpec | None:
        if isinstance(entry, str) and entry.strip():
            return EvaluatorSpec(entry, path=path)
        if not isinstance(entry, Mapping):
            problems.append(Problem(f"must be the name of an evaluator, or name: parameters, not {describe(entry)}", path=path))
            return None
        if isinstance(entry.get("not"), Mapping):
            return self._inverted(entry, path, problems)
        names = [key for key in entry if key not in _SIDE_KEYS]
        if len(names) != 1:
            what = f"names {len(names)} evaluators: {clip(', '.join(names), 60)}" if names else "names no evaluator"
            problems.append(Problem(what, "write one entry an evaluator, its parameters indented under its name", path))
            return None
        required, negate = (boolean(entry[key], f"{path}.{key}", problems) if key in entry else key == "required" for key in _SIDE_KEYS)
        return EvaluatorSpec(names[0], anything(entry[names[0]], f"{path}.{names[0]}", problems), required is True, negate is True, path)

    def _inverted(self, entry: Mapping[str, Any], path: str, problems: list[Problem]) -> EvaluatorSpec | None:
        """``not: {name: parameters}``, with ``required`` beside ``not`` or inside it."""
        if extra := [key for key in entry if key not in _SIDE_KEYS]:
            problems.append(Problem(f"names {clip(', '.join(extra), 60)} beside not", "write it as an entry of its own", path))
            return None
        required = boolean(entry["required"], f"{path}.required", problems) if "required" in entry else True
        inner = self._spec(entry["not"], f"{path}.not", problems)
        if inner is None:
            return None
        return replace(inner, negate=not inner.negate, required=inner.required and required is True)

    def schema(self) -> dict[str, Any]:
        """A list of names or of one-entry mappings; ``schema()`` of the package fills in the known evaluators."""
        return {"type": "array", "items": {"$ref": "#/$defs/evaluator"}}


@dataclass(frozen=True, slots=True)
class ToolList:
    """Tools: names, or mappings with a ``name`` and whatever else describes the tool."""

    def check(self, value: Any, path: str, problems: list[Problem]) -> tuple[Any, ...]:
        """The tools as written."""
        if not isinstance(value, list):
            problems.append(
                Problem(f"must be a list of tools, not {describe(value)}", f"write [{value}]" if isinstance(value, str) else "", path)
            )
            return ()
        return tuple(self._tool(entry, f"{path}[{index}]", problems) for index, entry in enumerate(value))

    def _tool(self, entry: Any, path: str, problems: list[Problem]) -> Any:
        if not isinstance(entry, Mapping):
            return shape.check_of(shape.Word)(entry, path, problems)
        if "name" not in entry:
            problems.append(Problem("name is required", "add it", path))
        else:
            text(entry["name"], f"{path}.name", problems)
        return anything(entry, path, problems)

    def schema(self) -> dict[str, Any]:
        """A list of names or of mappings with a name."""
        named = {"type": "object", "properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]}
        return {"type": "array", "items": {"anyOf": [{"type": "string", "minLength": 1}, named]}}


@dataclass(frozen=True, slots=True)
class CasesOrPath:
    """A list of cases, read one by one elsewhere, or the path of a dataset."""

    def check(self, value: Any, path: str, problems: list[Problem]) -> Any:
        """The list or the path."""
        if not isinstance(value, (list, str)) or value == "":
            what = "must be a list of cases or the path of a dataset"
            problems.append(Problem(f"{what}, but is empty" if value in (None, "") else f"{what}, not {describe(value)}", path=path))
            return []
        return value

    def schema(self) -> dict[str, Any]:
        """Either of the two."""
        cases = {"type": "array", "items": {"$ref": "#/$defs/case"}}
        return {"anyOf": [cases, {"type": "string", "pattern": r"\.(yaml|yml|json|jsonl|csv)$"}]}
