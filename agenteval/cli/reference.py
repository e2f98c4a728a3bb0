"""The command line's reference as Markdown, made from ``--help``: ``python -m agenteval.cli.reference > docs/cli.md``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from agenteval.cli.main import COMMANDS, cli

_INTRODUCTION = """# Command line

Made from `--help`; `python -m agenteval` is the same as `agenteval`.

Results go to standard output, progress and errors to standard error. `--json` prints one JSON object where a result is printed. There is
no colour and no spinner off a terminal, `NO_COLOR` is honoured, and a reader that closes the pipe early costs neither files nor the exit
code. Options go before environment variables (`AGENTEVAL_*`), these before the suite, the suite before agents.yaml.

| exit code | meaning |
|---|---|
| 0 | done; where there is a verdict, it is a pass |
| 1 | the verdict is fail or inconclusive, or a check found something |
| 2 | no verdict exists: usage, invalid input, unloadable agent, nothing selected, nothing decided |
| 3 | the harness could not finish: disk, lock, internal error |
| 130 | interrupted; what finished is stored |

Every error is one line, `Error: where: what is wrong; what to do`. `AGENTEVAL_DEBUG=1` (or `agenteval --debug COMMAND`) adds the traceback.

Tab completion: `eval "$(_AGENTEVAL_COMPLETE=bash_source agenteval)"` (also `zsh_source`, `fish_source`).
"""


def reference() -> str:
    """The whole page: the group, then every command and subcommand in the order of the table of contents."""
    with cli.make_context("agenteval", [], resilient_parsing=True, terminal_width=100) as root:
        parts = [_INTRODUCTION, _block("agenteval", root)]
        for entry in COMMANDS:
            command = cli.get_command(root, entry.name)
            assert command is not None
            parts.extend(_command(command, entry.name, root, level=2))
    return "\n".join(parts)


def _command(command: click.Command, name: str, parent: click.Context, level: int) -> Iterator[str]:
    with command.make_context(name, [], parent=parent, resilient_parsing=True, terminal_width=100) as ctx:
        yield _block(ctx.command_path, ctx, level)
        if isinstance(command, click.Group):
            for inner in command.list_commands(ctx):
                found = command.get_command(ctx, inner)
                if found is not None and not found.hidden:
                    yield from _command(found, inner, ctx, level + 1)


def _block(title: str, ctx: click.Context, level: int = 2) -> str:
    return f"{'#' * level} `{title}`\n\n```text\n{ctx.get_help()}\n```\n"


if __name__ == "__main__":
    click.echo(reference(), nl=False)
