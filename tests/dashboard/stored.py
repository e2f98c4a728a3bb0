"""Runs written to disk as the product writes them, for pages to open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agenteval._files import dumps
from agenteval.artifacts.paths import agent_dir, baseline_path, run_path, sidecar_path
from agenteval.artifacts.writing import line_hash, write_run, write_sidecar
from agenteval.compare.diff import compare_runs
from agenteval.compare.flakiness import flakiness
from agenteval.compare.measures import measures, repeats
from agenteval.model.attempt import Attempt
from agenteval.model.facts import facts_of
from agenteval.model.record import to_record
from agenteval.model.run import Run
from tests.builders import a_run


def store(
    folder: Path,
    attempts: list[Attempt],
    run_id: str,
    *,
    repetitions: list[Attempt] | None = None,
    baseline: Run | None = None,
    pin: bool = False,
    left_out: Sequence[str] = (),
    provenance: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Run:
    """Write a run (and sidecar, and baseline copy) below ``folder/runs`` with its measures and verdict, as ``agenteval run`` does."""
    lines = [dumps(to_record(attempt)) for attempt in attempts]
    facts = [facts_of(attempt, line_hash(line)) for attempt, line in zip(attempts, lines, strict=True)]
    day, clock = run_id[:8], run_id[9:15]
    started = f"{day[:4]}-{day[4:6]}-{day[6:]}T{clock[:2]}:{clock[2:4]}:{clock[4:]}.000Z"
    run = a_run(attempts, repetitions, run_id, **{"metrics": measures(facts), "started_at": started, **changes})
    head = run.head
    if repetitions:
        head = replace(head, repeats=repeats(run.observations()))
    head = replace(head, gate=compare_runs(run, baseline).verdict)
    outcomes = [fact.outcome for fact in facts]
    place = agent_dir(folder / "runs", head.agent)
    write_run(run_path(place, run_id), head, provenance or {"python": "3.12"}, outcomes, left_out, lines)
    if repetitions:
        cases = flakiness(run.observations())
        further = [dumps(to_record(attempt)) for attempt in repetitions]
        write_sidecar(sidecar_path(place, run_id), run_id, head.agent, 1 + max(a.repetition for a in repetitions), cases, further)
    if pin:
        write_run(baseline_path(folder / "baselines", head.agent, head.suite.name, True), head, {}, outcomes, [], lines)
    return replace(run, head=head)
