"""Telling how a run goes: a bar on a terminal, a plain line an attempt elsewhere, JSON lines on request; always on standard error."""

from __future__ import annotations

import time
from typing import Any, TextIO

from agenteval import _format
from agenteval._files import dumps
from agenteval._text import clip, plain
from agenteval.model.status import Status
from agenteval.runner.events import AttemptFinished, Event, Finished, Observer, Started

LINES_UP_TO = 200
"""Runs with more attempts report every hundredth part and every failure instead of every attempt."""
MARKS = {
    Status.PASSED: "passed",
    Status.FAILED: "FAILED",
    Status.AGENT_ERROR: "AGENT ERROR",
    Status.EVALUATOR_ERROR: "EVALUATOR ERROR",
    Status.SKIPPED: "skipped",
    Status.UNSCORED: "unscored",
}


def observer(stream: TextIO, *, quiet: bool, verbose: bool, as_json: bool) -> Observer | None:
    """What to tell of a run's events on ``stream``; None tells nothing."""
    if as_json:
        return JsonLines(stream) if verbose else None
    if quiet:
        return None
    if not verbose and _interactive(stream):
        return Bar(stream)
    return PlainLines(stream, every=verbose)


def _interactive(stream: TextIO) -> bool:
    import os

    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")


class PlainLines:
    """One line an attempt; of large runs only failures and every hundredth part."""

    def __init__(self, stream: TextIO, *, every: bool) -> None:
        self._stream = stream
        self._every = every

    def __call__(self, event: Event) -> None:
        if isinstance(event, Started):
            kept = f", {event.kept} already done" if event.kept else ""
            print(f"{plain(event.suite)}: {_format.count(event.total, 'attempt')} of {plain(event.agent)}{kept}", file=self._stream)
        elif isinstance(event, AttemptFinished) and self._tells(event):
            print(_line(event), file=self._stream)

    def _tells(self, event: AttemptFinished) -> bool:
        if self._every or event.total <= LINES_UP_TO:
            return True
        return event.done % max(1, event.total // 10) == 0


def _line(event: AttemptFinished) -> str:
    width = len(str(event.total))
    again = f" (repetition {event.repetition})" if event.repetition else ""
    parts = [f"[{event.done:>{width}}/{event.total}] {plain(event.case_id)}{again} {MARKS[event.status]}"]
    if event.latency_ms is not None:
        parts.append(_format.ms(event.latency_ms))
    if event.cost_usd is not None:
        parts.append(_format.usd(event.cost_usd))
    if event.reason and event.status is not Status.PASSED:
        parts.append(plain(clip(event.reason, 120)))
    return "  ".join(parts)


class JsonLines:
    """Every event as one JSON object a line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: Event) -> None:
        if isinstance(event, Finished):
            record: dict[str, Any] = {"event": "finished", "run_id": event.head.run_id, "path": event.path}
        else:
            record = {"event": "started" if isinstance(event, Started) else "attempt finished", **event._asdict()}
        print(dumps(record).decode(), file=self._stream)


class Bar:
    """A progress bar that erases itself, with failures as lines above it."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]}"),
            TimeRemainingColumn(),
            console=Console(file=stream, highlight=False, markup=False, emoji=False),
            transient=True,
        )
        self._task: Any = None
        self._failed = 0
        self._drawn = 0.0

    def __call__(self, event: Event) -> None:
        if isinstance(event, Started):
            self._progress.start()
            self._task = self._progress.add_task(plain(clip(event.suite, 40)), total=event.total, completed=event.kept, failed="")
        elif isinstance(event, AttemptFinished):
            self._advance(event)
        else:
            self._progress.stop()

    def _advance(self, event: AttemptFinished) -> None:
        bad = event.status in (Status.FAILED, Status.AGENT_ERROR, Status.EVALUATOR_ERROR)
        self._failed += bad
        if bad and self._failed <= LINES_UP_TO:
            self._progress.console.print(_line(event), soft_wrap=True)
        moment = time.monotonic()
        if bad or event.done == event.total or moment - self._drawn > 0.1:
            self._drawn = moment
            self._progress.update(self._task, completed=event.done, failed=f"{self._failed} not passed" if self._failed else "")

    def close(self) -> None:
        """Take the bar off the screen."""
        self._progress.stop()
