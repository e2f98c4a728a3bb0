"""Every finished attempt goes to the journal at once; only where it lies and its few facts stay in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agenteval._files import dumps, loads
from agenteval.adapters.safe import Sanitizer
from agenteval.artifacts.journal import JournalWriter
from agenteval.artifacts.records import AttemptSequence
from agenteval.artifacts.writing import line_hash
from agenteval.model.attempt import Attempt
from agenteval.model.facts import Facts, facts_of
from agenteval.model.record import from_record, to_record
from agenteval.runner.events import AttemptFinished, Observer

Key = tuple[str, int]
"""Case id and repetition."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One attempt on disk: where its line lies in the journal, and what measures need of it."""

    offset: int
    length: int
    facts: Facts


class Keeper:
    """Takes attempts from any thread, in the order they finish.

    Args:
        total: How many attempts the run has, for progress.
        on_attempt: Told every attempt and the sum of known costs so far.
    """

    def __init__(
        self,
        journal: JournalWriter,
        total: int,
        *,
        observer: Observer | None = None,
        on_attempt: Callable[[Attempt, float], None] | None = None,
    ) -> None:
        self.journal = journal
        self.kept: dict[Key, Kept] = {}
        self.cost_usd = 0.0
        self._total = total
        self._observer = observer
        self._on_attempt = on_attempt
        self._lock = threading.Lock()

    def remember(self, key: Key, kept: Kept) -> None:
        """Count an attempt that an earlier start of this run already wrote."""
        self.kept[key] = kept
        self.cost_usd += kept.facts.outcome.cost_usd or 0.0

    def settle(self, attempt: Attempt) -> None:
        """Write one finished attempt; everything after the write can fail without losing it.

        Raises:
            HarnessError: The journal can't be written.
        """
        line = _line(attempt)
        facts = facts_of(attempt, line_hash(line))
        with self._lock:
            offset, length = self.journal.append(line)
            self.kept[attempt.case_id, attempt.repetition] = Kept(offset, length, facts)
            if attempt.cost_usd is not None:
                self.cost_usd += attempt.cost_usd
            if self._on_attempt is not None:
                self._on_attempt(attempt, self.cost_usd)
            if self._observer is not None:
                self._observer(_event(attempt, len(self.kept), self._total))

    def skip(self, attempt: Attempt) -> Kept:
        """Write a row for a case that was selected and not executed."""
        line = _line(attempt)
        return Kept(*self.journal.append(line), facts_of(attempt, line_hash(line)))


class KeptAttempts(AttemptSequence):
    """Attempts read from the journal's lines when they are looked at; never more than one in memory."""

    def __init__(self, journal: JournalWriter, kept: Sequence[Kept]) -> None:
        self._journal = journal
        self._kept = kept

    def __len__(self) -> int:
        return len(self._kept)

    def _at(self, index: int) -> Attempt:
        kept = self._kept[index]
        return from_record(loads(self._journal.read(kept.offset, kept.length)))

    def lines(self) -> Iterator[bytes]:
        """The raw records, in order."""
        return self._journal.lines((kept.offset, kept.length) for kept in self._kept)


def _line(attempt: Attempt) -> bytes:
    record = to_record(attempt)
    try:
        return dumps(record)
    except (ValueError, TypeError, RecursionError):
        return _safe_line(record)


def _safe_line(record: dict[str, Any]) -> bytes:
    """A record whose evidence an evaluator filled with what JSON can't hold."""
    safe = Sanitizer()
    cleaned = safe.value(record)
    cleaned["notes"] = [*cleaned.get("notes", ()), *safe.notes]
    return dumps(cleaned)


def _event(attempt: Attempt, done: int, total: int) -> AttemptFinished:
    return AttemptFinished(
        done, total, attempt.case_id, attempt.repetition, attempt.status, attempt.latency_ms, attempt.cost_usd, attempt.reason
    )
