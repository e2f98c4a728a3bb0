"""``agenteval compare``: set a stored run against its baseline and apply the gates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agenteval.cli.gate_options import gate_options, limits_from


@click.command(name="compare", short_help="Compare a run with its baseline and apply the gates.")
@click.argument("run", required=False)
@click.option("--current", metavar="RUN", help="The run, as an option.")
@click.option("--baseline", metavar="RUN", help="Run or file to compare with; the pinned baseline where it is left out.")
@click.option("--agent", envvar="AGENTEVAL_AGENT", metavar="NAME", help="Agent whose runs are meant.")
@click.option("--registry", envvar="AGENTEVAL_REGISTRY", metavar="FILE", help="agents.yaml; found from here upwards where it is left out.")
@click.option("--runs-dir", envvar="AGENTEVAL_RUNS_DIR", metavar="DIR", help="Root of the stored runs.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the comparison as Markdown.")
@click.option("--json-out", metavar="FILE", help="Write the comparison as JSON.")
@click.option("--markdown-out", metavar="FILE", help="Write the comparison as Markdown.")
@gate_options
def command(**options: Any) -> int:
    """Compare RUN (default: the latest) with its baseline, apply the gates and give the verdict.

    RUN is an id or its beginning, latest, latest~2, baseline, or a path.

    \b
    agenteval compare
    agenteval compare latest --baseline latest~1 --require-statistical-significance
    """
    from agenteval.reports.console import comparison_text
    from agenteval.reports.jsonout import comparison_json
    from agenteval.reports.markdown import comparison_markdown
    from agenteval.runner.comparing import CompareRequest, compare_stored
    from agenteval.runner.deciding import verdict_code

    if options["run"] and options["current"]:
        raise click.UsageError("the run is named twice: as an argument and with --current")
    comparison = compare_stored(
        CompareRequest(
            cwd=Path.cwd(),
            run=options["run"] or options["current"] or "latest",
            baseline=options["baseline"],
            agent=options["agent"],
            registry=options["registry"],
            runs_dir=options["runs_dir"],
            limits=lambda base: limits_from(options, base),
        )
    )
    _write(options["json_out"], lambda: comparison_json(comparison) + "\n")
    _write(options["markdown_out"], lambda: comparison_markdown(comparison))
    if options["as_json"]:
        click.echo(comparison_json(comparison))
    elif options["as_markdown"]:
        click.echo(comparison_markdown(comparison), nl=False)
    else:
        click.echo(comparison_text(comparison))
    return verdict_code(comparison)


def _write(path: str | None, text: Any) -> None:
    from agenteval._files import atomic_write

    if path is not None:
        atomic_write(Path(path).absolute(), [text().encode("utf-8", "backslashreplace")])
