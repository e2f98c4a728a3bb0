"""From a prepared suite and a choice to the attempts that will be executed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from agenteval._imports import load_object
from agenteval._redact import redact, redact_json
from agenteval.errors import InputError, Problem
from agenteval.evaluators import Check, CompiledCase
from agenteval.model.run import Selection
from agenteval.model.status import Role
from agenteval.runner.final_state import FinalState, final_state
from agenteval.runner.request import DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT_S, Choice, RunRequest
from agenteval.suites import Selector, select
from agenteval.suites.suite import Case, EvaluatorSpec, Suite, Turn, User

if TYPE_CHECKING:
    from agenteval.runner.scripted_user import PlannedUser


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn with its compiled checks; ``prompt`` and ``expects`` are redacted, ``turn.prompt`` is what the agent gets."""

    turn: Turn
    prompt: str
    expects: Mapping[str, Any]
    evaluators: tuple[Any, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case ready to run.

    Attributes:
        expects, asked: What checks see of expectation and prompt, redacted like the answer.
        shared: The fields that every attempt's record says about the case.
        repeat: How many attempts, at least 1.
        asks_a_model: Whether one of the checks of the whole case does.
        plain: There is one prompt and no final state: the one look that such a case costs.
    """

    case: Case
    compiled: CompiledCase
    turns: tuple[PlannedTurn, ...]
    expects: Mapping[str, Any]
    asked: str
    shared: dict[str, Any]
    role: Role | None
    repeat: int
    timeout_s: float
    setup: Callable[..., Any] | None = None
    teardown: Callable[..., Any] | None = None
    asks_a_model: bool = False
    user: PlannedUser | None = None
    final_state: FinalState | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will do: cases in suite order, and what the selection left out."""

    suite: Suite
    cases: tuple[PlannedCase, ...]
    selection: Selection
    left_out: tuple[str, ...]
    concurrency: int
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def attempts(self) -> int:
        """How many attempts there will be, repeats included."""
        return sum(planned.repeat for planned in self.cases)


def make_plan(request: RunRequest, today: date, last_failed: tuple[str, ...] = (), last_failed_run: str | None = None) -> Plan:
    """The attempts that a request asks for.

    Args:
        today: Decides which quarantines still hold.
        last_failed: Ids that did not pass in the run ``last_failed_run``.

    Raises:
        InputError: Unknown ids or tags, an empty selection, repeats that fit nothing.
    """
    choice, suite = request.choice, request.suite
    ids = list(choice.case_ids)
    filters: dict[str, Any] = {}
    if choice.case_ids:
        filters["case_ids"] = list(choice.case_ids)
    if choice.tags:
        filters["tags"] = list(choice.tags)
    if choice.smoke:
        if not request.smoke_case_ids:
            raise InputError(Problem("the agent has no smoke_case_ids", "list them in agents.yaml", file="--smoke"))
        filters["smoke"] = True
        ids.extend(request.smoke_case_ids)
    if choice.last_failed:
        if not last_failed:
            raise InputError(
                Problem(f"nothing failed in {last_failed_run or 'any earlier run'}", "leave out --last-failed", file="--last-failed")
            )
        filters["last_failed"] = last_failed_run
        ids.extend(case_id for case_id in last_failed if any(case.id == case_id for case in suite.cases))
    selector = Selector(case_ids=tuple(dict.fromkeys(ids)), tags=choice.tags, include_candidates=choice.include_candidates)
    cases, selection, left_out = select(suite, selector)
    return _plan_of(request, today, cases, Selection(filters, selection.left_out) if filters else selection, tuple(left_out))


def plan_again(request: RunRequest, today: date, left_out: tuple[str, ...], selection: Selection) -> Plan:
    """The plan of a stored run: the same suite without the cases that it left out."""
    absent = set(left_out)
    candidates = request.choice.include_candidates
    cases = [case for case in request.suite.cases if case.id not in absent and (candidates or not case.candidate)]
    return _plan_of(request, today, cases, selection, left_out)


def _plan_of(request: RunRequest, today: date, cases: list[Case], selection: Selection, left_out: tuple[str, ...]) -> Plan:
    choice, suite, fallback = request.choice, request.suite, request.fallback
    _check_repeats(choice, suite, {case.id for case in cases})
    return Plan(
        suite=suite,
        cases=tuple(_planned(case, request, today) for case in cases),
        selection=selection,
        left_out=left_out,
        concurrency=choice.concurrency or suite.concurrency or fallback.concurrency or DEFAULT_CONCURRENCY,
        parameters=_parameters(request),
    )


def _check_repeats(choice: Choice, suite: Suite, selected: set[str]) -> None:
    if choice.repeat_cases and choice.repeat_all:
        raise InputError(Problem("cannot be combined with --repeat-all", "choose one", file="--repeat-case"))
    if choice.repeat is not None and choice.repeat > 1 and not (choice.repeat_cases or choice.repeat_all):
        raise InputError(Problem("says how often, not what", "add --repeat-case ID or --repeat-all", file="--repeat"))
    if (choice.repeat_cases or choice.repeat_all) and (choice.repeat is None or choice.repeat < 2):
        flag = "--repeat-all" if choice.repeat_all else "--repeat-case"
        raise InputError(Problem("says what to repeat, not how often", "add --repeat N with N of at least 2", file=flag))
    from agenteval._text import nearest

    for case_id in choice.repeat_cases:
        if case_id not in selected:
            known = [case.id for case in suite.cases]
            close = nearest(case_id, known)
            what = f"case {case_id!r} is not selected" if case_id in known else f"no case {case_id!r}"
            raise InputError(
                Problem(what, f"did you mean {close!r}?" if close and close != case_id else "select it too", file="--repeat-case")
            )


def _planned(case: Case, request: RunRequest, today: date) -> PlannedCase:
    choice, suite, fallback = request.choice, request.suite, request.fallback
    prepared = request.prepared.cases[case.id]
    safe, compiled = prepared.safe, prepared.compiled
    role = _role(case, today)
    evaluators = tuple(_written(spec) for spec in safe.evaluators)
    shared: dict[str, Any] = {"prompt": safe.prompt, "expects": safe.expects, "definition": case.definition}
    if evaluators:
        shared["evaluators"] = evaluators
    if case.tags:
        shared["tags"] = case.tags
    for name in ("source", "parent_id", "mutation_type", "metadata"):
        value = getattr(case, name)
        if value:
            shared[name] = redact_json(value)
    if not case.expect_pass:
        shared["expect_pass"] = False
    if case.critical:
        shared["critical"] = True
    if role is not None:
        shared["role"] = role
    if case.quarantine is not None:
        shared["quarantine"] = {"until": case.quarantine.until, "reason": redact(case.quarantine.reason)}
    turns = tuple(
        PlannedTurn(original, turn.prompt, turn.expects, tuple(_written(spec) for spec in turn.evaluators), checks)
        for original, turn, checks in zip(case.turns, safe.turns, compiled.turns, strict=True)
    )
    return PlannedCase(
        case=case,
        compiled=compiled,
        turns=turns,
        expects=safe.expects,
        asked="\n".join(turn.prompt for turn in turns) if turns else safe.prompt,
        shared=shared,
        role=role,
        repeat=_repeat(case, request),
        timeout_s=choice.timeout_s or case.timeout_s or suite.timeout_s or fallback.timeout_s or DEFAULT_TIMEOUT_S,
        setup=_hook(case.setup, suite, f"{case.path}.setup"),
        teardown=_hook(case.teardown, suite, f"{case.path}.teardown"),
        asks_a_model=any(check.asks_a_model for check in compiled.checks),
        user=None if case.user is None else _user(case.user),
        plain=not turns and case.user is None and case.final_state is None,
        final_state=None if case.final_state is None else final_state(_function(case.final_state, suite, f"{case.path}.final_state")),
    )


def _user(user: User) -> PlannedUser:
    from agenteval.runner.scripted_user import planned_user

    return planned_user(user)


def _hook(reference: str | None, suite: Suite, path: str) -> Callable[..., Any] | None:
    return None if reference is None else _function(reference, suite, path)


def _function(reference: str, suite: Suite, path: str) -> Callable[..., Any]:
    _, file, line, column = suite.locate(path)
    found = load_object(reference, where=f"{file}:{line}:{column}: {path}")
    if not callable(found) or inspect.isclass(found):
        raise InputError(
            Problem(
                f"{reference!r} is not a function", "name a function that takes the case id", path=path, file=file, line=line, column=column
            )
        )
    return found  # type: ignore[no-any-return]


def _written(spec: EvaluatorSpec) -> Any:
    """An evaluator as a suite would write it."""
    if spec.params is None and spec.required and not spec.negate:
        return spec.name
    written: dict[str, Any] = {spec.name: spec.params}
    if not spec.required:
        written["required"] = False
    return {"not": written} if spec.negate else written


def _role(case: Case, today: date) -> Role | None:
    if case.candidate:
        return Role.CANDIDATE
    if case.quarantine is not None and today.isoformat() < case.quarantine.until:
        return Role.QUARANTINED
    return None


def _repeat(case: Case, request: RunRequest) -> int:
    choice = request.choice
    if choice.repeat is not None and (choice.repeat_all or case.id in choice.repeat_cases):
        return choice.repeat
    if choice.repeat_cases:
        return 1
    return case.repeat or (request.suite.repeat if request.suite.repeat > 1 else request.fallback.repeat or 1)


def _parameters(request: RunRequest) -> dict[str, Any]:
    """What a resumed run must repeat to be the same run."""
    choice = request.choice
    kept: dict[str, Any] = {}
    for name in ("timeout_s", "repeat", "max_cost_usd", "judge_repeat"):
        value = getattr(choice, name)
        if value is not None:
            kept[name] = value
    if choice.repeat_cases:
        kept["repeat_cases"] = list(choice.repeat_cases)
    for name in ("repeat_all", "include_candidates", "fail_fast", "skip_judges", "no_score"):
        if getattr(choice, name):
            kept[name] = True
    model = model_of(request)
    if model is not None:
        kept["model"] = redact(model)
    return kept


def model_of(request: RunRequest) -> str | None:
    """The model that a run tells its agent: command line, suite, registry; a case's own model goes before the last two."""
    return request.choice.model or request.suite.model or request.fallback.model
