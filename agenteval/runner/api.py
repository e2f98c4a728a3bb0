"""The Python face of a run: the same plan, files and verdict as ``agenteval run``, from a program or a notebook."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agenteval._imports import extend_path
from agenteval.adapters.loading import agent_name as name_of
from agenteval.artifacts.paths import baseline_path
from agenteval.artifacts.reading import load_run as read_run
from agenteval.errors import InputError, Problem
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run
from agenteval.runner.events import Observer
from agenteval.runner.finish import RunResult
from agenteval.runner.judges import judge_settings
from agenteval.runner.preparing import prepare, read_suite
from agenteval.runner.request import Choice, RunRequest
from agenteval.runner.session import run_suite as execute
from agenteval.suites import project_root
from agenteval.suites.suite import Suite


def load_suite(path: str | Path, *, dialect: str | None = None) -> Suite:
    """The suite in a file, with every check compiled.

    Raises:
        InputError: Every problem of all its files, in document order.
    """
    return read_suite(Path(path).absolute(), dialect=dialect, shown=str(path)).suite


def load_run(path: str | Path) -> Run:
    """A stored run, of any version; its cases and its sidecar are read when they are used.

    Raises:
        InputError: Not a readable run; the message names the file and the reason.
    """
    return read_run(Path(path))


def run_suite(
    suite: Suite | str | Path,
    agent: str | Callable[..., Any] | object,
    *,
    runs_dir: str | Path = "runs",
    baseline: str | Path | None = None,
    gates: GateLimits | None = None,
    agent_name: str | None = None,
    adapter_options: Mapping[str, Any] | None = None,
    label: str | None = None,
    meta: Mapping[str, str] | None = None,
    on_event: Observer | None = None,
    **choice: Any,
) -> RunResult:
    """Execute a suite against an agent, store the run, and judge it.

    Args:
        agent: A callable, an object with ``run``, a class of such, or ``module:attribute``.
        baseline: Run file to compare with; the pinned one where it is left out.
        gates: The limits to keep; the defaults where it is left out.
        agent_name: Names the folder of the runs; taken from the agent where it is left out.
        choice: Fields of ``Choice``: ``repeat``, ``repeat_all``, ``tags``, ``case_ids``, ``concurrency``, ``timeout_s``, ``fail_fast``, …

    Raises:
        InputError: A mistake in suite, agent or arguments; nothing was called.
        HarnessError: The evidence could not be kept.
    """
    unknown = sorted(set(choice) - set(Choice.__dataclass_fields__))
    if unknown:
        raise InputError(Problem(f"unknown argument {unknown[0]!r}", f"known: {', '.join(Choice.__dataclass_fields__)}", file="run_suite"))
    cwd = Path.cwd()
    root = project_root(cwd)
    extend_path([cwd, root, root / "src"])
    prepared = prepare(suite) if isinstance(suite, Suite) else read_suite(Path(suite).absolute(), shown=str(suite))
    name = agent_name or (name_of(agent) if isinstance(agent, str) else _named(agent))
    pinned = (
        Path(baseline).absolute() if baseline is not None else baseline_path(root / "baselines", name, prepared.suite.name, golden=False)
    )
    if baseline is not None and not pinned.is_file():
        raise InputError(Problem(f"{str(baseline)!r} does not exist", "name a run file", file="baseline"))
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in choice.items()}
    request = RunRequest(
        prepared=prepared,
        agent=agent,
        agent_name=name,
        root=root,
        runs_dir=Path(runs_dir).absolute(),
        baseline=pinned,
        limits=gates or GateLimits(),
        choice=Choice(**fields),
        adapter_options=adapter_options or {},
        where="agent",
        judge=judge_settings(prepared.suite.judge),
        label=label,
        meta=meta or {},
    )
    return execute(request, on_event)


async def arun_suite(suite: Suite | str | Path, agent: Any, **options: Any) -> RunResult:
    """``run_suite`` from a running event loop: it executes on threads of its own, an async agent on a loop of its own."""
    return await asyncio.to_thread(run_suite, suite, agent, **options)


def _named(agent: object) -> str:
    named = getattr(agent, "__qualname__", None) or type(agent).__qualname__
    return name_of(f":{named}")
