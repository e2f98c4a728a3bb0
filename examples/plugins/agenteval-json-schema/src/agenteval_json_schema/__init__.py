"""``json_schema``: the answer is JSON that a JSON Schema accepts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from agenteval.evaluators import Context
from agenteval.model.score import Score

_FENCED = re.compile(r"\s*```\w*\n(.*)\n```\s*", re.DOTALL)
_SHOWN = 5


@dataclass(frozen=True)
class JsonSchema:
    """The whole answer, bare or in one code fence, is JSON that the schema accepts.

    Attributes:
        schema: A JSON Schema; of draft 2020-12 where it does not name its own.
    """

    schema: dict[str, Any]

    def __post_init__(self) -> None:
        """Refuse a schema that is none; a ValueError here becomes a problem of the suite, with its place in the file."""
        if not self.schema:
            raise ValueError("the schema is empty: it would accept every JSON")
        kind = _draft(self.schema)
        unknown = [key for key in self.schema if key not in kind.VALIDATORS and not _is_annotation(key)]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no keyword of JSON Schema")
        _check(self.schema)

    def evaluate(self, context: Context) -> Score:
        """1 or 0, with the first violations by place."""
        fenced = _FENCED.fullmatch(context.output)
        try:
            answer = json.loads(fenced.group(1) if fenced else context.output)
        except ValueError as error:
            return Score("json_schema", 0.0, False, f"the answer is not JSON: {error}")
        found = sorted(_violations(self.schema, answer))
        if not found:
            return Score("json_schema", 1.0, True, "the schema accepts the answer")
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        return Score("json_schema", 0.0, False, f"{found[0]}{more}", {"violations": found[:_SHOWN]})


def _draft(schema: dict[str, Any]) -> Any:
    """The validator class of the schema's draft."""
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.validators import validator_for
    except ModuleNotFoundError:
        raise ValueError("needs the package jsonschema: pip install 'agenteval-json-schema[jsonschema]'") from None
    return validator_for(schema, default=Draft202012Validator)


def _is_annotation(key: str) -> bool:
    """Keywords that judge nothing by themselves; ``then``, ``else`` and the like are read by their neighbours."""
    return key.startswith("$") or key in {
        "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
        "definitions", "then", "else", "minContains", "maxContains", "contentMediaType", "contentEncoding", "contentSchema", "id",
    }  # fmt: skip


def _check(schema: dict[str, Any]) -> None:
    from jsonschema import SchemaError

    try:
        _draft(schema).check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"this is no JSON Schema: {error.json_path}: {error.message}") from None


def _violations(schema: dict[str, Any], answer: Any) -> list[str]:
    from referencing import Registry

    validator = _draft(schema)(schema, registry=Registry())  # an empty registry of its own: nothing is fetched
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(answer)]
