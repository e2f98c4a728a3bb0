"""``agenteval history``: the ledger of an agent's runs."""

from __future__ import annotations

import click

from agenteval.cli.stores import store_options
from agenteval.runner.workspace import Workspace


@click.command(name="history")
@click.argument("agent_name", metavar="[AGENT]", required=False)
@store_options
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Show this many of the newest entries.")
@click.option("--json", "as_json", is_flag=True, help="Print the entries as JSON.")
def command(workspace: Workspace, agent: str | None, agent_name: str | None, limit: int, as_json: bool) -> None:
    """Show how an agent's measures moved from run to run, oldest first, as its ledger records them."""
    from agenteval.reports.listing import history_json, history_text

    if agent and agent_name:
        raise click.UsageError("the agent is named twice: as an argument and with --agent")
    entries = workspace.store.ledgers(agent or agent_name)
    click.echo(history_json(entries, limit) if as_json else history_text(entries, limit))
