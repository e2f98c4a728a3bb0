"""Inspect listing the headers of stored logs, as its viewer does at start; each log holds as many samples as ours hold cases."""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import list_eval_logs, read_eval_log, write_eval_log
from inspect_ai.log._file import read_eval_log_headers
from inspect_ai.scorer import exact
from inspect_ai.solver import generate
from workload import report

LOGS, SAMPLES = 500, 100

samples = [Sample(id=number + 1, input=f"v{number}", target=f"v{number}") for number in range(SAMPLES)]
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=exact(), name="bench")
    (done,) = evaluate(task, model="mockllm/model", log_dir=str(folder / "first"), display="none")
    log = read_eval_log(done.location)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(LOGS):
        created = start + timedelta(hours=number)
        log.eval.created, log.eval.eval_id, log.eval.run_id = created.isoformat(), f"eval{number:06d}", f"run{number:06d}"
        write_eval_log(log, str(folder / "logs" / f"{created:%Y-%m-%dT%H-%M-%S}+00-00_bench_{number:022d}.eval"))
    times = []
    for _ in range(3):
        began = time.perf_counter()
        headers = read_eval_log_headers(list_eval_logs(str(folder / "logs")))
        times.append(time.perf_counter() - began)
        assert len(headers) == LOGS, f"{len(headers)} headers"
    report(min(times), None)
