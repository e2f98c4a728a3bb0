"""The projects around the stored runs: whose limits hold, and which run is pinned for a suite.

The rule is the command line's: ``agents.yaml`` above the runs (else above the working directory, where it names the agent) says where the
baseline lies. Without one it lies in ``baselines/``: of the project's root, of the artifacts themselves, or beside the folder of runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from agenteval.artifacts.discovery import discover
from agenteval.artifacts.paths import baseline_path
from agenteval.artifacts.reading import load_head
from agenteval.artifacts.source import source_exists
from agenteval.artifacts.store import Store
from agenteval.compare.gates import recorded_limits
from agenteval.errors import AgentEvalError
from agenteval.model.gates import GateLimits
from agenteval.model.run import RunHead
from agenteval.runner.workspace import Workspace
from agenteval.suites.registry import project_root, read_registry
from parts.stored import fingerprint, given_roots
from parts.uploads import uploaded

_FOLDER = "baselines"


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned run: its file and head; ``head`` is None and ``problem`` says why where it can't be read."""

    path: Path
    head: RunHead | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Projects:
    """Workspaces with an ``agents.yaml``, and what is wrong in the others."""

    workspaces: tuple[Workspace, ...]
    problems: tuple[str, ...]


@st.cache_resource(max_entries=4, ttl=10, show_spinner=False)
def _projects(folders: tuple[Path, ...], cwd: Path) -> _Projects:
    found: dict[Path, Workspace] = {}
    problems: dict[str, None] = {}
    for start in (*folders, cwd):
        try:
            registry = read_registry(None, start=start if start.is_dir() else start.parent)
        except AgentEvalError as error:
            problems[str(error)] = None
            continue
        if registry.path is not None:
            found.setdefault(registry.root, Workspace(cwd=registry.root, registry=registry, store=Store(())))
    return _Projects(tuple(found.values()), tuple(problems))


def _project_of(agent: str) -> Workspace | None:
    """The first project whose ``agents.yaml`` names the agent."""
    workspaces = _projects(given_roots(), Path.cwd()).workspaces
    return next((workspace for workspace in workspaces if workspace.config(agent) is not None), None)


def limits(head: RunHead) -> tuple[GateLimits, str]:
    """The limits that hold for a run and where they come from, in words: agents.yaml, else what the run itself was held to."""
    project = _project_of(head.agent)
    if project is not None:
        return project.limits(head.agent), "limits of agents.yaml"
    if head.gate is not None and head.gate.gates:
        return recorded_limits(head.gate), "limits recorded with the run"
    broken = _projects(given_roots(), Path.cwd()).problems
    return GateLimits(), "default limits, because agents.yaml can't be read" if broken else "default limits"


def broken_registries() -> tuple[str, ...]:
    """What is wrong with an ``agents.yaml`` that can't be read."""
    return _projects(given_roots(), Path.cwd()).problems


def pinned(head: RunHead) -> Pin | None:
    """The baseline of a run's suite, None where none is pinned."""
    project = _project_of(head.agent)
    if project is not None and (found := _pin(project.baseline_path(head))) is not None:
        return found
    # What a session uploaded comes last: it can't take the place of the project's own baseline.
    for folder in (*_folders(given_roots()), *_inside(uploaded())):
        for golden in (False, True):
            found = _pin(baseline_path(folder, head.agent, head.suite.name, golden))
            if found is None:
                continue
            if not golden or found.head is None or found.head.suite.name == head.suite.name or found.head.legacy or head.legacy:
                return found
    return None


def _folders(places: tuple[Path, ...]) -> Iterator[Path]:
    """Folders of baselines where no ``agents.yaml`` names the agent, the nearest first."""
    yield from _inside(places)
    for place in places:
        yield place.parent / _FOLDER
        yield project_root(place if place.is_dir() else place.parent) / _FOLDER


@st.cache_resource(max_entries=4, ttl=10, show_spinner=False)
def _inside(places: tuple[Path, ...]) -> tuple[Path, ...]:
    """Folders of baselines among the artifacts, those in archives too."""
    return tuple(dict.fromkeys(found.path.parent for found in discover(places) if found.path.parent.name == _FOLDER))


def _pin(path: Path) -> Pin | None:
    if not source_exists(path):
        return None
    try:
        return Pin(path, _head(path, fingerprint(path)))
    except AgentEvalError as error:
        return Pin(path, None, str(error))


@st.cache_resource(max_entries=32, show_spinner=False)
def _head(path: Path, identity: tuple[int, int]) -> RunHead:
    return load_head(path)
