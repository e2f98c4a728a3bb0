"""From checks and evidence to scores; an evaluator that fails becomes a score that says so."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from types import MappingProxyType
from typing import Any

from agenteval._text import clip
from agenteval.evaluators.check import Check
from agenteval.evaluators.context import Context
from agenteval.evaluators.predecessor_plugin import EvaluationResult
from agenteval.evaluators.table import plugin_of
from agenteval.model.score import Score

_REASON_LIMIT = 2000
_DECLARED = frozenset({"relevant_context_ids", "expected_citations", "reference_context"})
"""Keys of ``expects`` that ask for measures of retrieval."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_MAPPINGS = frozenset({dict, MappingProxyType})
"""Told at once; asking an abstract class takes longer than many an evaluator."""


def scores_of(checks: Iterable[Check], context: Context, *, skip_judges: bool = False, no_score: bool = False) -> tuple[Score, ...]:
    """One score a check, in order. Raises nothing but what ends the process (``KeyboardInterrupt``).

    Args:
        skip_judges: Leave out the checks that ask a model.
        no_score: Leave out every check.
    """
    if no_score:
        return tuple(_left_out(check, "left out by request (--no-score)") for check in checks)
    return tuple([_judged(check, context, skip_judges) for check in checks])


def observe(checks: Sequence[Check], context: Context) -> tuple[Score, ...]:
    """Scores that no check asks for and that decide nothing: retrieval, grounding, tool efficiency; none where there is no such evidence.

    ``checks`` are those of the case: what they measure themselves is not measured again.
    """
    attempt = context.attempt
    if not (attempt.retrieved_context or attempt.steps or attempt.turns) and _DECLARED.isdisjoint(context.expects):
        return ()
    from agenteval.evaluators.observing import TOLD, observed

    scores = [_judged(check, context, False) for check in observed(checks, context)]
    return tuple(score for score in scores if score.applicable or score.name in TOLD)


def plugins_used(checks: Iterable[Check]) -> dict[str, dict[str, str]]:
    """The plugins among these checks by name, as provenance records them: package, version and what its metadata refers to."""
    found = {check.name: plugin for check in checks if (plugin := plugin_of(check.name, type(check.evaluator)))}
    return {name: {key: getattr(found[name], key) for key in ("package", "version", "reference")} for name in sorted(found)}


@cache
def is_ours(evaluator: type) -> bool:
    """Whether an evaluator's class is one of AgentEval's own."""
    return evaluator.__module__.startswith("agenteval.")


def _judged(check: Check, context: Context, skip_judges: bool) -> Score:
    if skip_judges and getattr(check.evaluator, "asks_a_model", False):
        return _left_out(check, "skipped by request (--no-llm-judge)")
    kind = type(check.evaluator)
    if not is_ours(kind) and plugin_of(check.name, kind) is not None:
        context = context._replace(attempt=copy(context.attempt))  # whatever it assigns, the answer is kept
    try:
        found = check.evaluator.evaluate(context)
        if type(found) is not Score:
            found = _as_score(check, found)
        value, passed, error = found.value, found.passed, found.error
        if type(found.reason) is not str or (type(found.evidence) not in _MAPPINGS and not isinstance(found.evidence, Mapping)):
            return _failed(check, "TypeError: a score's reason must be text and its evidence a mapping")
        if error is not None:
            return _failed(check, str(error), found.evidence)
        if passed is not True and passed is not False and passed is not None:
            return _failed(check, f"TypeError: passed must be true, false or null, not {clip(repr(passed), 80)}")
        if value is not None and not _is_share(value):
            return _failed(check, f"ValueError: value {clip(repr(value), 80)} is not between 0 and 1")
    except SystemExit as failure:
        return _failed(check, f"SystemExit: the evaluator ended the process ({clip(repr(failure.code), 80)})")
    except KeyboardInterrupt:
        raise
    except BaseException as failure:  # an evaluator may be anyone's code
        return _failed(check, _told(failure))
    if check.negate:
        return _negated(check, found)
    return Score(check.name, value, passed, found.reason, found.evidence, check.required, check.feeds, None, found.skipped)


def _as_score(check: Check, found: Any) -> Score:
    """A plain verdict or value as a score, for evaluators written as small functions; numpy's own kinds count as Python's."""
    if type(found).__module__ == "numpy" and callable(getattr(found, "item", None)):
        found = found.item()
    if isinstance(found, bool):
        return Score(check.name, float(found), found, "holds" if found else "does not hold")
    if isinstance(found, (int, float)):
        return Score(check.name, float(found), reason=f"value {found:g}")
    if isinstance(found, Score):
        return found
    if isinstance(found, EvaluationResult):
        if type(found.passed) is not bool:
            raise TypeError(f"passed must be true or false, not {clip(repr(found.passed), 80)}")
        return Score(check.name, float(found.passed), found.passed, found.reason or ("holds" if found.passed else "does not hold"))
    if inspect.iscoroutine(found):
        found.close()
        raise TypeError("the evaluator is asynchronous; it must be a plain function")
    raise TypeError(f"an evaluator returns a Score, a bool or a number in [0, 1], not {type(found).__name__}")


def _is_share(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value) and 0 <= value <= 1


def _negated(check: Check, found: Score) -> Score:
    """The score with its verdict inverted and everything else as it was; what is not decided stays so."""
    if found.passed is None:
        return Score(check.name, found.value, None, found.reason, found.evidence, check.required, check.feeds, None, found.skipped)
    reason = f"must not hold, and {'does' if found.passed else 'does not'}: {found.reason}"
    return Score(check.name, found.value, not found.passed, reason, found.evidence, check.required, check.feeds)


def _left_out(check: Check, reason: str) -> Score:
    return Score(check.name, reason=reason, required=check.required, feeds=check.feeds, skipped=True)


def _failed(check: Check, error: str, evidence: Mapping[str, Any] = _NOTHING) -> Score:
    plugin = plugin_of(check.name, type(check.evaluator))
    if plugin is not None:
        error = f"plugin {plugin.origin}: {error}"
    return Score(check.name, reason="the evaluator failed", evidence=evidence, required=check.required, feeds=check.feeds, error=error)


def _told(failure: BaseException) -> str:
    try:
        text = str(failure)
    except Exception:
        text = ""
    return clip(f"{type(failure).__name__}: {text}" if text else type(failure).__name__, _REASON_LIMIT)
