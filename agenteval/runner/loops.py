"""A thread with an event loop that makes the calls of async agents, imported only for them."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agenteval.runner.dialogue import Call, Reply
from agenteval.runner.lanes import Flight, Lane

if TYPE_CHECKING:
    from agenteval.runner.engine import Engine

GRACE_S = 1.0
"""How long an async agent may take to obey its cancellation, and an event loop to answer, before it is given up."""
BEAT_S = 0.02
"""How exactly the deadline of an async call is kept."""


class LoopLane(Lane):
    grace_s = GRACE_S

    def __init__(self, engine: Engine, workers: int) -> None:
        super().__init__(engine)
        self.workers = workers
        self._loop: asyncio.AbstractEventLoop | None = None
        self._flight_of: dict[Any, Flight] = {}
        self._beat = time.monotonic()
        self._threads: Any = None

    def successor(self, workers: int) -> Lane:
        return LoopLane(self.engine, workers)

    def stuck(self) -> bool:
        return time.monotonic() - self._beat > GRACE_S

    def holding(self) -> Flight | None:
        """The flight of the task that the loop is in: on a stuck loop, the one that holds it."""
        return self._flight_of.get(asyncio.current_task(self._loop)) if self._loop is not None else None

    def pull(self) -> None:
        asyncio.run(self._work())

    async def _work(self) -> None:
        self._loop = asyncio.get_running_loop()
        working = {asyncio.create_task(self._worker()) for _ in range(self.workers)}
        while working:
            self._keep_deadlines()
            with suppress(asyncio.CancelledError):  # an agent may cancel every task of its loop, this one too
                done, working = await asyncio.wait(working, timeout=BEAT_S)
                for task in done:
                    task.result()
        if self._threads is not None:
            self._threads.shutdown(wait=False)

    def _keep_deadlines(self) -> None:
        """Show that the loop is alive, and cancel calls past their deadline: one timer for all costs less than a timer a call."""
        self._beat = time.monotonic()
        for task, flight in self._flight_of.items():
            if flight.ticket and self._beat >= flight.deadline and not flight.cancelled:
                flight.cancelled = True
                task.cancel()

    async def _worker(self) -> None:
        engine = self.engine
        task = asyncio.current_task()
        while (flight := engine.take(self)) is not None:
            self._flight_of[task] = flight
            call = engine.advance(flight, None)
            while call is not None:
                reply = await self._made(flight, call)
                if not flight.take_ticket():
                    return
                call = engine.advance(flight, reply)

    async def _in_a_thread(self, call: Call) -> Any:
        """A blocking call beside the loop: as many at once as there are workers, not as many as the loop would give."""
        if self._threads is None:
            from concurrent.futures import ThreadPoolExecutor

            self._threads = ThreadPoolExecutor(self.workers, "agenteval-call")
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, functools.partial(context.run, call.function, *call.args, **call.kwargs)
        )

    async def _made(self, flight: Flight, call: Call) -> Reply:
        try:
            if call.threaded:
                value = await self._in_a_thread(call)
            else:
                value = await call.function(*call.args, **call.kwargs)
        except BaseException as error:
            if flight.cancelled:
                flight.cancelled = False
                self.engine.abandoned += call.threaded  # a thread can't be cancelled
                asyncio.current_task().uncancel()  # type: ignore[union-attr]  # this is a task's own code
                return Reply(timed_out=True, elapsed_ms=call.timeout_s * 1000)
            return Reply(error=error, elapsed_ms=(time.perf_counter() - flight.started) * 1000)
        return Reply(value, None, (time.perf_counter() - flight.started) * 1000)
