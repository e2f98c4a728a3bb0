"""Which stored runs a command means: the directories given, else those of agents.yaml, else ``runs``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from agenteval.runner.workspace import Workspace, open_workspace


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--runs-dir``, ``--registry`` and ``--agent``; the command receives ``workspace`` and ``agent``."""

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
        workspace: Workspace = open_workspace(Path.cwd(), registry=registry, runs_dirs=runs_dirs)
        return command(workspace=workspace, **options)

    return wrapped
