"""The history that comes with the project: whole, unaltered, and worth looking at."""

from __future__ import annotations

from pathlib import Path

from agenteval.artifacts.reading import load_run
from agenteval.artifacts.store import Store
from agenteval.artifacts.verify import verify
from agenteval.compare.measures import measures
from agenteval.model.facts import facts_of

ROOT = Path(__file__).parents[2]


def test_the_shipped_runs_are_as_they_were_written() -> None:
    listing = Store([ROOT / "runs"]).heads()

    assert not listing.unreadable
    assert [item.head.gate.outcome for item in listing.runs if item.head.gate is not None] == ["pass"] * 4 + ["fail"] * 2
    for item in listing.runs:
        assert verify(item.path, lambda attempts: measures(facts_of(attempt) for attempt in attempts)) == []


def test_the_shipped_baseline_is_the_first_of_them() -> None:
    pinned = load_run(ROOT / "baselines" / "support_agent.json")

    assert pinned.head.run_id == Store([ROOT / "runs"]).heads("support_agent").runs[0].head.run_id


def test_the_shipped_history_knows_its_commit_and_nobody_by_name() -> None:
    for item in Store([ROOT / "runs"]).heads().runs:
        assert item.head.git["dirty"] is False
        assert len(item.head.git["commit"]) == 40
