"""``agenteval rescore``: judge a stored run again by today's checks, without calling the agent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click


@click.command(name="rescore", short_help="Judge a stored run again by today's checks.")
@click.argument("run", default="latest")
@click.option("--agent", envvar="AGENTEVAL_AGENT", metavar="NAME", help="Agent whose runs are meant.")
@click.option("--cases", metavar="FILE", help="The suite; the file that the run names where it is left out.")
@click.option("--registry", envvar="AGENTEVAL_REGISTRY", metavar="FILE", help="agents.yaml; found from here upwards where it is left out.")
@click.option("--runs-dir", envvar="AGENTEVAL_RUNS_DIR", metavar="DIR", help="Root of the stored runs.")
@click.option("--concurrency", type=click.IntRange(1), default=None, help="How many answers are judged at a time.")
@click.option("--no-llm-judge", is_flag=True, help="Leave judge cases unscored.")
@click.option("--judge-repeat", type=click.IntRange(1), default=None, help="Ask the judge so often about each answer; its votes decide.")
@click.option("--allow-not-applicable", is_flag=True, help="Do not fail where a check lacks its evidence in the stored run.")
@click.option("--label", metavar="TEXT", help="A word or two about the new run.")
@click.option("--json", "as_json", is_flag=True, help="Print the new run as JSON.")
@click.option("--quiet", is_flag=True, help="Only the verdict.")
def command(**options: Any) -> int:
    """Judge RUN (default: the latest) again by its suite as it is today; the agent is not called.

    Answers, tool calls, latency and costs stay as stored; expectations, checks and verdicts are today's. The result is a new run that
    names RUN as its parent. A check whose evidence the stored run lacks is listed, and then the exit code is 1.

    \b
    agenteval rescore
    agenteval rescore latest~2 --cases suite.yaml --allow-not-applicable
    """
    from agenteval.cli.guard import guarded
    from agenteval.reports.console import run_text
    from agenteval.reports.jsonout import run_json, variance_document
    from agenteval.reports.rescored import lacking_text
    from agenteval.runner.deciding import exit_code
    from agenteval.runner.request import Choice
    from agenteval.runner.rescoring import Rescore, not_applicable, rescore_request
    from agenteval.runner.session import run_suite

    request = rescore_request(
        Rescore(
            cwd=Path.cwd(),
            run=options["run"],
            choice=Choice(skip_judges=options["no_llm_judge"], judge_repeat=options["judge_repeat"], concurrency=options["concurrency"]),
            command_line=tuple(sys.argv),
            suite=options["cases"],
            **{name: options[name] for name in ("agent", "registry", "runs_dir", "label")},
        )
    )
    with guarded():
        result = run_suite(request)
    for warning in result.warnings:
        click.echo(f"Warning: {warning}", err=True)
    lacking = not_applicable(result.run)
    code = exit_code(result.run, result.comparison, "gate", no_score=False)
    if lacking and not options["allow_not_applicable"]:
        code = max(code, 1)
    if options["as_json"]:
        click.echo(run_json(result.run, result.comparison, code, not_applicable=lacking, **variance_document(result.variance)))
        return code
    click.echo(run_text(result.run, result.comparison, result.flakiness, variance=result.variance, quiet=options["quiet"]))
    if lacking:
        click.echo(lacking_text(lacking, allowed=options["allow_not_applicable"]))
    return code
