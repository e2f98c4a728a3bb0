"""The short way of saying what an answer must be: the keys of ``expects`` as checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agenteval._text import clip, nearest
from agenteval.errors import Problem
from agenteval.evaluators.check import Check, bar_missing
from agenteval.evaluators.context import Evaluator
from agenteval.evaluators.loading import build, load
from agenteval.evaluators.table import BUILT_IN
from agenteval.model.score import Feeds
from agenteval.suites import shape

TOLERANCE = 0.01
"""Tolerance of numeric checks that declare none."""

_Maker = Callable[[Mapping[str, Any]], Evaluator]


def compile_expects(expects: Mapping[str, Any], path: str, problems: list[Problem]) -> list[Check]:
    """The checks of one ``expects``, correctness first. Keys of retrieval are only observed (see ``observing``)."""
    if not _is_tolerance(expects.get("numeric_tolerance", 0), path, problems):
        expects = {**expects, "numeric_tolerance": TOLERANCE}
    checks = []
    correctness = _by_evaluator(expects, path, problems) if expects.get("evaluator") else _correctness(expects, path, problems)
    if correctness is not None:
        checks.append(correctness)
    for key, name, feeds, required, params in _FURTHER:
        if not expects.get(key):
            continue
        cls = load(name, path, problems)
        if cls is None:
            continue
        evaluator, found = shape.build(cls, params(expects), f"{path}.{key}")
        problems.extend(found)
        if evaluator is not None:
            checks.append(Check(name, evaluator, required, False, feeds, path))
    return checks


def _is_tolerance(value: Any, path: str, problems: list[Problem]) -> bool:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
        return True
    problems.append(Problem(f"must be a number of at least 0, not {value!r}", path=f"{path}.numeric_tolerance"))
    return False


def _by_evaluator(expects: Mapping[str, Any], path: str, problems: list[Problem]) -> Check | None:
    """Correctness decided by a named evaluator; the ground truth gives its parameters."""
    name = expects["evaluator"]
    if "correctness_type" in expects:
        what = "both evaluator and correctness_type say how correctness is decided"
        problems.append(Problem(what, "remove one", f"{path}.evaluator"))
        return None
    cls = load(name, f"{path}.evaluator", problems)
    if cls is None:
        return None
    evaluator, found = build(cls, _params(name, cls, expects.get("ground_truth")), f"{path}.evaluator")
    problems.extend(found)
    if evaluator is not None and (bar := bar_missing(evaluator)):
        problems.append(Problem(f"{name} without {bar} decides nothing", f"list it under evaluators, with {bar}", f"{path}.evaluator"))
    return None if evaluator is None else Check(name, evaluator, feeds=Feeds.CORRECTNESS, path=path)


def _params(name: str, cls: type, truth: Any) -> Any:
    """A mapping that names a parameter holds the parameters; else the ground truth is the first one, where the evaluator needs any.

    Built-in evaluators take a mapping as the value they look for.
    """
    fields = shape.fields_of(cls)
    if name not in BUILT_IN and isinstance(truth, Mapping) and truth.keys() & fields.keys():
        return truth
    main = shape.main_field(cls)
    needed = any(field.required for field in fields.values())
    return {main: truth} if needed and main is not None and truth is not None else None


def _correctness(expects: Mapping[str, Any], path: str, problems: list[Problem]) -> Check | None:
    kind = expects.get("correctness_type")
    truth = expects.get("ground_truth")
    if kind is None:
        if "ground_truth" not in expects:
            return None
        kind = "exact"
    maker = CORRECTNESS.get(kind)
    if maker is None:
        close = nearest(str(kind), CORRECTNESS)
        allowed = f"allowed: {', '.join(CORRECTNESS)}"
        fix = f"did you mean {close!r}? {allowed.capitalize()}" if close else allowed
        problems.append(Problem(f"unknown correctness_type {clip(str(kind), 60)!r}", fix, f"{path}.correctness_type"))
        return None
    if truth is None and kind not in ("llm_judge", "json"):
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

    return Numeric(expects["ground_truth"], *_numeric_options(expects))


def _numeric_table(expects: Mapping[str, Any]) -> Evaluator:
    from agenteval.evaluators.numeric_table import NumericTable

    return NumericTable(expects["ground_truth"], *_numeric_options(expects))


def _numeric_options(expects: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    return expects.get("numeric_tolerance", TOLERANCE), expects.get("unit"), expects.get("locale", "en")


def _regex(expects: Mapping[str, Any]) -> Evaluator:
    from agenteval.evaluators.pattern import Regex

    if not isinstance(expects["ground_truth"], str):
        raise ValueError("a pattern must be text")
    return Regex(expects["ground_truth"])


def _json(expects: Mapping[str, Any]) -> Evaluator:
    from agenteval.evaluators.json_answer import Json

    return Json(expects["ground_truth"]) if expects.get("ground_truth") is not None else Json()


def _llm_judge(expects: Mapping[str, Any]) -> Evaluator:
    from agenteval.evaluators.judged import LlmJudge

    return LlmJudge(ground_truth=expects.get("ground_truth"))


CORRECTNESS: dict[str, _Maker] = {
    "exact": _exact,
    "contains": _contains,
    "numeric": _numeric,
    "numeric_table": _numeric_table,
    "regex": _regex,
    "json": _json,
    "llm_judge": _llm_judge,
}
"""How correctness can be decided, by ``correctness_type``."""


def _hallucination(expects: Mapping[str, Any]) -> dict[str, Any]:
    return {"tolerance": expects.get("numeric_tolerance", 0.0), "locale": expects.get("locale", "en")}


_FURTHER: tuple[tuple[str, str, Feeds, bool, Callable[[Mapping[str, Any]], Any]], ...] = (
    ("must_call_tools", "must_call_tools", Feeds.TOOLS, True, lambda expects: {"tools": expects["must_call_tools"]}),
    ("must_not_hallucinate", "must_not_hallucinate", Feeds.HALLUCINATION, True, _hallucination),
    ("retained_facts", "retained_facts", Feeds.RETENTION, True, lambda expects: {"facts": expects["retained_facts"]}),
    ("expected_trajectory", "trajectory", Feeds.TRAJECTORY, False, lambda expects: {"steps": expects["expected_trajectory"]}),
)
"""Key of ``expects``, evaluator, metric, whether the case needs it to hold, its parameters."""
