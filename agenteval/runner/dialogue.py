"""What an attempt and whoever executes it say to each other: calls asked for, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from agenteval.adapters.loading import Agent
from agenteval.adapters.pricing import Price
from agenteval.model.attempt import Attempt

if TYPE_CHECKING:
    from agenteval.evaluators.judge import Judge


class Call(NamedTuple):
    """A call that the attempt wants made: ``function(*args, **kwargs)`` within ``timeout_s``."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    timeout_s: float
    threaded: bool = False
    """A blocking function that an event loop must hand to a thread."""


class Reply(NamedTuple):
    """What came of a call: a value, or an error; ``timed_out`` calls count at their deadline."""

    value: Any = None
    error: BaseException | None = None
    elapsed_ms: float = 0.0
    timed_out: bool = False


class Interrupted(BaseException):
    """Stands for an attempt given up because the user interrupted twice."""


@dataclass(slots=True)
class Settings:
    """What all attempts of a run share."""

    agent: Agent
    prices: Mapping[str, Price] = field(default_factory=dict)
    run_id: str = ""
    model: str | None = None
    skip_judges: bool = False
    no_score: bool = False
    judge: Judge | None = None


@dataclass(slots=True)
class Progress:
    """How far an attempt has come, for whoever has to give it up: the evidence while it is being judged."""

    unjudged: Attempt | None = None


Dialogue = Generator[Call, Reply, Attempt]
