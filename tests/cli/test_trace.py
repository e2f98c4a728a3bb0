from __future__ import annotations

import json

import pytest

from agenteval.cli.main import invoke
from tests.builders import shared_data

pytestmark = pytest.mark.data


@pytest.fixture
def stored():
    return str(shared_data("data/predecessor/samples/run-report.json"))


def test_one_turn_of_a_conversation(stored, capsys):
    assert invoke(["trace", stored, "--case-id", "convo::turn1"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("case convo::turn1   passed")


def test_json_is_the_attempts_record(stored, capsys):
    assert invoke(["trace", stored, "--case-id", "trace", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["case_id"] == "trace"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [],
            "--case-id: run 20261130T222802Z_ff60109_797951 holds 10 cases; "
            "choose one with --case-id, for example 'boom', which did not pass",
        ),
        (["--case-id", "boo"], "--case-id: no case 'boo' in run 20261130T222802Z_ff60109_797951; did you mean 'boom'?"),
        (["--case-id", "convo::turn7"], "--case-id: no turn 'convo::turn7'; its turns are convo::turn0, convo::turn1"),
        (
            ["--case-id", "boom", "--repetition", "3"],
            "--repetition: case 'boom' has no repetition 3; it was attempted 1 times, counted from 0",
        ),
    ],
)
def test_what_is_not_there_is_named_with_the_nearest(stored, capsys, arguments, message):
    assert invoke(["trace", stored, *arguments]) == 2
    assert capsys.readouterr().err == f"Error: {message}\n"


def test_no_secret_of_an_older_file_is_shown(stored, capsys):
    invoke(["trace", stored, "--case-id", "boom", "-v"])

    assert "sk-" not in capsys.readouterr().out
