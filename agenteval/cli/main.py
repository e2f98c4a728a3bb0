"""The command line's table of contents, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import click

from agenteval.cli.streams import flush_output, protect_streams
from agenteval.errors import AgentEvalError


class Entry(NamedTuple):
    """One command: its name, the module that holds it as ``command``, its line in ``--help``, and the section it stands in."""

    name: str
    module: str
    summary: str
    section: str


COMMANDS = (
    Entry("run", "agenteval.cli.run", "Run a suite against an agent and give the verdict.", "Daily"),
    Entry("compare", "agenteval.cli.compare", "Compare a run with its baseline and apply the gates.", "Daily"),
    Entry("dashboard", "agenteval.cli.dashboard", "Open the dashboard on stored runs.", "Daily"),
    Entry("trace", "agenteval.cli.trace", "Show the steps of one case of a run.", "Daily"),
    Entry("diff", "agenteval.cli.diff", "Show what changed between two trajectories.", "Daily"),
    Entry("baseline", "agenteval.cli.baseline", "Pin, show and list the runs that later runs are compared with.", "Keep"),
    Entry("runs", "agenteval.cli.runs", "List, show, verify and prune stored runs.", "Keep"),
    Entry("history", "agenteval.cli.history", "Show how an agent's measures moved from run to run.", "Keep"),
    Entry("rescore", "agenteval.cli.rescore", "Judge a stored run again by today's checks.", "Keep"),
    Entry("calibrate", "agenteval.cli.calibrate", "Measure how far a judge agrees with people.", "Grow"),
    Entry("validate", "agenteval.cli.validate", "Check suites and agents.yaml without running anything.", "Set up"),
    Entry("schema", "agenteval.cli.schema", "Print the JSON Schema of suites and other files.", "Set up"),
    Entry("plugins", "agenteval.cli.plugins", "List, inspect and validate evaluators that installed packages offer.", "Set up"),
)

_MODULES = {entry.name: entry.module for entry in COMMANDS}


class TableOfContents(click.Group):
    """A group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None where there is none."""
        if cmd_name not in _MODULES:
            return None
        command: click.Command = importlib.import_module(_MODULES[cmd_name]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help's list of commands, from the table alone."""
        for section in dict.fromkeys(entry.section for entry in COMMANDS):
            with formatter.section(section):
                formatter.write_dl([(entry.name, entry.summary) for entry in COMMANDS if entry.section == section], col_max=12)


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from agenteval._version import __version__

        click.echo(f"agenteval {__version__}")
        ctx.exit()


@click.group(
    cls=TableOfContents,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Show the version and exit.")
@click.option("--debug", is_flag=True, help="Show tracebacks of errors (also AGENTEVAL_DEBUG=1).")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> int:
    """CI for LLM agents: run a suite of cases, compare it with a baseline, decide pass or fail with a reason.

    Exit codes: 0 passed or done, 1 the verdict is not a pass, 2 no verdict (usage, input), 3 the harness failed, 130 interrupted.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if debug:
        os.environ["AGENTEVAL_DEBUG"] = "1"
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        return 2
    return 0


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    protect_streams()
    sys.exit(_flushed(invoke(sys.argv[1:] if arguments is None else list(arguments))))


def invoke(arguments: list[str]) -> int:
    """The exit code of a command line; what went wrong is told on standard error.

    A command returns its exit code, or None for 0.
    """
    try:
        completed = _complete_in_shell()
        return _code(_dispatch(arguments)) if completed is None else completed
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        from agenteval.cli.usage import usage_lines

        return _tell(usage_lines(error), error, code=2)
    except AgentEvalError as error:
        return _tell(str(error).splitlines(), error, code=error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return 130
    except SystemExit as stop:
        return _code(stop.code)
    except Exception as error:
        return _tell([_internal(error)], error, code=3)


def _dispatch(arguments: list[str]) -> Any:
    with cli.make_context("agenteval", arguments) as ctx:
        return cli.invoke(ctx)


def _code(result: Any) -> int:
    """A command's result as exit code; anything that is neither None nor a number is a fault of ours, never a verdict."""
    if result is None:
        return 0
    if isinstance(result, int):
        return int(result)
    click.echo(f"Error: internal error: ended with {str(result)!r} in place of an exit code", err=True)
    return 3


def _internal(error: Exception) -> str:
    message = " ".join(str(error).split())
    what = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return f"internal error: {what}; set AGENTEVAL_DEBUG=1 to see the traceback, and report it"


def _tell(lines: Sequence[str], error: BaseException, *, code: int) -> int:
    """Print one ``Error:`` line a problem, redacted and safe for a terminal; the traceback first where it is asked for."""
    from agenteval._redact import redact
    from agenteval._text import plain

    if os.environ.get("AGENTEVAL_DEBUG", "") not in ("", "0"):
        import traceback

        click.echo(plain(redact("".join(traceback.format_exception(error)))), err=True, nl=False)
    for line in lines or [type(error).__name__]:
        click.echo(plain(redact(f"Error: {line}")), err=True)
    return code


def _flushed(code: int) -> int:
    """The exit code after everything is written; 3 where standard output could not take it."""
    try:
        flush_output()
    except AgentEvalError as error:
        return _tell([str(error)], error, code=error.exit_code)
    return code


def _complete_in_shell() -> int | None:
    """Answer a shell that asks for completions (``_AGENTEVAL_COMPLETE``); None where none does."""
    instruction = os.environ.get("_AGENTEVAL_COMPLETE")
    if not instruction:
        return None
    from click.shell_completion import shell_complete

    return shell_complete(cli, {}, "agenteval", "_AGENTEVAL_COMPLETE", instruction)
