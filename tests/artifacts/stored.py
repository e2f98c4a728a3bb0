"""Runs on disk as the product writes them, for tests of what keeps and finds them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from agenteval._files import dumps
from agenteval.artifacts.history import append_entry
from agenteval.artifacts.paths import agent_dir, ledger_path, run_path, sidecar_path
from agenteval.artifacts.writing import line_hash, write_run, write_sidecar
from agenteval.compare.flakiness import flakiness
from agenteval.compare.measures import measures
from agenteval.model.attempt import Attempt
from agenteval.model.facts import facts_of
from agenteval.model.record import to_record
from tests.builders import a_run, an_attempt


def run_id(number: int) -> str:
    """An id whose time grows with the number."""
    return f"20261130T12{number // 60:02d}{number % 60:02d}Z-abc1234-{number:06x}"


def store(
    runs: Path,
    number: int = 1,
    attempts: list[Attempt] | None = None,
    repetitions: list[Attempt] | None = None,
    *,
    history: bool = False,
    **changes: Any,
) -> Path:
    """Write run ``number`` below ``runs`` and return its file."""
    attempts = [an_attempt("a"), an_attempt("b", False)] if attempts is None else attempts
    lines = [dumps(to_record(attempt)) for attempt in attempts]
    facts = [facts_of(attempt, line_hash(line)) for attempt, line in zip(attempts, lines, strict=True)]
    started = f"2026-11-30T12:{number // 60:02d}:{number % 60:02d}.000Z"
    run = a_run(attempts, repetitions, run_id(number), **{"metrics": measures(facts), "started_at": started, **changes})
    folder = agent_dir(runs, run.head.agent)
    path = run_path(folder, run.head.run_id)
    if repetitions:
        further = [dumps(to_record(attempt)) for attempt in repetitions]
        write_sidecar(sidecar_path(folder, run.head.run_id), run.head.run_id, run.head.agent, 2, flakiness(run.observations()), further)
    digest = write_run(path, run.head, {"python": "3.12"}, [fact.outcome for fact in facts], ["left"], lines)
    if history:
        append_entry(ledger_path(folder), replace(run.head, digest=digest), path.name, 20)
    return path
