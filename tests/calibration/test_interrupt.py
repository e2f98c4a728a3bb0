"""Ctrl-C while a judge is asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.llm.server import Answer, endpoint


def test_an_interrupt_does_not_wait_for_the_judge(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    items = [{"id": str(number), "prompt": "p", "candidate_answer": "a", "human_label": True} for number in range(8)]
    (tmp_path / "set.json").write_text(json.dumps(items))
    with endpoint() as model:
        model.script(Answer('{"passed": true}', delay_s=50))
        process = subprocess.Popen(
            [sys.executable, "-m", "agenteval", "calibrate", "--judge", "someone", "--golden-set", "set.json"],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "OPENAI_API_KEY": "sk-test-0123456789abcdefghij",
                "AGENTEVAL_JUDGE_MODEL": "judge-1",
                "AGENTEVAL_JUDGE_BASE_URL": model.url,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + 60
        while not model.requests and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.strip() == "Interrupted."
    assert not (tmp_path / "runs" / "someone").exists()
