"""``agenteval compare`` as a process, on runs that ``agenteval run`` stored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
EQUAL = ("latest~1", "--baseline", "latest~2")
WORSE = ("latest", "--baseline", "latest~1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs that agree, then one in which the case ``two`` fails."""
    root = tmp_path_factory.mktemp("compare")
    (root / ".git").mkdir()
    (root / "bot.py").write_text(
        "from pathlib import Path\n\n\ndef answer(prompt):\n    return 'wrong' if prompt == 'two' and Path('broken').exists() else prompt\n"
    )
    write_suite(root, "one", "two", "three")
    (root / "agents.yaml").write_text("version: 1\nagents:\n  bot: {adapter: 'bot:answer', golden_suite: suite.json}\n")
    for code in (0, 0, 1):
        done = agenteval(root, "run", "--quiet")
        assert done.returncode == code, done.stderr
        if len(list((root / "runs/bot").glob("2*.json"))) == 2:
            (root / "broken").touch()
    return root


def write_suite(root: Path, *prompts: str) -> None:
    cases = [{"id": prompt.replace(" ", "-"), "prompt": prompt, "expects": {"ground_truth": prompt}} for prompt in prompts]
    (root / "suite.json").write_text(json.dumps(cases))


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(REPO)}


def agenteval(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "agenteval", *arguments]
    return subprocess.run(command, cwd=root, env=environment(), capture_output=True, encoding="utf-8", timeout=60, check=False)


def run_ids(root: Path) -> list[str]:
    """In the order in which the runs began."""
    entries = json.loads((root / "runs/bot/history.json").read_text(encoding="utf-8"))["entries"]
    return [entry["run_id"] for entry in sorted(entries, key=lambda entry: entry["started_at"])]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (EQUAL, 0),
        (WORSE, 1),
        ((*WORSE, "--max-correctness-drop", "1"), 0),
        ((*WORSE, "--max-correctness-drop", "1", "--min-pass-rate", "1"), 1),
        ((*EQUAL, "--min-pass-rate", "1"), 0),
        ((*EQUAL, "--min-pass-rate", "2"), 2),
        (("--current", "latest", "--baseline", "latest"), 0),
        (("latest", "--current", "latest", "--baseline", "latest~1"), 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_exit_codes(folder: Path, arguments: tuple[str, ...], code: int) -> None:
    result = agenteval(folder, "compare", *arguments)

    assert result.returncode == code, result.stderr
    assert result.stderr.startswith("Error: ") if code == 2 else result.stderr == ""


def test_equal_runs_pass(folder: Path) -> None:
    result = agenteval(folder, "compare", *EQUAL)

    assert result.stdout.splitlines()[-1] == "PASS  no worse than the baseline: all 3 cases as before, 100% correct"


def test_a_regression_is_named_with_its_reason(folder: Path) -> None:
    lines = agenteval(folder, "compare", *WORSE).stdout.splitlines()

    assert "  regressed          two  passed -> failed  exact: expected 'two', the answer is 'wrong'" in lines
    assert lines[-1] == "FAIL  worse than the baseline: 1 of 3 regressed, p = 1: two"


def test_a_gate_that_fails_is_named(folder: Path) -> None:
    result = agenteval(folder, "compare", *WORSE, "--max-correctness-drop", "1", "--min-pass-rate", "1")

    failed = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("  FAIL ")]
    assert failed == ["min_pass_rate:"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            (),
            "Error: --baseline: no baseline: baselines/bot.json does not exist; "
            "pin a run with `agenteval baseline set RUN`, or name one with --baseline\n",
        ),
        (("nothere", "--baseline", "latest"), "Error: RUN: no run 'nothere' in runs; `agenteval runs list` shows them\n"),
        (
            ("latest", "--baseline", "nothere"),
            "Error: --baseline: no run 'nothere' of agent 'bot' in runs; `agenteval runs list` shows them\n",
        ),
    ],
    ids=["no baseline", "unknown run", "unknown baseline"],
)
def test_what_is_missing_is_said_in_one_line(folder: Path, arguments: tuple[str, ...], line: str) -> None:
    result = agenteval(folder, "compare", *arguments)

    assert (result.returncode, result.stdout, result.stderr) == (2, "", line)


def test_json_is_one_object_with_the_verdict_and_every_case(folder: Path) -> None:
    result = agenteval(folder, "compare", *WORSE, "--json")

    document = json.loads(result.stdout)
    assert (result.returncode, document["passed"], document["verdict"]["outcome"]) == (1, False, "fail")
    assert [document["baseline"], document["current"]] == run_ids(folder)[1:]
    correctness = {metric["name"]: metric for metric in document["metrics"]}["correctness_rate"]
    assert (correctness["baseline"]["value"], correctness["delta"]) == (1.0, pytest.approx(-1 / 3))
    assert [(row["case_id"], row["before"], row["after"], row["kind"]) for row in document["transitions"]] == [
        ("one", "passed", "passed", "unchanged"),
        ("two", "passed", "failed", "regressed"),
        ("three", "passed", "passed", "unchanged"),
    ]


def test_markdown_begins_with_the_verdict(folder: Path) -> None:
    result = agenteval(folder, "compare", *WORSE, "--markdown")

    assert result.returncode == 1
    assert result.stdout.splitlines()[0] == "## FAIL: worse than the baseline: 1 of 3 regressed, p = 1: two"


def test_files_are_written_beside_what_is_printed(folder: Path, tmp_path: Path) -> None:
    files = ("--json-out", str(tmp_path / "c.json"), "--markdown-out", str(tmp_path / "c.md"))
    result = agenteval(folder, "compare", *WORSE, *files)

    assert result.stdout.splitlines()[-1].startswith("FAIL  worse")
    assert (tmp_path / "c.json").read_text(encoding="utf-8") == agenteval(folder, "compare", *WORSE, "--json").stdout
    assert (tmp_path / "c.md").read_text(encoding="utf-8") == agenteval(folder, "compare", *WORSE, "--markdown").stdout


@pytest.mark.parametrize(("arguments", "code"), [(EQUAL, 0), (WORSE, 1)], ids=["equal", "worse"])
@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_reader_that_goes_away_does_not_change_the_exit_code(folder: Path, reader: str, arguments: tuple[str, ...], code: int) -> None:
    result = piped(folder, f"compare {' '.join(arguments)}", reader)

    assert (result.returncode, result.stderr) == (code, "")


def test_nor_does_one_that_leaves_most_of_a_long_answer(folder: Path, tmp_path: Path) -> None:
    write_suite(tmp_path, "two", *(f"case {number}" for number in range(600)))
    for name in ("bot.py", "agents.yaml"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / ".git").mkdir()
    agenteval(tmp_path, "run", "--quiet")
    (tmp_path / "broken").touch()
    agenteval(tmp_path, "run", "--quiet")

    result = piped(tmp_path, "compare latest --baseline latest~1 --max-correctness-drop 0 --json", "head -c 1")

    assert (result.returncode, result.stdout, result.stderr) == (1, "{", "")


def piped(root: Path, command: str, reader: str) -> subprocess.CompletedProcess[str]:
    """The command with its output piped into a reader, in a shell that reports the command's failure."""
    script = ["bash", "-c", f'set -o pipefail; "{sys.executable}" -m agenteval {command} | {reader}']
    return subprocess.run(script, cwd=root, env=environment(), capture_output=True, encoding="utf-8", timeout=60, check=False)
