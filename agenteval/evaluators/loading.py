"""Evaluators by the names that suites write."""

from __future__ import annotations

from typing import Any

from agenteval._text import clip, nearest
from agenteval.errors import Problem
from agenteval.evaluators.table import UnknownEvaluatorError, UnusableEvaluatorError, find, names
from agenteval.suites import shape


def load(name: str, path: str, problems: list[Problem]) -> type | None:
    """The evaluator of that name, or None and a problem."""
    try:
        return find(name)
    except UnknownEvaluatorError:
        close = nearest(name, names())
        fix = f"did you mean {close!r}?" if close else f"known evaluators: {', '.join(sorted(names()))}"
        problems.append(Problem(f"unknown evaluator {clip(name, 60)!r}", fix, path))
    except UnusableEvaluatorError as error:
        problems.append(Problem(str(error), error.fix, path))
    return None


def build(cls: type, params: Any, path: str) -> tuple[Any, list[Problem]]:
    """An evaluator with what the suite writes under its name, or None and why not; whatever a class of others raises is a problem too."""
    try:
        return shape.build(cls, params, path)
    except (Exception, SystemExit) as error:
        if cls.__module__.startswith("agenteval."):
            raise
        return None, [Problem(clip(f"cannot be built: {type(error).__name__}: {error}", 500), "mend the evaluator or its parameters", path)]
