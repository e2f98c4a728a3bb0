"""Hashes that tell whether a case, or a suite, is still the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agenteval.suites.suite import EvaluatorSpec, Turn

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode

_DECIDES = frozenset(
    (
        *("prompt", "turns", "user", "expects", "evaluators", "expect_pass", "turns_required", "context", "tools"),
        *("setup", "teardown", "final_state"),
    )
)
_TRUE_BY_DEFAULT = ("expect_pass", "turns_required")


def case_texts(values: Mapping[str, Any]) -> tuple[str, str]:
    """Canonical JSON of what decides a case, and of the rest of it. Values that equal their defaults are left out."""
    decides: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in values.items():
        if value if key not in _TRUE_BY_DEFAULT else not value:
            if key == "turns":
                value = [_turn(turn) for turn in value]
            elif key == "evaluators":
                value = _specs(value)
            elif key == "user":
                value = asdict(value)
            (decides if key in _DECIDES else rest)[key] = value
    if "quarantine" in rest:
        rest["quarantine"] = rest["quarantine"].until
    return _encode(decides), _encode(rest)


def _turn(turn: Turn) -> list[Any]:
    return [turn.prompt, turn.expects, _specs(turn.evaluators)]


def _specs(specs: Sequence[EvaluatorSpec]) -> list[Any]:
    return [[spec.name, spec.params, spec.required, spec.negate] for spec in specs]


def definition(decides: str) -> str:
    """16 hex characters that change with what decides a case."""
    return hashlib.sha256(decides.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def suite_hash(values: Mapping[str, Any], cases: Iterable[tuple[str, str]]) -> str:
    """sha256 of the canonical JSON of a resolved suite, its description and concurrency left out."""
    shared = _encode(
        {key: value for key, value in values.items() if key not in ("description", "concurrency") and value not in (None, "", [], {}, ())}
    )
    body = ",".join(f'{{"decides":{decides},"rest":{rest}}}' for decides, rest in cases)
    return hashlib.sha256(f'{{"cases":[{body}],"suite":{shared}}}'.encode("utf-8", "surrogatepass")).hexdigest()
