"""AgentEval's own measurements, one a process: `python bench/ours.py NAME FOLDER` prints JSON as its last line."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CASES = 5000


async def answer(prompt: str) -> str:
    """An async agent that gives the prompt back."""
    return prompt


def answer_blocking(prompt: str) -> str:
    """A blocking one."""
    return prompt


async def answer_in_20_ms(prompt: str) -> str:
    """An async one that takes its time."""
    await asyncio.sleep(0.02)
    return prompt


def write_suite(path: Path, cases: int) -> Path:
    """A suite of trivial cases: the answer is the prompt."""
    lines = [f"- {{id: c{n}, prompt: v{n}, expects: {{correctness_type: exact, ground_truth: v{n}}}}}\n" for n in range(cases)]
    path.write_text(f"name: bench\ncases:\n{''.join(lines)}", encoding="utf-8")
    return path


def executed(agent: Callable[..., Any], folder: Path, cases: int, **choice: Any) -> tuple[float, Path]:
    """Seconds from before the first call until the last attempt is judged and on disk, as the other tools are timed; and the run's file."""
    from agenteval import load_suite, run_suite
    from agenteval.runner import session

    suite = load_suite(write_suite(folder / "suite.yaml", cases))
    seconds = 0.0
    run_units = session.run_units

    def timed(*arguments: Any, **options: Any) -> int:
        nonlocal seconds
        began = time.perf_counter()
        abandoned = run_units(*arguments, **options)
        seconds = time.perf_counter() - began
        return abandoned

    session.run_units = timed
    try:
        run_suite(suite, agent, runs_dir=folder / "runs", **choice)
    finally:
        session.run_units = run_units
    return seconds, max((folder / "runs").glob("*/2*.json"))


def overhead_async(folder: Path) -> dict[str, float]:
    seconds, path = executed(answer, folder, CASES)
    return {"value": seconds / CASES * 1e6, "bytes": path.stat().st_size / CASES}


def overhead_blocking(folder: Path) -> dict[str, float]:
    return {"value": executed(answer_blocking, folder, CASES)[0] / CASES * 1e6}


def concurrency(folder: Path) -> dict[str, float]:
    return {"value": executed(answer_in_20_ms, folder, 500, concurrency=10)[0]}


def list_runs(folder: Path) -> dict[str, float]:
    """Heads of 500 runs of 100 cases: copies of one file, each with an id of its own; the best of three listings that remember nothing."""
    from agenteval.artifacts.store import Store

    _, original = executed(answer, folder, 100)
    run_id = original.stem
    text = original.read_text(encoding="utf-8")
    original.unlink()
    for number in range(500):
        copied = f"{run_id[:-6]}{number:06x}"
        original.with_name(f"{copied}.json").write_text(text.replace(run_id, copied), encoding="utf-8")
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        listing = Store([folder / "runs"]).heads()
        best = min(best, time.perf_counter() - began)
        assert len(listing.runs) == 500, f"{len(listing.runs)} runs listed"
        del listing
    return {"value": best * 1000}


def compare(folder: Path) -> dict[str, float]:
    from agenteval import compare_runs, load_run

    _, before = executed(answer, folder, CASES)
    kept = Path(shutil.copy(before, folder / "before.json"))
    _, after = executed(answer, folder, CASES)
    began = time.perf_counter()
    comparison = compare_runs(load_run(after), load_run(kept))
    seconds = time.perf_counter() - began
    assert comparison.verdict.passed
    return {"value": seconds}


if __name__ == "__main__":
    name, place = sys.argv[1:3]
    os.chdir(place)
    print("\n" + json.dumps(globals()[name](Path(place))))
