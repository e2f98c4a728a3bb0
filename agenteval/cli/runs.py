"""``agenteval runs``: list, show, verify and prune stored runs."""

from __future__ import annotations

import click

from agenteval.cli.numbers import Finite
from agenteval.cli.stores import store_options
from agenteval.runner.workspace import Workspace


@click.group(name="runs")
def command() -> None:
    """List, show, verify and prune stored runs.

    RUN is an id or its beginning, latest, latest~2, baseline, or a path.
    """


@command.command(name="list")
@store_options
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Show this many of the newest runs.")
@click.option("--json", "as_json", is_flag=True, help="Print all runs as JSON.")
def list_runs(workspace: Workspace, agent: str | None, limit: int, as_json: bool) -> None:
    """List stored runs, newest first, with the files that can't be read and the runs that are not finished."""
    from agenteval.reports.listing import listing_json, listing_text

    listing = workspace.store.heads(agent)
    click.echo(listing_json(listing) if as_json else listing_text(listing, limit, workspace.store.roots))


@command.command()
@click.argument("run", default="latest")
@store_options
@click.option("--case-id", metavar="ID", help="Show all evidence of one case.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show(workspace: Workspace, agent: str | None, run: str, case_id: str | None, as_json: bool) -> None:
    """Show one run (default: the latest): outcomes, measures, gates and provenance, or one case with all its evidence."""
    from agenteval.reports.listing import attempt_json, attempt_text, detail_json, detail_text, find_case

    found = workspace.run(run, agent)
    if case_id is None:
        click.echo(detail_json(found) if as_json else detail_text(found))
        return
    attempt = find_case(found, case_id)
    click.echo(attempt_json(attempt) if as_json else attempt_text(attempt))


@command.command()
@click.argument("run", required=False)
@store_options
@click.option("--all", "everything", is_flag=True, help="Verify every stored run and every baseline.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def verify(workspace: Workspace, agent: str | None, run: str | None, everything: bool, as_json: bool) -> int:
    """Check that a run (default: the latest) is as it was written: digest, every line, measures, sidecar, ledger entry.

    Exit codes: 0 nothing found, 1 with findings.
    """
    from agenteval.cli.verifying import verified
    from agenteval.reports.listing import findings_json, findings_text

    if run is not None and everything:
        raise click.UsageError("name a run or --all, not both")
    checked = verified(workspace, agent, None if everything else run or "latest")
    click.echo(findings_json(checked) if as_json else findings_text(checked))
    return 1 if any(item.findings for item in checked) else 0


@command.command()
@store_options
@click.option("--keep", type=click.IntRange(min=0), metavar="N", help="Keep the newest N runs of every agent.")
@click.option("--older-than", type=Finite(min=0), metavar="DAYS", help="Remove only runs that started more than DAYS days ago.")
@click.option("--yes", is_flag=True, help="Remove them; without it they are only listed.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def prune(workspace: Workspace, agent: str | None, keep: int | None, older_than: float | None, yes: bool, as_json: bool) -> None:
    """Remove old run files with their sidecars. Pinned runs stay; ledgers keep their entries. A dry run without --yes."""
    from agenteval import _time
    from agenteval.artifacts.pruning import plan_pruning
    from agenteval.artifacts.pruning import prune as remove
    from agenteval.reports.listing import pruning_json, pruning_text

    if keep is None and older_than is None:
        raise click.UsageError("say what may go: --keep N, --older-than DAYS, or both")
    runs = workspace.store.heads(agent).runs
    plan = plan_pruning(runs, keep=keep, older_than_days=older_than, pinned=workspace.pinned_ids(), now=_time.now())
    if yes:
        remove(plan.removed)
    click.echo(pruning_json(plan, done=yes) if as_json else pruning_text(plan, done=yes))
