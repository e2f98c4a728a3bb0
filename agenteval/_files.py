"""Writing files so that a reader sees the old content or the new, never half; and the one way JSON is written."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from agenteval.errors import HarnessError

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def dumps(value: Any) -> bytes:
    """Compact strict JSON in UTF-8.

    Raises:
        ValueError: NaN, infinity or a cycle.
        TypeError: A value that JSON does not know.
    """
    return _encode(value).encode("utf-8", "backslashreplace")


def atomic_write(path: Path, chunks: Iterable[bytes], *, exclusive: bool = False) -> None:
    """Replace ``path`` by the joined chunks: temp file beside it, fsync, rename; parents are created.

    Args:
        exclusive: Refuse to replace an existing file.

    Raises:
        FileExistsError: With ``exclusive``, where the file exists.
        HarnessError: The disk refused; the old file is intact and no temp file is left.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name[:60]}.", suffix=".tmp", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        if exclusive:
            os.link(temporary, path)
            os.unlink(temporary)
        else:
            os.replace(temporary, path)
        temporary = None
    except FileExistsError:
        raise
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written: {error.strerror or error}; the old content is untouched") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def locked(path: Path, *, timeout_s: float = 60.0) -> Iterator[None]:
    """Hold the lock file ``<path>.lock`` against other processes and threads.

    Raises:
        HarnessError: The lock was not free within the time.
    """
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(f"{path}.lock", timeout=timeout_s)
        lock.acquire()
    except Timeout as error:
        raise HarnessError(f"{path}: locked by another process for over {timeout_s:g} s; end that process or remove {path}.lock") from error
    except OSError as error:
        raise HarnessError(f"{path}: cannot be locked: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()
