"""What a run reports while it goes: one stream for the progress bar, the plain log and JSON lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agenteval.model.run import RunHead
from agenteval.model.status import Status


class Started(NamedTuple):
    """Before the first call. ``kept`` attempts of ``total`` were finished by an earlier start of the same run."""

    run_id: str
    suite: str
    agent: str
    cases: int
    total: int
    kept: int


class AttemptFinished(NamedTuple):
    """One attempt is on disk."""

    done: int
    total: int
    case_id: str
    repetition: int
    status: Status
    latency_ms: float | None
    cost_usd: float | None
    reason: str


class Finished(NamedTuple):
    """The run file is written."""

    head: RunHead
    path: str


Event = Started | AttemptFinished | Finished
Observer = Callable[[Event], None]
