"""The short way of saying what an answer must be: the keys of ``expects`` as checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agenteval._text import clip, nearest
from agenteval.errors import Problem
from agenteval.evaluators.check import Check
from agenteval.evaluators.context import Evaluator
from agenteval.model.score import Feeds

_Maker = Callable[[Mapping[str, Any]], Evaluator]


def compile_expects(expects: Mapping[str, Any], path: str, problems: list[Problem]) -> list[Check]:
    """The checks of one ``expects``, correctness first."""
    checks: list[Check] = []
    correctness = _correctness(expects, path, problems)
    if correctness is not None:
        checks.append(correctness)
    return checks


def _correctness(expects: Mapping[str, Any], path: str, problems: list[Problem]) -> Check | None:
    kind = expects.get("correctness_type")
    if kind is None:
        if "ground_truth" not in expects:
            return None
        kind = "exact"
    maker = _CORRECTNESS.get(kind)
    if maker is None:
        close = nearest(str(kind), _CORRECTNESS)
        allowed = f"allowed: {', '.join(_CORRECTNESS)}"
        fix = f"did you mean {close!r}? {allowed.capitalize()}" if close else allowed
        problems.append(Problem(f"unknown correctness_type {clip(str(kind), 60)!r}", fix, f"{path}.correctness_type"))
        return None
    if expects.get("ground_truth") is None:
        problems.append(Problem(f"correctness_type {kind} needs ground_truth", "add it", path))
        return None
    try:
        return Check(kind, maker(expects), feeds=Feeds.CORRECTNESS, path=path)
    except ValueError as error:
        problems.append(Problem(str(error), path=f"{path}.ground_truth"))
    return None


def _exact(expects: Mapping[str, Any]) -> Evaluator:
    from agenteval.evaluators.exact import Exact

    return Exact(expects["ground_truth"])


def _contains(expects: Mapping[str, Any]) -> Evaluator:
    from agenteval.evaluators.contains import Contains

    return Contains(expects["ground_truth"], expects.get("match", "words"))


def _numeric(expects: Mapping[str, Any]) -> Evaluator:
    from agenteval.evaluators.numeric import Numeric

    return Numeric(expects["ground_truth"], expects.get("numeric_tolerance", 0.01), expects.get("unit"), expects.get("locale", "en"))


_CORRECTNESS: dict[str, _Maker] = {"exact": _exact, "contains": _contains, "numeric": _numeric}
