"""Which stored runs may go, and removing them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from agenteval._time import parse
from agenteval.artifacts.paths import sidecar_candidates
from agenteval.artifacts.store import StoredHead
from agenteval.errors import HarnessError


@dataclass(frozen=True, slots=True)
class Pruning:
    """What a pruning removes and what it must keep although it was asked for, with the reason."""

    removed: tuple[StoredHead, ...]
    protected: tuple[tuple[StoredHead, str], ...]


def plan_pruning(
    runs: Sequence[StoredHead], *, keep: int | None, older_than_days: float | None, pinned: Collection[str], now: datetime
) -> Pruning:
    """The runs that are both beyond the newest ``keep`` of their agent and older than the limit, where given.

    Args:
        runs: Oldest first.
        pinned: Ids of baselines' runs, which stay.
    """
    removed: list[StoredHead] = []
    protected: list[tuple[StoredHead, str]] = []
    left: dict[str, int] = {}
    for item in reversed(runs):
        rank = left[item.head.agent] = left.get(item.head.agent, 0) + 1
        if keep is not None and rank <= keep:
            continue
        if older_than_days is not None and parse(item.head.started_at) > now - timedelta(days=older_than_days):
            continue
        if item.head.run_id in pinned:
            protected.append((item, "it is a baseline"))
        elif not item.path.is_file():
            protected.append((item, "it lies inside an archive"))
        else:
            removed.append(item)
    return Pruning(tuple(reversed(removed)), tuple(reversed(protected)))


def prune(runs: Sequence[StoredHead]) -> None:
    """Remove run files and their sidecars; ledgers keep their entries.

    Raises:
        HarnessError: A file can't be removed; those before it are gone.
    """
    for item in runs:
        for path in (item.path, sidecar_candidates(item.path)[0]):
            _remove(path)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise HarnessError(f"{path}: cannot be removed: {error.strerror or error}") from error
