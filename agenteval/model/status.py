"""The words for how an attempt, a run and a pair of attempts ended."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How one attempt ended. Only PASSED and FAILED enter rates."""

    PASSED = "passed"
    FAILED = "failed"
    AGENT_ERROR = "agent_error"
    EVALUATOR_ERROR = "evaluator_error"
    SKIPPED = "skipped"
    UNSCORED = "unscored"

    @property
    def decided(self) -> bool:
        """True where the attempt was executed and judged."""
        return self is Status.PASSED or self is Status.FAILED


class Standing(StrEnum):
    """Where a case stands that one of two compared runs does not hold."""

    MISSING = "missing"
    """In the baseline, gone from the suite: gates."""
    NOT_SELECTED = "not_selected"
    """In the baseline and the suite, left out of this run by its selection: counted, never gates."""
    NEW = "new"
    """In this run only: meets the gates on this run alone."""


class RunStatus(StrEnum):
    """How a run ended; RUNNING and CRASHED are never stored in a run file, only told of an open journal."""

    COMPLETED = "completed"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    RUNNING = "running"
    CRASHED = "crashed"


class ErrorKind(StrEnum):
    """Why an attempt is an ``agent_error``."""

    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    EXIT = "exit"
    INVALID_RESPONSE = "invalid_response"
    INTERRUPTED = "interrupted"


class Role(StrEnum):
    """Why a case that runs is shown but stays out of every rate and gate."""

    CANDIDATE = "candidate"
    QUARANTINED = "quarantined"
