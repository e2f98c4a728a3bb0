"""Standard output and error that take any text and survive a reader that went away."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
from contextlib import suppress

from agenteval.errors import HarnessError

_LOOKALIKES = {"−": "-", "–": "-", "·": "|", "…": "...", "✓": "v", "✕": "x", "▲": "^", "▼": "v", "→": "->", "≤": "<=", "≥": ">="}


class _Forgiving(io.RawIOBase):
    """Bytes to a file descriptor; once it takes no more, to nowhere.

    A command whose output is piped into ``head`` must still write its files and keep its exit code, so a broken pipe is no error
    here. Any other failure of standard output is told once; of standard error, there is nobody to tell.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: bytes) -> int:  # type: ignore[override]
        try:
            return os.write(self._descriptor, data)
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._descriptor)
            os.close(nowhere)
            # Windows reports a closed pipe as EINVAL.
            gone = error.errno in (errno.EPIPE, errno.ESHUTDOWN) or (sys.platform == "win32" and error.errno == errno.EINVAL)
            if self._descriptor == 2 or gone:
                return len(data)
            raise HarnessError(f"standard output cannot be written: {error.strerror or error}; the rest of the output is lost") from error


def protect_streams() -> None:
    """Replace ``sys.stdout`` and ``sys.stderr`` where they are the process's own."""
    codecs.register_error("agenteval.lookalike", _lookalike)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _protected(sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _protected(sys.stderr)


def _protected(stream: io.TextIOBase | None) -> io.TextIOWrapper:
    """A text stream on the same descriptor; plain ASCII (the C locale) becomes UTF-8, other encodings are kept."""
    if stream is None:
        return io.TextIOWrapper(open(os.devnull, "wb"), encoding="utf-8")  # noqa: PTH123 - lives as long as the process
    stream.flush()
    raw = _Forgiving(stream.fileno())
    encoding = codecs.lookup(stream.encoding or "utf-8").name
    return io.TextIOWrapper(
        io.BufferedWriter(raw),  # type: ignore[type-var]
        encoding="utf-8" if encoding == "ascii" else encoding,
        errors="agenteval.lookalike",
        line_buffering=raw.isatty() or raw.fileno() == 2,
    )


def _lookalike(error: UnicodeError) -> tuple[str | bytes, int]:
    """Codec error handler: a plain character for our own signs, else an escape that is one in JSON too.

    >>> codecs.register_error("agenteval.lookalike", _lookalike)
    >>> "−6 pts, 日".encode("ascii", "agenteval.lookalike")
    b'-6 pts, \\\\u65e5'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_LOOKALIKES.get(char) or json.dumps(char)[1:-1] for char in text), error.end


def flush_output() -> None:
    """Write what is still buffered.

    Raises:
        HarnessError: Standard output cannot take it.
    """
    for stream in (sys.stderr, sys.stdout):
        with suppress(ValueError):
            stream.flush()
