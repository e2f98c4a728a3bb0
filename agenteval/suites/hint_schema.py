"""JSON Schema of type hints and dataclasses."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from agenteval.suites import shape

_SCALARS: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", types.NoneType: "null"}


def json_schema(hint: Any) -> dict[str, Any]:
    """The schema of the values that a hint accepts; objects close with ``additionalProperties: false``."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        whole = next((rule.schema for rule in hint.__metadata__ if hasattr(rule, "schema")), None)
        schema = whole() if whole else json_schema(arguments[0])
        for rule in hint.__metadata__:
            schema |= _rule(rule, schema)
        return schema
    if origin in (Union, types.UnionType):
        return _union([json_schema(argument) for argument in arguments])
    if origin is Literal:
        return {"enum": list(arguments)}
    kind = origin or hint
    if isinstance(kind, type):
        return _of_type(kind, arguments)
    return {}


def _of_type(kind: type, arguments: Sequence[Any]) -> dict[str, Any]:
    if kind in _SCALARS:
        return {"type": _SCALARS[kind]}
    if issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if dataclasses.is_dataclass(kind):
        return object_schema(kind)
    if issubclass(kind, Mapping):
        return {"type": "object", "additionalProperties": json_schema(arguments[1] if arguments else Any) or True}
    if issubclass(kind, (Sequence, set, frozenset)):
        return {"type": "array", "items": json_schema(arguments[0] if arguments else Any)}
    return {}


def _union(branches: list[dict[str, Any]]) -> dict[str, Any]:
    plain = [branch["type"] for branch in branches if branch.keys() == {"type"}]
    if len(plain) == len(branches):
        return {"type": plain}
    return {"anyOf": branches}


def _rule(rule: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    if hasattr(rule, "keywords"):
        keywords: dict[str, Any] = rule.keywords()
        return keywords
    match rule:
        case shape.Range():
            bounds = {"minimum": rule.ge, "exclusiveMinimum": rule.gt, "maximum": rule.le}
            return {key: bound for key, bound in bounds.items() if bound is not None}
        case shape.Size():
            least, most = ("minLength", "maxLength") if schema.get("type") == "string" else ("minItems", "maxItems")
            return {least: rule.least} | ({most: rule.most} if rule.most is not None else {})
        case shape.Pattern():
            return {"pattern": f"^(?:{rule.regex})$"}
        case shape.IsoDate():
            return {"format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
    return {}


def object_schema(cls: type) -> dict[str, Any]:
    """The schema of a mapping with a dataclass's fields, each described as in the class's ``Attributes:``."""
    described = descriptions(cls)
    properties = {}
    for name, field in shape.fields_of(cls).items():
        properties[name] = json_schema(field.hint)
        if name in described:
            properties[name]["description"] = described[name]
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required := [name for name, field in shape.fields_of(cls).items() if field.required]:
        schema["required"] = required
    return schema


def summary(cls: type) -> str:
    """The first line of a class's docstring."""
    return (inspect.getdoc(cls) or "").partition("\n")[0]


@cache
def descriptions(cls: type) -> dict[str, str]:
    """What the ``Attributes:`` (or ``Args:``) of a class's docstring say about each name."""
    _, _, section = re.sub(r"^(Args|Parameters):$", "Attributes:", inspect.getdoc(cls) or "", flags=re.MULTILINE).partition("Attributes:\n")
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section.splitlines():
        if line and not line.startswith(" "):
            break
        if head := re.match(r" {4}(\w+(?:, \w+)*): (.*)", line):
            names = head[1].split(", ")
            found |= dict.fromkeys(names, head[2])
        elif line.strip():
            found |= {name: f"{found[name]} {line.strip()}" for name in names}
    return found
