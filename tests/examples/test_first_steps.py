"""What a newcomer runs first works as its page says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def agenteval(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "agenteval", *arguments], cwd=cwd, capture_output=True, text=True)


def test_the_mock_agent_passes_its_three_cases(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "examples/mock_agent", tmp_path / "mock", ignore=shutil.ignore_patterns("runs")))

    done = agenteval("run", "--quiet", cwd=folder)

    assert done.returncode == 0, done.stderr
    assert "no baseline: all 3 decided cases pass" in done.stdout


def test_the_demo_shows_the_gate_catching_a_regression(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(ROOT / "examples/demo.py"), str(tmp_path / "demo")], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "The gate caught it" in done.stdout


def test_the_candidate_is_listed_and_not_run(tmp_path: Path) -> None:
    listed = agenteval("run", "--list", "--agent", "support_agent", cwd=ROOT / "examples/support_agent")

    assert listed.returncode == 0, listed.stderr
    assert "refund_too_late" in listed.stdout
