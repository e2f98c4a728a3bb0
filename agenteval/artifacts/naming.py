"""Which stored run a user means: a path, a unique prefix of its id, ``latest``, ``latest~2`` or ``baseline``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from agenteval._text import clip, nearest
from agenteval.artifacts.reading import load_run
from agenteval.artifacts.source import source_exists
from agenteval.artifacts.store import Store, StoredHead
from agenteval.errors import InputError, Problem
from agenteval.model.run import Run

_LATEST = re.compile(r"latest(?:~([0-9]{1,6}))?")
_SHOWN = 8


def resolve(
    name: str,
    store: Store,
    *,
    agent: str | None = None,
    suite: str | None = None,
    baseline: Callable[[], Run | None] | None = None,
    flag: str = "RUN",
) -> Run:
    """The stored run of that name.

    Args:
        agent, suite: Only runs of this agent and this suite count; None counts all.
        baseline: Finds the pinned run for ``baseline``; None where the caller has none.
        flag: What the user wrote the name behind, for the error.

    Raises:
        InputError: No such run (the nearest is named), or the name fits several (all are listed).
    """
    if name == "baseline":
        found = baseline() if baseline is not None else None
        if found is None:
            raise InputError(Problem("there is no baseline", "pin a run with `agenteval baseline set latest`", file=flag))
        return found
    if _is_path(name):
        return load_run(Path(name))
    runs = [item for item in store.heads(agent).runs if suite in (None, item.head.suite.name)]
    if match := _LATEST.fullmatch(name):
        return _latest(runs, int(match[1] or 0), store, agent, flag)
    return load_run(_by_prefix(name, runs, store, agent, flag).path)


def _is_path(name: str) -> bool:
    if name.endswith(".json"):
        return True
    return ("/" in name or "\\" in name) and source_exists(Path(name))


def _latest(runs: Sequence[StoredHead], back: int, store: Store, agent: str | None, flag: str) -> Run:
    if back >= len(runs):
        what = f"there are only {len(runs)} runs" if runs else "there is no run"
        raise InputError(Problem(f"{what}{_of(agent)} in {_places(store)}", "run a suite first" if not runs else "", file=flag))
    return load_run(runs[-1 - back].path)


def _by_prefix(name: str, runs: Sequence[StoredHead], store: Store, agent: str | None, flag: str) -> StoredHead:
    exact = [item for item in runs if item.head.run_id == name]
    fitting = exact or [item for item in runs if name and item.head.run_id.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    shown = clip(name, 80)
    if fitting:
        ids = [item.head.run_id for item in reversed(fitting)]
        more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
        raise InputError(Problem(f"{shown!r} fits {len(ids)} runs", f"name one of {', '.join(ids[:_SHOWN])}{more}", file=flag))
    if not runs:
        raise InputError(Problem(f"no run {shown!r}: there is no run{_of(agent)} in {_places(store)}", "run a suite first", file=flag))
    close = nearest(name, [item.head.run_id for item in runs])
    fix = f"did you mean {close!r}?" if close else "`agenteval runs list` shows them"
    raise InputError(Problem(f"no run {shown!r}{_of(agent)} in {_places(store)}", fix, file=flag))


def _of(agent: str | None) -> str:
    return f" of agent {agent!r}" if agent else ""


def _places(store: Store) -> str:
    return ", ".join(str(root) for root in store.roots) or "no directory"
