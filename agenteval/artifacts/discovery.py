"""Finding artifacts below a root as CI systems lay them out: nested folders, archives, an agent's folder or none."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agenteval.artifacts.paths import LEDGER_NAME
from agenteval.artifacts.source import FileSource, MemberSource, Source, archive_members

MAX_DEPTH = 8
_SKIPPED_FOLDERS = frozenset({"flakiness", "calibration", "node_modules", "__pycache__", "site-packages"})


@dataclass(frozen=True, slots=True)
class Found:
    """A file that may be a run (or a ledger or journal, as asked for).

    Attributes:
        place: The path as text: lists of thousands of files need no more.
        identity: Modification time in ns and size, of the archive where it is inside one; None where unknown.
        refused: Why it is not read, None where it may be.
        opened: The archive while its members are being listed: opening it again for each would cost more than all of them.
    """

    place: str
    identity: tuple[int, int] | None = None
    archive: Path | None = None
    member: str = ""
    is_journal: bool = False
    refused: str | None = None
    opened: zipfile.ZipFile | None = None

    @property
    def path(self) -> Path:
        """Where it is; through the archive where it is inside one."""
        return Path(self.place)

    def source(self) -> Source:
        """The bytes of the file."""
        return FileSource(self.place) if self.archive is None else MemberSource(self.archive, self.member, self.opened)


def discover(roots: Sequence[Path], *, ledgers: bool = False) -> Iterator[Found]:
    """Candidates below the roots, each once: run files and journals, or ledgers alone."""
    seen: set[str] = set()
    for root in roots:
        if root.is_dir():
            yield from _folder(str(root), 0, ledgers, seen)
        elif root.suffix == ".zip" and root.is_file():
            yield from _archive(root, ledgers)
        elif root.is_file() and not ledgers:
            yield Found(str(root))
        elif not root.exists() and root.suffix in (".zip", ".json"):
            yield Found(str(root), refused="does not exist")


def _folder(folder: str, depth: int, ledgers: bool, seen: set[str]) -> Iterator[Found]:
    real = os.path.realpath(folder)
    if real in seen or depth > MAX_DEPTH:
        return
    seen.add(real)
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        yield Found(folder, refused=f"cannot be listed: {error.strerror or error}")
        return
    in_journals = Path(folder).name == "journal"
    for entry in entries:
        name = entry.name
        if name.startswith("."):
            continue
        if name.endswith(".json"):
            if (name == LEDGER_NAME) is ledgers and not name.endswith(".flakiness.json") and not _holds(entry.is_dir):
                yield _file(entry)
        elif name.endswith(".jsonl"):
            if in_journals and not ledgers:
                yield Found(entry.path, is_journal=True)
        elif name.endswith(".zip"):
            if _holds(entry.is_file):
                yield from _archive(Path(entry.path), ledgers)
        elif name not in _SKIPPED_FOLDERS and _holds(entry.is_dir):
            yield from _folder(entry.path, depth + 1, ledgers, seen)


def _holds(kind: Callable[[], bool]) -> bool:
    """What a directory entry says of itself; a link that leads round in a circle is nothing."""
    try:
        return kind()
    except OSError:
        return False


def _file(entry: os.DirEntry[str]) -> Found:
    try:
        status = entry.stat()
    except OSError as error:
        return Found(entry.path, refused=f"cannot be read: {error.strerror or error}")
    return Found(entry.path, (status.st_mtime_ns, status.st_size))


def _archive(path: Path, ledgers: bool) -> Iterator[Found]:
    try:
        status = path.stat()
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        yield Found(str(path), refused=f"is no readable archive: {error}")
        return
    with archive:
        for name, reason in archive_members(archive):
            parts = name.replace("\\", "/").split("/")
            base = parts[-1]
            if base.endswith(".zip") and not ledgers:
                yield Found(str(path / base), refused="an archive inside an archive; unpack it")
            if (
                not base.endswith(".json")
                or base.startswith(".")
                or base.endswith(".flakiness.json")
                or (base == LEDGER_NAME) is not ledgers
            ):
                continue
            if reason is not None:
                yield Found(str(path / base), refused=reason)
            elif not _SKIPPED_FOLDERS.intersection(parts[:-1]):
                identity = (status.st_mtime_ns, status.st_size)
                yield Found(str(path / name), identity, archive=path, member=name, opened=archive)
