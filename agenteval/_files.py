"""Writing files so that a reader sees the old content or the new, never half; locks; and the one way JSON is written and read."""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from agenteval.errors import HarnessError

_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_make_encoder: Any = getattr(json.encoder, "c_make_encoder", None)
# What ``encode`` makes anew for every call, made once: a quarter of a small record's cost. It does not watch for cycles.
_pieces: Any = _make_encoder and _make_encoder(None, _encoder.default, json.encoder.encode_basestring, None, ":", ",", False, False, False)


def dumps(value: Any) -> bytes:
    """Compact strict JSON in UTF-8.

    Raises:
        ValueError: NaN or infinity.
        RecursionError: A cycle.
        TypeError: A value that JSON does not know.
    """
    text = "".join(_pieces(value, 0)) if _pieces else _encoder.encode(value)
    return text.encode("utf-8", "backslashreplace")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"holds {name}, which is not JSON")


_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode


def loads(data: bytes | str) -> Any:
    """The value of strict JSON in UTF-8; NaN and infinity are refused.

    Raises:
        ValueError: Not JSON (``json.JSONDecodeError``), not UTF-8 (``UnicodeDecodeError``), or NaN.
        RecursionError: Nested too deeply.
    """
    return _decode(data if isinstance(data, str) else data.decode("utf-8"))


@contextmanager
def atomic_file(path: Path, *, exclusive: bool = False) -> Iterator[BinaryIO]:
    """A seekable file that becomes ``path`` when the block ends well: temp file beside it, fsync, rename; parents are created.

    Args:
        exclusive: Refuse to replace an existing file.

    Raises:
        FileExistsError: With ``exclusive``, where the file exists.
        HarnessError: The disk refused; the old file is intact and no temp file is left.
    """
    temporary: Path | None = None
    try:
        _make_folder(path.parent)
        if path.exists() and not path.is_file():
            raise HarnessError(f"{path}: cannot be written: it is there and not a regular file")
        candidate = path.with_name(f".{path.name[:100]}.{os.urandom(6).hex()}.tmp")
        descriptor = os.open(candidate, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        temporary = candidate
        with os.fdopen(descriptor, "w+b", buffering=1 << 18) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _publish(temporary, path, exclusive)
        temporary = None
    except FileExistsError:
        raise
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written: {error.strerror or error}; the old content is untouched") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, f"{folder} is not a directory") from error


def _publish(temporary: Path, path: Path, exclusive: bool) -> None:
    if not exclusive:
        temporary.replace(path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: the reservation below is just as exclusive, only not in one step with the content.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        temporary.replace(path)
    else:
        temporary.unlink()


def atomic_write(path: Path, chunks: Iterable[bytes], *, exclusive: bool = False) -> None:
    """Replace ``path`` by the joined chunks, as ``atomic_file`` does.

    Raises:
        FileExistsError: With ``exclusive``, where the file exists.
        HarnessError: The disk refused; the old file is intact and no temp file is left.
    """
    with atomic_file(path, exclusive=exclusive) as file:
        file.writelines(chunks)


_FAR_DESCRIPTOR = 500


def out_of_reach(descriptor: int) -> int:
    """A duplicate beyond the low numbers that careless code closes (``os.closerange(3, 256)``); it is not inherited.

    Raises:
        OSError: The descriptor is not open.
    """
    if sys.platform == "win32":
        return os.dup(descriptor)
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FAR_DESCRIPTOR)
    except OSError as error:
        if error.errno == errno.EBADF:
            raise
        return os.dup(descriptor)  # fewer descriptors are allowed


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Take the advisory lock of an open file without waiting; False where someone else holds it."""
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, position, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Take the advisory lock of an open file without waiting; False where someone else holds it.

        The lock ends with the descriptor, so also when its process dies.
        """
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return False
            raise
        return True


@contextmanager
def locked(path: Path, *, timeout_s: float = 60.0) -> Iterator[None]:
    """Hold the lock of ``path`` (a hidden ``.<name>.lock`` beside it) against other processes and threads.

    Raises:
        HarnessError: The lock was not free within the time, or the folder can't be written.
    """
    lock = path.with_name(f".{path.name}.lock")
    try:
        _make_folder(path.parent)
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise HarnessError(f"{path}: cannot be locked: {error.strerror or error}") from error
    try:
        _wait_for_lock(descriptor, path, timeout_s)
        yield
    finally:
        os.close(descriptor)


def _wait_for_lock(descriptor: int, path: Path, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    pause = 0.001
    try:
        while not try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise HarnessError(f"{path}: locked by another process for over {timeout_s:g} s; end that process and run again")
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
    except OSError as error:
        raise HarnessError(f"{path}: cannot be locked: {error.strerror or error}") from error
