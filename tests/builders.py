"""Builders of values for tests: small, explicit, with sensible defaults."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from agenteval.model.attempt import Attempt
from agenteval.model.facts import counts_of, facts_of
from agenteval.model.run import Run, RunHead, Selection, SuiteRef
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status


def shared_data(*parts: str) -> Path:
    """A path among the real data files; skips the test, with the reason, where they are absent."""
    root = Path(os.environ.get("AGENTEVAL_DATA") or Path(__file__).parents[2] / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"real data absent: {'/'.join(parts)} not found; set AGENTEVAL_DATA to the folder that holds data/ and acceptance/")
    return path


def an_attempt(case_id: str = "a", passed: bool | None = True, **changes: Any) -> Attempt:
    """An attempt with one exact score; ``passed`` None gives an agent error."""
    status = {True: Status.PASSED, False: Status.FAILED, None: Status.AGENT_ERROR}[passed]
    scores = () if passed is None else (Score("exact", value=float(passed), passed=passed, reason="exact", feeds=Feeds.CORRECTNESS),)
    fields: dict[str, Any] = {
        "case_id": case_id,
        "status": status,
        "correct": passed,
        "prompt": "q",
        "output": "a",
        "scores": scores,
        "latency_ms": 100.0,
        "definition": f"def-{case_id}",
    }
    return Attempt(**{**fields, **changes})


def a_run(attempts: list[Attempt], repetitions: list[Attempt] | None = None, run_id: str = "20261130T120000Z-abc1234-000001", **changes: Any) -> Run:
    """A run over these attempts; ``changes`` go to its head."""
    outcomes = [facts_of(attempt).outcome for attempt in attempts]
    head = {
        "run_id": run_id,
        "agent": "bot",
        "suite": SuiteRef("suite", "suite.yaml", "hash", len(attempts)),
        "started_at": "2026-11-30T12:00:00.000Z",
        "counts": counts_of(outcomes),
        "selection": Selection(),
    }
    return Run(RunHead(**{**head, **changes}), {}, tuple(outcomes), attempts, repetitions or [])
