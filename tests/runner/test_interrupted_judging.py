"""A second interrupt while the judge is asked: what it cut short is made again by ``--resume``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.reading import load_run
from tests.llm.server import Answer, Endpoint, endpoint, said
from tests.runner.project import statuses

REPO = Path(__file__).parents[2]
JUDGED: dict[str, Any] = {"evaluators": [{"llm_judge": {"criteria": "polite"}}]}
CASES = {
    "of_the_answer": [{"id": "quick", "prompt": "quick", **JUDGED}, {"id": "slow", "prompt": "slow", **JUDGED}],
    "of_a_turn": [{"id": "quick", "prompt": "quick", **JUDGED}, {"id": "slow", "turns": [{"prompt": "slow", **JUDGED}]}],
}


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "agenteval", "run", "suite.yaml", "--agent", "tests.runner.agents:echo", "--quiet", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPO), "OPENAI_API_KEY": "sk-test-0123456789abcdefghij"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(model: Endpoint, requests: int) -> None:
    until = time.monotonic() + 60
    while len(model.requests) < requests and time.monotonic() < until:
        time.sleep(0.02)


@pytest.mark.parametrize("where", CASES)
def test_a_judgement_cut_short_by_a_second_interrupt_is_made_again(tmp_path: Path, where: str) -> None:
    (tmp_path / ".git").mkdir()
    patience = [60.0]
    with endpoint() as model:
        model.reply = lambda request, number: Answer('{"passed": true}', delay_s=patience[0] if "slow" in said(request) else 0)
        settings = {"model": "judge-1", "base_url": model.url, "timeout_s": 90}
        (tmp_path / "suite.yaml").write_text(json.dumps({"judge": settings, "cases": CASES[where]}))
        process = started(tmp_path)
        wait_for(model, 2)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
        process.communicate(timeout=60)
        assert process.returncode == 130
        (file,) = (path for path in (tmp_path / "runs" / "echo").glob("*.json") if path.name != "history.json")
        cut_short = load_run(file)
        assert statuses(cut_short) == {"quick": "passed", "slow": "evaluator_error"}
        assert str(cut_short.cases[1].reason).endswith("given up at the second interrupt")
        patience[0] = 0.0
        process = started(tmp_path, "--resume")
        process.communicate(timeout=60)
        assert process.returncode == 0
        assert statuses(load_run(file)) == {"quick": "passed", "slow": "passed"}
        assert len(model.requests) == 3
