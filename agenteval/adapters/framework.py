"""What the adapters to agent frameworks share: which agent, whose state, the synchronous face, rates."""

from __future__ import annotations

import importlib
import inspect
import threading
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from agenteval._imports import extend_path, load_object
from agenteval.adapters.bridge import run_sync
from agenteval.adapters.contract import AgentAdapter
from agenteval.adapters.pricing import Price
from agenteval.errors import InputError, Problem
from agenteval.model.response import AgentResponse

State = TypeVar("State")


class FrameworkAdapter(AgentAdapter):
    """Base of the adapters. ``arun`` is the real one; ``run`` is the same for code that is not async.

    Attributes:
        package, extra: What must be importable, and the extra of this product that installs it.
        price: USD a million tokens as configured; None leaves pricing to the price table.
    """

    package: ClassVar[str]
    extra: ClassVar[str]
    price: Price | None = None

    @abstractmethod
    async def arun(self, prompt: str, **context: Any) -> AgentResponse:
        """The agent's answer with all its evidence; what the framework or the provider raises goes through."""

    def run(self, prompt: str, **context: Any) -> AgentResponse:
        """The same, from code that is not async, also under a running loop."""
        answer: AgentResponse = run_sync(self.arun(prompt, **context))
        return answer

    @classmethod
    def needed(cls) -> Any:
        """The framework's package.

        Raises:
            InputError: It is not installed.
        """
        try:
            return importlib.import_module(cls.package)
        except ImportError as error:
            missing = f"{cls.package.partition('.')[0]} is not installed" if _absent(error, cls.package) else f"{cls.package}: {error}"
            raise InputError(Problem(missing, f"pip install 'agenteval[{cls.extra}]'")) from error


def _absent(error: ImportError, package: str) -> bool:
    return isinstance(error, ModuleNotFoundError) and error.name is not None and package.startswith(error.name)


def rates(input_per_million: float | None, output_per_million: float | None) -> Price | None:
    """The price that two options say.

    Raises:
        InputError: Only one of them is given, or one is negative.
    """
    if input_per_million is None and output_per_million is None:
        return None
    if input_per_million is None or output_per_million is None:
        raise InputError(
            Problem("one of input_cost_per_million and output_cost_per_million is missing", "give both", path="adapter_options")
        )
    if input_per_million < 0 or output_per_million < 0:
        raise InputError(Problem("a cost per million tokens is negative", "give USD from 0", path="adapter_options"))
    return Price(float(input_per_million), float(output_per_million))


class Source:
    """Where an agent comes from: exactly one of an object, a factory, or ``module:attribute`` of either.

    A class or a function is a factory and makes a fresh agent for every conversation; any other object is used again each time, and
    keeps whatever state it has. The first agent is made at once, so that a factory that fails says so before anything runs.

    Args:
        noun: ``agent``, ``crew``, ``graph``: options are called ``<noun>``, ``<noun>_factory``, ``<noun>_import``.
        repo_path: A folder to put on the import path together with its ``src``.
        finish: What is done to an object that was made or imported (the ``crew()`` of a crew class).

    Raises:
        InputError: None or several are given, the import fails, or making the first one does.
    """

    def __init__(
        self,
        noun: str,
        given: Any = None,
        factory: Callable[[], Any] | None = None,
        reference: str | None = None,
        *,
        repo_path: str | Path | None = None,
        finish: Callable[[Any], Any] | None = None,
    ) -> None:
        options = {noun: given, f"{noun}_factory": factory, f"{noun}_import": reference}
        chosen = [name for name, value in options.items() if value is not None]
        if len(chosen) != 1:
            what = "both " + " and ".join(chosen) if len(chosen) == 2 else "all three are given" if chosen else "no agent is named"
            raise InputError(Problem(what, f"give exactly one of {', '.join(options)}", path="adapter_options"))
        self._path = f"adapter_options.{chosen[0]}"
        if repo_path is not None:
            extend_path([Path(repo_path), Path(repo_path) / "src"])
        if reference is not None:
            given = load_object(reference, where=self._path)
            if inspect.isclass(given) or inspect.isroutine(given):
                given, factory = None, given
        self.name = reference or getattr(factory or given, "__qualname__", type(given).__name__)
        self._factory, self._given, self._finish = factory, given, finish
        self._spare: list[Any] = []
        if factory is None:
            self._given = self._finished(given)
        elif not inspect.iscoroutinefunction(factory):
            self._spare.append(self._made(factory))

    @property
    def makes_fresh(self) -> bool:
        """Whether every conversation gets an agent of its own."""
        return self._factory is not None

    async def fresh(self) -> Any:
        """An agent for one conversation."""
        if self._factory is None:
            return self._given
        try:
            return self._spare.pop()
        except IndexError:
            pass
        made = self._factory()
        return self._finished(await made if inspect.isawaitable(made) else made)

    def _made(self, factory: Callable[[], Any]) -> Any:
        try:
            return self._finished(factory())
        except InputError:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raise InputError(
                Problem(
                    f"{self.name} raised {type(error).__name__}: {error}", "it must return a new agent without arguments", path=self._path
                )
            ) from error

    def _finished(self, made: Any) -> Any:
        return made if self._finish is None else self._finish(made)


class Sessions(Generic[State]):
    """The state of the conversations under way, by session; a call without a session has a state of its own."""

    def __init__(self) -> None:
        self._states: dict[str, State] = {}
        self._lock = threading.Lock()

    def get(self, session: str | None) -> State | None:
        """The state of a conversation; None before its first call."""
        with self._lock:
            return None if session is None else self._states.get(session)

    def put(self, session: str | None, state: State) -> State:
        """Keep it for the next call of this conversation."""
        if session is not None:
            with self._lock:
                self._states[session] = state
        return state

    def end(self, session: str) -> State | None:
        """Forget a conversation. Returns what was kept of it."""
        with self._lock:
            return self._states.pop(session, None)
