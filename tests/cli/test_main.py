"""The command line as a process: exit codes, messages, streams."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agenteval.cli import main as main_module
from agenteval.cli.main import COMMANDS, invoke
from agenteval.errors import HarnessError, InputError, Problem

ROOT = Path(__file__).parents[2]
PLAIN = {"NO_COLOR": "", "AGENTEVAL_DEBUG": "", "PYTHONPATH": str(ROOT)}


def agenteval(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "agenteval", *arguments], capture_output=True, env={**os.environ, **PLAIN, **environment}, timeout=60
    )


@pytest.fixture
def raising(monkeypatch):
    """Makes the command ``run`` raise an error, or return a result."""

    def make(outcome: object) -> None:
        @click.command(name="run")
        def command() -> object:
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        get_command = main_module.TableOfContents.get_command
        monkeypatch.setattr(
            main_module.TableOfContents, "get_command", lambda self, ctx, name: command if name == "run" else get_command(self, ctx, name)
        )

    return make


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (1, 1), (2, 2)])
def test_a_command_returns_its_exit_code(raising, result, code):
    raising(result)

    assert invoke(["run"]) == code


def test_every_problem_is_a_line_of_its_own(raising, capsys):
    problems = [
        Problem("unknown key 'a'", "did you mean 'b'?", "cases[0]", "s.yaml", 3, 5),
        Problem("no cases", file="s.yaml", line=1, column=1),
    ]
    raising(InputError(problems))

    assert invoke(["run"]) == 2
    assert capsys.readouterr().err == ("Error: s.yaml:1:1: no cases\nError: s.yaml:3:5: cases[0]: unknown key 'a'; did you mean 'b'?\n")


def test_a_harness_error_is_3(raising, capsys):
    raising(HarnessError("runs: cannot be written: disk full; the old content is untouched"))

    assert invoke(["run"]) == 3
    assert capsys.readouterr().err == "Error: runs: cannot be written: disk full; the old content is untouched\n"


def test_an_unexpected_exception_is_one_line_and_never_a_verdict(raising, capsys):
    raising(KeyError("a\nb"))

    assert invoke(["run"]) == 3
    assert capsys.readouterr().err == (
        "Error: internal error: KeyError: 'a\\nb'; set AGENTEVAL_DEBUG=1 to see the traceback, and report it\n"
    )


def test_the_traceback_is_shown_where_it_is_asked_for(raising, capsys, monkeypatch):
    monkeypatch.setenv("AGENTEVAL_DEBUG", "1")
    raising(ValueError("password=hunter2"))

    assert invoke(["run"]) == 3
    told = capsys.readouterr().err
    assert "Traceback (most recent call last)" in told
    assert "hunter2" not in told


@pytest.mark.parametrize(("result", "code"), [("gone", 3), (SystemExit(1), 1), (SystemExit("gone"), 3), (KeyboardInterrupt(), 130)])
def test_other_ends(raising, capsys, result, code):
    raising(result)

    assert invoke(["run"]) == code


def test_terminal_escapes_in_an_error_are_shown_and_not_obeyed(raising, capsys):
    raising(InputError(Problem("bad \x1b[31mname")))

    invoke(["run"])

    assert capsys.readouterr().err == "Error: bad \\x1b[31mname\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rum"], "agenteval: unknown command 'rum'; did you mean 'run'?"),
        (["trace", "--casid", "a"], "agenteval trace: unknown option '--casid'; did you mean '--case-id'?"),
        (["diff", "a"], "agenteval diff: B is missing; see agenteval diff --help"),
        (["diff", "a", "b", "c"], "agenteval diff: got unexpected extra argument (c); see agenteval diff --help"),
        (
            ["compare", "--max-correctness-drop", "x"],
            "agenteval compare: --max-correctness-drop: 'x' is not a valid float range; see agenteval compare --help",
        ),
        (["run", "--fail-on", "gat"], "agenteval run: --fail-on: 'gat' is not one of 'gate', 'case', 'never'; did you mean 'gate'?"),
        (["baseline", "sett"], "agenteval baseline: unknown command 'sett'; did you mean 'set'?"),
    ],
)
def test_usage_errors_name_the_nearest(capsys, arguments, message):
    assert invoke(arguments) == 2
    assert capsys.readouterr().err == f"Error: {message}\n"


def test_without_a_command_the_help_is_shown_and_nothing_is_decided():
    result = agenteval()

    assert (result.returncode, result.stdout) == (2, b"")
    assert b"Usage: agenteval" in result.stderr


def test_version():
    assert agenteval("--version").stdout.startswith(b"agenteval ")


def test_help_lists_exactly_the_commands_of_the_table():
    text = agenteval("--help").stdout.decode()

    assert [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line.split()[0] in {c.name for c in COMMANDS}] == [
        command.name for command in COMMANDS
    ]


def test_the_c_locale_writes_utf_8(tmp_path):
    steps = tmp_path / "a.json"
    steps.write_text('["é日😀"]', encoding="utf-8")

    result = agenteval("diff", str(steps), str(steps), "-v", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert result.returncode == 0
    assert "= [0/0] é日😀" in result.stdout.decode("utf-8")


def test_a_code_page_shows_what_it_lacks_as_escapes_and_json_stays_json(tmp_path):
    steps = tmp_path / "a.json"
    steps.write_text('["é日😀"]', encoding="utf-8")

    text = agenteval("diff", str(steps), str(steps), "-v", PYTHONIOENCODING="cp1252")
    document = agenteval("diff", str(steps), str(steps), "--json", PYTHONIOENCODING="cp1252")

    assert "= [0/0] é\\u65e5\\ud83d\\ude00" in text.stdout.decode("cp1252")
    assert json.loads(document.stdout.decode("cp1252"))["steps_a"] == ["é日😀"]


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_reader_that_goes_away_costs_neither_the_exit_code_nor_a_word(tmp_path):
    steps = tmp_path / "a.json"
    steps.write_text(json.dumps([f"step {number}" for number in range(50_000)]))
    command = f"{sys.executable} -m agenteval diff {steps} {steps} -v; echo $? >&2"

    result = subprocess.run(["sh", "-c", f"({command}) | head -1"], capture_output=True, env={**os.environ, **PLAIN}, timeout=60)

    assert (result.stdout, result.stderr) == (b"= [0/0] step 0\n", b"0\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_told():
    result = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m agenteval --version > /dev/full"], capture_output=True, env={**os.environ, **PLAIN}, timeout=60
    )

    assert result.returncode == 3
    assert result.stderr == b"Error: standard output cannot be written: No space left on device; the rest of the output is lost\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_closed_streams_are_no_error():
    result = subprocess.run(["sh", "-c", f"{sys.executable} -m agenteval --version >&- 2>&-"], env={**os.environ, **PLAIN}, timeout=60)

    assert result.returncode == 0


names = st.sampled_from(["trace", "diff", "compare", "runs", "baseline", "history", "validate", "schema", "list", "show", "suite"])
words = st.one_of(
    names,
    st.sampled_from(
        ["--json", "--case-id", "--agent", "--baseline", "--runs-dir", "--min-pass-hat-k", "latest", "--", "-v", "~1", "x.json"]
    ),
    st.text(max_size=8).filter(lambda text: "\0" not in text),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names, st.lists(words, max_size=5))
def test_arbitrary_arguments_never_end_in_an_internal_error(tmp_path, first, rest):
    told = io.StringIO()
    with contextlib.chdir(tmp_path), contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        code = invoke([first, *rest])

    assert code in (0, 1, 2), told.getvalue()
    assert "Traceback" not in told.getvalue()
