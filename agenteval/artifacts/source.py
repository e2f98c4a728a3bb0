"""The bytes of an artifact, in a plain file or inside a zip archive as CI systems hand them out."""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from agenteval.errors import InputError, Problem

MAX_MEMBER_BYTES = 512 << 20
"""Largest archive member that is unpacked, and largest file that is read as a whole."""
MAX_MEMBERS = 50_000
_HARMLESS_BYTES = 8 << 20
_MAX_RATIO = 150
"""Runs pack about 10 to 1; far more is an archive made to swell."""
_BINARY = getattr(os, "O_BINARY", 0)
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)


class Source(Protocol):
    """Random access to one artifact's bytes. Reading raises InputError with the file's name."""

    @property
    def path(self) -> Path:
        """Where it is; through the archive where it is inside one."""
        ...

    def edges(self, limit: int) -> tuple[bytes, bytes]:
        """The first line (cut at ``limit`` bytes) and the last few bytes (empty where they cost a full read)."""
        ...

    def open(self) -> IO[bytes]:
        """A fresh binary stream over the whole artifact."""
        ...

    def whole(self) -> bytes:
        """All bytes, within ``MAX_MEMBER_BYTES``."""
        ...


class FileSource:
    """A plain file. What was opened once must not change afterwards: readers hold offsets into it."""

    def __init__(self, place: Path | str) -> None:
        self._place = place
        self._identity: tuple[int, int, int] | None = None

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self._place)

    def edges(self, limit: int) -> tuple[bytes, bytes]:
        """See ``Source``."""
        try:
            descriptor = os.open(self._place, os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0))
            try:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode):
                    raise _named(self.path, "is not a regular file")
                return _edges(descriptor, status.st_size, limit)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise _named(self.path, f"cannot be read: {error.strerror or error}") from error

    def open(self) -> IO[bytes]:
        """See ``Source``."""
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise _named(self.path, "is not a regular file")
            file = self.path.open("rb")
        except OSError as error:
            raise _named(self.path, f"cannot be read: {error.strerror or error}") from error
        status = os.fstat(file.fileno())
        identity = (status.st_ino, status.st_size, status.st_mtime_ns)
        if self._identity is None:
            self._identity = identity
        elif identity != self._identity:
            file.close()
            raise _named(self.path, "was replaced while it was being read; open it again")
        return file

    def whole(self) -> bytes:
        """See ``Source``."""
        with self.open() as file:
            data = file.read(MAX_MEMBER_BYTES + 1)
        if len(data) > MAX_MEMBER_BYTES:
            raise _named(self.path, f"is larger than {MAX_MEMBER_BYTES >> 20} MB")
        return data


class MemberSource:
    """A member of a zip archive; ``path`` is the archive's path with the member's name behind it.

    ``opened`` is the archive, where someone has it open; once closed it is opened anew.
    """

    def __init__(self, archive: Path, member: str, opened: zipfile.ZipFile | None = None) -> None:
        self.archive = archive
        self.member = member
        self._opened = opened
        self._data: bytes | None = None

    @property
    def path(self) -> Path:
        """See ``Source``."""
        return self.archive / self.member

    def edges(self, limit: int) -> tuple[bytes, bytes]:
        """See ``Source``."""
        if self._data is not None:
            return self._data.partition(b"\n")[0][:limit], self._data[-8:]
        try:
            with self._archive() as archive:
                return member_first_line(archive, self.member, limit), b""
        except (OSError, KeyError, *_DAMAGED) as error:
            raise _named(self.path, f"cannot be unpacked: {error}") from error

    def open(self) -> IO[bytes]:
        """See ``Source``."""
        return io.BytesIO(self.whole())

    def whole(self) -> bytes:
        """See ``Source``."""
        if self._data is None:
            try:
                with self._archive() as archive, archive.open(self.member) as file:
                    data = file.read(MAX_MEMBER_BYTES + 1)
            except (OSError, KeyError, *_DAMAGED) as error:
                raise _named(self.path, f"cannot be unpacked: {error}") from error
            if len(data) > MAX_MEMBER_BYTES:
                raise _named(self.path, f"is larger than {MAX_MEMBER_BYTES >> 20} MB when unpacked")
            self._data = data
        return self._data

    @contextmanager
    def _archive(self) -> Iterator[zipfile.ZipFile]:
        if self._opened is not None and self._opened.fp is not None:
            yield self._opened
        else:
            with zipfile.ZipFile(self.archive) as archive:
                yield archive


def open_source(path: Path) -> Source:
    """The artifact at a path, which may lead into a zip archive (``artifacts.zip/runs/bot/x.json``)."""
    if not path.exists():
        for parent in path.parents:
            if parent.is_file():
                member = path.relative_to(parent).as_posix()
                if is_safe_member(member) and zipfile.is_zipfile(parent):
                    return MemberSource(parent, member)
                break
    return FileSource(path)


def source_exists(path: Path) -> bool:
    """Whether there is an artifact at a path, inside an archive or not."""
    if path.is_file():
        return True
    source = open_source(path)
    if not isinstance(source, MemberSource):
        return False
    try:
        with zipfile.ZipFile(source.archive) as archive:
            archive.getinfo(source.member)
    except (OSError, KeyError, *_DAMAGED):
        return False
    return True


def archive_members(archive: zipfile.ZipFile) -> Iterator[tuple[str, str | None]]:
    """Every file in an archive with the reason why it is refused, or None."""
    for number, item in enumerate(archive.infolist()):
        if number >= MAX_MEMBERS:
            yield item.filename, f"the archive holds more than {MAX_MEMBERS:,} files; the rest was not read"
            return
        if item.is_dir():
            continue
        reason = None
        if not is_safe_member(item.filename):
            reason = "a path that leads out of the archive"
        elif item.flag_bits & 0x1:
            reason = "encrypted"
        elif item.file_size > MAX_MEMBER_BYTES:
            reason = f"larger than {MAX_MEMBER_BYTES >> 20} MB when unpacked"
        elif item.file_size > _HARMLESS_BYTES and item.file_size > _MAX_RATIO * max(item.compress_size, 1):
            reason = f"packed {item.file_size // max(item.compress_size, 1):,} to 1, as no run is"
        yield item.filename, reason


def member_first_line(archive: zipfile.ZipFile, member: str, limit: int) -> bytes:
    """The first line of a member without its end, cut at ``limit`` bytes; the rest is not unpacked."""
    # A member's own readline, given a limit, goes byte by byte.
    with archive.open(member) as file, io.BufferedReader(file) as lines:  # type: ignore[type-var]
        return lines.readline(limit).rstrip(b"\n")


def is_safe_member(name: str) -> bool:
    """False for absolute names, drive letters, backslashes and ``..``."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name and "\0" not in name


def _edges(descriptor: int, size: int, limit: int) -> tuple[bytes, bytes]:
    data = os.read(descriptor, 1 << 14)
    end = data.find(b"\n")
    if end < 0:
        parts = [data]
        total = len(data)
        while data and b"\n" not in data and total < limit:
            data = os.read(descriptor, 1 << 18)
            parts.append(data)
            total += len(data)
        data = b"".join(parts)
        end = data.find(b"\n")
    first = data[: end if end >= 0 else limit]
    os.lseek(descriptor, max(0, size - 8), os.SEEK_SET)
    return first, os.read(descriptor, 8)


def _named(path: Path, reason: str) -> InputError:
    return InputError(Problem(reason, file=str(path)))
