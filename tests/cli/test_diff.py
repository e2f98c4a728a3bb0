from __future__ import annotations

import json

import pytest

from agenteval.cli.main import invoke
from tests.builders import shared_data


@pytest.fixture
def files(tmp_path):
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    a.write_text(json.dumps({"steps": ["route:sql", "agent:sql", "tool:summarize"], "score": 1.0}))
    b.write_text(json.dumps({"steps": ["route:sql", "agent:ml", "tool:summarize", "tool:report"], "score": 0.85}))
    return str(a), str(b)


def test_added_and_removed_steps_with_a_summary(files, capsys):
    assert invoke(["diff", *files]) == 0
    assert capsys.readouterr().out == (
        "= 1 step(s) unchanged\n"
        "- [1/-] agent:sql\n"
        "+ [-/1] agent:ml\n"
        "= 1 step(s) unchanged\n"
        "+ [-/3] tool:report\n"
        "Summary: 2 added, 1 removed, 0 changed, 2 unchanged\n"
        "similarity (LCS F1): 0.57\n"
        "score delta: -0.15 (a=1.00 -> b=0.85)\n"
    )


def test_changed_step_shows_what_changed_in_it(tmp_path, capsys):
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    a.write_text('[{"kind": "tool", "name": "search", "input": {"q": "x"}}]')
    b.write_text('[{"kind": "tool", "name": "search", "input": {"q": "y"}}]')

    assert invoke(["diff", str(a), str(b)]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["~ [0/0] tool:search", '    input: {"q": "x"} → {"q": "y"}']


def test_escapes_and_secrets_in_steps_are_defused(tmp_path, capsys):
    steps = tmp_path / "a.json"
    steps.write_text(json.dumps(["\x1b[2Jclear\nnext", "password=hunter2"]))

    assert invoke(["diff", str(steps), str(steps), "-v"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["= [0/0] \\x1b[2Jclear next", "= [1/1] password=[redacted:password:f5]"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1,", "{file}:1:4: not JSON: Expecting value"),
        (
            "{}",
            "{file}: no trajectory in this document; "
            "give a list of steps, a mapping with steps, trace_steps, actual or nodes_fired, or a run file",
        ),
    ],
)
def test_unreadable_file_is_named_with_its_reason(tmp_path, capsys, content, message):
    bad = tmp_path / "bad.json"
    bad.write_text(content)

    assert invoke(["diff", str(bad), str(bad)]) == 2
    assert capsys.readouterr().err == f"Error: {message.format(file=bad)}\n"


@pytest.mark.data
def test_runs_of_the_older_format_are_taken(capsys):
    run = str(shared_data("data/predecessor/samples/run-report.json"))

    assert invoke(["diff", run, run, "--case-id", "trace"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "= 4 step(s) unchanged"
