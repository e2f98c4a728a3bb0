"""Stored values behind Streamlit's caches: a listing for two seconds, files by path, modification and size."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import streamlit as st

from agenteval.artifacts.reading import Sidecar, find_sidecar, load_run, load_sidecar
from agenteval.artifacts.store import Listing, Store
from agenteval.model.comparison import Comparison
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run, RunHead

Fingerprint = tuple[int, int]


def roots() -> tuple[Path, ...]:
    """Directories of runs: arguments after ``--``, else ``AGENTEVAL_RUNS``, else ``runs``."""
    given = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if not given:
        given = [part for part in os.environ.get("AGENTEVAL_RUNS", "").split(os.pathsep) if part]
    return tuple(Path(part).absolute() for part in given or ["runs"])


@st.cache_resource(max_entries=4, show_spinner=False)
def _store(folders: tuple[Path, ...]) -> Store:
    return Store(folders)


@st.cache_resource(max_entries=4, ttl=2, show_spinner=False)
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
def _ledger(folders: tuple[Path, ...], agent: str) -> list[RunHead]:
    return [entry.head for entry in _store(folders).ledger(agent)]


def ledger_heads(agent: str) -> list[RunHead]:
    """Heads in the agent's ledgers, oldest first; a ledger that can't be read counts as empty."""
    return _ledger(roots(), agent)
