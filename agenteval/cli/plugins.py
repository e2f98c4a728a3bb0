"""``agenteval plugins``: evaluators that installed packages offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agenteval.errors import InputError, Problem

if TYPE_CHECKING:
    from agenteval.evaluators.plugins import Plugin


@click.group(name="plugins")
def command() -> None:
    """List, inspect and validate evaluators that installed packages offer."""


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_plugins(as_json: bool) -> int:
    """List what installed packages offer; imports nothing.

    Exit codes: 0 every name can be used, 1 one cannot.
    """
    from agenteval.evaluators.plugins import registered
    from agenteval.reports.plugins import plugins_json, plugins_text

    found = registered()
    click.echo(plugins_json(found) if as_json else plugins_text(found))
    return 1 if any(plugin.problem for plugin in found) else 0


@command.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def inspect(name: str, as_json: bool) -> int:
    """Show what metadata says of one evaluator; imports nothing.

    Exit codes: 0 the name can be used, 1 a package offers it that cannot be used, 2 unknown name.
    """
    from agenteval.reports.plugins import plugin_json, plugin_text

    offers = _offers(name)
    click.echo(plugin_json(name, offers) if as_json else plugin_text(name, offers))
    return 1 if any(plugin.problem for plugin in offers) else 0


@command.command()
@click.argument("name")
@click.option("--params", metavar="YAML", help="What a suite would write under its name, for example '{limit: 3}'.")
@click.option("--ground-truth", metavar="YAML", help="The sample's ground truth.  [default: Paris]")
@click.option("--answer", metavar="TEXT", help="The sample's answer.  [default: The capital of France is Paris.]")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def validate(name: str, params: str | None, ground_truth: str | None, answer: str | None, as_json: bool) -> int:
    """Import one evaluator and let it judge a small sample.

    Its contract is checked first. An evaluator that needs parameters is tried only with --params. Its own code runs,
    with all rights of this process.

    Exit codes: 0 nothing found, 1 with findings, 2 unknown name.
    """
    from agenteval.evaluators.plugin_trial import ANSWER, TRUTH, try_plugin
    from agenteval.reports.plugins import trial_json, trial_text

    offers = _offers(name)
    given = None if params is None else _yaml(params, "--params")
    truth = TRUTH if ground_truth is None else _yaml(ground_truth, "--ground-truth")
    trial = try_plugin(name, offers, given, given=params is not None, answer=ANSWER if answer is None else answer, truth=truth)
    click.echo(trial_json(trial) if as_json else trial_text(trial))
    return 1 if trial.findings else 0


def _offers(name: str) -> tuple[Plugin, ...]:
    """The registrations of a known name; none where it is built in."""
    from agenteval._text import clip, nearest
    from agenteval.evaluators.plugins import offers_of
    from agenteval.evaluators.table import BUILT_IN, names

    offers = offers_of(name)
    if not offers and name not in BUILT_IN:
        close = nearest(name, names())
        fix = f"did you mean {close!r}?" if close else "`agenteval plugins list` shows what is installed"
        raise InputError(Problem(f"no evaluator {clip(name, 60)!r} is installed", fix, file="NAME"))
    return offers


def _yaml(text: str, option: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(Problem("is not YAML", f"write for example {option} '{{key: value}}'", file=option)) from error
