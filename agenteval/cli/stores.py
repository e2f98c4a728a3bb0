"""Which stored runs a command means: the directories given, else those of agents.yaml, else ``runs``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from agenteval.artifacts.naming import resolve
from agenteval.artifacts.store import Store, StoredHead, Unreadable
from agenteval.errors import InputError, Problem
from agenteval.model.run import Run
from agenteval.suites.registry import Registry, read_registry


@dataclass(frozen=True)
class Places:
    """The stored runs and the project they belong to."""

    store: Store
    registry: Registry
    cwd: Path

    @property
    def baselines_dir(self) -> Path:
        """The folder of pinned runs."""
        return self.registry.root / "baselines"

    def shown(self, path: Path) -> Path:
        """The path as it is shown: relative where it lies below the working directory."""
        return _short(path, self.cwd)

    def baseline_files(self) -> tuple[list[StoredHead], list[Unreadable]]:
        """Every pinned run, those that agents.yaml names elsewhere included, and the files that can't be read."""
        from agenteval.artifacts.baselines import list_baselines

        configured = [config.baseline for config in self.registry.agents.values() if config.baseline is not None]
        return list_baselines(_short(self.baselines_dir, self.cwd), [_short(path, self.cwd) for path in configured])

    def pinned_ids(self) -> set[str]:
        """Ids of the runs that are pinned.

        Raises:
            InputError: A baseline can't be read, so what it pins is unknown.
        """
        pinned, unreadable = self.baseline_files()
        if unreadable:
            raise InputError(Problem(item.reason, "mend or remove it first", file=str(item.path)) for item in unreadable)
        return {item.head.run_id for item in pinned}

    def run(self, name: str, agent: str | None) -> Run:
        """The stored run of that name."""
        return resolve(name, self.store, agent=agent, baseline=lambda: self._pinned(agent))

    def _pinned(self, agent: str | None) -> Run | None:
        from agenteval.artifacts.baselines import baseline_target
        from agenteval.artifacts.reading import load_run

        runs = self.store.heads(agent).runs
        path = baseline_target(runs[-1].head, self.registry, self.cwd) if runs else None
        return load_run(path) if path is not None and path.is_file() else None


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--runs-dir``, ``--registry`` and ``--agent``; the command receives ``places`` and ``agent``."""

    @click.option("--agent", metavar="NAME", help="Only runs of this agent.")
    @click.option(
        "--runs-dir",
        "runs_dirs",
        multiple=True,
        metavar="DIR",
        envvar="AGENTEVAL_RUNS_DIR",
        help="Folder or zip archive of stored runs; can be repeated. Default: those of agents.yaml, else runs.",
    )
    @click.option("--registry", metavar="FILE", envvar="AGENTEVAL_REGISTRY", help="The agents.yaml (default: the nearest one upwards).")
    @functools.wraps(command)
    def wrapped(*, runs_dirs: tuple[str, ...], registry: str | None, **options: Any) -> Any:
        return command(places=_places(runs_dirs, registry), **options)

    return wrapped


def _places(runs_dirs: tuple[str, ...], registry: str | None) -> Places:
    cwd = Path.cwd()
    found = read_registry(None if registry is None else cwd / registry, start=cwd)
    given = [cwd / name for name in runs_dirs]
    own = [config.runs_dir for config in found.agents.values() if config.runs_dir is not None]
    roots = given or list(dict.fromkeys([*own, found.root / "runs"]))
    return Places(Store([_short(root, cwd) for root in roots]), found, cwd)


def _short(path: Path, cwd: Path) -> Path:
    return path.relative_to(cwd) if path.is_relative_to(cwd) and path != cwd else path
