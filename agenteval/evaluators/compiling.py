"""From what a case declares to its checks, and everything that is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from agenteval._text import clip
from agenteval.errors import Problem
from agenteval.evaluators.check import Check, CompiledCase, bar_missing
from agenteval.evaluators.expectations import compile_expects
from agenteval.evaluators.loading import build, load
from agenteval.suites.suite import Case, EvaluatorSpec


def compile_case(case: Case) -> tuple[CompiledCase, list[Problem]]:
    """The checks of a case and its turns, and all problems, each with its ``path``."""
    problems: list[Problem] = []
    checks = _compiled(case.expects, case.evaluators, case.path, problems)
    turns = tuple(_compiled(turn.expects, turn.evaluators, turn.path, problems) for turn in case.turns)
    if not problems and not any(check.required for check in checks):
        _demand_a_check(case, checks, turns, problems)
    return CompiledCase(checks, turns), problems


def _demand_a_check(case: Case, checks: tuple[Check, ...], turns: tuple[tuple[Check, ...], ...], problems: list[Problem]) -> None:
    of_turns = any(check.required for turn in turns for check in turn)
    if of_turns and case.turns_required:
        return
    if of_turns:
        what, fix = "no required check: with turns_required false its turns decide nothing", "add a check of the whole case"
    elif checks or any(turns):
        what, fix = "no required check: what it declares is only observed", "add one, or remove required: false"
    else:
        what, fix = "no check, so it would always pass", "add expects or evaluators, for example expects: {ground_truth: ...}"
    problems.append(Problem(f"case {clip(case.id, 60)!r} has {what}", fix, case.path))


def _compiled(expects: Mapping[str, Any], specs: Iterable[EvaluatorSpec], path: str, problems: list[Problem]) -> tuple[Check, ...]:
    checks = compile_expects(expects, f"{path}.expects", problems) if expects else []
    specs = tuple(specs)
    if not specs:
        return tuple(checks)
    declared = {check.name for check in checks}
    seen: set[str] = set()
    for spec in specs:
        check = _spec(spec, problems)
        if check is None:
            continue
        written = json.dumps([check.name, spec.params, check.negate], sort_keys=True, default=str)
        if written in seen:
            problems.append(Problem(f"{check.name} with these parameters is listed twice", "remove one", spec.path))
        elif check.name in declared and check.name in ("must_call_tools", "must_not_hallucinate", "retained_facts"):
            problems.append(Problem(f"expects already declares {check.name}", "remove one", spec.path))
        seen.add(written)
        checks.append(check)
    return tuple(checks)


def _spec(spec: EvaluatorSpec, problems: list[Problem]) -> Check | None:
    name, params, negate = spec.name, spec.params, spec.negate
    path = f"{spec.path}.{name}" if params is not None else spec.path
    while name == "not":
        inner = {params: None} if isinstance(params, str) else params
        if not isinstance(inner, Mapping) or len(inner) != 1:
            problems.append(Problem("must hold one evaluator", "write not: {name: parameters}", path))
            return None
        name, params, negate = *next(iter(inner.items())), not negate
        path = f"{path}.{name}"
    cls = load(name, spec.path, problems)
    if cls is None:
        return None
    evaluator, found = build(cls, params, path)
    problems.extend(found)
    if evaluator is None:
        return None
    bar = bar_missing(evaluator)
    if spec.required and bar is not None:
        problems.append(Problem(f"{name} without {bar} decides nothing", f"add {bar}, or required: false", path))
        return None
    return Check(name, evaluator, spec.required, negate, getattr(cls, "feeds", None), spec.path)
