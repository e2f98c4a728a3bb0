"""Attempts of a stored run as a sequence that parses a line when it is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from agenteval._files import loads
from agenteval.artifacts.source import Source
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.record import from_record

_BAD_RECORD = (KeyError, TypeError, ValueError, AttributeError, RecursionError)


class AttemptSequence(Sequence[Attempt]):
    """Common part: an attempt by index, counted from either end."""

    def _at(self, index: int) -> Attempt:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Attempt: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Attempt]: ...
    def __getitem__(self, index: int | slice) -> Attempt | Sequence[Attempt]:
        if isinstance(index, slice):
            return [self._at(place) for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(index)
        return self._at(place)


class StoredLines(AttemptSequence):
    """Case lines of a run file or sidecar, from ``start`` on; ``first_line`` is their 1-based number in the file."""

    def __init__(self, source: Source, start: int, count: int | None, first_line: int) -> None:
        self._source = source
        self._start = start
        self._count = count
        self._first_line = first_line
        self._offsets: array[int] | None = None

    def __len__(self) -> int:
        if self._count is None:
            self._count = len(self._index())
        return self._count

    def __iter__(self) -> Iterator[Attempt]:
        for number, line in enumerate(self.raw(), self._first_line):
            yield self._parse(line, number)

    def raw(self) -> Iterator[bytes]:
        """The records' bytes, streamed."""
        with self._source.open() as file:
            file.seek(self._start)
            for line in file:
                if line.startswith(b"]"):
                    return
                yield line.rstrip(b",\r\n")

    def _at(self, index: int) -> Attempt:
        offsets = self._index()
        number = self._first_line + index
        if index >= len(offsets):
            raise _bad(self._source.path, number, "the record is missing")
        with self._source.open() as file:
            file.seek(offsets[index])
            return self._parse(file.readline().rstrip(b",\r\n"), number)

    def _index(self) -> array[int]:
        if self._offsets is None:
            offsets = array("Q")
            place = self._start
            with self._source.open() as file:
                file.seek(place)
                for line in file:
                    if line.startswith(b"]"):
                        break
                    offsets.append(place)
                    place += len(line)
            self._offsets = offsets
        return self._offsets

    def _parse(self, line: bytes, number: int) -> Attempt:
        try:
            return from_record(loads(line))
        except _BAD_RECORD as error:
            raise _bad(self._source.path, number, str(error)) from error


class Records(AttemptSequence):
    """Records of a document that was read as a whole."""

    def __init__(self, path: Path, records: Sequence[Mapping[str, Any]]) -> None:
        self._path = path
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def _at(self, index: int) -> Attempt:
        try:
            return from_record(self._records[index])
        except _BAD_RECORD as error:
            raise InputError(Problem(f"case record {index + 1} is damaged: {error}", file=str(self._path))) from error


class Deferred(AttemptSequence):
    """A sequence that is loaded when it is first used."""

    def __init__(self, load: Callable[[], Sequence[Attempt]]) -> None:
        self._load = load
        self._loaded: Sequence[Attempt] | None = None

    def __len__(self) -> int:
        return len(self._sequence())

    def __iter__(self) -> Iterator[Attempt]:
        return iter(self._sequence())

    def _at(self, index: int) -> Attempt:
        return self._sequence()[index]

    def _sequence(self) -> Sequence[Attempt]:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded


def _bad(path: Path, line: int, reason: str) -> InputError:
    what = f"the case record is damaged: {reason}"
    return InputError(Problem(what, "run `agenteval runs verify` on it", file=str(path), line=line, column=1))
