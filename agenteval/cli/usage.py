"""Mistakes on the command line, in the product's own words."""

from __future__ import annotations

import re

import click

from agenteval._text import nearest


def usage_lines(error: click.ClickException) -> list[str]:
    """``command: what is wrong; what to do``, with the nearest name that exists."""
    ctx = getattr(error, "ctx", None)
    command = ctx.command_path if ctx is not None else "agenteval"
    what, fix = _told(error, ctx)
    return [f"{command}: {what}; {fix or f'see {command} --help'}"]


def _told(error: click.ClickException, ctx: click.Context | None) -> tuple[str, str]:
    if isinstance(error, click.NoSuchOption):
        return f"unknown option {error.option_name!r}", _meant(error.option_name, _options(ctx))
    unknown = re.match(r"No such command '(.*?)'\.", error.message, re.DOTALL)
    if unknown and ctx is not None and isinstance(ctx.command, click.Group):
        known = ctx.command.list_commands(ctx)
        return f"unknown command {unknown[1]!r}", _meant(unknown[1], known) or f"one of: {', '.join(known)}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return f"{_name(error.param)} is missing", ""
    if isinstance(error, click.BadParameter) and error.param is not None:
        return f"{_name(error.param)}: {_sentence(error.message)}", _choice(error)
    return _sentence(error.format_message()), ""


def _options(ctx: click.Context | None) -> list[str]:
    if ctx is None:
        return []
    names = (name for parameter in ctx.command.get_params(ctx) for name in (*parameter.opts, *parameter.secondary_opts))
    return [name for name in names if name.startswith("--")]


def _meant(name: str, known: list[str]) -> str:
    close = nearest(name, known)
    return f"did you mean {close!r}?" if close else ""


def _name(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else (parameter.metavar or str(parameter.name).upper())


def _choice(error: click.BadParameter) -> str:
    """The nearest of an option's choices, where the message quotes the value that is none of them."""
    kind = error.param.type if error.param is not None else None
    value = re.match(r"'(.*?)' is not one of", error.message, re.DOTALL)
    return _meant(value[1], [str(choice) for choice in kind.choices]) if isinstance(kind, click.Choice) and value else ""


def _sentence(text: str) -> str:
    """Lower case at the front, no full stop, one line."""
    line = " ".join(text.split()).rstrip(".")
    return line[:1].lower() + line[1:]
