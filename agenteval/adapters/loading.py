"""Finding the agent that a name stands for, and knowing how to call it."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agenteval._imports import load_object
from agenteval._text import nearest
from agenteval.adapters.contract import CONTEXT_KEYS, AgentAdapter
from agenteval.errors import InputError, Problem


@dataclass(frozen=True, slots=True)
class Agent:
    """A loaded agent.

    Attributes:
        call: Takes the prompt and the ``accepts`` part of the context.
        is_async: ``call`` returns a coroutine; agents that block run on threads.
        accepts: Names of the context that the signature takes.
        recorded: Its latency claims count, because nothing is called (replay).
        reference: ``module:attribute``, or the object's name.
        end_session: Told the session when its attempt is over; None: nobody wants to know.
        close: Called when the run is over.
    """

    call: Callable[..., Any]
    is_async: bool
    accepts: frozenset[str]
    reference: str
    recorded: bool = False
    options: Mapping[str, Any] | None = None
    end_session: Callable[[str], Any] | None = None
    close: Callable[[], Any] | None = None


def load_agent(reference: Any, options: Mapping[str, Any] | None = None, *, where: str = "--agent", repo_path: Path | None = None) -> Agent:
    """The agent behind ``module:Class``, ``module:callable``, or an object given directly.

    A class is built once with ``options``; an object with ``run`` is called through it, anything else must be callable.

    Raises:
        InputError: It cannot be imported, built or called; unknown options name the accepted ones.
    """
    found = load_object(reference, where=where) if isinstance(reference, str) else reference
    name = reference if isinstance(reference, str) else _name_of(found)
    options = dict(options or {})
    if inspect.isclass(found):
        found = _built(found, options, where=where, repo_path=repo_path)
    elif options:
        call = _callable_of(found, name, where)
        _check_options(call, options, where, skip=1)
        found = functools.partial(call, **options)
    call = _callable_of(found, name, where)
    return Agent(
        call=call,
        is_async=_is_async(call),
        accepts=_accepted(call, name, where),
        reference=name,
        recorded=bool(getattr(found, "recorded", False)),
        options=options,
        end_session=_method(found, "end_session"),
        close=_method(found, "close") if isinstance(found, AgentAdapter) else None,  # other objects have a close() of their own meaning
    )


def _method(found: Any, name: str) -> Callable[..., Any] | None:
    method = getattr(found, name, None)
    return method if callable(method) else None


def agent_name(reference: str) -> str:
    """A folder name for an agent named by reference: its last attribute, in lower case.

    >>> agent_name("shop.agent:SupportAgent")
    'support_agent'
    """
    last = reference.rpartition(":")[2].rpartition(".")[2]
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower()
    return re.sub(r"[^a-z0-9_-]", "_", snake).strip("_-") or "agent"


def _name_of(found: Any) -> str:
    kind = found if inspect.isclass(found) or inspect.isroutine(found) else type(found)
    return f"{getattr(kind, '__module__', '?')}:{getattr(kind, '__qualname__', type(found).__name__)}"


def _built(cls: type, options: dict[str, Any], *, where: str, repo_path: Path | None) -> Any:
    if repo_path is not None and "repo_path" in _parameters(cls):
        options.setdefault("repo_path", repo_path)
    _check_options(cls, options, where)
    try:
        return cls(**options)
    except InputError as error:
        placed = [problem if problem.file else replace(problem, file=where) for problem in error.problems]
        raise InputError(placed) from error
    except BaseException as error:  # a constructor may raise anything, sys.exit too
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError(
            Problem(f"{cls.__name__} cannot be built ({type(error).__name__}: {error})", "check adapter_options", file=where)
        ) from error


def _parameters(call: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(call).parameters)
    except (TypeError, ValueError):
        return {}


def _takes_any(parameters: Mapping[str, inspect.Parameter]) -> bool:
    return any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())


def _check_options(call: Callable[..., Any], options: Mapping[str, Any], where: str, skip: int = 0) -> None:
    parameters = _parameters(call)
    if not parameters and not options:
        return
    names = [name for name, parameter in parameters.items() if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)][
        skip:
    ]
    if _takes_any(parameters):
        return
    problems = []
    for option in options:
        if option not in names:
            close = nearest(option, names)
            accepted = f"accepted: {', '.join(names)}" if names else "it accepts none"
            problems.append(
                Problem(
                    f"unknown adapter option {option!r}",
                    f"did you mean {close!r}? {accepted}" if close else accepted,
                    path=f"adapter_options.{option}",
                    file=where,
                )
            )
    if problems:
        raise InputError(problems)


def _callable_of(found: Any, name: str, where: str) -> Callable[..., Any]:
    run = getattr(found, "run", None)
    if callable(run):
        return run  # type: ignore[no-any-return]
    if callable(found):
        return found  # type: ignore[no-any-return]
    raise InputError(
        Problem(f"{name!r} is a {type(found).__name__}, not an agent", "name a callable, or a class with run(prompt)", file=where)
    )


def _is_async(call: Callable[..., Any]) -> bool:
    target = call.func if isinstance(call, functools.partial) else call
    return inspect.iscoroutinefunction(target) or inspect.iscoroutinefunction(getattr(target, "__call__", None))  # noqa: B004 - not a callable test


def _accepted(call: Callable[..., Any], name: str, where: str) -> frozenset[str]:
    parameters = _parameters(call)
    if not parameters:
        if _signature_known(call):
            raise InputError(Problem(f"{name!r} takes no argument", "an agent takes the prompt first: def answer(prompt): ...", file=where))
        return frozenset()
    if _takes_any(parameters):
        return frozenset(CONTEXT_KEYS)
    first = next(iter(parameters))
    return frozenset(key for key in CONTEXT_KEYS if key in parameters and key != first)


def _signature_known(call: Callable[..., Any]) -> bool:
    try:
        inspect.signature(call)
    except (TypeError, ValueError):
        return False
    return True
