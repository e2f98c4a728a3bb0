"""Evaluators written as plain functions."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints, overload

from agenteval.evaluators.context import Evaluator
from agenteval.evaluators.table import define

F = TypeVar("F", bound=Callable[..., Any])


@overload
def evaluator(function: F) -> F: ...
@overload
def evaluator(*, name: str) -> Callable[[F], F]: ...
def evaluator(function: Any = None, *, name: str = "") -> Any:
    """Make a function an evaluator that suites can name.

    It takes the ``Context`` and, as keyword parameters, what the suite writes under its name; it returns a ``Score``, a bool, an
    ``EvaluationResult``, or a number in [0, 1], which observes and decides nothing. A class that judges may be decorated too.

    Args:
        name: Its name in suites; the function's own where not given.
    """

    def decorate(target: F) -> F:
        define(name or getattr(target, "__name__", "evaluator"), as_evaluator(target))
        return target

    return decorate(function) if function is not None else decorate


def as_evaluator(target: Any) -> type:
    """The dataclass that stands for a function or class.

    A dataclass with ``evaluate`` stands for itself. Any other class with ``evaluate`` or ``__call__`` is made once, without arguments,
    and has no parameters; so is a callable object.

    Raises:
        TypeError: It is none of them, is asynchronous, or takes no context.
    """
    if not inspect.isclass(target):
        if not callable(target):
            raise TypeError(f"{type(target).__name__} is neither a function nor a class")
        return _from_function(target)
    method = _method(target)
    if method is None:
        raise TypeError(f"{target.__name__} has no method evaluate(context)")
    if dataclasses.is_dataclass(target) and method == "evaluate":
        _check_method(target)
        return target
    try:
        inspect.signature(target).bind()
    except TypeError:
        raise TypeError(f"{target.__name__} is no dataclass; its fields are its parameters") from None
    return _from_function(getattr(target(), method))


def _method(cls: type) -> str | None:
    """The method that judges: its own ``evaluate`` (a protocol's does nothing), else ``__call__``."""
    if callable(getattr(cls, "evaluate", None)) and cls.evaluate is not Evaluator.evaluate:  # type: ignore[attr-defined]
        return "evaluate"
    return "__call__" if any("__call__" in vars(base) for base in cls.__mro__) else None


def _check_method(cls: Any) -> None:
    method = inspect.getattr_static(cls, "evaluate")
    if inspect.iscoroutinefunction(cls.evaluate):
        raise TypeError(f"{cls.__name__}.evaluate is asynchronous; an evaluator is a plain function")
    if inspect.isfunction(method):
        try:
            inspect.signature(method).bind("self", "context")
        except TypeError:
            raise TypeError(f"{cls.__name__}.evaluate{inspect.signature(method)} does not take one context") from None


def _from_function(function: Callable[..., Any]) -> type:
    name = getattr(function, "__name__", type(function).__name__)
    called = function if inspect.isroutine(function) else type(function).__call__  # of a callable object, what its call runs
    if inspect.iscoroutinefunction(called):
        raise TypeError(f"{name} is asynchronous; an evaluator is a plain function")
    fields = _fields(function, called, name)

    def evaluate(self: Any, context: Any) -> Any:
        return function(context, **{field.name: getattr(self, field.name) for field in dataclasses.fields(self)})

    module = getattr(function, "__module__", None) or ""
    namespace = {"evaluate": evaluate, "__doc__": inspect.getdoc(function) or name, "__module__": module}
    return dataclasses.make_dataclass(name, fields, frozen=True, namespace=namespace)


def _fields(function: Callable[..., Any], called: Any, name: str) -> list[Any]:
    """The parameters after the context as fields, those without a default first."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        raise TypeError(f"{name} has no signature to read its parameters from") from None
    context = parameters[0].kind if parameters else None
    if context is inspect.Parameter.VAR_POSITIONAL:  # a decorator's (*args, **kwargs): it takes a context and says nothing more
        return []
    if context not in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
        raise TypeError(f"{name} takes no context; its first parameter is the context to judge")
    hints = _hints(called, parameters[1:], name)
    fields: list[Any] = []
    for parameter in parameters[1:]:
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            raise TypeError(f"{name} takes *{parameter.name}; name each parameter")
        hint = hints.get(parameter.name, Any)
        if parameter.default is inspect.Parameter.empty:
            fields.append((parameter.name, hint))
        else:
            fields.append((parameter.name, hint, _default(parameter.default)))
    return sorted(fields, key=len)


def _hints(called: Any, parameters: list[inspect.Parameter], name: str) -> dict[str, Any]:
    """The types of the parameters alone: that of the context, or of what is returned, may be known to type checkers only."""

    def stand_in() -> None: ...

    empty = inspect.Parameter.empty
    stand_in.__annotations__ = {item.name: item.annotation for item in parameters if item.annotation is not empty}
    try:
        return get_type_hints(stand_in, globalns=getattr(inspect.unwrap(called), "__globals__", {}), include_extras=True)
    except NameError as error:
        raise TypeError(f"the types of {name}'s parameters cannot be read: {error}") from error


def _default(value: Any) -> Any:
    if isinstance(value, (list, dict, set)):
        return dataclasses.field(default_factory=lambda: value)
    return dataclasses.field(default=value)
