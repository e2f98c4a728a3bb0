"""The journal of a running suite: one finished attempt a line, on disk before the next one counts.

First line ``{"schema":"agenteval.journal/1","head":{…}}``, then one case record a line. The writer holds the file's advisory lock
for as long as it lives, which tells a running suite from a crashed one.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from agenteval._files import dumps, loads, out_of_reach, try_lock
from agenteval.artifacts.schemas import JOURNAL, check_version
from agenteval.errors import HarnessError, InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.record import from_record

_BINARY = getattr(os, "O_BINARY", 0)


class JournalEntry(NamedTuple):
    """Where one attempt's record lies; ``length`` excludes the line's end."""

    case_id: str
    repetition: int
    offset: int
    length: int


class JournalWriter:
    """Appends records, one a line, from any thread; each is on its way to the disk when ``append`` returns."""

    def __init__(self, path: Path, descriptor: int, size: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._size = size
        self._lock = threading.Lock()

    @classmethod
    def create(cls, path: Path, head: Mapping[str, Any]) -> JournalWriter:
        """A new journal; ``head`` is the run's head so far, as ``codec.head_to_json`` gives it.

        Raises:
            HarnessError: The file exists or the disk refuses.
        """
        line = dumps({"schema": JOURNAL.text, "head": head}) + b"\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = _opened(path, os.O_CREAT | os.O_EXCL)
        except OSError as error:
            raise HarnessError(f"{path}: cannot be created: {error.strerror or error}") from error
        writer = cls(path, descriptor, 0)
        try:
            writer._take_lock()
            writer.append(line[:-1])
        except BaseException:
            os.close(descriptor)
            with suppress(OSError):
                path.unlink()
            raise
        return writer

    @classmethod
    def open_resumed(cls, path: Path) -> JournalWriter:
        """Go on writing a journal that a crash or an interrupt left; a half last line is cut off.

        Raises:
            HarnessError: Another process is still writing it, or the disk refuses.
        """
        try:
            descriptor = _opened(path)
        except OSError as error:
            raise HarnessError(f"{path}: cannot be opened: {error.strerror or error}") from error
        writer = cls(path, descriptor, 0)
        try:
            writer._take_lock()
            writer._size = _whole_lines(descriptor)
            os.ftruncate(descriptor, writer._size)
        except OSError as error:
            os.close(descriptor)
            raise HarnessError(f"{path}: cannot be resumed: {error.strerror or error}") from error
        except BaseException:
            os.close(descriptor)
            raise
        return writer

    def append(self, record: bytes) -> tuple[int, int]:
        """Write one record (no line end in it); returns its offset and length for ``read``.

        Raises:
            HarnessError: The disk refused; everything before this record is intact.
        """
        length = len(record)
        with self._lock:
            offset = self._size
            try:
                written = os.write(self._descriptor, record + b"\n")
            except OSError as error:
                self._refused(offset, error)
            if written != length + 1:
                self._finish_write(record, written)
            self._size = offset + length + 1
        return offset, length

    def _finish_write(self, record: bytes, written: int) -> None:
        rest = memoryview(record + b"\n")[written:]
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            self._refused(self._size, error)

    def _refused(self, offset: int, error: OSError) -> None:
        with suppress(OSError):
            os.ftruncate(self._descriptor, offset)
        if error.errno == errno.EBADF:
            reason = "something in this process closed the journal's file; an agent must not close what it did not open"
            raise HarnessError(f"{self.path}: {reason}") from error
        raise HarnessError(f"{self.path}: cannot be written: {error.strerror or error}; what was recorded before is kept") from error

    def read(self, offset: int, length: int) -> bytes:
        """A record as it was appended.

        Raises:
            HarnessError: The file can't be read.
        """
        try:
            return read_at(self._descriptor, offset, length)
        except OSError as error:
            raise HarnessError(f"{self.path}: cannot be read: {error.strerror or error}") from error

    def lines(self, places: Iterable[tuple[int, int]]) -> Iterator[bytes]:
        """The records at these offsets and lengths, in the order asked; one in memory at a time."""
        for offset, length in places:
            yield self.read(offset, length)

    def sync(self) -> None:
        """Force what was appended onto the disk."""
        with suppress(OSError):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Flush to the disk and give the lock back; a second call does nothing."""
        with self._lock:
            if self._descriptor >= 0:
                self.sync()
                with suppress(OSError):
                    os.close(self._descriptor)
                self._descriptor = -1

    def __enter__(self) -> JournalWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _take_lock(self) -> None:
        # A reader that asks whether the run is alive holds a shared lock for a moment.
        for pause in (0.0, 0.001, 0.01, 0.05):
            time.sleep(pause)
            try:
                if try_lock(self._descriptor):
                    return
            except OSError:
                return  # A file system without locks: the run works, only "running" and "crashed" can't be told apart.
        raise HarnessError(f"{self.path}: another process is writing this run; wait for it or end it")


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal as found on disk.

    Attributes:
        head: The head so far, as JSON.
        entries: Whole records in the order of writing; a case that was executed twice has two.
        problems: Lines that are no records, by line number and reason; a half last line is one.
        running: True while its writer lives.
    """

    path: Path
    head: Mapping[str, Any]
    entries: tuple[JournalEntry, ...]
    problems: tuple[str, ...]
    running: bool

    def latest(self) -> dict[tuple[str, int], JournalEntry]:
        """The last record of every case and repetition."""
        return {(entry.case_id, entry.repetition): entry for entry in self.entries}

    def lines(self, entries: Iterable[JournalEntry]) -> Iterator[bytes]:
        """The raw records of these entries; one in memory at a time."""
        descriptor = os.open(self.path, os.O_RDONLY | _BINARY)
        try:
            for entry in entries:
                yield read_at(descriptor, entry.offset, entry.length)
        finally:
            os.close(descriptor)

    def attempts(self, entries: Iterable[JournalEntry] | None = None) -> Iterator[Attempt]:
        """The attempts of these entries (default: all), read as they are asked for."""
        for line in self.lines(self.entries if entries is None else entries):
            yield from_record(loads(line))


def _opened(path: Path, flags: int = 0) -> int:
    near = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY | flags, 0o666)
    try:
        return out_of_reach(near)
    finally:
        os.close(near)


def read_journal(path: Path) -> Journal:
    """The journal, tolerant of a half last line and of damaged ones.

    Raises:
        InputError: The file can't be read, or its first line is no journal's head.
    """
    entries: list[JournalEntry] = []
    problems: list[str] = []
    try:
        with path.open("rb") as file:
            running = is_locked(file.fileno())
            first = file.readline()
            head = _journal_head(path, first)
            offset = len(first)
            for number, line in enumerate(file, 2):
                entry = _entry(line, offset)
                if isinstance(entry, str):
                    problems.append(f"line {number}: {entry}")
                else:
                    entries.append(entry)
                offset += len(line)
    except OSError as error:
        raise InputError(Problem(f"cannot be read: {error.strerror or error}", file=str(path))) from error
    return Journal(path, head, tuple(entries), tuple(problems), running)


def read_journal_head(path: Path) -> tuple[Mapping[str, Any], int, bool]:
    """The head so far, how many whole lines follow it, and whether its writer lives.

    Raises:
        InputError: As ``read_journal``.
    """
    try:
        with path.open("rb") as file:
            running = is_locked(file.fileno())
            head = _journal_head(path, file.readline())
            done = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
    except OSError as error:
        raise InputError(Problem(f"cannot be read: {error.strerror or error}", file=str(path))) from error
    return head, done, running


def is_locked(descriptor: int) -> bool:
    """True while a writer holds the lock of this open file."""
    try:
        return not try_lock(descriptor, shared=True)
    except OSError:
        return False


def read_at(descriptor: int, offset: int, length: int) -> bytes:
    """Bytes at an offset, whatever the descriptor's own position."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, length, offset)
    with _SEEK_LOCK:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, length)


_SEEK_LOCK = threading.Lock()


def _journal_head(path: Path, line: bytes) -> Mapping[str, Any]:
    try:
        document = loads(line)
        schema, head = document["schema"], document["head"]
        if not isinstance(head, dict):
            raise TypeError("head is no mapping")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(Problem("is no journal: its first line is not a run's head", file=str(path))) from error
    check_version(str(schema), JOURNAL, path)
    return head


def _entry(line: bytes, offset: int) -> JournalEntry | str:
    if not line.endswith(b"\n"):
        return "cut off"
    try:
        record = loads(line)
        return JournalEntry(str(record["case_id"]), int(record.get("repetition", 0)), offset, len(line) - 1)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return f"no case record: {error}"


def _whole_lines(descriptor: int) -> int:
    """Size of the file up to its last line end."""
    size = os.fstat(descriptor).st_size
    step = 1 << 16
    end = size
    while end:
        start = max(0, end - step)
        place = read_at(descriptor, start, end - start).rfind(b"\n")
        if place >= 0:
            return start + place + 1
        end = start
    return 0
