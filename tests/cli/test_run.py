"""``agenteval run`` as a process: its exit codes, what goes to which stream, and what is left on disk."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".git").mkdir()
    cases = [
        {"id": name, "prompt": name, "expects": {"correctness_type": "exact", "ground_truth": truth}}
        for name, truth in (("good", "good"), ("bad", "never"), ("raise", "x"), ("close stdout", "close stdout"), ("print", "print"))
    ]
    for case in cases:
        case["id"] = case["id"].replace(" ", "_")
    (tmp_path / "suite.yaml").write_text(json.dumps(cases))
    return tmp_path


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agenteval", "run", "suite.yaml", "--agent", "tests.runner.agents:hostile", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPO), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--case-id", "good"], 0),
        (["--case-id", "bad"], 1),
        (["--case-id", "raise"], 1),
        (["--case-id", "raise", "--allow-agent-errors"], 2),
        (["--case-id", "good", "--case-id", "raise"], 1),
        (["--case-id", "good", "--case-id", "raise", "--allow-agent-errors"], 0),
        (["--case-id", "good", "--case-id", "raise", "--allow-agent-errors", "--fail-on", "case"], 1),
        (["--case-id", "bad", "--fail-on", "never"], 0),
        (["--case-id", "bad", "--exit-zero"], 0),
        (["--case-id", "bad", "--no-score"], 0),
        (["--case-id", "god"], 2),
        (["--tag", "none"], 2),
        (["--repeat", "0"], 2),
        (["--timeout", "nan"], 2),
        (["--max-cost-usd", "inf"], 2),
        (["--max-correctness-drop", "nan"], 2),
        (["--agent", "nowhere:x"], 2),
        (["--runs-dir", "/proc/none"], 3),
        (["--list"], 0),
        (["--dry-run"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_exit_codes(folder, arguments, code):
    result = run(folder, *arguments)

    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr + result.stdout
    if code in (2, 3) and "raise" not in arguments:
        assert result.stderr.startswith("Error: ")


def test_everything_errored_and_allowed_is_no_verdict(folder):
    result = run(folder, "--case-id", "raise", "--quiet", "--allow-agent-errors")

    assert result.stdout == "NO VERDICT  nothing was decided: 1 agent error\n"


def test_the_last_lines_are_the_verdict_and_what_to_do_next(folder):
    result = run(folder, "--case-id", "good")

    assert result.stdout.splitlines()[-2:] == [
        "PASS  no baseline: the one decided case passes; pin this run with `agenteval baseline set latest`",
        "next: agenteval baseline set latest",
    ]


def test_standard_output_is_one_json_object_whatever_the_agent_prints_or_closes(folder):
    result = run(folder, "--json", "--fail-on", "never")

    document = json.loads(result.stdout)
    assert document["exit_code"] == 0
    assert {row["case_id"]: row["status"] for row in document["outcomes"]} == {
        "good": "passed",
        "bad": "failed",
        "raise": "agent_error",
        "close_stdout": "passed",
        "print": "passed",
    }
    assert "noise from the agent" in result.stderr


def test_events_are_json_lines_on_request(folder):
    result = run(folder, "--json", "-v", "--case-id", "good")

    events = [json.loads(line)["event"] for line in result.stderr.splitlines()]
    assert events == ["started", "attempt finished", "finished"]


def test_a_reader_that_goes_away_loses_nothing(folder):
    command = f"{sys.executable} -m agenteval run suite.yaml --agent tests.runner.agents:hostile -v | head -1"
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, timeout=60, check=True)

    (agent,) = [path for path in (folder / "runs").iterdir() if path.is_dir()]
    assert len(json.loads((agent / "history.json").read_text())["entries"]) == 1


def test_the_c_locale_and_foreign_names_are_no_obstacle(folder):
    case = {"id": "größe_日本", "prompt": "日本", "expects": {"correctness_type": "exact", "ground_truth": "日本"}}
    (folder / "suite.yaml").write_text(json.dumps([case], ensure_ascii=False), encoding="utf-8")

    result = run(folder, "-v", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert result.returncode == 0, result.stderr
    assert "größe_日本" in result.stderr


def test_planted_secrets_are_in_no_file_and_no_output(folder):
    secret = "sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
    (folder / "leaky.py").write_text(
        "import os\nfrom agenteval import AgentResponse\n"
        "def answer(prompt):\n"
        "    key = os.environ['MY_API_KEY']\n"
        "    if prompt == 'raise':\n        raise RuntimeError('refused https://api.example/?api_key=' + key)\n"
        "    calls = [{'name': 'call', 'arguments': {'api_key': key}}]\n"
        "    return AgentResponse('the key is ' + key, tool_calls=calls, raw={'header': 'Bearer ' + key})\n"
    )
    selected = ["--case-id", "good", "--case-id", "raise"]
    result = run(folder, "--agent", "leaky:answer", "-v", *selected, "--meta", f"key={secret}", MY_API_KEY=secret)

    everything = result.stdout + result.stderr + "".join(path.read_text() for path in folder.rglob("*.json*") if path.is_file())
    assert secret not in everything


def test_the_list_says_what_is_left_out(folder):
    result = run(folder, "--list", "--case-id", "good")

    assert result.stdout == "good\n1 case of suite for hostile, 4 left out\n"


def test_a_dry_run_counts_calls_and_says_what_they_cost(folder):
    result = run(folder, "--dry-run", "--case-id", "good", "--repeat", "3", "--repeat-all")

    assert result.stdout.splitlines() == [
        "good  3 attempts",
        "1 case of suite for hostile, 4 left out",
        "3 calls of the agent; cost unknown: no stored run of this suite recorded one",
    ]
    assert not (folder / "runs").exists()


@pytest.mark.parametrize("prompt", ["close descriptors", "empty import path"])
def test_an_agent_that_takes_what_the_process_needs_does_not_cost_the_run(folder, prompt):
    case = {"prompt": prompt, "expects": {"correctness_type": "exact", "ground_truth": prompt}}
    (folder / "suite.yaml").write_text(json.dumps([{**case, "id": "first"}, {**case, "id": "second"}]))

    result = run(folder, "--concurrency", "1", "--quiet")

    assert (result.returncode, result.stderr) == (0, "")
    assert "all 2 decided cases pass" in result.stdout


def test_every_enabled_agent_runs_its_own_golden_suite_and_the_worst_code_counts(folder):
    (folder / "agents.yaml").write_text(
        "version: 1\nagents:\n"
        "  good: {adapter: 'tests.runner.agents:echo', golden_suite: good.yaml}\n"
        "  bad: {adapter: 'tests.runner.agents:hostile', golden_suite: suite.yaml}\n"
        "  off: {adapter: 'nowhere:x', golden_suite: good.yaml, enabled: false}\n"
    )
    (folder / "good.yaml").write_text("- {id: a, prompt: a, expects: {ground_truth: a}}\n")
    command = [sys.executable, "-m", "agenteval", "run", "--all", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}

    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=False)

    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert (lines[0], lines[2]) == ("good:", "bad:")
    assert lines[1].startswith("PASS") and lines[3].startswith("FAIL")


def test_a_verdict_names_the_repeated_cases_that_are_not_steady(folder):
    cases = [{"id": name, "prompt": name, "expects": {"ground_truth": name}} for name in "abcdef"]
    (folder / "suite.yaml").write_text(json.dumps(cases))

    result = run(folder, "--agent", "tests.runner.agents:by_seed", "--repeat", "6", "--repeat-all", "--quiet", "--fail-on", "never")

    verdict, flaky = result.stdout.splitlines()
    assert verdict.startswith("FAIL")
    assert flaky.startswith("flaky: ") and "of 6 repeated cases: a (" in flaky and "of 6 passed)" in flaky
