"""All stored runs below several roots, directories and zip archives alike, each run once, the unreadable named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agenteval._collection import collection_paused
from agenteval.artifacts.codec import head_from_json
from agenteval.artifacts.discovery import Found, discover
from agenteval.artifacts.history import LedgerEntry, read_ledger
from agenteval.artifacts.journal import read_journal_head
from agenteval.artifacts.reading import NotARunError, source_head
from agenteval.errors import InputError
from agenteval.model.run import RunHead
from agenteval.model.status import RunStatus

_BAD = (KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class StoredHead:
    """A run's head and its file; the path of one inside an archive leads through it (``artifacts.zip/bot/x.json``)."""

    head: RunHead
    place: str
    """The path as text."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.place)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that should be a run and can't be read."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A journal without its run file. ``head.status`` is RUNNING or CRASHED; ``done`` counts finished attempts."""

    head: RunHead
    path: Path
    done: int


@dataclass(frozen=True, slots=True)
class Listing:
    """What a store holds: runs oldest first, files that can't be read, and runs that are running or crashed."""

    runs: tuple[StoredHead, ...]
    unreadable: tuple[Unreadable, ...]
    running: tuple[OpenRun, ...]


class Store:
    """Stored runs below these roots (directories, zip archives, single files). Heads are kept by path, time and size."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = tuple(roots)
        self._heads: dict[str, tuple[tuple[int, int], RunHead | Unreadable | None]] = {}

    def agents(self) -> list[str]:
        """Names of the agents that have runs, sorted."""
        listing = self.heads()
        return sorted({item.head.agent for item in listing.runs} | {item.head.agent for item in listing.running})

    def heads(self, agent: str | None = None) -> Listing:
        """Every run once, oldest first; of two copies the more resumed counts, and a copy that differs otherwise is named."""
        runs: dict[tuple[str, str], StoredHead] = {}
        unreadable: dict[Path, Unreadable] = {}
        journals: list[Path] = []
        with collection_paused():
            for found in discover(self.roots):
                if found.refused is not None:
                    unreadable[found.path] = Unreadable(found.path, found.refused)
                elif found.is_journal:
                    journals.append(found.path)
                else:
                    self._take(found, runs, unreadable)
        known = {key[1] for key in runs}
        running = tuple(open_run for path in journals if (open_run := _open_run(path, known, unreadable)) is not None)
        return Listing(
            tuple(sorted((item for item in runs.values() if agent in (None, item.head.agent)), key=_by_start)),
            tuple(unreadable.values()),
            tuple(item for item in running if agent in (None, item.head.agent)),
        )

    def ledgers(self, agent: str | None = None) -> list[LedgerEntry]:
        """The ledger entries of an agent (None: of all) over all roots, oldest first.

        Raises:
            InputError: A ledger can't be read.
        """
        entries: dict[str, LedgerEntry] = {}
        for found in discover(self.roots, ledgers=True):
            if found.refused is not None:
                continue
            listed = [entry for entry in read_ledger(found.path) if agent in (None, entry.head.agent)]
            entries.update((entry.head.run_id, entry) for entry in listed)
        return sorted(entries.values(), key=lambda entry: (entry.head.started_at, entry.head.run_id))

    def ledger(self, agent: str) -> list[LedgerEntry]:
        """As ``ledgers``, but ledgers that can't be read count as empty."""
        entries: dict[str, LedgerEntry] = {}
        for found in discover(self.roots, ledgers=True):
            try:
                listed = read_ledger(found.path)
            except InputError:
                continue
            entries.update((entry.head.run_id, entry) for entry in listed if entry.head.agent == agent)
        return sorted(entries.values(), key=lambda entry: (entry.head.started_at, entry.head.run_id))

    def trend(self, agent: str) -> list[RunHead]:
        """The agent's runs oldest first, from their files and, where those are gone, from the ledger."""
        heads = {entry.head.run_id: entry.head for entry in self.ledger(agent)}
        heads.update((item.head.run_id, item.head) for item in self.heads(agent).runs)
        return sorted(heads.values(), key=lambda head: (head.started_at, head.run_id))

    def _take(self, found: Found, runs: dict[tuple[str, str], StoredHead], unreadable: dict[Path, Unreadable]) -> None:
        result = self._read(found)
        if isinstance(result, Unreadable):
            unreadable[result.path] = result
        elif result is not None:
            key = (result.agent, result.run_id)
            kept = runs.get(key)
            if kept is None or result.resumed > kept.head.resumed:
                runs[key] = StoredHead(result, found.place)
            elif result.resumed == kept.head.resumed and result.digest != kept.head.digest:
                reason = f"says it is run {result.run_id}, as {kept.path} does, with other content"
                unreadable[found.path] = Unreadable(found.path, reason)

    def _read(self, found: Found) -> RunHead | Unreadable | None:
        """The head in a file, why there is none, or None for documents of other kinds."""
        known = self._heads.get(found.place)
        if known is not None and found.identity is not None and known[0] == found.identity:
            return known[1]
        result: RunHead | Unreadable | None
        try:
            result = source_head(found.source())
        except NotARunError as error:
            result = Unreadable(found.path, error.problems[0].what) if error.kind.startswith("a JSON ") else None
        except InputError as error:
            problem = error.problems[0]
            where = f" (line {problem.line})" if problem.line else ""
            fix = f"; {problem.fix}" if problem.fix else ""
            result = Unreadable(found.path, f"{problem.what}{where}{fix}")
        if found.identity is not None:
            self._heads[found.place] = (found.identity, result)
        return result


def _open_run(path: Path, known: Iterable[str], unreadable: dict[Path, Unreadable]) -> OpenRun | None:
    """The run of a journal; None where its run file exists and nobody is writing, or a kill came before its first line."""
    try:
        if not path.stat().st_size:
            return None
        record, done, running = read_journal_head(path)
        head = head_from_json(record)
    except InputError as error:
        unreadable[path] = Unreadable(path, error.problems[0].what)
        return None
    except FileNotFoundError:
        return None
    except _BAD as error:
        unreadable[path] = Unreadable(path, f"is a damaged journal: {error}")
        return None
    if head.run_id in known and not running:
        return None
    return OpenRun(replace(head, status=RunStatus.RUNNING if running else RunStatus.CRASHED), path, done)


def _by_start(item: StoredHead) -> tuple[str, str]:
    return item.head.started_at, item.head.run_id
