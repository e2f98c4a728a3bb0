"""A suite read, redacted and compiled: whatever is wrong in its files or its checks is said here, all at once, before anything runs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from agenteval._collection import collection_paused
from agenteval._redact import redact, redact_json
from agenteval.errors import InputError, Problem
from agenteval.evaluators import CompiledCase, compile_case
from agenteval.suites import read
from agenteval.suites.suite import Case, EvaluatorSpec, Suite


@dataclass(frozen=True, slots=True)
class PreparedCase:
    """A case with its checks. ``safe`` is the case as it is stored and judged: secrets replaced in prompt and expectation alike."""

    case: Case
    safe: Case
    compiled: CompiledCase


@dataclass(frozen=True, slots=True)
class PreparedSuite:
    """A suite whose every check is compiled, by case id."""

    suite: Suite
    cases: Mapping[str, PreparedCase]


def read_suite(path: Path, *, dialect: str | None = None, shown: str | None = None) -> PreparedSuite:
    """The suite in a file; ``shown`` names it in messages.

    Raises:
        InputError: Every problem of its files and of its checks, in document order.
    """
    with collection_paused():
        suite, problems = read(path, dialect=dialect, shown=shown)
        return prepare(suite, problems)


def prepare(suite: Suite, problems: list[Problem] | None = None) -> PreparedSuite:
    """The suite with its checks compiled; ``problems`` are those of reading it.

    Raises:
        InputError: Every problem.
    """
    suite = _named_safely(suite)
    found = list(problems or ())
    found.extend(_placed(suite, problem) for problem in _imported(suite))
    cases = {}
    for case in suite.cases:
        safe = _redacted(case)
        compiled, wrong = compile_case(safe)
        found.extend(_placed(suite, problem) for problem in wrong)
        cases[case.id] = PreparedCase(case, safe, compiled)
    if found:
        raise InputError(found)
    return PreparedSuite(suite, cases)


def _imported(suite: Suite) -> list[Problem]:
    """Import the modules that a suite names, so that the evaluators they define are known; what can't be imported is a problem."""
    problems = []
    for number, module in enumerate(suite.imports):
        try:
            importlib.import_module(module)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            what = f"cannot import {module!r} ({type(error).__name__}: {error})"
            problems.append(Problem(what, "check the name and the working directory", path=f"imports[{number}]"))
    return problems


def _placed(suite: Suite, problem: Problem) -> Problem:
    order, file, line, column = suite.locate(problem.path)
    return replace(problem, order=order, file=file, line=line, column=column)


def _named_safely(suite: Suite) -> Suite:
    """The suite with secrets in names replaced: names choose, pair and label, so all that comes after must see the same ones."""
    return replace(suite, name=redact(suite.name), path=redact(suite.path), cases=tuple([_case_named_safely(case) for case in suite.cases]))


def _case_named_safely(case: Case) -> Case:
    case_id, tags = redact(case.id), redact_json(case.tags)
    return case if case_id is case.id and tags is case.tags else replace(case, id=case_id, tags=tuple(tags))


def _redacted(case: Case) -> Case:
    """The case as it is stored and judged: secrets replaced in prompt and expectation alike; the same object where there are none."""
    prompt, expects = redact(case.prompt), redact_json(case.expects)
    if prompt is case.prompt and expects is case.expects and not case.evaluators and not case.turns:
        return case
    evaluators = tuple(_redacted_spec(spec) for spec in case.evaluators)
    turns = tuple(
        replace(
            turn,
            prompt=redact(turn.prompt),
            expects=redact_json(turn.expects),
            evaluators=tuple(_redacted_spec(spec) for spec in turn.evaluators),
        )
        for turn in case.turns
    )
    if prompt is case.prompt and expects is case.expects and evaluators == case.evaluators and turns == case.turns:
        return case
    return replace(case, prompt=prompt, expects=expects, evaluators=evaluators, turns=turns)


def _redacted_spec(spec: EvaluatorSpec) -> EvaluatorSpec:
    params = redact_json(spec.params)
    return spec if params is spec.params else replace(spec, params=params)
