"""From what a user typed to run requests: which agent, which suite, where things lie.

Precedence: command line, environment, suite, agents.yaml, defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenteval._imports import extend_path
from agenteval.adapters.loading import agent_name
from agenteval.adapters.pricing import Price
from agenteval.artifacts.baselines import baseline_source, baseline_target
from agenteval.errors import InputError, Problem
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run, SuiteRef
from agenteval.runner.judges import judge_settings
from agenteval.runner.preparing import PreparedSuite, read_suite
from agenteval.runner.request import DEFAULT_HISTORY, Choice, RunRequest
from agenteval.runner.workspace import Workspace
from agenteval.suites import AgentConfig, Registry, read_registry
from agenteval.suites.suite import Suite


@dataclass(frozen=True, slots=True)
class Wanted:
    """A run as typed. ``cwd`` is absolute; ``limits`` turns the registry's gates into the ones that hold."""

    cwd: Path
    suite: str | None = None
    agent: str | None = None
    every_agent: bool = False
    registry: str | None = None
    runs_dir: str | None = None
    baseline: str | None = None
    agent_repo: str | None = None
    dialect: str | None = None
    choice: Choice = field(default_factory=Choice)
    limits: Callable[[GateLimits], GateLimits] = lambda limits: limits
    label: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    command_line: tuple[str, ...] = ()
    record_to: str | None = None
    resume: str | None = None
    retry_errors: str | None = None
    history_limit: int = DEFAULT_HISTORY
    keep_history: bool = True


def run_requests(wanted: Wanted) -> list[RunRequest]:
    """One request, or with ``every_agent`` one for each enabled agent.

    Raises:
        InputError: No suite, no agent, or a mistake in one of the files.
    """
    registry = read_registry(None if wanted.registry is None else wanted.cwd / wanted.registry, start=wanted.cwd)
    root = registry.root
    extend_path([wanted.cwd, root, root / "src"])
    if wanted.every_agent:
        configs = [config for config in registry.agents.values() if config.enabled]
        if not configs:
            raise InputError(Problem("no agent is enabled", "list agents in agents.yaml", file="--all"))
        return [_configured(wanted, registry, config, _suite_of(wanted, config)) for config in configs]
    suite = _read(wanted, wanted.cwd / wanted.suite, wanted.suite) if wanted.suite is not None else None
    named = wanted.agent or (suite.suite.agent if suite is not None else None)
    where = "--agent" if wanted.agent else _place(suite.suite if suite is not None else None, "agent")
    if named is not None and ":" in named:
        if suite is None:
            raise InputError(Problem("no suite was named", "write agenteval run SUITE --agent module:callable", file="SUITE"))
        return [_direct(wanted, registry, named, where, suite)]
    if registry.path is None and named is None:
        raise InputError(Problem("no agent was named", "add --agent module:callable, or list agents in agents.yaml", file="--agent"))
    if registry.path is None:
        what = f"{named!r} is a name, and there is no agents.yaml to look it up in"
        raise InputError(Problem(what, "write module:callable, or add agents.yaml", file=where))
    config = registry.choose(named)
    return [_configured(wanted, registry, config, suite if suite is not None else _suite_of(wanted, config))]


def _read(wanted: Wanted, path: Path, shown: str) -> PreparedSuite:
    return read_suite(path, dialect=wanted.dialect, shown=shown)


def _suite_of(wanted: Wanted, config: AgentConfig) -> PreparedSuite:
    if wanted.suite is not None:
        return _read(wanted, wanted.cwd / wanted.suite, wanted.suite)
    if config.golden_suite is None:
        raise InputError(
            Problem(f"agent {config.name!r} has no golden_suite", "add one, or name a suite: agenteval run SUITE", file=config.where)
        )
    return _read(wanted, config.golden_suite, _shown(config.golden_suite, wanted.cwd))


def _shown(path: Path, cwd: Path) -> str:
    return str(path.relative_to(cwd)) if path.is_relative_to(cwd) else str(path)


def _place(suite: Suite | None, path: str) -> str:
    if suite is None:
        return "--agent"
    _, file, line, column = suite.locate(path)
    return f"{file}:{line}:{column}" if line else file


def _direct(wanted: Wanted, registry: Registry, reference: str, where: str, suite: PreparedSuite) -> RunRequest:
    root, name = registry.root, agent_name(reference)
    return RunRequest(
        agent=reference,
        agent_name=name,
        runs_dir=_runs_dir(wanted, root / "runs"),
        baseline=_baseline(wanted, _pinned(registry, name, suite.suite, wanted.cwd)),
        limits=wanted.limits(GateLimits()),
        where=where,
        judge=judge_settings(suite.suite.judge),
        **_common(wanted, root, suite),
    )


def _configured(wanted: Wanted, registry: Registry, config: AgentConfig, prepared: PreparedSuite) -> RunRequest:
    root, suite = registry.root, prepared.suite
    repo = config.repository_path(wanted.agent_repo) if config.repository is not None or wanted.agent_repo else None
    if repo is not None:
        extend_path([repo, repo / "src"])
    return RunRequest(
        agent=config.adapter,
        agent_name=config.name,
        runs_dir=_runs_dir(wanted, config.runs_dir or root / "runs"),
        baseline=_baseline(wanted, _pinned(registry, config.name, suite, wanted.cwd)),
        limits=wanted.limits(config.gates),
        where=config.where,
        adapter_options=config.options(repo),
        repo_path=repo,
        fallback=Choice(model=config.model, repeat=config.repeat, concurrency=config.concurrency, timeout_s=config.timeout_s),
        smoke_case_ids=config.smoke_case_ids,
        prices=_prices(config),
        judge=judge_settings(suite.judge, config.judge),
        registry_hash=config.hash,
        **_common(wanted, root, prepared),
    )


def stored_request(workspace: Workspace, parent: Run, path: Path, shown: str, *, runs_dir: Path | None, **given: Any) -> RunRequest:
    """The request that judges a stored run again by the suite in a file, as configured today.

    Raises:
        InputError: The suite can't be read, or is another one.
    """
    name = parent.head.agent
    config = workspace.config(name)
    prepared = read_suite(path, shown=shown)
    if prepared.suite.name != parent.head.suite.name and not parent.head.legacy:
        what = f"run {parent.head.run_id} is one of suite {parent.head.suite.name!r}, not of {prepared.suite.name!r}"
        raise InputError(Problem(what, "name the suite it was made with", file="--cases"))
    return RunRequest(
        prepared=prepared,
        agent=None,
        agent_name=name,
        root=workspace.root,
        runs_dir=runs_dir or (config.runs_dir if config and config.runs_dir else workspace.root / "runs"),
        baseline=baseline_target(name, SuiteRef(prepared.suite.name, prepared.suite.path), workspace.registry, workspace.cwd),
        limits=workspace.limits(name),
        prices=_prices(config) if config else {},
        judge=judge_settings(prepared.suite.judge, config.judge if config else {}),
        registry_hash=config.hash if config else None,
        rescore=parent,
        **given,
    )


def _common(wanted: Wanted, root: Path, prepared: PreparedSuite) -> dict[str, Any]:
    return {
        "prepared": prepared,
        "root": root,
        "choice": wanted.choice,
        "label": wanted.label,
        "meta": wanted.meta,
        "command_line": wanted.command_line,
        "record_to": None if wanted.record_to is None else wanted.cwd / wanted.record_to,
        "resume": wanted.resume,
        "retry_errors": wanted.retry_errors,
        "history_limit": wanted.history_limit,
        "keep_history": wanted.keep_history,
    }


def _pinned(registry: Registry, agent: str, suite: Suite, cwd: Path) -> Path:
    return baseline_source(agent, SuiteRef(suite.name, suite.path), registry, cwd)


def _runs_dir(wanted: Wanted, default: Path) -> Path:
    return default if wanted.runs_dir is None else wanted.cwd / wanted.runs_dir


def _baseline(wanted: Wanted, default: Path) -> Path:
    """The baseline's file; a named one must be there."""
    if wanted.baseline is None:
        return default
    path = wanted.cwd / wanted.baseline
    if not path.is_file():
        raise InputError(
            Problem(f"{wanted.baseline!r} does not exist", "name a run file, or pin one with `agenteval baseline set`", file="--baseline")
        )
    return path


def _prices(config: AgentConfig) -> dict[str, Price]:
    return {model: Price(**price) for model, price in config.pricing.items()}
