"""Stored values behind Streamlit's caches: a listing for two seconds, files by path, modification and size."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from agenteval.artifacts.discovery import discover
from agenteval.artifacts.history import read_ledger
from agenteval.artifacts.reading import Sidecar, find_sidecar, load_run, load_sidecar
from agenteval.artifacts.store import Listing, Store, Unreadable
from agenteval.artifacts.verify import Checked, check
from agenteval.errors import InputError
from agenteval.model.comparison import Comparison
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run, RunHead
from parts.uploads import uploaded

Fingerprint = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ledgers:
    """What the ledgers of all agents hold: heads, oldest first, with the folder of their ledger; and the ledgers that can't be read."""

    heads: tuple[tuple[RunHead, Path], ...]
    unreadable: tuple[Unreadable, ...]


def given_roots() -> tuple[Path, ...]:
    """Directories of runs: arguments after ``--``, else ``AGENTEVAL_RUNS``, else ``runs``."""
    given = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if not given:
        given = [part for part in os.environ.get("AGENTEVAL_RUNS", "").split(os.pathsep) if part]
    return tuple(Path(part).absolute() for part in given or ["runs"])


def roots() -> tuple[Path, ...]:
    """Where runs are read from: the directories given, and what this session uploaded. They are part of every cache's key."""
    return (*given_roots(), *uploaded())


@st.cache_resource(max_entries=8, show_spinner=False)
def _store(folders: tuple[Path, ...]) -> Store:
    return Store(folders)


@st.cache_resource(max_entries=8, ttl=2, show_spinner=False)
def _listing(folders: tuple[Path, ...]) -> Listing:
    return _store(folders).heads()


def listing() -> Listing:
    """Every stored run's head, the files that can't be read, and the runs that are not finished."""
    return _listing(roots())


def fingerprint(path: Path) -> Fingerprint:
    """Modification time and size of a file, or of the archive that it lies in; zeros where it is gone."""
    for place in (path, *path.parents):
        try:
            status = place.stat()
        except OSError:
            continue
        return (status.st_mtime_ns, status.st_size) if place.is_file() else (0, 0)
    return 0, 0


@st.cache_resource(max_entries=64, show_spinner=False)
def _run(path: Path, identity: Fingerprint) -> Run:
    return load_run(path)


def run_at(path: Path) -> Run:
    """The stored run; its cases are read when they are used.

    Raises:
        InputError: It can't be read.
    """
    return _run(path, fingerprint(path))


@st.cache_resource(max_entries=16, show_spinner=False)
def _sidecar(path: Path, identity: Fingerprint) -> Sidecar:
    return load_sidecar(path)


def sidecar_of(run: Run) -> Sidecar | None:
    """The further attempts of a run's repeated cases, None where there is no such file.

    Raises:
        InputError: The file can't be read.
    """
    path = find_sidecar(run.path) if run.path else None
    if path is None:
        return None
    found = _sidecar(path, fingerprint(path))
    return found if found.run_id == run.head.run_id else None


@st.cache_resource(max_entries=32, show_spinner=False)
def _comparison(now: Path, then: Path | None, identities: tuple[Fingerprint, ...], limits: GateLimits) -> Comparison:
    from agenteval.compare.diff import compare_runs

    return compare_runs(run_at(now), run_at(then) if then else None, limits)


def comparison(now: Path, then: Path | None, limits: GateLimits) -> Comparison:
    """Two stored runs compared, or one judged alone.

    Raises:
        InputError: A file can't be read, or the runs are of different suites.
    """
    identities = (fingerprint(now),) if then is None else (fingerprint(now), fingerprint(then))
    return _comparison(now, then, identities, limits)


@st.cache_resource(max_entries=8, ttl=10, show_spinner=False)
def _ledgers(folders: tuple[Path, ...]) -> Ledgers:
    heads: dict[tuple[str, str], tuple[RunHead, Path]] = {}
    unreadable: list[Unreadable] = []
    for found in discover(folders, ledgers=True):
        if found.refused is not None:
            continue  # The listing names it: a folder or an archive that can't be opened.
        try:
            entries = read_ledger(found.path)
        except InputError as error:
            unreadable.append(Unreadable(found.path, f"the ledger {error.problems[0].what}"))
            continue
        heads.update(((entry.head.agent, entry.head.run_id), (entry.head, found.path.parent)) for entry in entries)
    ordered = sorted(heads.values(), key=lambda item: (item[0].started_at, item[0].run_id))
    return Ledgers(tuple(ordered), tuple(unreadable))


def ledgers() -> Ledgers:
    """The ledgers of all agents."""
    return _ledgers(roots())


def ledger_heads(agent: str) -> list[RunHead]:
    """Heads in the agent's ledgers, oldest first; a ledger that can't be read counts as empty."""
    return [head for head, _ in ledgers().heads if head.agent == agent]


@st.cache_resource(max_entries=4096, show_spinner=False)
def _checked(path: Path, identity: Fingerprint) -> Checked:
    from agenteval.compare.measures import measures
    from agenteval.model.facts import facts_of

    return check(path, lambda attempts: measures(map(facts_of, attempts)))


def checked(path: Path) -> Checked:
    """Whether a run file, its sidecar and its ledger entry are as they were written; the whole file is read, once."""
    return _checked(path, fingerprint(path))
