"""``agenteval trace``: one case of a stored run, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command(name="trace", short_help="Show the steps of one case of a run.")
@click.argument("run", default="latest")
@click.option("--case-id", metavar="ID", help="The case; ID::turn1 is the second turn of a conversation.")
@click.option("--repetition", type=click.IntRange(0), default=0, metavar="N", help="Which attempt of a repeated case; 0 is the run's own.")
@click.option("--agent", envvar="AGENTEVAL_AGENT", metavar="NAME", help="Agent whose runs are meant.")
@click.option("--registry", envvar="AGENTEVAL_REGISTRY", metavar="FILE", help="agents.yaml; found from here upwards where it is left out.")
@click.option("--runs-dir", envvar="AGENTEVAL_RUNS_DIR", metavar="DIR", help="Root of the stored runs.")
@click.option("--json", "as_json", is_flag=True, help="Print the attempt's record as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Show long texts whole.")
def command(run: str, case_id: str | None, repetition: int, as_json: bool, verbose: bool, **places: Any) -> int:
    """Show what happened in one case of RUN (default: the latest): prompt, answer, steps, trajectory, scores.

    Steps that the trajectory check matched are marked =, others +. RUN is an id or its beginning, latest, latest~2, baseline, or a path.

    \b
    agenteval trace latest --case-id refund_after_30_days
    """
    from agenteval._redact import redact, redact_json
    from agenteval.adapters.prices import run_pricing
    from agenteval.cli.printing import print_json
    from agenteval.cli.stored import attempt_of, stored_run
    from agenteval.model.record import to_record
    from agenteval.reports.trace import trace_text

    found = stored_run(run, cwd=Path.cwd(), **places)
    attempt = attempt_of(found, case_id, repetition)
    if as_json:
        print_json(redact_json(to_record(attempt)))
    else:
        click.echo(redact(trace_text(attempt, run_id=found.head.run_id, full=verbose, pricing=run_pricing(found.provenance))))
    return 0
