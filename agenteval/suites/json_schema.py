"""JSON Schemas of native suites and of ``agents.yaml``, for editors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agenteval.suites import hint_schema, shape
from agenteval.suites.agent_keys import AGENT_NAME, AgentKeys, RegistryKeys
from agenteval.suites.keys import CORRECTNESS_TYPES, CaseKeys, SuiteKeys

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_SIDE_KEYS = {
    "required": {"type": "boolean", "description": "false: shown, but does not decide the case.", "default": True},
    "not": {"type": "boolean", "description": "true: passes where the evaluator fails.", "default": False},
}


def schema(evaluators: Mapping[str, type]) -> dict[str, Any]:
    """The schema of a native suite: a list of cases or a mapping with ``cases``.

    Args:
        evaluators: The known evaluators by name, each a dataclass whose fields are its parameters.
    """
    suite = hint_schema.object_schema(SuiteKeys)
    suite["anyOf"] = [{"required": ["cases"]}, {"required": ["include"]}]
    case = hint_schema.object_schema(CaseKeys)
    case["anyOf"] = [{"required": ["prompt"]}, {"required": ["turns"]}, {"required": ["user"]}]
    definitions = {"suite": suite, "case": case, "evaluator": _evaluator(evaluators)}
    _name_correctness_types(definitions)
    return {
        "$schema": _DRAFT,
        "title": "AgentEval suite",
        "anyOf": [{"$ref": "#/$defs/suite"}, {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/case"}}],
        "$defs": definitions,
    }


def _name_correctness_types(node: Any) -> None:
    """Give every ``correctness_type`` its allowed values, which its plain type can't say."""
    if isinstance(node, dict):
        if isinstance(kind := node.get("correctness_type"), dict):
            kind.pop("minLength", None)
            kind["enum"] = list(CORRECTNESS_TYPES)
        for child in node.values():
            _name_correctness_types(child)
    elif isinstance(node, list):
        for child in node:
            _name_correctness_types(child)


def _evaluator(evaluators: Mapping[str, type]) -> dict[str, Any]:
    """One entry of ``evaluators``: a name, or one name with its parameters."""
    named = []
    for name, cls in evaluators.items():
        parameters = _parameters(cls)
        named.append(
            {
                "type": "object",
                "description": hint_schema.summary(cls),
                "properties": {name: parameters, **_SIDE_KEYS},
                "required": [name],
                "additionalProperties": False,
            }
        )
    bare = [name for name, cls in evaluators.items() if not any(field.required for field in shape.fields_of(cls).values())]
    inverted = {
        "type": "object",
        "description": "Passes where the evaluator fails.",
        "properties": {"not": {"allOf": [{"$ref": "#/$defs/evaluator"}, {"type": "object"}]}, "required": _SIDE_KEYS["required"]},
        "required": ["not"],
        "additionalProperties": False,
    }
    return {"anyOf": [{"enum": bare, "description": "Name of an evaluator, without parameters."}, *named, inverted]}


def _parameters(cls: type) -> dict[str, Any]:
    """The parameters as a mapping; the first alone as a lone value; none as an empty one."""
    whole = hint_schema.object_schema(cls) | {"description": hint_schema.summary(cls)}
    fields = shape.fields_of(cls)
    required = [name for name, field in fields.items() if field.required]
    forms = [whole]
    main = shape.main_field(cls)
    if main is not None and set(required) <= {main}:
        forms.append(whole["properties"][main])
    if not required:
        forms.append({"type": "null"})
    return {"anyOf": forms}


def registry_schema() -> dict[str, Any]:
    """The schema of ``agents.yaml``."""
    root = hint_schema.object_schema(RegistryKeys)
    root["properties"]["agents"] |= {
        "additionalProperties": hint_schema.object_schema(AgentKeys),
        "propertyNames": {"pattern": f"^{AGENT_NAME.regex}$"},
        "minProperties": 1,
    }
    return {"$schema": _DRAFT, "title": "AgentEval agents", **root}
