"""Keeping this process's output and working directory ours while a strange agent runs in it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from agenteval._files import out_of_reach


@contextmanager
def guarded() -> Iterator[TextIO]:
    """Whatever is printed meanwhile, by the agent or its children, goes to standard error; yields a stream to it that nobody else holds.

    Afterwards standard output, standard error and the working directory are what they were, whatever was closed or changed.
    """
    folder = Path.cwd()
    sys.stdout.flush()
    sys.stderr.flush()
    streams = sys.stdout, sys.stderr
    kept = _copy(1), _copy(2)
    ours = [_stream(_copy(2)) for _ in range(3)]
    os.dup2(kept[1], 1)
    told, sys.stdout, sys.stderr = ours
    try:
        yield told
    finally:
        for stream in ours:
            stream.end()
        for number, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, number)
            os.close(copy)
        sys.stdout, sys.stderr = streams
        with suppress(OSError):
            os.chdir(folder)


def _copy(number: int) -> int:
    """A duplicate that careless code does not reach; a closed descriptor gives the null device."""
    try:
        return out_of_reach(number)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)


class _Unclosable(io.TextIOWrapper):
    """A stream that the agent may close without taking it from the attempts that follow."""

    def close(self) -> None:
        with suppress(Exception):
            self.flush()

    def end(self) -> None:
        """Really close."""
        with suppress(Exception):
            super().close()


def _stream(descriptor: int) -> _Unclosable:
    raw = io.FileIO(descriptor, "w", closefd=True)
    return _Unclosable(io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True)
