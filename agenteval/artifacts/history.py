"""The ledger: the capped history of an agent's runs, rebuildable from their files, never lost silently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenteval._files import atomic_write, dumps, loads, locked
from agenteval._time import now, stamp
from agenteval.artifacts.codec import head_from_json, head_to_json
from agenteval.artifacts.reading import load_head, read_document
from agenteval.artifacts.schemas import HISTORY
from agenteval.artifacts.source import open_source, source_exists
from agenteval.errors import AgentEvalError, InputError, Problem
from agenteval.model.run import RunHead

DEFAULT_LIMIT = 20
_KEPT = ("run_id", "agent", "suite", "selection", "started_at", "duration_s", "status", "counts", "metrics", "gate", "label", "meta", "git")


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One run in a ledger: its head and the name of its file, relative to the ledger."""

    head: RunHead
    file: str


def append_entry(ledger_path: Path, head: RunHead, file: str, limit: int = DEFAULT_LIMIT) -> list[str]:
    """Add a run (or replace its entry), keep the newest ``limit``, and return warnings to show.

    A ledger that can't be read is kept as a copy beside it and rebuilt from the run files; the predecessor's ledger is kept as a copy
    before its entries move into the present format.

    Raises:
        InputError: The ledger was written by a newer version; it is left alone.
        HarnessError: The disk or the lock refused; the old ledger is intact.
    """
    with locked(ledger_path):
        entries, warnings = _current(ledger_path)
        entries = [entry for entry in entries if entry.head.run_id != head.run_id]
        entries.append(LedgerEntry(head, file))
        _write(ledger_path, entries, limit)
    return warnings


def read_ledger(path: Path) -> list[LedgerEntry]:
    """The entries, oldest first; an absent ledger is empty.

    Raises:
        InputError: Not a readable ledger; the message names the file and the reason.
    """
    if not source_exists(path):
        return []
    return _read(path)[0]


def rebuild(path: Path, limit: int = DEFAULT_LIMIT) -> list[LedgerEntry]:
    """Write the ledger anew from the run files beside it and return its entries; a ledger that exists is replaced.

    Raises:
        HarnessError: The disk or the lock refused; the old ledger is intact.
    """
    with locked(path):
        return _write(path, _from_runs(path), limit)


def _current(path: Path) -> tuple[list[LedgerEntry], list[str]]:
    """Entries to go on with; whatever is about to be replaced and can't be rewritten as it was is copied first."""
    if not path.exists():
        return _from_runs(path), []
    try:
        entries, present_format = _read(path)
    except InputError as error:
        if _newer(path):
            raise
        copy = _keep_copy(path, "corrupt")
        entries = _from_runs(path)
        reason = error.problems[0].what
        return entries, [f"{path}: the ledger {reason}; kept as {copy.name} and rebuilt from {len(entries)} run files"]
    if present_format:
        return entries, []
    copy = _keep_copy(path, "before-1")
    return entries, [f"{path}: the ledger of AgentEval 0.3 was kept as {copy.name}; its {len(entries)} entries were carried over"]


def _keep_copy(path: Path, why: str) -> Path:
    data = path.read_bytes()
    copy = path.with_name(f"{path.stem}.{why}-{stamp(now())}{path.suffix}.bak")
    number = 2
    while True:
        try:
            atomic_write(copy, [data], exclusive=True)
        except FileExistsError:
            copy = copy.with_name(f"{path.stem}.{why}-{stamp(now())}-{number}{path.suffix}.bak")
            number += 1
        else:
            return copy


def _newer(path: Path) -> bool:
    try:
        document = loads(path.read_bytes())
        kind, _, version = document["schema"].partition("/")
        return bool(kind == HISTORY.kind and int(version) > HISTORY.version)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _from_runs(path: Path) -> list[LedgerEntry]:
    """An entry for every readable run file beside the ledger."""
    entries: dict[str, LedgerEntry] = {}
    for file in sorted(path.parent.glob("*.json")) if path.parent.is_dir() else []:
        if file == path:
            continue
        try:
            head = load_head(file)
        except AgentEvalError:
            continue
        entries[head.run_id] = LedgerEntry(head, file.name)
    return _sorted(entries.values())


def _sorted(entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    return sorted(entries, key=lambda entry: (entry.head.started_at, entry.head.run_id))


def _write(path: Path, entries: Iterable[LedgerEntry], limit: int) -> list[LedgerEntry]:
    kept = _sorted(entries)[-limit:] if limit > 0 else []
    lines = b",\n".join(dumps(_entry_to_json(entry)) for entry in kept)
    atomic_write(path, [b'{"schema":', dumps(HISTORY.text), b',"entries":[\n', lines, b"\n]}\n" if kept else b"]}\n"])
    return kept


def altered_fields(entry: LedgerEntry, head: RunHead, file: str) -> list[str]:
    """Names of what an entry says otherwise than the run that it is about."""
    said, true = _entry_to_json(entry), _entry_to_json(LedgerEntry(head, file))
    return [name for name in sorted({*said, *true}) if said.get(name) != true.get(name)]


def _entry_to_json(entry: LedgerEntry) -> dict[str, Any]:
    head = head_to_json(entry.head)
    record: dict[str, Any] = {"run_id": entry.head.run_id, "file": entry.file, "digest": entry.head.digest}
    record.update((name, head[name]) for name in _KEPT if name in head)
    if entry.head.resumed:
        record["resumed"] = entry.head.resumed
    if entry.head.legacy:
        record["legacy"] = entry.head.legacy
    return record


def _read(path: Path) -> tuple[list[LedgerEntry], bool]:
    """The entries and whether the ledger is in the present format."""
    document = read_document(open_source(path))
    try:
        if isinstance(document, list):
            from agenteval.artifacts.predecessor import convert_ledger

            return _sorted(convert_ledger(document, path)), False
        if not isinstance(document, dict):
            raise TypeError(f"is no ledger but a JSON {type(document).__name__}")
        document = HISTORY.upgraded(document, path)
        return [_entry_from_json(entry, path) for entry in document["entries"]], True
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(Problem(f"is damaged: {reason}", file=str(path))) from error


def _entry_from_json(record: Mapping[str, Any], path: Path) -> LedgerEntry:
    head = head_from_json({"agent": path.parent.name, **record})
    file = record["file"]
    if not isinstance(file, str):
        raise TypeError("an entry's file is no text")
    return LedgerEntry(head, file)
