"""``agenteval run``: execute a suite against an agent, store the run, give the verdict."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from agenteval.cli.gate_options import gate_options, limits_from
from agenteval.cli.numbers import Finite

NAME_OF_RUN = "Id (or its beginning) of the run; the newest where it is left out."


@click.command(name="run", short_help="Run a suite against an agent and give the verdict.")
@click.argument("suite", required=False)
@click.option("--agent", envvar="AGENTEVAL_AGENT", metavar="NAME", help="Agent of agents.yaml, or module:callable.")
@click.option("--all", "every_agent", is_flag=True, help="Run the golden suite of every enabled agent.")
@click.option("--registry", envvar="AGENTEVAL_REGISTRY", metavar="FILE", help="agents.yaml; found from here upwards where it is left out.")
@click.option("--cases", metavar="FILE", help="The suite, as an option.")
@click.option("--dialect", metavar="NAME", help="Format of the suite, where it can't be told from its keys.")
@click.option("--agent-repo", metavar="DIR", help="Checkout of the agent, before agents.yaml's own places.")
@click.option("--case-id", "case_ids", multiple=True, metavar="ID", help="Only this case; again for more.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag; again for more.")
@click.option("--smoke", is_flag=True, help="Only the agent's smoke_case_ids.")
@click.option("--last-failed", is_flag=True, help="Only the cases that did not pass in the latest run of this suite.")
@click.option("--include-candidates", is_flag=True, help="Run cases that await review too; they never gate.")
@click.option("--list", "list_only", is_flag=True, help="List the selected cases and stop.")
@click.option("--dry-run", is_flag=True, help="Say what would be called and what it might cost, and stop.")
@click.option("--repeat", type=click.IntRange(1), metavar="N", help="Attempts of each repeated case, the first included.")
@click.option("--repeat-case", "repeat_cases", multiple=True, metavar="ID", help="Repeat this case; again for more.")
@click.option("--repeat-all", is_flag=True, help="Repeat every selected case.")
@click.option("--concurrency", envvar="AGENTEVAL_CONCURRENCY", type=click.IntRange(1), metavar="N", help="Attempts at once (default 4).")
@click.option(
    "--timeout",
    envvar="AGENTEVAL_TIMEOUT",
    type=Finite(0, min_open=True),
    metavar="S",
    help="Seconds for one call (default 300).",
)
@click.option("--resume", is_flag=False, flag_value="", metavar="[RUN]", help=f"Go on with an unfinished run. {NAME_OF_RUN}")
@click.option("--retry-errors", is_flag=False, flag_value="", metavar="[RUN]", help=f"Repeat a run's errors in a new run. {NAME_OF_RUN}")
@click.option(
    "--fail-on", type=click.Choice(["gate", "case", "never"]), default="gate", show_default=True, help="What makes the exit code 1."
)
@click.option("--exit-zero", is_flag=True, help="The same as --fail-on never.")
@click.option("--fail-fast", "--stop-on-error", is_flag=True, help="Stop after the first case that does not pass.")
@click.option("--no-llm-judge", is_flag=True, help="Leave judge cases unscored.")
@click.option("--judge-repeat", type=click.IntRange(1), default=None, help="Ask the judge so often about each answer; its votes decide.")
@click.option("--no-score", is_flag=True, help="Only collect answers; nothing is judged.")
@click.option("--max-cost-usd", type=Finite(0, min_open=True), metavar="USD", help="Stop once the known cost reaches this.")
@click.option("--record", metavar="FILE", help="Write a recording that replay can judge again.")
@click.option("--model", envvar="AGENTEVAL_MODEL", metavar="NAME", help="Model the agent is told to use.")
@click.option("--meta", "meta", multiple=True, metavar="KEY=VALUE", help="Kept with the run; again for more.")
@click.option("--label", metavar="TEXT", help="A name for this run.")
@click.option("--baseline", metavar="FILE", help="Run file to compare with, in place of the pinned one.")
@click.option("--runs-dir", envvar="AGENTEVAL_RUNS_DIR", metavar="DIR", help="Root of the stored runs.")
@click.option("--history-limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="Runs kept in the ledger.")
@click.option("--no-history", is_flag=True, help="Leave the ledger alone.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON; with -v events as JSON lines on standard error.")
@click.option("--quiet", is_flag=True, help="No progress, only the verdict.")
@click.option("-v", "--verbose", is_flag=True, help="Every attempt on a line, every gate with its figures.")
@gate_options
def command(**options: Any) -> int:
    """Run SUITE against an agent, store the run, compare it with the pinned baseline and give the verdict.

    Without SUITE the agent's golden suite of agents.yaml runs.

    \b
    agenteval run suite.yaml --agent my_project.agent:answer
    agenteval run --agent support --tag smoke --repeat 5 --repeat-all
    """
    from agenteval._collection import collection_paused

    with collection_paused():
        from agenteval.runner import session  # noqa: F401 - before the suite fills the memory that imports make the collector walk
        from agenteval.runner.configure import run_requests

        requests = run_requests(_wanted(options))
    if options["list_only"] or options["dry_run"]:
        return _list(requests, options)
    codes = []
    for request in requests:
        if len(requests) > 1 and not options["as_json"]:
            click.echo(f"{request.agent_name}:")
        codes.append(_run(request, options))
    return max(codes, key=lambda code: (code == 130, code))


def _wanted(options: dict[str, Any]) -> Any:
    from agenteval.runner.configure import Wanted
    from agenteval.runner.request import Choice

    if options["suite"] and options["cases"]:
        raise click.UsageError("the suite is named twice: as an argument and with --cases")
    if options["every_agent"] and options["agent"]:
        raise click.UsageError("--all and --agent exclude each other")
    _check_resume(options)
    return Wanted(
        cwd=Path.cwd(),
        suite=options["suite"] or options["cases"],
        choice=Choice(
            case_ids=options["case_ids"],
            tags=options["tags"],
            skip_judges=options["no_llm_judge"],
            timeout_s=options["timeout"],
            **{
                name: options[name]
                for name in (
                    "smoke",
                    "last_failed",
                    "include_candidates",
                    "repeat",
                    "repeat_cases",
                    "repeat_all",
                    "concurrency",
                    "model",
                    "fail_fast",
                    "max_cost_usd",
                    "no_score",
                    "judge_repeat",
                )
            },
        ),
        limits=lambda base: limits_from(options, base),
        meta=_meta(options["meta"]),
        command_line=tuple(sys.argv),
        record_to=options["record"],
        keep_history=not options["no_history"],
        **{
            name: options[name]
            for name in (
                "agent",
                "every_agent",
                "registry",
                "runs_dir",
                "baseline",
                "agent_repo",
                "dialect",
                "label",
                "resume",
                "retry_errors",
                "history_limit",
            )
        },
    )


_FIXED_BY_RUN = {
    "case_ids": "--case-id",
    "tags": "--tag",
    "smoke": "--smoke",
    "last_failed": "--last-failed",
    "repeat": "--repeat",
    "repeat_cases": "--repeat-case",
    "repeat_all": "--repeat-all",
    "include_candidates": "--include-candidates",
    "no_score": "--no-score",
    "no_llm_judge": "--no-llm-judge",
    "judge_repeat": "--judge-repeat",
}


def _check_resume(options: dict[str, Any]) -> None:
    for name in ("resume", "retry_errors"):
        if options[name] is None:
            continue
        flag = f"--{name.replace('_', '-')}"
        given = [shown for option, shown in _FIXED_BY_RUN.items() if options[option]]
        if given:
            raise click.UsageError(f"{flag} takes the selection of the stored run; leave out {', '.join(given)}")
        if options["every_agent"]:
            raise click.UsageError(f"{flag} goes on with one agent's run; name it with --agent")
    if options["resume"] is not None and options["retry_errors"] is not None:
        raise click.UsageError("--resume and --retry-errors exclude each other")


def _meta(pairs: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise click.BadParameter(f"{pair!r} is not KEY=VALUE", param_hint="--meta")
        found[key.strip()] = value
    return found


def _list(requests: list[Any], options: dict[str, Any]) -> int:
    from agenteval.reports.planned import planned_json, planned_text
    from agenteval.runner.listing import planned

    for request in requests:
        listing = planned(request)
        click.echo(planned_json(listing) if options["as_json"] else planned_text(listing, calls=options["dry_run"]))
    return 0


def _run(request: Any, options: dict[str, Any]) -> int:
    from agenteval.cli.guard import guarded
    from agenteval.cli.progress import observer
    from agenteval.reports.console import run_text
    from agenteval.reports.jsonout import run_json, variance_document
    from agenteval.runner.deciding import exit_code
    from agenteval.runner.session import run_suite

    with guarded() as told:
        watching = observer(told, quiet=options["quiet"], verbose=options["verbose"], as_json=options["as_json"])
        try:
            result = run_suite(request, watching)
        finally:
            getattr(watching, "close", lambda: None)()
    for warning in result.warnings:
        click.echo(f"Warning: {warning}", err=True)
    fail_on = "never" if options["exit_zero"] else options["fail_on"]
    code = exit_code(result.run, result.comparison, fail_on, no_score=options["no_score"])
    click.echo(
        run_json(result.run, result.comparison, code, **variance_document(result.variance))
        if options["as_json"]
        else run_text(
            result.run,
            result.comparison,
            result.flakiness,
            variance=result.variance,
            quiet=options["quiet"],
            every_gate=options["verbose"],
        )
    )
    if result.abandoned:
        _leave(code)
    return code


def _leave(code: int) -> None:
    """End the process although calls that were given up still hold threads of it."""
    import os

    from agenteval.cli.streams import flush_output

    flush_output()
    os._exit(code)
