"""One agent as configured, and where its code lies."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenteval.errors import InputError, Problem
from agenteval.model.gates import GateLimits
from agenteval.suites.agent_keys import Alerting, Audit, Repository

REPO_MARKER = "${AGENT_REPO}"


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """One agent as configured. Paths are absolute; ``where`` is the position of its adapter, ``hash`` of what decides its behaviour."""

    name: str
    adapter: str
    root: Path
    where: str = ""
    display_name: str = ""
    enabled: bool = True
    adapter_options: dict[str, Any] = field(default_factory=dict)
    repository: Repository | None = None
    golden_suite: Path | None = None
    baseline: Path | None = None
    runs_dir: Path | None = None
    smoke_case_ids: tuple[str, ...] = ()
    gates: GateLimits = field(default_factory=GateLimits)
    alerting: Alerting = field(default_factory=Alerting)
    audit: Audit = field(default_factory=Audit)
    judge: Mapping[str, Any] = field(default_factory=dict)
    pricing: dict[str, dict[str, Any]] = field(default_factory=dict)
    model: str | None = None
    repeat: int | None = None
    concurrency: int | None = None
    timeout_s: float | None = None
    hash: str = ""

    def repository_path(self, named: str | Path | None = None) -> Path | None:
        """The folder of the agent's code: ``named``, else the environment variable's, else the default; None where none is configured.

        Raises:
            InputError: ``named``, or no candidate, is a folder that holds the required paths.
        """
        if named is not None:
            path = Path(named).absolute()
            if fault := self._fault(path):
                raise InputError(Problem(f"{str(named)!r} {fault}", "name the folder of the agent's repository", file="--agent-repo"))
            return path
        if self.repository is None:
            return None
        faults = []
        for source, path in self._candidates():
            fault = self._fault(path)
            if fault is None:
                return path
            faults.append(f"{source} {fault}")
        variable = self.repository.env_var
        fix = f"set {variable}, or add --agent-repo FOLDER" if variable else "add --agent-repo FOLDER"
        raise InputError(
            Problem(f"no repository of agent {self.name!r}: {'; '.join(faults) or f'{variable} is not set'}", fix, file=self.where)
        )

    def _candidates(self) -> list[tuple[str, Path]]:
        assert self.repository is not None
        found = []
        if self.repository.env_var and (value := os.environ.get(self.repository.env_var)):
            found.append((f"{self.repository.env_var}={value}", Path(value).absolute()))
        if self.repository.default_path:
            found.append((self.repository.default_path, (self.root / self.repository.default_path).absolute()))
        return found

    def _fault(self, path: Path) -> str | None:
        if not path.is_dir():
            return "is no folder"
        lacking = [name for name in (self.repository.required_paths if self.repository else []) if not (path / name).exists()]
        return f"lacks {', '.join(lacking)}" if lacking else None

    def options(self, repository: Path | None) -> dict[str, Any]:
        """The adapter's options with ``${AGENT_REPO}`` replaced by the repository's path.

        Raises:
            InputError: The marker is used, and there is no repository.
        """
        filled: dict[str, Any] = self._filled(self.adapter_options, repository)
        return filled

    def _filled(self, value: Any, repository: Path | None) -> Any:
        if isinstance(value, str) and REPO_MARKER in value:
            if repository is None:
                what = f"adapter_options use {REPO_MARKER}, and agent {self.name!r} has no repository"
                raise InputError(Problem(what, "add repository, or --agent-repo FOLDER", file=self.where))
            return value.replace(REPO_MARKER, str(repository))
        if isinstance(value, dict):
            return {key: self._filled(entry, repository) for key, entry in value.items()}
        return [self._filled(entry, repository) for entry in value] if isinstance(value, list) else value
