"""Verifying one stored run, or everything, with the measures recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agenteval.artifacts.verify import Checked, check
from agenteval.cli.stores import Places
from agenteval.compare.measures import measures
from agenteval.model.attempt import Attempt
from agenteval.model.facts import facts_of
from agenteval.model.run import Measure


def verified(places: Places, agent: str | None, name: str | None) -> list[Checked]:
    """Each file with its findings; ``name`` None checks every run and baseline, the unreadable included."""
    if name is not None:
        run = places.run(name, agent)
        return [check(run.path or Path(name), _recompute)]
    return list(_all(places, agent))


def _all(places: Places, agent: str | None) -> Iterator[Checked]:
    listing = places.store.heads(agent)
    pinned, damaged = places.baseline_files()
    wanted = [item.path for item in pinned if agent in (None, item.head.agent)]
    for path in dict.fromkeys([item.path for item in listing.runs] + wanted):
        yield check(path, _recompute)
    for bad in (*listing.unreadable, *damaged):
        yield Checked(bad.path, (f"{bad.path}: {bad.reason}",))


def _recompute(attempts: Sequence[Attempt]) -> Mapping[str, Measure]:
    return measures(facts_of(attempt) for attempt in attempts)
