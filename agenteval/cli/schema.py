"""``agenteval schema``: print a JSON Schema."""

from __future__ import annotations

import json

import click


@click.command()
@click.argument("kind", type=click.Choice(["suite", "agents"]), default="suite", metavar="[suite|agents]")
def command(kind: str) -> None:
    """Print the JSON Schema of suites (default) or of agents.yaml, for editors and other tools."""
    from agenteval.suites.json_schema import registry_schema, schema

    if kind == "agents":
        found = registry_schema()
    else:
        from agenteval.evaluators import table

        found = schema(table())
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))
