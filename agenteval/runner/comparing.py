"""Comparing runs that are stored already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agenteval.compare import compare_runs
from agenteval.errors import InputError, Problem
from agenteval.model.comparison import Comparison
from agenteval.model.gates import GateLimits
from agenteval.runner.workspace import open_workspace


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
    runs_dirs = [] if request.runs_dir is None else [request.runs_dir]
    workspace = open_workspace(request.cwd, registry=request.registry, runs_dirs=runs_dirs)
    current = workspace.run(request.run, request.agent)
    if request.baseline is not None:
        agent = request.agent or current.head.agent
        baseline = workspace.run(request.baseline, agent, flag="--baseline", beside=current.head)
    else:
        found = workspace.baseline(current.head)
        if found is None:
            what = f"no baseline: {workspace.shown(workspace.baseline_path(current.head))} does not exist"
            raise InputError(Problem(what, "pin a run with `agenteval baseline set RUN`, or name one with --baseline", file="--baseline"))
        baseline = found
    return compare_runs(current, baseline, request.limits(workspace.limits(current.head.agent)))
