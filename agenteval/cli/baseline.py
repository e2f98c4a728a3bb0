"""``agenteval baseline``: pin, show and list the runs that later runs are compared with."""

from __future__ import annotations

import click

from agenteval.cli.stores import store_options
from agenteval.runner.workspace import Workspace


@click.group(name="baseline")
def command() -> None:
    """Pin, show and list the runs that later runs are compared with.

    Baselines are whole run files in baselines/, made to be committed with the project.
    """


@command.command(name="set")
@click.argument("run", default="latest")
@store_options
@click.option("--force", is_flag=True, help="Pin a run that left cases out or was not completed.")
def set_(workspace: Workspace, agent: str | None, run: str, force: bool) -> None:
    """Pin RUN (an id or its beginning, latest, latest~2, a path; default: the latest) as its suite's baseline."""
    from agenteval.artifacts.baselines import set_baseline

    found = workspace.run(run, agent)
    path = workspace.baseline_path(found.head)
    set_baseline(found, path, force=force)
    click.echo(f"{workspace.shown(path)} now pins run {found.head.run_id}")


@command.command()
@click.argument("name", metavar="[FILE]", required=False)
@store_options
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show(workspace: Workspace, agent: str | None, name: str | None, as_json: bool) -> None:
    """Show the pinned run: FILE, or the baseline of the latest run's suite."""
    from agenteval.reports.listing import detail_json, detail_text

    found = workspace.run(name or "baseline", agent)
    click.echo(detail_json(found) if as_json else detail_text(found))


@command.command(name="list")
@store_options
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_(workspace: Workspace, agent: str | None, as_json: bool) -> None:
    """List every pinned run and the files that can't be read."""
    from agenteval.artifacts.store import Listing
    from agenteval.reports.listing import baselines_text, listing_json

    pinned, unreadable = workspace.baseline_files()
    shown = tuple(item for item in pinned if agent in (None, item.head.agent))
    listing = Listing(shown, tuple(unreadable), ())
    click.echo(listing_json(listing) if as_json else baselines_text(listing))
