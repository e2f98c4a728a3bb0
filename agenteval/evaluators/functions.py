"""Evaluators written as plain functions."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints, overload

from agenteval.evaluators.table import define

F = TypeVar("F", bound=Callable[..., Any])


@overload
def evaluator(function: F) -> F: ...
@overload
def evaluator(*, name: str) -> Callable[[F], F]: ...
def evaluator(function: Any = None, *, name: str = "") -> Any:
    """Make a function an evaluator that suites can name.

    It takes the ``Context`` and, as keyword parameters, what the suite writes under its name; it returns a ``Score``, a bool, or a
    number in [0, 1], which observes and decides nothing. A class with a method ``evaluate`` may be decorated too.

    Args:
        name: Its name in suites; the function's own where not given.
    """

    def decorate(target: F) -> F:
        define(name or getattr(target, "__name__", "evaluator"), as_evaluator(target))
        return target

    return decorate(function) if function is not None else decorate


def as_evaluator(target: Any) -> type:
    """The dataclass that stands for a function or class.

    Raises:
        TypeError: It is neither a class with ``evaluate`` nor a function that takes a context.
    """
    if inspect.isclass(target):
        if not callable(getattr(target, "evaluate", None)):
            raise TypeError(f"{target.__name__} has no method evaluate(context)")
        if not dataclasses.is_dataclass(target):
            raise TypeError(f"{target.__name__} is no dataclass; its fields are its parameters")
        return target
    if not callable(target):
        raise TypeError(f"{type(target).__name__} is neither a function nor a class")
    if inspect.iscoroutinefunction(target):
        raise TypeError(f"{target.__name__} is asynchronous; an evaluator is a plain function")
    return _from_function(target)


def _from_function(function: Callable[..., Any]) -> type:
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = list(inspect.signature(function).parameters.values())
    name = getattr(function, "__name__", "evaluator")
    if not parameters or parameters[0].kind not in positional:
        raise TypeError(f"{name} takes no context; its first parameter is the context to judge")
    hints = get_type_hints(function, include_extras=True)
    fields: list[Any] = []
    for parameter in parameters[1:]:
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            raise TypeError(f"{name} takes *{parameter.name}; name each parameter")
        hint = hints.get(parameter.name, Any)
        if parameter.default is inspect.Parameter.empty:
            fields.append((parameter.name, hint))
        else:
            fields.append((parameter.name, hint, _default(parameter.default)))

    def evaluate(self: Any, context: Any) -> Any:
        return function(context, **{field.name: getattr(self, field.name) for field in dataclasses.fields(self)})

    fields.sort(key=len)
    namespace = {"evaluate": evaluate, "__doc__": inspect.getdoc(function) or name, "__module__": function.__module__}
    return dataclasses.make_dataclass(name, fields, frozen=True, namespace=namespace)


def _default(value: Any) -> Any:
    if isinstance(value, (list, dict, set)):
        return dataclasses.field(default_factory=lambda: value)
    return dataclasses.field(default=value)
