"""A folder that holds every kind of evidence a page can show: two agents, two suites, ten days of work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agenteval._files import dumps
from agenteval.artifacts.baselines import set_baseline
from agenteval.artifacts.codec import head_to_json
from agenteval.artifacts.history import rebuild
from agenteval.artifacts.journal import JournalWriter
from agenteval.artifacts.paths import agent_dir, baseline_path, journal_path, ledger_path, run_path
from agenteval.artifacts.reading import load_run
from agenteval.model.attempt import Attempt
from agenteval.model.record import to_record
from agenteval.model.run import Run, Selection, SuiteRef
from agenteval.model.status import RunStatus
from tests.builders import a_run
from tests.dashboard.judged_folder import write_calibrations
from tests.dashboard.rich_attempts import attempt_at, repetitions_at
from tests.dashboard.rich_cases import CASES, RETURNS
from tests.dashboard.rich_judges import write_judges
from tests.dashboard.stored import store

AGENT, OTHER = "support_agent", "support_agent_mini"
SUITE = SuiteRef("support", "suites/support.yaml", "5d1f0c77", 24)
SECOND_SUITE = SuiteRef("returns", "suites/returns.yaml", "81b02e9a", 3)
COMMITS = ("1f0c2aa", "77be013", "9d4410c", "a02f6be", "c5518d7", "d0719f2", "e6b4c31", "f1a9e05", "f93d2b8", "ff60109")
DAYS = (19, 20, 21, 22, 23, 24, 25, 26, 28, 30)
NEWEST, PINNED, STOPPED, ONLY_IN_LEDGER = 9, 5, 7, 0
"""Places in the row of full runs."""
LABELS = {PINNED: "release 1.4", NEWEST: "prompt v7: shorter answers"}


def run_id(place: int) -> str:
    """The id of a full run of the first agent."""
    return f"202611{DAYS[place]:02}T080000Z-{COMMITS[place]}-{place:06x}"


def write_rich(folder: Path) -> tuple[JournalWriter, ...]:
    """Write the folder; the journals returned belong to runs that are running until they are closed."""
    _full_runs(folder)
    _smoke_runs(folder)
    _second_suite(folder)
    _second_agent(folder)
    write_calibrations(folder, AGENT)
    write_judges(folder, OTHER)
    for agent in (AGENT, OTHER):
        rebuild(ledger_path(agent_dir(folder / "runs", agent)))
    run_path(agent_dir(folder / "runs", AGENT), run_id(ONLY_IN_LEDGER)).unlink()
    crashed = _journal(folder, OTHER, "20261129T181500Z-f93d2b8-00bbbb", 3)
    crashed.close()
    return (_journal(folder, AGENT, "20261130T094500Z-ff60109-00cccc", 11),)


def _full_runs(folder: Path) -> None:
    baseline: Run | None = None
    for place in range(len(DAYS)):
        attempts = _attempts(place)
        written = store(
            folder,
            attempts,
            run_id(place),
            repetitions=repetitions_at(place) or None,
            baseline=baseline,
            **_facts(AGENT, SUITE, "careful-1", COMMITS[place], place),
            status=RunStatus.STOPPED if place == STOPPED else RunStatus.COMPLETED,
            label=LABELS.get(place),
            meta={"branch": "main" if place < NEWEST else "shorter-answers", "ci": str(4100 + place)},
        )
        if place == PINNED:
            baseline = _pin(folder, AGENT, written.head.run_id)


def _pin(folder: Path, agent: str, pinned: str) -> Run:
    run = load_run(run_path(agent_dir(folder / "runs", agent), pinned))
    set_baseline(run, baseline_path(folder / "baselines", agent, run.head.suite.name, True))
    return run


def _attempts(place: int, *, agent: str = AGENT) -> list[Attempt]:
    found = (attempt_at(case, place, other=agent == OTHER) for case in CASES)
    return [attempt for attempt in found if attempt is not None]


def _smoke_runs(folder: Path) -> None:
    """Two runs of the cases tagged ``returns``, a selection of its own."""
    for place, day in ((5, 24), (8, 29)):
        chosen = [attempt for attempt in _attempts(place) if "returns" in attempt.tags]
        rest = [attempt.case_id for attempt in _attempts(place) if "returns" not in attempt.tags]
        store(
            folder,
            chosen,
            f"202611{day}T120000Z-{COMMITS[place]}-0005{place:02}",
            left_out=rest,
            selection=Selection({"tags": ["returns"]}, len(rest)),
            **_facts(AGENT, SUITE, "careful-1", COMMITS[place], place),
        )


def _second_suite(folder: Path) -> None:
    for place in (4, 6, 8):
        attempts = [attempt for case in RETURNS if (attempt := attempt_at(case, place)) is not None]
        facts = _facts(AGENT, SECOND_SUITE, "careful-1", COMMITS[place], place)
        store(folder, attempts, f"202611{DAYS[place]}T150000Z-{COMMITS[place]}-0006{place:02}", **facts)


def _second_agent(folder: Path) -> None:
    baseline: Run | None = None
    for place in (5, 6, 8, 9):
        name = f"202611{DAYS[place]}T070000Z-{COMMITS[place]}-0007{place:02}"
        facts = _facts(OTHER, SUITE, "small-1", COMMITS[place], place)
        store(folder, _attempts(place, agent=OTHER), name, baseline=baseline, **facts)
        if place == 5:
            baseline = _pin(folder, OTHER, name)


def _facts(agent: str, suite: SuiteRef, model: str, commit: str, place: int) -> dict[str, Any]:
    git = {"commit": f"{commit}{'0' * 33}", "dirty": False}
    parameters = {"model": model, "adapter": "shop.agent:SupportAgent"}
    return {
        "agent": agent,
        "suite": suite,
        "duration_s": 41.5 + place,
        "parameters": parameters,
        "git": git,
        "provenance": {
            "git": git,
            "suite": {"name": suite.name, "path": suite.path, "hash": suite.hash},
            "adapter": "shop.agent:SupportAgent",
            "model": model,
            "parameters": {**parameters, "concurrency": 4},
            "packages": {"agenteval": "1.0.0"},
            "python": "3.12.4",
            "platform": "linux x86_64",
            "ci_url": None,
            "command": ["agenteval", "run", suite.path, "--agent", agent],
            "meta": {},
        },
    }


def _journal(folder: Path, agent: str, name: str, done: int) -> JournalWriter:
    """A run of which ``done`` attempts are finished; its writer holds the lock that says it is running."""
    attempts = _attempts(NEWEST, agent=agent)
    facts = _facts(agent, SUITE, "careful-1" if agent == AGENT else "small-1", COMMITS[NEWEST], NEWEST)
    facts.pop("provenance")
    stamp = f"2026-11-{name[6:8]}T{name[9:11]}:{name[11:13]}:00.000Z"
    head = a_run(attempts, run_id=name, started_at=stamp, **{**facts, "counts": {}, "duration_s": None}).head
    writer = JournalWriter.create(journal_path(agent_dir(folder / "runs", agent), name), head_to_json(head))
    for attempt in attempts[:done]:
        writer.append(dumps(to_record(attempt)))
    return writer
