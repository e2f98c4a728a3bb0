"""``agenteval runs``, ``history`` and ``baseline`` as a user types them."""

import json

import pytest

from agenteval.cli.main import invoke
from tests.artifacts.stored import run_id, store
from tests.builders import an_attempt, shared_data


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("AGENTEVAL_RUNS_DIR", "AGENTEVAL_REGISTRY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_an_empty_project_says_so(project, capsys):
    assert invoke(["runs", "list"]) == 0
    assert capsys.readouterr().out == "no runs in runs\n"

    assert invoke(["history"]) == 0
    assert capsys.readouterr().out == "no history; `agenteval run` writes it\n"

    assert invoke(["baseline", "list"]) == 0
    assert capsys.readouterr().out == "no baselines; pin a run with `agenteval baseline set latest`\n"

    assert invoke(["runs", "show"]) == 2
    assert capsys.readouterr().err == "Error: RUN: there is no run in runs; run a suite first\n"


def test_runs_are_listed_newest_first_with_what_cannot_be_read(project, capsys):
    store(project / "runs", 1)
    store(project / "runs", 2, attempts=[an_attempt("a"), an_attempt("b", None)], label="night")
    (project / "runs" / "bad.json").write_text("[1,2]")

    assert invoke(["runs", "list"]) == 0

    assert capsys.readouterr().out == (
        "RUN                              AGENT  SUITE  STATUS     PASSED    CORRECTNESS  LATENCY P50  LABEL\n"
        f"{run_id(2)}  bot    suite  completed  1/1 (+1)  100%         100 ms       night\n"
        f"{run_id(1)}  bot    suite  completed  1/2       50%          100 ms\n"
        "unreadable: runs/bad.json: is not a run but a JSON list\n"
    )


def test_runs_as_json(project, capsys):
    store(project / "runs", 1)
    (project / "runs" / "bad.json").write_text("")

    assert invoke(["runs", "list", "--json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert [(item["run_id"], item["path"]) for item in document["runs"]] == [(run_id(1), f"runs/bot/{run_id(1)}.json")]
    assert document["unreadable"] == [{"path": "runs/bad.json", "reason": "is empty"}]


def test_one_run_and_one_case_are_shown(project, capsys):
    store(project / "runs", 1)

    assert invoke(["runs", "show", "latest"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"run {run_id(1)}  suite  bot  completed\nstarted 2026-11-30T12:00:01.000Z; 1 passed, 1 failed\n")
    assert "  failed          b  exact: exact\n" in shown

    assert invoke(["runs", "show", "2026", "--case-id", "b"]) == 0
    assert capsys.readouterr().out == "b  failed  100 ms · n/a · n/a\nprompt:\n  q\nanswer:\n  a\n  failed    exact  exact\n"

    assert invoke(["runs", "show", "--case-id", "b", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["case_id"] == "b"

    assert invoke(["runs", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"]["rows"][1][:2] == ["b", "failed"]


def test_an_unknown_case_names_the_nearest(project, capsys):
    store(project / "runs", 1, attempts=[an_attempt("refund")])

    assert invoke(["runs", "show", "--case-id", "refnd"]) == 2
    assert capsys.readouterr().err == f"Error: --case-id: no case 'refnd' in run {run_id(1)}; did you mean 'refund'?\n"


def test_escapes_from_an_agent_stay_text(project, capsys):
    store(project / "runs", 1, attempts=[an_attempt("a\x1b[31m", False, output="\x1b]0;evil\x07")], label="\x1b[2J")

    for arguments in (["runs", "list"], ["runs", "show"], ["runs", "show", "--case-id", "a\x1b[31m"]):
        assert invoke(arguments) == 0
        assert "\x1b" not in capsys.readouterr().out


def test_verification_ends_with_one_where_something_was_altered(project, capsys):
    path = store(project / "runs", 1)
    store(project / "runs", 2)

    assert invoke(["runs", "verify", "--all"]) == 0
    assert capsys.readouterr().out == "2 files as written\n"

    path.write_bytes(path.read_bytes().replace(b'"output":"a"', b'"output":"z"', 1))
    assert invoke(["runs", "verify", "--all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"runs/bot/{path.name}:5: the record of case 'a' was altered"
    assert lines[-1] == "1 file as written; 1 file with findings"

    assert invoke(["runs", "verify"]) == 0
    assert invoke(["runs", "verify", run_id(1), "--json"]) == 1
    assert invoke(["runs", "verify", "latest", "--all"]) == 2


def test_pruning_is_a_dry_run_and_never_takes_a_baseline(project, capsys):
    paths = [store(project / "runs", number) for number in (1, 2, 3)]
    assert invoke(["baseline", "set", run_id(1)]) == 0
    assert capsys.readouterr().out == f"baselines/bot--suite.json now pins run {run_id(1)}\n"

    assert invoke(["runs", "prune", "--keep", "1"]) == 0
    assert capsys.readouterr().out == (
        f"would remove runs/bot/{run_id(2)}.json\nkept runs/bot/{run_id(1)}.json: it is a baseline\n1 run to remove; --yes removes it\n"
    )
    assert all(path.exists() for path in paths)

    assert invoke(["runs", "prune", "--keep", "1", "--yes"]) == 0
    assert [path.exists() for path in paths] == [True, False, True]
    assert invoke(["runs", "prune"]) == 2


def test_the_baseline_of_the_latest_runs_suite_is_shown(project, capsys):
    store(project / "runs", 1)
    assert invoke(["baseline", "show"]) == 2
    assert capsys.readouterr().err == "Error: RUN: there is no baseline; pin a run with `agenteval baseline set latest`\n"

    invoke(["baseline", "set"])
    capsys.readouterr()
    assert invoke(["baseline", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["head"]["run_id"] == run_id(1)
    assert invoke(["baseline", "list"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(f"baselines/bot--suite.json  {run_id(1)}  bot")


def test_history_prints_the_ledger_oldest_first(project, capsys):
    for number in (1, 2, 3):
        store(project / "runs", number, history=True)

    assert invoke(["history", "bot", "--limit", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["RUN", run_id(2), run_id(3), "1"]

    assert invoke(["history", "--json"]) == 0
    assert [entry["run_id"] for entry in json.loads(capsys.readouterr().out)] == [run_id(1), run_id(2), run_id(3)]

    (project / "runs" / "bot" / "history.json").write_text("{")
    assert invoke(["history"]) == 2
    assert capsys.readouterr().err.startswith("Error: runs/bot/history.json:1:2: ")


@pytest.mark.data
def test_the_predecessors_files_are_shown_where_they_lie(project, capsys):
    folder = shared_data("data", "predecessor")

    assert invoke(["runs", "list", "--runs-dir", str(folder / "runs"), "--runs-dir", str(folder / "samples")]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[-1] == ["20260714T201128Z_04052cd_a0a81c", "data_analyst", "completed", "18/21", "86%", "757", "ms", "$0.0014"]

    assert invoke(["runs", "verify", "--all", "--runs-dir", str(folder / "runs")]) == 0
    assert capsys.readouterr().out == "2 files of AgentEval 0.3, which record no digest\n"
