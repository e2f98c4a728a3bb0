"""Where artifacts lie and what they are called; a user's name never becomes a path unchecked."""

from __future__ import annotations

import hashlib
import os
import re
from datetime import datetime
from pathlib import Path

from agenteval._time import stamp

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
_RESERVED = frozenset({"journal", "flakiness", "calibration"} | _DEVICES)
LEDGER_NAME = "history.json"


def safe_name(name: str) -> str:
    """A file or folder name for an agent or suite: the name itself where it is harmless, else a slug with a hash of the name.

    >>> safe_name("support_bot")
    'support_bot'
    >>> safe_name("../etc")
    'etc-f7f9121f'
    """
    if _SAFE.fullmatch(name) and "--" not in name and not name.endswith(".") and name.split(".")[0].lower() not in _RESERVED:
        return name
    slug = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40].strip("-") or "name"
    return f"{slug}-{hashlib.sha256(name.encode('utf-8', 'backslashreplace')).hexdigest()[:8]}"


def agent_dir(runs_dir: Path, agent: str) -> Path:
    """The folder of an agent's runs below ``runs_dir``."""
    return runs_dir / safe_name(agent)


def run_path(folder: Path, run_id: str) -> Path:
    """A run's file in its agent's folder."""
    return folder / f"{safe_name(run_id)}.json"


def journal_path(folder: Path, run_id: str) -> Path:
    """The journal of a run that is not finished."""
    return folder / "journal" / f"{safe_name(run_id)}.jsonl"


def sidecar_path(folder: Path, run_id: str) -> Path:
    """The further attempts of a run's repeated cases."""
    return folder / "flakiness" / f"{safe_name(run_id)}.json"


def sidecar_candidates(run_file: Path) -> tuple[Path, Path]:
    """Where a run file's sidecar can lie: ``flakiness/`` below its folder, or (baselines) ``<stem>.flakiness.json`` beside it."""
    return run_file.parent / "flakiness" / run_file.name, run_file.with_name(f"{run_file.stem}.flakiness.json")


def ledger_path(folder: Path) -> Path:
    """The ledger of an agent's folder."""
    return folder / LEDGER_NAME


def baseline_path(baselines_dir: Path, agent: str, suite_name: str, golden: bool) -> Path:
    """The pinned run of a suite: ``<agent>.json`` for the agent's golden suite, ``<agent>--<suite>.json`` for any other."""
    return baselines_dir / (f"{safe_name(agent)}.json" if golden else f"{safe_name(agent)}--{safe_name(suite_name)}.json")


def new_run_id(moment: datetime, commit7: str | None, dirty: bool | None) -> str:
    """A fresh id, ``<UTC stamp>-<commit7 or nogit>[-dirty]-<6 hex>``; ids sort by time."""
    commit = commit7[:7] if commit7 else "nogit"
    return "-".join([stamp(moment), commit, *(["dirty"] if dirty else []), os.urandom(3).hex()])
