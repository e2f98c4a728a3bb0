"""Two models on one benchmark, five attempts a question: replayed, compared, and significant only because they are paired."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.model.comparison import Comparison
from agenteval.runner.comparing import CompareRequest, compare_stored
from tests.builders import shared_data

pytestmark = pytest.mark.data

MODELS = {"openai/gpt-5-nano-2025-08-07": "nano", "openai/gpt-5.4-mini-2026-03-17": "mini"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose two agents have answered every question five times."""
    root = tmp_path_factory.mktemp("gpqa")
    recordings: dict[str, list[str]] = {"nano": [], "mini": []}
    items: dict[str, None] = {}
    with shared_data("data", "gpqa_diamond_scores.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            items.setdefault(row["item_id"])
            attempt = {"case_id": row["item_id"], "repetition": int(row["epoch"]) - 1, "output": "", "raw": {"score": float(row["score"])}}
            recordings[MODELS[row["model_id"]]].append(json.dumps(attempt))
    scored = [{"field": {"path": "raw.score", "equals": 1.0}}]
    cases = [{"id": item, "prompt": item, "repeat": 5, "evaluators": scored} for item in items]
    (root / "suite.json").write_text(json.dumps({"cases": cases}))
    agents = {}
    for name, lines in recordings.items():
        (root / f"{name}.jsonl").write_text("\n".join(lines))
        options = {"recording": f"{name}.jsonl"}
        agents[name] = {"adapter": "agenteval.adapters.replay:Replay", "adapter_options": options, "golden_suite": "suite.json"}
    (root / "agents.yaml").write_text(json.dumps({"version": 1, "agents": agents}))
    done = agenteval(root, "run", "--all", "--quiet", "--fail-on", "never")
    assert done.returncode == 0, done.stderr
    return root


def agenteval(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "agenteval", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", timeout=60, check=False)


def stored(root: Path, agent: str) -> str:
    (path,) = (root / "runs" / agent).glob("2*.json")
    return str(path)


@pytest.fixture(scope="module")
def comparison(folder: Path) -> Comparison:
    """Nano set against mini."""
    return compare_stored(CompareRequest(cwd=folder, run=stored(folder, "nano"), baseline=stored(folder, "mini")))


@pytest.mark.parametrize("agent", ["nano", "mini"])
def test_every_attempt_of_every_question_is_stored(folder: Path, agent: str) -> None:
    run = load_run(Path(stored(folder, agent)))

    attempts = Counter(attempt.case_id for attempt in [*run.cases, *run.repetitions])
    assert (len(attempts), set(attempts.values())) == (198, {5})


def test_the_difference_is_the_published_one(comparison: Comparison) -> None:
    assert comparison.test is not None
    assert comparison.test.n_pairs == 198
    assert comparison.test.difference == pytest.approx(0.058586, abs=1e-5)


def test_the_other_way_round_it_is_a_drop(folder: Path, comparison: Comparison) -> None:
    turned = compare_stored(CompareRequest(cwd=folder, run=stored(folder, "mini"), baseline=stored(folder, "nano"))).test

    assert turned is not None and comparison.test is not None
    assert turned.difference == pytest.approx(-0.058586, abs=1e-5)
    assert (turned.regressed, turned.improved) == (comparison.test.improved, comparison.test.regressed)
    assert (turned.p, turned.t_p) == pytest.approx((comparison.test.p, comparison.test.t_p))


def test_questions_not_attempts_are_what_is_tested(comparison: Comparison) -> None:
    assert comparison.test is not None
    assert comparison.test.method == "sign-flip over cases"
    assert comparison.test.p == pytest.approx(0.0395, abs=5e-4)
    assert comparison.test.t_p == pytest.approx(0.0363, abs=5e-5)


def test_both_tests_are_printed(folder: Path) -> None:
    result = agenteval(folder, "compare", stored(folder, "nano"), "--baseline", stored(folder, "mini"))

    (line,) = [line for line in result.stdout.splitlines() if "sign-flip over cases" in line]
    assert "198 pairs, p = .04; paired t p = .036;" in line
