import asyncio
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from agenteval.errors import HarnessError
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.status import ErrorKind, Status
from agenteval.runner.dialogue import Call, Dialogue, Interrupted, Progress
from agenteval.runner.engine import Stop, run_units


@dataclass(frozen=True)
class OneCall:
    """A unit whose attempt passes when its call returns its own id."""

    case_id: str
    function: Callable[..., Any]
    timeout_s: float = 5.0
    repetition: int = 0

    def begin(self, progress: Progress) -> Dialogue:
        reply = yield Call(self.function, (self.case_id,), {}, self.timeout_s)
        if reply.timed_out:
            return Attempt(self.case_id, Status.AGENT_ERROR, error=Failure(ErrorKind.TIMEOUT, "", ""), latency_ms=reply.elapsed_ms)
        if reply.error is not None:
            kind = ErrorKind.INTERRUPTED if isinstance(reply.error, Interrupted) else ErrorKind.EXCEPTION
            return Attempt(self.case_id, Status.AGENT_ERROR, error=Failure(kind, type(reply.error).__name__, str(reply.error)))
        return Attempt(self.case_id, Status.PASSED if reply.value == self.case_id else Status.FAILED)


class Settled:
    """Keeps what was settled, in order."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    def __call__(self, attempt: Attempt) -> None:
        self.attempts.append(attempt)

    def statuses(self) -> dict[str, str]:
        return {attempt.case_id: attempt.status.value for attempt in self.attempts}


def echo(case_id: str) -> str:
    return case_id


async def echo_async(case_id: str) -> str:
    return case_id


@pytest.mark.parametrize(("function", "is_async"), [(echo, False), (echo_async, True)], ids=["blocking", "async"])
def test_every_unit_is_settled_once(function, is_async):
    settled = Settled()

    run_units([OneCall(f"c{n}", function) for n in range(50)], concurrency=7, is_async=is_async, settle=settled, stop=Stop())

    assert sorted(attempt.case_id for attempt in settled.attempts) == sorted(f"c{n}" for n in range(50))
    assert set(settled.statuses().values()) == {"passed"}


@dataclass(frozen=True)
class SlowToBegin(OneCall):
    """Takes its time between leaving the queue and its first call."""

    def begin(self, progress: Progress) -> Dialogue:
        time.sleep(0.02)
        return super().begin(progress)


@pytest.mark.parametrize(("function", "is_async"), [(echo, False), (echo_async, True)], ids=["blocking", "async"])
def test_a_unit_between_queue_and_flight_is_waited_for(function, is_async):
    settled = Settled()

    run_units([SlowToBegin(f"c{n}", function) for n in range(5)], concurrency=1, is_async=is_async, settle=settled, stop=Stop())

    assert [attempt.case_id for attempt in settled.attempts] == [f"c{n}" for n in range(5)]


@pytest.mark.parametrize("is_async", [False, True], ids=["blocking", "async"])
def test_no_more_calls_at_once_than_asked(is_async):
    running, most = 0, 0
    lock = threading.Lock()

    def enter() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)

    def leave() -> None:
        nonlocal running
        with lock:
            running -= 1

    def blocking(case_id: str) -> str:
        enter()
        time.sleep(0.005)
        leave()
        return case_id

    async def waiting(case_id: str) -> str:
        enter()
        await asyncio.sleep(0.005)
        leave()
        return case_id

    units = [OneCall(f"c{n}", waiting if is_async else blocking) for n in range(30)]
    run_units(units, concurrency=3, is_async=is_async, settle=Settled(), stop=Stop())

    assert most == 3


def test_a_blocking_call_past_its_deadline_costs_its_own_attempt_alone():
    release = threading.Event()

    def function(case_id: str) -> str:
        if case_id == "stuck":
            release.wait(30)
        return case_id

    settled = Settled()
    units = [OneCall("stuck", function, timeout_s=0.1), *(OneCall(f"c{n}", function) for n in range(5))]
    abandoned = run_units(units, concurrency=1, is_async=False, settle=settled, stop=Stop())
    release.set()

    assert abandoned == 1
    assert settled.statuses() == {"stuck": "agent_error", **{f"c{n}": "passed" for n in range(5)}}
    stuck = next(attempt for attempt in settled.attempts if attempt.case_id == "stuck")
    assert stuck.error is not None and stuck.error.kind == "timeout"
    assert stuck.latency_ms == 100.0


def test_an_async_call_that_refuses_its_cancellation_is_given_up():
    async def function(case_id: str) -> str:
        if case_id == "stubborn":
            end = time.monotonic() + 20
            while time.monotonic() < end:
                try:
                    await asyncio.sleep(0.05)
                except asyncio.CancelledError:
                    continue
        return case_id

    settled = Settled()
    units = [OneCall("stubborn", function, timeout_s=0.1), *(OneCall(f"c{n}", function) for n in range(3))]
    run_units(units, concurrency=1, is_async=True, settle=settled, stop=Stop())

    assert settled.statuses() == {"stubborn": "agent_error", "c0": "passed", "c1": "passed", "c2": "passed"}


def test_an_async_agent_that_blocks_its_loop_does_not_take_its_neighbours_along():
    release = threading.Event()

    async def function(case_id: str) -> str:
        if case_id == "blocking":
            await asyncio.sleep(0.05)
            release.wait(30)
        else:
            await asyncio.sleep(0.2)
        return case_id

    settled = Settled()
    units = [OneCall("blocking", function, timeout_s=0.5), *(OneCall(f"c{n}", function, timeout_s=20) for n in range(4))]
    run_units(units, concurrency=5, is_async=True, settle=settled, stop=Stop())
    release.set()

    assert settled.statuses() == {"blocking": "agent_error", **{f"c{n}": "passed" for n in range(4)}}
    assert len(settled.attempts) == 5


@pytest.mark.parametrize("is_async", [False, True], ids=["blocking", "async"])
@pytest.mark.parametrize(
    "error", [ValueError("x"), SystemExit(3), KeyboardInterrupt(), RecursionError()], ids=lambda error: type(error).__name__
)
def test_whatever_a_call_raises_is_that_attempts_reply(is_async, error):
    def blocking(case_id: str) -> str:
        if case_id == "bad":
            raise error
        return case_id

    async def waiting(case_id: str) -> str:
        return blocking(case_id)

    settled = Settled()
    units = [OneCall("bad", waiting if is_async else blocking), OneCall("good", waiting if is_async else blocking)]
    run_units(units, concurrency=1, is_async=is_async, settle=settled, stop=Stop())

    assert settled.statuses() == {"bad": "agent_error", "good": "passed"}


def test_a_stop_finishes_what_is_in_flight_and_starts_nothing_more():
    stop = Stop()

    def function(case_id: str) -> str:
        stop.ask("fail_fast")
        return case_id

    settled = Settled()
    run_units([OneCall(f"c{n}", function) for n in range(9)], concurrency=1, is_async=False, settle=settled, stop=stop)

    assert [attempt.case_id for attempt in settled.attempts] == ["c0"]


def test_a_second_interrupt_gives_up_what_is_in_flight():
    stop, release = Stop(), threading.Event()

    def function(case_id: str) -> str:
        stop.ask("interrupt")
        stop.ask("interrupt")
        release.wait(30)
        return case_id

    settled = Settled()
    run_units([OneCall(f"c{n}", function) for n in range(3)], concurrency=1, is_async=False, settle=settled, stop=stop)
    release.set()

    assert len(settled.attempts) == 1
    assert settled.attempts[0].error is not None and settled.attempts[0].error.kind == "interrupted"


def test_evidence_that_cannot_be_written_stops_the_run():
    def full(attempt: Attempt) -> None:
        raise HarnessError("disk full")

    with pytest.raises(HarnessError, match="disk full"):
        run_units([OneCall("c", echo)], concurrency=1, is_async=False, settle=full, stop=Stop())


def test_a_sync_agent_that_returns_an_awaitable_is_awaited():
    settled = Settled()

    run_units([OneCall("c", lambda case_id: echo_async(case_id))], concurrency=1, is_async=False, settle=settled, stop=Stop())

    assert settled.statuses() == {"c": "passed"}


def test_an_agent_cannot_leave_context_variables_to_the_next_attempt():
    from contextvars import ContextVar

    seen = ContextVar("seen", default="nothing")
    found = []

    def function(case_id: str) -> str:
        found.append(seen.get())
        seen.set(case_id)
        return case_id

    run_units([OneCall(f"c{n}", function) for n in range(3)], concurrency=1, is_async=False, settle=Settled(), stop=Stop())

    assert found == ["nothing"] * 3


def forking(case_id: str) -> str:
    if case_id == "fork" and (child := os.fork()):
        os.waitpid(child, 0)
    return case_id


async def forking_async(case_id: str) -> str:
    return forking(case_id)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize(("function", "is_async"), [(forking, False), (forking_async, True)], ids=["blocking", "async"])
def test_a_forked_child_that_returns_from_its_call_takes_no_part_in_the_run(function, is_async, tmp_path):
    settled_by = tmp_path / "settled"

    def settle(attempt: Attempt) -> None:
        with settled_by.open("a") as file:
            file.write(f"{os.getpid()} {attempt.case_id}\n")

    run_units([OneCall(name, function) for name in ("fork", "after")], concurrency=1, is_async=is_async, settle=settle, stop=Stop())

    assert settled_by.read_text().split() == [str(os.getpid()), "fork", str(os.getpid()), "after"]


def test_an_async_agent_that_cancels_every_task_of_its_loop_does_not_end_the_run():
    async def cancelling(case_id: str) -> str:
        if case_id == "cancel":
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)
        return case_id

    settled = Settled()
    units = [OneCall(name, cancelling) for name in ("first", "cancel", "second", "third")]
    run_units(units, concurrency=1, is_async=True, settle=settled, stop=Stop())

    assert settled.statuses() == dict.fromkeys(("first", "cancel", "second", "third"), "passed")


def test_a_blocking_call_of_an_async_run_that_outlives_its_deadline_is_counted_as_abandoned():
    release = threading.Event()

    @dataclass(frozen=True)
    class Threaded(OneCall):
        def begin(self, progress: Progress) -> Dialogue:
            reply = yield Call(self.function, (), {}, self.timeout_s, threaded=True)
            return Attempt(self.case_id, Status.AGENT_ERROR if reply.timed_out else Status.PASSED)

    settled = Settled()
    unit = Threaded("hook", release.wait, timeout_s=0.01)
    abandoned = run_units([unit], concurrency=1, is_async=True, settle=settled, stop=Stop())
    release.set()

    assert (abandoned, settled.statuses()) == (1, {"hook": "agent_error"})
