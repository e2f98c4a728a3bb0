"""``agenteval validate``: read suites and agents.yaml, compile every check, run nothing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click

from agenteval.errors import InputError, Problem


@dataclass(frozen=True)
class Checked:
    """What became of one file. ``checks`` counts those of turns too; both counts are None where there are problems."""

    file: str
    kind: str
    cases: int | None = None
    checks: int | None = None
    agents: int | None = None
    problems: tuple[Problem, ...] = field(default=())

    def line(self) -> str:
        """The file's line of a good report."""
        if self.kind == "agents":
            return f"{self.file}: ok, {_count(self.agents, 'agent')}"
        return f"{self.file}: ok, {_count(self.cases, 'case')}, {_count(self.checks, 'check')}"

    def as_json(self) -> dict[str, Any]:
        """The file's entry of a JSON report."""
        counts = {name: getattr(self, name) for name in ("cases", "checks", "agents") if getattr(self, name) is not None}
        problems = [{key: value for key, value in asdict(problem).items() if key != "order"} for problem in self.problems]
        return {"file": self.file, "kind": self.kind, "ok": not problems, **counts, "problems": problems}


def _count(number: int | None, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@click.command()
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option("--registry", metavar="FILE", help="The agents.yaml to check (default: the nearest one upwards).")
@click.option("--dialect", metavar="NAME", help="Read suites as this dialect instead of detecting it.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(suites: tuple[str, ...], registry: str | None, dialect: str | None, as_json: bool) -> int:
    """Check suites, or agents.yaml and the suites it names, without running anything.

    Exit codes: 0 all good, 2 with problems, each told as file:line:column.
    """
    files = [check_suite(Path(name), name, dialect) for name in suites] if suites and registry is None else []
    if not files:
        files = _registered(registry, dialect)
        files += [check_suite(Path(name), name, dialect) for name in suites]
    problems = [problem for checked in files for problem in checked.problems]
    if as_json:
        click.echo(json.dumps({"ok": not problems, "files": [checked.as_json() for checked in files]}, indent=2, ensure_ascii=False))
        return 2 if problems else 0
    for checked in files:
        if not checked.problems:
            click.echo(checked.line())
    for checked in files:
        for problem in checked.problems:
            click.echo(f"Error: {_safe(str(problem))}", err=True)
    return 2 if problems else 0


def _safe(text: str) -> str:
    from agenteval._redact import redact
    from agenteval._text import plain

    return plain(redact(text))


def check_suite(path: Path, shown: str, dialect: str | None = None) -> Checked:
    """Read a suite and compile its checks."""
    from agenteval._imports import extend_path
    from agenteval.runner.preparing import read_suite
    from agenteval.suites import project_root

    root = project_root(Path.cwd())
    extend_path([Path.cwd(), root, root / "src"])
    try:
        prepared = read_suite(path, dialect=dialect, shown=shown)
    except InputError as error:
        return Checked(shown, "suite", problems=error.problems)
    compiled = [case.compiled for case in prepared.cases.values()]
    checks = sum(len(case.checks) + sum(len(turn) for turn in case.turns) for case in compiled)
    return Checked(shown, "suite", cases=len(compiled), checks=checks)


def _registered(name: str | None, dialect: str | None) -> list[Checked]:
    """agents.yaml and the golden suites of its agents, each suite once."""
    from agenteval.suites import read_registry

    here = Path.cwd()
    try:
        registry = read_registry(None if name is None else here / name, start=here)
    except InputError as error:
        return [Checked(error.problems[0].file, "agents", problems=error.problems)]
    if registry.path is None:
        raise InputError(
            Problem("no suite was named, and there is no agents.yaml here or above", "write agenteval validate SUITE", file="SUITE")
        )
    files = [Checked(registry.shown, "agents", agents=len(registry.agents))]
    golden = dict.fromkeys(agent.golden_suite for agent in registry.agents.values() if agent.golden_suite is not None)
    files += [check_suite(path, str(path.relative_to(here)) if path.is_relative_to(here) else str(path), dialect) for path in golden]
    return files
