"""Executing attempts side by side under real deadlines: pulling coroutines for async agents, pulling threads for the others.

Nothing an agent does can hold the run. A call past its deadline is given up and its lane replaced; a late answer finds its ticket
taken and is dropped. The supervisor runs in the caller's thread, so signals reach it at once.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from agenteval.errors import AgentEvalError, HarnessError
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.status import ErrorKind, Status
from agenteval.runner.dialogue import Call, Interrupted, Reply
from agenteval.runner.lanes import Flight, Lane, RescueLane, ThreadLane, Unit

JUDGING_LIMIT_S = 300.0
"""How long the checks of one attempt may take."""
POLL_S = 0.05
RAMP_S = 0.001
"""How often the supervisor looks while threads are being opened."""


class _Generation:
    """How many forks lie between the process that started and this one."""

    number = 0

    def next(self) -> None:
        self.number += 1


_generation = _Generation()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_generation.next)


class Stop:
    """Why to start no further attempt. At level 2 what is in flight is given up too."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.level = 0

    def ask(self, reason: str) -> None:
        """Start nothing more; a second interrupt gives up what is in flight."""
        self.reason = self.reason or reason
        self.level = self.level + 1 if reason == "interrupt" else max(self.level, 1)


class Engine:
    """Executes units in order until none is left or a stop is asked for.

    Args:
        settle: Takes every finished attempt; it is called from any thread and guards itself.
        is_async: Whether the agent's calls are coroutines.
    """

    def __init__(self, units: Sequence[Unit], *, concurrency: int, is_async: bool, settle: Callable[[Attempt], None], stop: Stop) -> None:
        self.units: deque[Unit] = deque(units)
        self.concurrency = max(1, min(concurrency, len(self.units) or 1))
        self.is_async = is_async
        self.stop = stop
        self.abandoned = 0
        self._settle = settle
        self._flights: dict[int, Flight] = {}
        self._lanes: list[Lane] = []
        self._changed = threading.Condition()
        self._fault: BaseException | None = None
        self._landed = False
        self._generation = _generation.number

    def run(self) -> None:
        """Block until every unit that was begun is settled.

        Raises:
            HarnessError: The evidence could not be written.
        """
        self._open(self._first_lane())
        pause = POLL_S if self.is_async else RAMP_S
        while True:
            with self._changed:
                if self._finished():
                    break
                self._changed.wait(pause)
            # Each look costs busy lanes up to a switch interval of the interpreter's lock, so looks are rare once answers come.
            pause = RAMP_S if self._ramp() else POLL_S if self._landed else min(4 * pause, POLL_S)
            self._supervise()
        fault = self._fault
        if isinstance(fault, AgentEvalError):
            raise fault
        if fault is not None:
            raise HarnessError(f"the run could not go on ({type(fault).__name__}: {fault})") from fault

    def _first_lane(self) -> Lane:
        if not self.is_async:
            return ThreadLane(self)
        from agenteval.runner.loops import LoopLane

        return LoopLane(self, self.concurrency)

    def take(self, lane: Lane) -> Flight | None:
        """The next unit, in flight on a lane; None when there is no more to do."""
        lane.taking = True  # a unit that is out of the queue and not yet in flight must not look finished
        try:
            if lane.dead or self.stop.level or self._fault is not None:
                return None
            try:
                unit = self.units.popleft()
            except IndexError:
                return None
            flight = Flight(unit, lane)
            self._flights[id(flight)] = flight
            return flight
        finally:
            lane.taking = False

    def advance(self, flight: Flight, reply: Reply | None) -> Call | None:
        """Tell the dialogue what came of its last call; the next call to make, or None when the attempt is settled."""
        self._leave_child()
        flight.deadline = time.monotonic() + JUDGING_LIMIT_S
        try:
            call = flight.dialogue.send(reply)  # type: ignore[arg-type]  # a generator is started with None
        except StopIteration as finished:
            self._land(flight, finished.value)
            return None
        except BaseException as error:  # a fault of ours costs this attempt alone
            self._land(flight, _harness_failure(flight.unit, error))
            return None
        flight.call = call
        flight.started = time.perf_counter()
        flight.deadline = time.monotonic() + call.timeout_s
        flight.ticket.append(1)
        return call

    def ended(self, fault: BaseException | None) -> None:
        """A lane has ended; with a fault, the harness itself failed and everything stops."""
        self._fault = self._fault or fault
        with self._changed:
            self._changed.notify_all()

    def _land(self, flight: Flight, attempt: Attempt) -> None:
        self._leave_child()
        try:
            flight.landing.pop()
        except IndexError:
            return
        try:
            self._settle(attempt)
        except BaseException as error:
            self._fault = error
        self._flights.pop(id(flight), None)
        first, self._landed = not self._landed, True
        if first or (not self._flights and (not self.units or self.stop.level or self._fault is not None)):
            with self._changed:  # waking the supervisor after every trivial case would cost more than the case
                self._changed.notify_all()

    def _leave_child(self) -> None:
        """End a process that an agent or a check forked and let return: the run is its parent's alone."""
        if _generation.number != self._generation:
            os._exit(1)

    def _open(self, lane: Lane) -> None:
        self._lanes.append(lane)
        lane.thread.start()

    def _ramp(self) -> bool:
        """Open threads as long as most that are there wait for their calls: agents that answer at once need only one."""
        if self.is_async or not self.units or self.stop.level:
            return False
        since = time.perf_counter() - RAMP_S / 2
        waiting = sum(1 for flight in list(self._flights.values()) if flight.ticket and flight.started < since)
        active = sum(not lane.dead and not lane.done for lane in self._lanes)
        wanted = min(self.concurrency - active, max(active, 1), len(self.units)) if 2 * waiting >= active else 0
        for _ in range(wanted):
            self._open(ThreadLane(self))
        return wanted > 0

    def _finished(self) -> bool:
        if self._fault is not None:
            return True
        if self.units and not self.stop.level and not all(lane.done for lane in self._lanes):
            return False
        # In this order: what left the queue before the look at it is still being taken, or in flight, or landed.
        return not any(lane.taking for lane in self._lanes) and not self._flights

    def _supervise(self) -> None:
        moment = time.monotonic()
        for flight in list(self._flights.values()):
            if self.stop.level > 1:
                self._give_up(flight, Reply(error=Interrupted()))
            elif moment < flight.deadline + flight.lane.grace_s:
                continue
            elif not flight.ticket:
                self._give_up_judging(flight)
            elif flight.lane.stuck():
                self._leave_loop(flight.lane)
            else:
                self._give_up_call(flight)

    def _give_up_call(self, flight: Flight) -> None:
        timeout_s = flight.call.timeout_s if flight.call else 0.0
        self._give_up(flight, Reply(timed_out=True, elapsed_ms=timeout_s * 1000))

    def _give_up(self, flight: Flight, reply: Reply) -> None:
        """Take a call out of its lane's hands and end the attempt elsewhere; the lane gets a successor."""
        if not flight.take_ticket():
            return
        self.abandoned += 1
        lane = flight.lane
        if not lane.dead:
            lane.dead = isinstance(lane, ThreadLane)
            if self.units and not self.stop.level:
                self._open(lane.successor(1))
        flight.lane = RescueLane(self, flight, reply)
        self._open(flight.lane)

    def _give_up_judging(self, flight: Flight) -> None:
        flight.lane.dead = True
        self.abandoned += 1
        if self.units and not self.stop.level:
            self._open(flight.lane.successor(flight.lane.workers))
        error = TimeoutError(f"the checks did not finish within {JUDGING_LIMIT_S:g} s")
        self._land(flight, _harness_failure(flight.unit, error, flight.progress.unjudged))

    def _leave_loop(self, lane: Lane) -> None:
        """One blocking call holds an event loop: it alone is given up; the loop's other attempts start anew on another loop."""
        culprit = lane.holding()
        if culprit is None or time.monotonic() < culprit.deadline + lane.grace_s:
            return
        lane.dead = True
        for flight in list(self._flights.values()):
            if flight.lane is lane and flight is not culprit and flight.take_ticket():
                del self._flights[id(flight)]
                self.units.appendleft(flight.unit)
        if self.units and not self.stop.level:
            self._open(lane.successor(min(self.concurrency, len(self.units))))
        self._give_up_call(culprit)


def _harness_failure(unit: Unit, error: BaseException, unjudged: Attempt | None = None) -> Attempt:
    failure = Failure(ErrorKind.EXCEPTION, type(error).__name__, f"the harness failed on this attempt: {error}")
    if unjudged is None:
        return Attempt(case_id=unit.case_id, repetition=unit.repetition, status=Status.EVALUATOR_ERROR, error=failure)
    fields = {name: getattr(unjudged, name) for name in Attempt.__dataclass_fields__}
    return Attempt(**{**fields, "status": Status.EVALUATOR_ERROR, "error": failure})


def run_units(units: Sequence[Unit], *, concurrency: int, is_async: bool, settle: Callable[[Attempt], None], stop: Stop) -> int:
    """Execute units in order, at most ``concurrency`` at once; how many calls were given up and may still be running.

    Raises:
        HarnessError: The evidence could not be written.
    """
    if not units:
        return 0
    engine = Engine(units, concurrency=concurrency, is_async=is_async, settle=settle, stop=stop)
    engine.run()
    return engine.abandoned
