"""``agenteval rescore`` as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[2]


def agenteval(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    command = [sys.executable, "-m", "agenteval", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


def write(folder: Path, **case: Any) -> None:
    cases = [{"id": "greet", "prompt": "hello", "expects": {"ground_truth": "hello"}, **case}]
    (folder / "suite.yaml").write_text(json.dumps(cases))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    write(tmp_path)
    done = agenteval(tmp_path, "run", "suite.yaml", "--agent", "tests.runner.agents:echo")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_the_latest_run_is_judged_again(folder: Path) -> None:
    write(folder, expects={"ground_truth": "good bye"})
    done = agenteval(folder, "rescore", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, [row["status"] for row in told["outcomes"]]) == (1, ["failed"])
    assert told["head"]["parent"]
    assert len(list((folder / "runs/echo").glob("2*.json"))) == 2


def test_an_unchanged_suite_passes_again(folder: Path) -> None:
    assert agenteval(folder, "rescore").returncode == 0


def test_a_check_without_its_evidence_is_listed_and_is_no_pass(folder: Path) -> None:
    write(folder, evaluators=[{"max_cost_usd": 0.1}])
    refused = agenteval(folder, "rescore")
    allowed = agenteval(folder, "rescore", "--allow-not-applicable")
    assert (refused.returncode, allowed.returncode) == (1, 0)
    assert "Not applicable for lack of evidence: max_cost_usd (1 attempt): not a pass; " in refused.stdout


def test_a_run_that_is_not_there_is_told(folder: Path) -> None:
    done = agenteval(folder, "rescore", "nosuchrun")
    assert done.returncode == 2
    assert "nosuchrun" in done.stderr


def test_todays_run_verifies_as_written(folder: Path) -> None:
    agenteval(folder, "rescore")
    assert agenteval(folder, "runs", "verify", "--all").returncode == 0
