"""``json``: the answer is JSON of the right shape or content."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.equality import contained, equal
from agenteval.evaluators.json_text import NotJsonError, find_json
from agenteval.model.score import Score

_UNSET = "\x00unset"


@dataclass(frozen=True)
class Json:
    """The answer is valid JSON: bare, in one fenced block, or within prose. Without parameters nothing more is asked.

    Attributes:
        equals: The value it must equal; 1 equals 1.0, the order of keys does not matter.
        subset: What it must hold at least: keys of mappings, entries of lists in any order.
        schema: JSON Schema that it must satisfy (needs the package jsonschema).
    """

    equals: Any = _UNSET
    subset: Any = _UNSET
    schema: dict[str, Any] | bool | None = None
    errors: Callable[[Any], list[str]] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "errors", None if self.schema is None else _compiled(self.schema))

    def evaluate(self, context: Context) -> Score:
        """1 or 0."""
        try:
            value = find_json(context.output)
        except NotJsonError as error:
            return Score("json", 0.0, False, str(error))
        found: list[str] = []
        if self.errors is not None:
            found = self.errors(value)
        if self.equals != _UNSET and not equal(self.equals, value):
            found.append(f"it is not {clip(repr(self.equals), 100)} but {clip(repr(value), 100)}")
        if self.subset != _UNSET and not contained(self.subset, value):
            found.append(f"it does not hold {clip(repr(self.subset), 100)}: {clip(repr(value), 100)}")
        if found:
            return Score("json", 0.0, False, "; ".join(found[:3]), {"errors": found[:20]})
        return Score("json", 1.0, True, "the answer is JSON as expected")


def _compiled(schema: dict[str, Any] | bool) -> Callable[[Any], list[str]]:
    """A function that lists what is wrong with a value.

    Raises:
        ValueError: The schema is invalid or refers to what it does not hold, or jsonschema is not installed.
    """
    try:
        jsonschema = importlib.import_module("jsonschema")
        referencing = importlib.import_module("referencing.exceptions")
        registry = importlib.import_module("referencing").Registry()  # an empty one: nothing is fetched
    except ImportError:
        raise ValueError('schema needs the package jsonschema; install "agenteval[jsonschema]"') from None
    draft: Any = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        draft.check_schema(schema)
    except jsonschema.SchemaError as error:
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        raise ValueError(f"schema{place} is invalid: {clip(error.message, 200)}") from None
    except RecursionError:
        raise ValueError("schema is nested too deeply") from None
    validator = draft(schema, registry=registry)
    for reference in _references(schema):
        try:
            validator._resolver.lookup(reference)
        except referencing.Unresolvable:
            raise ValueError(f"schema refers to {reference!r}, which it does not hold") from None

    def errors(value: Any) -> list[str]:
        found = sorted(validator.iter_errors(value), key=lambda error: [str(part) for part in error.absolute_path])
        return [f"{error.json_path}: {clip(error.message, 200)}" for error in found[:20]]

    return errors


def _references(node: Any) -> list[str]:
    """Every reference of a schema; each is followed once, so that a broken one is found before anything runs."""
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [found for child in node.values() for found in _references(child)]
    if isinstance(node, list):
        return [found for child in node for found in _references(child)]
    return []
