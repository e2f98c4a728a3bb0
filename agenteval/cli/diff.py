"""``agenteval diff``: what changed between two trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command(name="diff", short_help="Show what changed between two trajectories.")
@click.argument("a")
@click.argument("b")
@click.option("--case-id", metavar="ID", help="The case, where A or B is a run of several; ID::turn1 is the second turn of a conversation.")
@click.option("--agent", envvar="AGENTEVAL_AGENT", metavar="NAME", help="Agent whose runs are meant.")
@click.option("--registry", envvar="AGENTEVAL_REGISTRY", metavar="FILE", help="agents.yaml; found from here upwards where it is left out.")
@click.option("--runs-dir", envvar="AGENTEVAL_RUNS_DIR", metavar="DIR", help="Root of the stored runs.")
@click.option("--json", "as_json", is_flag=True, help="Print the difference as JSON.")
@click.option("-v", "--verbose", is_flag=True, help="Show unchanged steps too.")
def command(a: str, b: str, case_id: str | None, as_json: bool, verbose: bool, **places: Any) -> int:
    """Show which steps B removed (-), added (+) or changed (~) against A.

    A and B are JSON files (a run, a list of steps, or a mapping that holds one), or stored runs: an id or its beginning, latest,
    latest~2, baseline.

    \b
    agenteval diff baseline latest --case-id refund_after_30_days
    agenteval diff before.json after.json --json
    """
    from agenteval._redact import redact, redact_json
    from agenteval.cli.printing import print_json
    from agenteval.compare.trajectories import diff_to_record, diff_trajectories
    from agenteval.reports.trajectory_diff import trajectory_diff_text

    first, second = (_trajectory(name, case_id, places) for name in (a, b))
    diff = diff_trajectories(first, second)
    if as_json:
        print_json(redact_json({"path_a": a, "path_b": b, **diff_to_record(diff)}))
    else:
        click.echo(redact(trajectory_diff_text(diff, verbose=verbose)))
    return 0


def _trajectory(name: str, case_id: str | None, places: dict[str, Any]) -> Any:
    """The trajectory in a JSON file, or in a case of a stored run."""
    from agenteval.cli.stored import attempt_of, stored_run
    from agenteval.compare.trajectories import steps_of
    from agenteval.model.record import to_record

    if Path(name).is_file() or name.endswith(".json"):
        return steps_of(_document(Path(name)), case_id, shown=name)
    attempt = attempt_of(stored_run(name, cwd=Path.cwd(), **places), case_id)
    return steps_of(to_record(attempt), shown=name)


def _document(path: Path) -> Any:
    import json

    from agenteval.errors import InputError, Problem

    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(Problem(f"cannot be read: {error.strerror or error}", file=str(path))) from error
    except json.JSONDecodeError as error:
        raise InputError(Problem(f"not JSON: {error.msg}", file=str(path), line=error.lineno, column=error.colno)) from error
    except (UnicodeDecodeError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else "not UTF-8"
        raise InputError(Problem(f"not readable as JSON: {what}", file=str(path))) from error
