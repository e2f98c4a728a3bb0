"""The history that comes with the project: whole, unaltered, and worth looking at."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenteval.artifacts.reading import load_run, load_sidecar
from agenteval.artifacts.store import Store
from agenteval.artifacts.verify import verify
from agenteval.compare import compare_runs
from agenteval.compare.measures import measures
from agenteval.model.facts import facts_of
from agenteval.suites import read_registry

ROOT = Path(__file__).parents[2]
STORED = Store([ROOT / "runs"]).heads()
EXAMPLES = {"support_agent": "support_agent", "support_agent_moody": "support_agent", "llm_analyst": "llm_analyst"}
"""The example of each agent."""


def outcomes(agent: str) -> list[str]:
    return [item.head.gate.outcome for item in STORED.runs if item.head.agent == agent and item.head.gate is not None]


def test_the_shipped_runs_are_as_they_were_written() -> None:
    assert not STORED.unreadable
    for item in STORED.runs:
        assert verify(item.path, lambda attempts: measures(facts_of(attempt) for attempt in attempts)) == []


def test_the_shipped_history_shows_passes_and_failures() -> None:
    assert outcomes("support_agent") + outcomes("support_agent_moody") == ["pass"] * 4 + ["fail"] * 2
    assert outcomes("llm_analyst") == ["fail", "fail", "pass"]


@pytest.mark.parametrize("agent", ["support_agent", "llm_analyst"])
def test_the_shipped_baseline_is_the_first_of_them(agent: str) -> None:
    pinned = load_run(ROOT / "baselines" / f"{agent}.json")

    assert pinned.head.run_id == Store([ROOT / "runs"]).heads(agent).runs[0].head.run_id


def test_the_shipped_verdicts_come_out_again() -> None:
    for item in STORED.runs:
        run = load_run(item.path)
        assert run.head.gate is not None
        example = ROOT / "examples" / EXAMPLES[run.head.agent]
        limits = read_registry(example / "agents.yaml", start=example).agents[run.head.agent].gates
        baseline = load_run(ROOT / "baselines" / f"{run.head.agent}.json") if run.head.gate.baseline else None

        assert compare_runs(run, baseline, limits).verdict == run.head.gate, run.head.run_id


def test_the_shipped_history_knows_its_commit_and_nobody_by_name() -> None:
    for item in STORED.runs:
        assert item.head.git["dirty"] is False
        assert len(item.head.git["commit"]) == 40


def test_the_shipped_files_betray_no_machine() -> None:
    for path in [*(ROOT / "runs").rglob("*.json"), *(ROOT / "baselines").glob("*.json")]:
        text = path.read_text(encoding="utf-8")
        for place in ("/tmp", "/home/", "/work", "/root", "127.0.0.1", "localhost"):
            assert place not in text, f"{path}: {place}"


def test_the_real_model_is_right_now_and_then() -> None:
    repeated = [case for path in (ROOT / "runs/llm_analyst/flakiness").glob("*.json") for case in load_sidecar(path).cases]

    assert any(0 < case.passed < case.total for case in repeated)
