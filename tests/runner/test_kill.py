"""Whatever moment a run is killed at, no finished attempt is lost, and resuming gives the run that nobody killed."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agenteval.artifacts.reading import load_run
from tests.runner.project import statuses

REPO = Path(__file__).parents[2]
AGENT = """
import os, pathlib, signal
CALLS = pathlib.Path(__file__).with_name("calls")

def answer(prompt, *, case_id, repetition, seed):
    with CALLS.open("a") as calls:
        calls.write(f"{case_id} {repetition}\\n")
    if len(CALLS.read_text().splitlines()) in {int(n) for n in os.environ.get("DIE_AT", "").split(",") if n}:
        os.kill(os.getpid(), signal.SIGKILL)
    if case_id == "broken":
        raise ValueError("always")
    return prompt if seed % 3 else "wrong"
"""
CASES = ["a", "b", "broken", "c", "d", "e", "f", "g"]
COMMAND = ["run", "suite.yaml", "--agent", "dying_agent:answer", "--fail-on", "never", "--quiet"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "dying_agent.py").write_text(AGENT)
    cases = [{"id": case, "prompt": case, "expects": {"correctness_type": "exact", "ground_truth": case}} for case in CASES]
    (tmp_path / "suite.yaml").write_text(json.dumps(cases))
    return tmp_path


def agenteval(folder: Path, *arguments: str, die_at: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(REPO), "DIE_AT": die_at, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", "agenteval", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def comparable(path: Path) -> dict:
    """A run file without what must differ: times, ids, hashes of lines that hold times, how it was started."""
    document = json.loads(path.read_text())
    head = document["head"]
    for name in ("run_id", "started_at", "duration_s", "digest", "resumed"):
        head.pop(name, None)
    for name in ("latency_p50_ms", "latency_p95_ms"):
        head["metrics"].pop(name, None)
    document["provenance"].pop("command")
    columns = document["outcomes"]["columns"]
    keep = [index for index, column in enumerate(columns) if column not in ("latency_ms", "line")]
    document["outcomes"]["rows"] = [[row[index] for index in keep] for row in document["outcomes"]["rows"]]
    for case in document["cases"]:
        for name in ("started_at", "latency_ms"):
            case.pop(name, None)
    return document


def only_run(folder: Path) -> Path:
    (path,) = [path for path in (folder / "runs" / "answer").glob("*.json") if path.name != "history.json"]
    return path


def sidecar(folder: Path) -> list:
    (path,) = (folder / "runs" / "answer" / "flakiness").glob("*.json")
    attempts = json.loads(path.read_text())["attempts"]
    return [{name: value for name, value in attempt.items() if name not in ("started_at", "latency_ms")} for attempt in attempts]


@pytest.mark.parametrize("die_at", [1, 2, 4, 8], ids=lambda at: f"call {at}")
def test_a_run_killed_at_any_call_resumes_to_the_run_that_nobody_killed(folder, tmp_path_factory, die_at):
    whole = tmp_path_factory.mktemp("whole")
    for name in ("dying_agent.py", "suite.yaml"):
        (whole / name).write_bytes((folder / name).read_bytes())
    (whole / ".git").mkdir()
    assert agenteval(whole, *COMMAND, "--concurrency", "1").returncode == 0

    killed = agenteval(folder, *COMMAND, "--concurrency", "1", die_at=str(die_at))
    resumed = agenteval(folder, *COMMAND, "--concurrency", "1", "--resume")

    assert killed.returncode == -signal.SIGKILL
    assert resumed.returncode == 0, resumed.stderr
    assert comparable(only_run(folder)) == comparable(only_run(whole))
    calls = (folder / "calls").read_text().splitlines()
    assert len(calls) == len(CASES) + 1
    assert load_run(only_run(folder)).head.resumed == 1
    assert not list((folder / "runs" / "answer").glob("journal/*"))


def test_repeats_killed_again_and_again_resume_to_the_run_that_nobody_killed(folder, tmp_path_factory):
    whole = tmp_path_factory.mktemp("whole")
    for name in ("dying_agent.py", "suite.yaml"):
        (whole / name).write_bytes((folder / name).read_bytes())
    (whole / ".git").mkdir()
    repeats = ["--repeat", "3", "--repeat-all"]
    assert agenteval(whole, *COMMAND, *repeats).returncode == 0

    assert agenteval(folder, *COMMAND, *repeats, die_at="3").returncode == -signal.SIGKILL
    for die_at in ("5", "9", "14", "20"):
        assert agenteval(folder, *COMMAND, "--resume", die_at=die_at).returncode == -signal.SIGKILL
    assert agenteval(folder, *COMMAND, "--resume").returncode == 0

    assert comparable(only_run(folder)) == comparable(only_run(whole))
    assert sidecar(folder) == sidecar(whole)
    assert load_run(only_run(folder)).head.resumed == 5


def test_a_kill_from_outside_loses_no_finished_attempt(folder):
    slow = AGENT.replace("    if case_id ==", "    import time; time.sleep(0.03)\n    if case_id ==")
    (folder / "dying_agent.py").write_text(slow)
    rng = random.Random(20261130)
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    for _ in range(3):
        command = [sys.executable, "-m", "agenteval", *COMMAND, "--concurrency", "1"]
        with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 20
            while not (folder / "calls").exists() and time.monotonic() < deadline:
                time.sleep(0.005)
            time.sleep(rng.uniform(0.0, 0.2))
            process.kill()
        finished = agenteval(folder, *COMMAND, "--resume")
        if finished.returncode == 2:  # the run was over before the kill
            assert "no unfinished run" in finished.stderr
        run = load_run(only_run(folder))
        assert set(statuses(run)) == set(CASES)
        assert "skipped" not in statuses(run).values()
        only_run(folder).unlink()
        (folder / "calls").unlink()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_one_signal_finishes_what_is_in_flight_and_writes_an_interrupted_run(folder, number):
    # The signal reaches the supervisor while the call that sent it is in flight.
    text = AGENT.replace("signal.SIGKILL)", f"signal.{number.name}); import time; time.sleep(0.3)")
    (folder / "dying_agent.py").write_text(text)

    interrupted = agenteval(folder, *COMMAND, "--concurrency", "1", die_at="3")

    assert interrupted.returncode == 130
    run = load_run(only_run(folder))
    assert run.head.status == "interrupted"
    assert list(statuses(run).values()).count("skipped") == len(CASES) - 3
    assert agenteval(folder, *COMMAND, "--resume").returncode == 0
    assert "skipped" not in statuses(load_run(only_run(folder))).values()
