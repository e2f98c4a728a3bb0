"""The threads that make an agent's calls: pulling threads for agents that block, and what ends an attempt that was given up."""

from __future__ import annotations

import contextvars
import inspect
import threading
import time
from typing import TYPE_CHECKING, Any, Protocol

from agenteval.runner.dialogue import Call, Dialogue, Progress, Reply

if TYPE_CHECKING:
    from agenteval.runner.engine import Engine


class Unit(Protocol):
    """One attempt to execute."""

    @property
    def case_id(self) -> str: ...
    @property
    def repetition(self) -> int: ...
    def begin(self, progress: Progress) -> Dialogue: ...


class Flight:
    """A unit being executed. Whoever takes the ticket of a call speaks for it. ``deadline`` is monotonic."""

    __slots__ = ("call", "cancelled", "deadline", "dialogue", "landing", "lane", "progress", "started", "ticket", "unit")

    def __init__(self, unit: Unit, lane: Lane) -> None:
        self.unit = unit
        self.lane = lane
        self.progress = Progress()
        self.dialogue = unit.begin(self.progress)
        self.ticket: list[int] = []
        self.landing = [1]
        self.call: Call | None = None
        self.started = 0.0
        self.deadline = float("inf")
        self.cancelled = False

    def take_ticket(self) -> bool:
        """True for the one who may continue this flight after its call; ``list.pop`` is atomic."""
        try:
            self.ticket.pop()
        except IndexError:
            return False
        return True


class Lane:
    """A thread that pulls units. A ``dead`` lane pulls no more; a ``done`` one has ended; a ``taking`` one is between two units."""

    grace_s = 0.0
    workers = 1

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.dead = False
        self.done = False
        self.taking = False
        self.thread = threading.Thread(target=self._main, name="agenteval-lane", daemon=True)

    def _main(self) -> None:
        fault: BaseException | None = None
        try:
            self.pull()
        except BaseException as error:
            fault = error
        self.done = True
        self.engine.ended(fault)

    def pull(self) -> None:
        """Execute units until there are none."""
        raise TypeError("a lane pulls in its own way")

    def successor(self, workers: int) -> Lane:
        """A fresh lane of the same kind."""
        return type(self)(self.engine)

    def stuck(self) -> bool:
        """True where the whole lane, not one call, does not answer."""
        return False

    def holding(self) -> Flight | None:
        """The flight whose call holds the lane right now, where that can be told."""
        return None


class ThreadLane(Lane):
    def pull(self) -> None:
        while (flight := self.engine.take(self)) is not None:
            self.fly(flight, None)

    def fly(self, flight: Flight, reply: Reply | None) -> None:
        """Carry a flight to its end, or until someone else takes a ticket of it."""
        engine = self.engine
        call = engine.advance(flight, reply)
        while call is not None:
            reply = _made(call, flight.started)
            if not flight.take_ticket():
                return
            call = engine.advance(flight, reply)


class RescueLane(ThreadLane):
    """Ends one attempt whose call was given up: judgement, teardown, record."""

    def __init__(self, engine: Engine, flight: Flight, reply: Reply) -> None:
        super().__init__(engine)
        self.dead = True
        self._flight = flight
        self._reply = reply

    def pull(self) -> None:
        self.fly(self._flight, self._reply)


def _made(call: Call, started: float) -> Reply:
    """What came of a blocking call, whatever it does."""
    try:
        value = contextvars.copy_context().run(call.function, *call.args, **call.kwargs)
        if type(value) is not str and _is_awaitable(value):
            import asyncio

            value = asyncio.run(_awaited(value))
    except BaseException as error:
        return Reply(error=error, elapsed_ms=(time.perf_counter() - started) * 1000)
    return Reply(value, None, (time.perf_counter() - started) * 1000)


def _is_awaitable(value: Any) -> bool:
    try:
        return inspect.isawaitable(value)
    except Exception:  # an object whose attributes raise is no answer, but that is for its reader to say
        return False


async def _awaited(value: Any) -> Any:
    return await value
