"""Whole ``agenteval run`` processes beside one another in one project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from agenteval.artifacts.reading import load_run

REPO = Path(__file__).parents[2]


def test_sixteen_runs_at_once_leave_sixteen_files_and_entries(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    cases = [{"id": prompt, "prompt": prompt, "expects": {"ground_truth": prompt}} for prompt in ("one", "two")]
    (tmp_path / "suite.json").write_text(json.dumps(cases))
    command = [sys.executable, "-m", "agenteval", "run", "suite.json", "--agent", "tests.runner.agents:echo", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}

    processes = [
        subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        for _ in range(16)
    ]
    try:
        ended = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]
    finally:
        for process in processes:
            process.kill()

    assert ended == [("", 0)] * 16
    (agent,) = (tmp_path / "runs").iterdir()
    files = {path.name for path in agent.glob("2*.json")}
    entries = json.loads((agent / "history.json").read_text(encoding="utf-8"))["entries"]
    assert len(files) == len(entries) == 16
    assert {entry["file"] for entry in entries} == files
    assert {load_run(agent / name).head.counts["passed"] for name in files} == {2}
    assert {path.name for path in agent.iterdir()} - {".history.json.lock"} == files | {"history.json"}
