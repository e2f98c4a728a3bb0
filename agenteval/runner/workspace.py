"""A project as seen from a working directory: its stored runs, its baselines, its gates. One place for every command that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agenteval._imports import extend_path
from agenteval.artifacts.baselines import baseline_source, baseline_target, list_baselines
from agenteval.artifacts.naming import resolve
from agenteval.artifacts.reading import load_run
from agenteval.artifacts.store import Store, StoredHead, Unreadable
from agenteval.errors import InputError, Problem
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run, RunHead
from agenteval.suites import AgentConfig, Registry, read_registry


@dataclass(frozen=True, slots=True)
class Workspace:
    """The stored runs and the project they belong to. ``cwd`` is absolute; the store's roots are shown relative to it."""

    cwd: Path
    registry: Registry
    store: Store

    @property
    def root(self) -> Path:
        """The project's folder: that of agents.yaml, else of the repository."""
        return self.registry.root

    @property
    def baselines_dir(self) -> Path:
        """The folder of pinned runs."""
        return self.registry.root / "baselines"

    def shown(self, path: Path) -> Path:
        """The path as it is shown: relative where it lies below the working directory."""
        return shortened(path, self.cwd)

    def config(self, agent: str) -> AgentConfig | None:
        """What agents.yaml says of an agent, None where it does not name it."""
        return self.registry.agents.get(agent)

    def limits(self, agent: str) -> GateLimits:
        """The gates of an agent."""
        config = self.config(agent)
        return config.gates if config is not None else GateLimits()

    def run(self, name: str, agent: str | None, *, flag: str = "RUN", beside: RunHead | None = None) -> Run:
        """The stored run of that name: id or its beginning, ``latest``, ``latest~2``, ``baseline`` or a path.

        Args:
            beside: The run whose baseline ``baseline`` means; the latest one where it is left out.

        Raises:
            InputError: It fits no run, or several.
        """
        return resolve(name, self.store, agent=agent, baseline=lambda: self._pinned(agent, beside), flag=flag)

    def baseline_path(self, head: RunHead) -> Path:
        """Where the baseline of a run's suite lies, or would lie."""
        return baseline_target(head.agent, head.suite, self.registry, self.cwd)

    def baseline(self, head: RunHead) -> Run | None:
        """The pinned run of a run's suite, None where there is none.

        Raises:
            InputError: The file is there and can't be read.
        """
        path = baseline_source(head.agent, head.suite, self.registry, self.cwd)
        return load_run(self.shown(path)) if path.is_file() else None

    def baseline_files(self) -> tuple[list[StoredHead], list[Unreadable]]:
        """Every pinned run, those that agents.yaml names elsewhere included, and the files that can't be read."""
        configured = [config.baseline for config in self.registry.agents.values() if config.baseline is not None]
        return list_baselines(self.shown(self.baselines_dir), [self.shown(path) for path in configured])

    def pinned_ids(self) -> set[str]:
        """Ids of the runs that are pinned.

        Raises:
            InputError: A baseline can't be read, so what it pins is unknown.
        """
        pinned, unreadable = self.baseline_files()
        if unreadable:
            raise InputError(Problem(item.reason, "mend or remove it first", file=str(item.path)) for item in unreadable)
        return {item.head.run_id for item in pinned}

    def _pinned(self, agent: str | None, beside: RunHead | None) -> Run | None:
        if beside is not None:
            return self.baseline(beside)
        runs = self.store.heads(agent).runs
        return self.baseline(runs[-1].head) if runs else None


def open_workspace(cwd: Path, *, registry: str | None = None, runs_dirs: Sequence[str] = ()) -> Workspace:
    """The project around a working directory; ``runs_dirs`` go before what agents.yaml says.

    Raises:
        InputError: A mistake in agents.yaml.
    """
    found = read_registry(None if registry is None else cwd / registry, start=cwd)
    extend_path([cwd, found.root, found.root / "src"])
    given = [cwd / name for name in runs_dirs]
    own = [config.runs_dir for config in found.agents.values() if config.runs_dir is not None]
    roots = given or list(dict.fromkeys([*own, found.root / "runs"]))
    return Workspace(cwd, found, Store([shortened(root, cwd) for root in roots]))


def shortened(path: Path, cwd: Path) -> Path:
    """The path relative to ``cwd`` where it lies below it."""
    return path.relative_to(cwd) if path.is_relative_to(cwd) and path != cwd else path
