"""SIGINT and SIGTERM while a run goes: the first finishes what is in flight, the second gives it up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from agenteval.runner.engine import Stop


@contextmanager
def interruptible(stop: Stop) -> Iterator[None]:
    """Turn signals into ``stop.ask("interrupt")``; outside the main thread signals stay whose they are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(number: int, frame: FrameType | None) -> None:
        stop.ask("interrupt")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
