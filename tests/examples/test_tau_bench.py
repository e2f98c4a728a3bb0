"""The recorded benchmark gives its published figures when it is judged again."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from agenteval.artifacts.reading import load_run, load_sidecar
from agenteval.compare import compare_runs
from agenteval.compare.statistics import cohen_kappa
from agenteval.model.run import Run
from agenteval.model.status import Status
from tests.builders import shared_data

PREPARE = Path(__file__).parents[2] / "examples/tau_bench/prepare.py"

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tau")
    trials = shared_data("data", "tau_bench_gpt4o_airline.jsonl")
    subprocess.run([sys.executable, str(PREPARE), str(trials), "--out", str(folder)], check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-m", "agenteval", "run", "--quiet"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    (path,) = (folder / "runs/tau_bench_gpt4o").glob("2*.json")
    return path


@pytest.fixture(scope="module")
def run(run_file: Path) -> Run:
    return load_run(run_file)


def test_all_of_k_attempts_pass_as_often_as_published(run: Run) -> None:
    assert run.head.repeats is not None
    assert run.head.repeats.pass_hat_k == pytest.approx({1: 0.42, 2: 0.2733, 3: 0.22, 4: 0.20}, abs=5e-5)


def test_one_of_k_attempts_passes_as_often_as_published(run: Run) -> None:
    assert run.head.repeats is not None
    assert run.head.repeats.pass_at_k == pytest.approx({1: 0.42, 2: 0.5667, 3: 0.66, 4: 0.72}, abs=5e-5)


def test_standard_error_counts_tasks_not_trials(run: Run) -> None:
    assert run.head.repeats is not None
    assert run.head.repeats.clustered_se == pytest.approx(0.0517, abs=5e-5)


def test_flaky_steady_and_hopeless_tasks_are_told_apart(run: Run) -> None:
    seen: dict[str, set[Status]] = {}
    for attempt in [*run.cases, *run.repetitions]:
        seen.setdefault(attempt.case_id, set()).add(attempt.status)

    kinds = Counter("flaky" if len(statuses) > 1 else str(next(iter(statuses))) for statuses in seen.values())
    assert kinds == {"flaky": 26, "passed": 10, "failed": 14}


def test_the_sidecar_classifies_the_same_flaky_tasks(run_file: Path) -> None:
    sidecar = load_sidecar(run_file.parent / "flakiness" / run_file.name)

    assert sum(case.consistency is not None and case.consistency < 1 for case in sidecar.cases) == 26


def test_writing_calls_stand_in_for_the_reward(run: Run) -> None:
    table = [[0, 0], [0, 0]]
    for attempt in [*run.cases, *run.repetitions]:
        verdicts = {score.name: bool(score.passed) for score in attempt.scores}
        table[verdicts["field"]][verdicts["tool_calls"]] += 1

    kappa = cohen_kappa(table)
    assert kappa is not None
    assert kappa.value == pytest.approx(0.865, abs=1e-3)


def test_judging_again_with_a_new_check_changes_only_what_it_should(run: Run, run_file: Path) -> None:
    folder = run_file.parents[2]
    suite = folder / "suite.yaml"
    before = suite.read_text(encoding="utf-8")
    assert "defaults:" not in before
    suite.write_text(before.replace("cases:", "defaults: {evaluators: [{max_steps: 20, required: false}]}\ncases:", 1), encoding="utf-8")
    try:
        done = subprocess.run([sys.executable, "-m", "agenteval", "rescore"], cwd=folder, capture_output=True, text=True)
    finally:
        suite.write_text(before, encoding="utf-8")
    assert done.returncode == 1, done.stderr
    path = max((folder / "runs/tau_bench_gpt4o").glob("2*.json"), key=lambda found: found.stat().st_mtime_ns)
    again = load_run(path)
    assert again.head.parent == run.head.run_id
    assert again.head.repeats == run.head.repeats
    assert [outcome.status for outcome in again.outcomes] == [outcome.status for outcome in run.outcomes]
    for then, now in zip(run.cases, again.cases, strict=True):
        assert (now.output, now.steps, now.tool_calls, now.raw, now.usage) == (
            then.output,
            then.steps,
            then.tool_calls,
            then.raw,
            then.usage,
        )
        assert {score.name for score in now.scores} - {score.name for score in then.scores} == {"max_steps"}
    compared = compare_runs(again, run)
    assert {item.kind for item in compared.transitions} <= {"unchanged", "changed_definition"}
