"""``agenteval validate`` checks everything and runs nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agenteval.cli.main import invoke

GOOD = """
- id: a
  prompt: How many?
  expects: {correctness_type: numeric, ground_truth: 3, must_call_tools: [sql]}
- id: b
  prompt: Who?
  expects: {ground_truth: Ada}
"""
BAD = "- id: a\n  prompt: hi\n  tags: smoke\n  expects: {ground_truth: x}\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(BAD)
    monkeypatch.chdir(tmp_path)


def test_a_good_suite_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["validate", "good.yaml"]) == 0

    assert capsys.readouterr() == ("good.yaml: ok, 2 cases, 3 checks\n", "")


def test_problems_end_with_2_and_good_files_are_still_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["validate", "bad.yaml", "good.yaml", "nope.yaml"]) == 2

    assert capsys.readouterr() == (
        "good.yaml: ok, 2 cases, 3 checks\n",
        "Error: bad.yaml:3:3: cases[0].tags: must be a list, not the text 'smoke'; write [smoke]\n"
        "Error: nope.yaml: there is no such file; check the path\n",
    )


def test_what_the_evaluators_refuse_is_located(capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.yaml").write_text(
        "- id: a\n  prompt: hi\n  expects:\n    correctness_type: fuzzy\n    ground_truth: x\n- id: b\n  prompt: hi\n"
    )

    assert invoke(["validate", "s.yaml"]) == 2

    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("Error: s.yaml:4:5: cases[0].expects.correctness_type: ")
    assert "'fuzzy'" in first
    assert second.startswith("Error: s.yaml:6:3: cases[1]")


def test_json_holds_every_problem(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["validate", "good.yaml", "bad.yaml", "--json"]) == 2

    captured = capsys.readouterr()
    assert json.loads(captured.out) == {
        "ok": False,
        "files": [
            {"file": "good.yaml", "kind": "suite", "ok": True, "cases": 2, "checks": 3, "problems": []},
            {
                "file": "bad.yaml",
                "kind": "suite",
                "ok": False,
                "problems": [
                    {
                        "what": "must be a list, not the text 'smoke'",
                        "fix": "write [smoke]",
                        "path": "cases[0].tags",
                        "file": "bad.yaml",
                        "line": 3,
                        "column": 3,
                    }
                ],
            },
        ],
    }
    assert captured.err == ""


def test_without_arguments_the_registry_and_its_suites_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    agents = "{a: {adapter: no.such:agent, golden_suite: good.yaml}, b: {adapter: m:f, golden_suite: good.yaml}}"
    Path("agents.yaml").write_text(f"version: 1\nagents: {agents}\n")

    assert invoke(["validate"]) == 0

    assert capsys.readouterr() == ("agents.yaml: ok, 2 agents\ngood.yaml: ok, 2 cases, 3 checks\n", "")


def test_a_wrong_registry_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("agents.yaml").write_text("version: 1\nagents: {a: {adaptor: m:f}}\n")

    assert invoke(["validate"]) == 2

    assert capsys.readouterr().err == (
        "Error: agents.yaml:2:10: agents.a: adapter is required; add it\n"
        "Error: agents.yaml:2:14: agents.a.adaptor: unknown key 'adaptor'; did you mean 'adapter'?\n"
    )


def test_nothing_to_check_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["validate"]) == 2

    assert capsys.readouterr().err == (
        "Error: SUITE: no suite was named, and there is no agents.yaml here or above; write agenteval validate SUITE\n"
    )


def test_an_unknown_dialect_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["validate", "good.yaml", "--dialect", "agentlense"]) == 2

    assert capsys.readouterr().err == "Error: --dialect: unknown dialect 'agentlense'; did you mean 'agentlens'?\n"
