"""Where a project keeps its runs and baselines, for every command that reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agenteval._imports import extend_path
from agenteval.artifacts.paths import baseline_path
from agenteval.artifacts.reading import load_run
from agenteval.artifacts.store import Store
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run, RunHead
from agenteval.suites import AgentConfig, Registry, project_root, read_registry


@dataclass(frozen=True, slots=True)
class Workspace:
    """A project as seen from a working directory. ``runs_dirs`` are roots that hold a folder an agent."""

    cwd: Path
    root: Path
    registry: Registry
    runs_dirs: tuple[Path, ...]

    @property
    def baselines_dir(self) -> Path:
        """Where pinned runs lie unless agents.yaml says otherwise."""
        return self.root / "baselines"

    def store(self) -> Store:
        """The stored runs of all roots."""
        return Store(self.runs_dirs)

    def config(self, agent: str) -> AgentConfig | None:
        """What agents.yaml says of an agent, None where it does not name it."""
        return self.registry.agents.get(agent)

    def limits(self, agent: str) -> GateLimits:
        """The gates of an agent."""
        config = self.config(agent)
        return config.gates if config is not None else GateLimits()

    def baseline_path(self, head: RunHead) -> Path:
        """Where the baseline of a run's suite lies, or would lie."""
        config = self.config(head.agent)
        golden = config is not None and self.is_golden(config, head.suite.path)
        if golden and config is not None and config.baseline is not None:
            return config.baseline
        return baseline_path(self.baselines_dir, head.agent, head.suite.name, golden=golden)

    def baseline(self, head: RunHead) -> Run | None:
        """The pinned run of a run's suite, None where there is none.

        Raises:
            InputError: The file is there and can't be read.
        """
        path = self.baseline_path(head)
        return load_run(path) if path.is_file() else None

    def is_golden(self, config: AgentConfig, suite_path: str | None) -> bool:
        """Whether a suite is the agent's golden one; an agent without a golden suite has one baseline for whatever it runs."""
        if config.golden_suite is None or suite_path is None:
            return config.golden_suite is None
        return config.golden_suite.resolve() in {(folder / suite_path).resolve() for folder in (self.cwd, self.root)}


def open_workspace(cwd: Path, *, registry: str | None = None, runs_dir: str | None = None) -> Workspace:
    """The project around a working directory; ``runs_dir`` goes before what agents.yaml says.

    Raises:
        InputError: A mistake in agents.yaml.
    """
    read = read_registry(None if registry is None else cwd / registry, start=cwd)
    root = read.root if read.path is not None else project_root(cwd)
    extend_path([cwd, root, root / "src"])
    if runs_dir is not None:
        return Workspace(cwd, root, read, (cwd / runs_dir,))
    named = [config.runs_dir for config in read.agents.values() if config.runs_dir is not None]
    return Workspace(cwd, root, read, tuple(dict.fromkeys([*named, root / "runs"])))
