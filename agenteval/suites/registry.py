"""``agents.yaml``: which agents a project has, and everything configured for them. Imports no adapter."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agenteval._text import clip, nearest
from agenteval.errors import InputError, Problem
from agenteval.suites import shape
from agenteval.suites.agent_config import AgentConfig
from agenteval.suites.agent_keys import AGENT_NAME, AgentKeys, RegistryKeys
from agenteval.suites.documents import Document, load
from agenteval.suites.gate_keys import limits_from
from agenteval.suites.leaves import describe
from agenteval.suites.price_keys import AgentPriceKeys

FILE_NAME = "agents.yaml"
_NO_BEHAVIOUR = ("display_name", "enabled", "alerting", "audit")


@dataclass(frozen=True, slots=True)
class Registry:
    """The agents of a project. ``path`` is None where there is no ``agents.yaml``; ``root`` is its folder."""

    path: Path | None
    root: Path
    agents: dict[str, AgentConfig] = field(default_factory=dict)
    shown: str = FILE_NAME

    def choose(self, name: str | None = None) -> AgentConfig:
        """The named agent, or the only enabled one.

        Raises:
            InputError: Unknown or disabled name; no name where not exactly one agent is enabled.
        """
        enabled = [agent for agent in self.agents.values() if agent.enabled]
        if name is None:
            if len(enabled) == 1:
                return enabled[0]
            names = ", ".join(agent.name for agent in enabled)
            what = f"{len(enabled)} agents are enabled: {names}" if enabled else "no agent is enabled"
            raise InputError(Problem(what, "choose one with --agent" if enabled else "enable one", file=self.shown))
        agent = self.agents.get(name)
        if agent is None:
            close = nearest(name, self.agents)
            known = f"known: {', '.join(self.agents)}" if self.agents else f"list it in {FILE_NAME}, or write module:callable"
            raise InputError(
                Problem(f"no agent {clip(name, 60)!r} in {self.shown}", f"did you mean {close!r}?" if close else known, file="--agent")
            )
        if not agent.enabled:
            raise InputError(Problem(f"agent {name!r} is disabled", f"set enabled: true in {self.shown}", file="--agent"))
        return agent

    def _unknown(self, name: str) -> Problem:
        close = nearest(name, self.agents)
        known = f"known: {', '.join(self.agents)}" if self.agents else f"list it in {FILE_NAME}, or write module:callable"
        return Problem(f"no agent {clip(name, 60)!r} in {self.shown}", f"did you mean {close!r}?" if close else known, file="--agent")


def project_root(start: Path) -> Path:
    """The folder of the nearest ``agents.yaml`` upwards, else of the nearest ``.git``, else ``start``."""
    folders = [start.absolute(), *start.absolute().parents]
    for name in (FILE_NAME, ".git"):
        for folder in folders:
            if (folder / name).exists():
                return folder
    return folders[0]


def find_registry(start: Path) -> Path | None:
    """The nearest ``agents.yaml`` from a folder upwards."""
    return next((path for folder in (start.absolute(), *start.absolute().parents) if (path := folder / FILE_NAME).is_file()), None)


def read_registry(path: Path | None, *, start: Path) -> Registry:
    """The registry in a file or, without one, in the nearest ``agents.yaml`` from ``start`` upwards; empty where there is none.

    Raises:
        InputError: Every problem of the file, in document order.
    """
    found = path if path is not None else find_registry(start)
    if found is None:
        return Registry(None, project_root(start))
    shown = str(found.relative_to(start)) if found.is_relative_to(start) else str(found)
    document = load(found, shown)
    problems = list(document.problems)
    agents = _agents(document, found.absolute().parent, problems) if document.value is not None else {}
    if problems:
        raise InputError(_placed(document, problem) for problem in problems)
    return Registry(found.absolute(), found.absolute().parent, agents, shown)


def _placed(document: Document, problem: Problem) -> Problem:
    if problem.file:
        return problem
    line, column = document.locate(problem.path)
    return replace(problem, file=document.shown, line=line, column=column)


def _agents(document: Document, root: Path, problems: list[Problem]) -> dict[str, AgentConfig]:
    if not isinstance(document.value, Mapping):
        problems.append(Problem("must be a mapping with version and agents", "see `agenteval schema agents`"))
        return {}
    found = shape.check_fields(RegistryKeys, document.value, "", problems)
    entries = found.get("agents")
    if not isinstance(entries, Mapping):
        return {}
    if not entries:
        problems.append(Problem("has no agents", "add one", "agents"))
    agents = {}
    for name, raw in entries.items():
        path = f"agents.{name}"
        if what := AGENT_NAME.problem(name):
            problems.append(Problem(what, "rename the agent", path))
        config = _agent(name, raw, path, root, problems)
        if config is not None:
            line, column = document.locate(f"{path}.adapter", value=True)
            agents[name] = replace(config, where=f"{document.shown}:{line}:{column}")
    return agents


def _agent(name: str, raw: Any, path: str, root: Path, problems: list[Problem]) -> AgentConfig | None:
    if not isinstance(raw, Mapping):
        problems.append(Problem(f"must be a mapping with adapter and other keys, not {describe(raw)}", path=path))
        return None
    keys, found = shape.build(AgentKeys, raw, path)
    problems.extend(found)
    if keys is None:
        return None
    decisive = {key: value for key, value in raw.items() if key not in _NO_BEHAVIOUR}
    return AgentConfig(
        name=name,
        adapter=keys.adapter,
        root=root,
        display_name=keys.display_name or name,
        enabled=keys.enabled,
        adapter_options=keys.adapter_options,
        repository=keys.repository,
        golden_suite=_beside(root, keys.golden_suite),
        baseline=_beside(root, keys.baseline),
        runs_dir=_beside(root, keys.runs_dir),
        smoke_case_ids=tuple(keys.smoke_case_ids),
        gates=limits_from(keys.gates),
        alerting=keys.alerting,
        audit=keys.audit,
        judge=keys.judge,
        pricing={model: _price(price) for model, price in keys.pricing.items()},
        model=keys.model,
        repeat=keys.repeat,
        concurrency=keys.concurrency,
        timeout_s=keys.timeout_s,
        hash=hashlib.sha256(json.dumps(decisive, sort_keys=True, default=str).encode()).hexdigest(),
    )


def _beside(root: Path, name: str | None) -> Path | None:
    return None if name is None else root / name


def _price(price: AgentPriceKeys) -> dict[str, Any]:
    """The keys of a price without those that say nothing."""
    values = ((name, getattr(price, name)) for name in shape.fields_of(AgentPriceKeys))
    return {name: value for name, value in values if value is not None and value is not False}
