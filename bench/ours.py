"""AgentEval's own measurements, one a process: `python bench/ours.py NAME FOLDER` prints JSON as its last line."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
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
    write_suite(folder / "suite.yaml", cases)
    return timed_run(folder, agent, **choice)


def timed_run(folder: Path, agent: Callable[..., Any], **choice: Any) -> tuple[float, Path]:
    """As ``executed``, of the suite that lies in the folder."""
    from agenteval import load_suite, run_suite
    from agenteval.runner import session

    suite = load_suite(folder / "suite.yaml")
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


JUDGEMENTS, ASKED_AT_ONCE = 1000, 20


def judged(folder: Path) -> dict[str, float]:
    """Milliseconds a judgement that a run takes beyond the bare client's own, 1,000 of them at concurrency 20; and the bare client's."""
    with subprocess.Popen([sys.executable, str(Path(__file__).with_name("endpoint.py"))], stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        url = json.loads(served.stdout.readline())["url"]
        try:
            bare, whole = min(bare_client(url) for _ in range(2)), min(judged_run(folder / str(n), url) for n in range(2))
        finally:
            served.terminate()
    return {"value": (whole - bare) / JUDGEMENTS * 1000, "bare": bare / JUDGEMENTS * 1000}


def bare_client(url: str) -> float:
    """Seconds for as many requests of the openai client alone, from as many threads."""
    from concurrent.futures import ThreadPoolExecutor

    from openai import OpenAI

    client = OpenAI(api_key="none", base_url=url, max_retries=0)
    messages = [{"role": "system", "content": "x" * 700}, {"role": "user", "content": "y" * 500}]

    def ask(_: int) -> None:
        client.chat.completions.create(model="judge", messages=messages, max_tokens=800, temperature=0.0)  # type: ignore[call-overload]

    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        list(pool.map(ask, range(2 * ASKED_AT_ONCE)))
        began = time.perf_counter()
        list(pool.map(ask, range(JUDGEMENTS)))
        seconds = time.perf_counter() - began
    client.close()
    return seconds


def judged_run(folder: Path, url: str) -> float:
    """Seconds of a run whose every case is judged by the endpoint."""
    folder.mkdir()
    cases = "".join(f"- {{id: c{n}, prompt: v{n}, evaluators: [{{llm_judge: is it v{n}}}]}}\n" for n in range(JUDGEMENTS))
    suite = f"name: judged\njudge: {{model: judge, base_url: '{url}', cache: false}}\ncases:\n{cases}"
    (folder / "suite.yaml").write_text(suite, encoding="utf-8")
    seconds, path = timed_run(folder, answer_blocking, concurrency=ASKED_AT_ONCE)
    with path.open(encoding="utf-8") as file:
        assert f'"passed":{JUDGEMENTS}' in file.readline()
    return seconds


if __name__ == "__main__":
    name, place = sys.argv[1:3]
    os.chdir(place)
    print("\n" + json.dumps(globals()[name](Path(place))))
