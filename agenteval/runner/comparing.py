"""Comparing runs that are stored already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agenteval.artifacts.naming import resolve
from agenteval.compare import compare_runs
from agenteval.errors import InputError, Problem
from agenteval.model.comparison import Comparison
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run
from agenteval.runner.workspace import Workspace, open_workspace


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """Which runs to compare, as typed; ``limits`` turns the agent's gates into the ones that hold."""

    cwd: Path
    run: str = "latest"
    baseline: str | None = None
    agent: str | None = None
    registry: str | None = None
    runs_dir: str | None = None
    limits: Callable[[GateLimits], GateLimits] = lambda limits: limits


def compare_stored(request: CompareRequest) -> Comparison:
    """The comparison of a stored run with its pinned baseline, or with a run that was named.

    Raises:
        InputError: A name fits no run or several, or there is no baseline.
    """
    workspace = open_workspace(request.cwd, registry=request.registry, runs_dir=request.runs_dir)
    current = named_run(workspace, request.run, agent=request.agent, flag="RUN")
    if request.baseline is not None:
        agent = request.agent or current.head.agent
        baseline = named_run(workspace, request.baseline, agent=agent, flag="--baseline", pinned_for=current)
    else:
        found = workspace.baseline(current.head)
        if found is None:
            path = workspace.baseline_path(current.head)
            shown = path.relative_to(request.cwd) if path.is_relative_to(request.cwd) else path
            what = f"no baseline: {shown} does not exist"
            raise InputError(Problem(what, "pin a run with `agenteval baseline set RUN`, or name one with --baseline", file="--baseline"))
        baseline = found
    return compare_runs(current, baseline, request.limits(workspace.limits(current.head.agent)))


def named_run(workspace: Workspace, name: str, *, agent: str | None, flag: str, pinned_for: Run | None = None) -> Run:
    """The stored run of that name: id or its beginning, ``latest``, ``latest~2``, ``baseline`` or a path.

    Raises:
        InputError: It fits no run, or several.
    """

    def pinned() -> Run | None:
        if pinned_for is not None:
            return workspace.baseline(pinned_for.head)
        runs = workspace.store().heads(agent).runs
        return workspace.baseline(runs[-1].head) if runs else None

    return resolve(name, workspace.store(), agent=agent, baseline=pinned, flag=flag)
