"""promptfoo with its echo provider, the whole command; PROMPTFOO names the program."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from workload import Workload, report

workload = Workload.from_arguments()
with tempfile.TemporaryDirectory() as folder:
    tests = [{"vars": {"q": f"v{number}"}, "assert": [{"type": "equals", "value": f"v{number}"}]} for number in range(workload.cases)]
    config, written = Path(folder) / "config.json", Path(folder) / "out.json"
    config.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}), encoding="utf-8")
    quiet = {
        "PROMPTFOO_CONFIG_DIR": folder,
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "true",
    }
    command = [os.environ["PROMPTFOO"], "eval", "-c", str(config), "-o", str(written), "--no-cache", "--no-table", "--no-progress-bar"]
    began = time.perf_counter()
    subprocess.run([*command, "-j", str(workload.concurrency)], cwd=folder, env=os.environ | quiet, check=True, capture_output=True)
    seconds = time.perf_counter() - began
    assert json.loads(written.read_text())["results"]["stats"]["successes"] == workload.cases
    report(seconds, written.stat().st_size / workload.cases)
