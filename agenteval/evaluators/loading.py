"""Evaluators by the names that suites write."""

from __future__ import annotations

from agenteval._text import clip, nearest
from agenteval.errors import Problem
from agenteval.evaluators.table import UnknownEvaluatorError, UnusableEvaluatorError, find, names


def load(name: str, path: str, problems: list[Problem]) -> type | None:
    """The evaluator of that name, or None and a problem."""
    try:
        return find(name)
    except UnknownEvaluatorError:
        close = nearest(name, names())
        fix = f"did you mean {close!r}?" if close else f"known evaluators: {', '.join(sorted(names()))}"
        problems.append(Problem(f"unknown evaluator {clip(name, 60)!r}", fix, path))
    except UnusableEvaluatorError as error:
        problems.append(Problem(str(error), "mend or uninstall the package", path))
    return None
