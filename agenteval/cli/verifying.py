"""Verifying one stored run, or everything, with the measures recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agenteval.artifacts.verify import Checked, check
from agenteval.compare.measures import measures
from agenteval.model.attempt import Attempt
from agenteval.model.facts import facts_of
from agenteval.model.run import Measure
from agenteval.runner.workspace import Workspace


def verified(workspace: Workspace, agent: str | None, name: str | None) -> list[Checked]:
    """Each file with its findings; ``name`` None checks every run and baseline, the unreadable included."""
    if name is not None:
        run = workspace.run(name, agent)
        return [check(run.path or Path(name), _recompute)]
    return list(_all(workspace, agent))


def _all(workspace: Workspace, agent: str | None) -> Iterator[Checked]:
    listing = workspace.store.heads(agent)
    pinned, damaged = workspace.baseline_files()
    wanted = [item.path for item in pinned if agent in (None, item.head.agent)]
    for path in dict.fromkeys([item.path for item in listing.runs] + wanted):
        yield check(path, _recompute)
    for bad in (*listing.unreadable, *damaged):
        yield Checked(bad.path, (f"{bad.path}: {bad.reason}",))


def _recompute(attempts: Sequence[Attempt]) -> Mapping[str, Measure]:
    return measures(facts_of(attempt) for attempt in attempts)
