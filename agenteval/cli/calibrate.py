"""``agenteval calibrate``: how far a judge agrees with people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from agenteval.cli.numbers import Finite


@click.command(name="calibrate")
@click.option("--judge", metavar="AGENT", help="Agent of agents.yaml whose judge is asked.")
@click.option("--golden-set", metavar="FILE", help="Answers with the verdict of people: YAML, JSON or JSON lines.")
@click.option("--kappa-threshold", type=Finite(min=-1, max=1), default=0.6, show_default=True, help="Smallest kappa that is good enough.")
@click.option("--scale", type=click.Choice(["binary", "1-10"]), help="What the judge is asked for; that of the labels if left out.")
@click.option("--recorded", is_flag=True, help="Take the verdicts that stand in the set (judge_label); ask no model.")
@click.option("--concurrency", type=click.IntRange(1, 64), default=4, show_default=True, help="Answers judged at a time.")
@click.option("--list", "listing", is_flag=True, help="List stored calibrations instead.")
@click.option("--registry", envvar="AGENTEVAL_REGISTRY", metavar="FILE", help="agents.yaml; found from here upwards if left out.")
@click.option("--runs-dir", envvar="AGENTEVAL_RUNS_DIR", metavar="DIR", help="Root of the stored runs; that of agents.yaml, else runs.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(**options: Any) -> int:
    """Let a judge judge answers that people have judged, and measure how far they agree beyond chance (Cohen's kappa).

    The judge's errors are counted and in no figure. Every result is kept under runs/AGENT/calibration.

    Exit codes: 0 kappa keeps the threshold, 1 it does not, 2 the judge gave no verdict at all.

    \b
    agenteval calibrate --judge support_agent --golden-set examples/calibration/answers.yaml
    agenteval calibrate --list
    """
    from agenteval.runner.workspace import open_workspace

    runs_dir = options["runs_dir"]
    workspace = open_workspace(Path.cwd(), registry=options["registry"], runs_dirs=[] if runs_dir is None else [runs_dir])
    if options["listing"]:
        return _list(workspace, options)
    for name in ("judge", "golden_set"):
        if options[name] is None:
            raise click.UsageError(f"--{name.replace('_', '-')} is missing")
    if options["recorded"] and options["scale"]:
        raise click.UsageError("--scale says what to ask, and --recorded asks nobody")
    from agenteval.calibration.session import CalibrationRequest, calibrate
    from agenteval.reports.calibration import below, calibration_json, calibration_text

    request = CalibrationRequest(
        judge=options["judge"],
        golden_set=options["golden_set"],
        threshold=options["kappa_threshold"],
        scale=options["scale"],
        recorded=options["recorded"],
        concurrency=options["concurrency"],
        runs_dir=runs_dir,
    )
    calibration = calibrate(workspace, request, _progress if sys.stderr.isatty() else lambda done, total: None)
    click.echo(calibration_json(calibration) if options["as_json"] else calibration_text(calibration))
    if not calibration.n:
        return 2
    if calibration.below_threshold:
        click.echo(f"Warning: {below(calibration)}", err=True)
    return 1 if calibration.below_threshold else 0


def _list(workspace: Any, options: dict[str, Any]) -> int:
    from agenteval.artifacts.calibrations import Calibrations, list_calibrations
    from agenteval.reports.calibration import calibrations_json, calibrations_text

    found = list_calibrations(workspace.store.roots)
    if options["judge"] is not None:
        found = Calibrations(tuple(found.of(options["judge"])), found.unreadable)
    click.echo(calibrations_json(found) if options["as_json"] else calibrations_text(found))
    return 0


def _progress(done: int, total: int) -> None:
    click.echo(f"\r{done} of {total} judged", err=True, nl=done == total)
