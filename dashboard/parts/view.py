"""The selection checked against what is stored: everything a page starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agenteval.charts.palette import look
from agenteval.model.gates import Verdict
from agenteval.model.run import RunHead
from parts import stored
from parts.project import Pin, pinned
from parts.selection import NONE, PINNED, Selection, Unknown, choose


@dataclass(frozen=True, slots=True)
class View:
    """One agent's runs, the chosen one and what it is compared with.

    Attributes:
        selection: Complete: agent, run and baseline are set.
        agents: Newest head of every agent, by name.
        runs: The agent's stored heads with their paths, oldest first.
        baseline: Path and head of what the run is compared with, None where it is judged alone.
        pinned: Head of the pinned baseline, None where there is none that can be read.
        pin: The pinned baseline's file, readable or not.
        unknown: Ids of the URL that are not stored; defaults stand in for them.
    """

    selection: Selection
    agents: Mapping[str, RunHead]
    runs: Mapping[str, tuple[RunHead, Path]]
    head: RunHead
    path: Path
    baseline: tuple[Path, RunHead] | None
    pinned: RunHead | None
    pin: Pin | None
    unknown: tuple[Unknown, ...] = ()

    def siblings(self) -> list[tuple[RunHead, Path]]:
        """Stored runs of the same suite and selection, oldest first, the chosen one among them."""
        return [(head, path) for head, path in self.runs.values() if comparable(head, self.head)]


def comparable(one: RunHead, other: RunHead) -> bool:
    """Whether two runs belong into one trend: same suite, same selection."""
    return one.suite.name == other.suite.name and one.selection.filter == other.selection.filter


def open_view(asked: Selection) -> View | None:
    """The view that a URL asks for; None where nothing is stored."""
    found = stored.listing()
    agents: dict[str, RunHead] = {}
    for item in found.runs:
        known = agents.get(item.head.agent)
        if known is None or known.started_at <= item.head.started_at:
            agents[item.head.agent] = item.head
    if not agents:
        return None
    unknown: list[Unknown] = []
    newest = max(agents, key=lambda name: agents[name].started_at)
    agent = _chosen(asked.agent, list(agents), "agent", newest, unknown)
    runs = {item.head.run_id: (item.head, item.path) for item in found.runs if item.head.agent == agent}
    runs = dict(sorted(runs.items(), key=lambda item: (item[1][0].started_at, item[0])))
    # A run of an unknown agent is unknown with it: one message is enough.
    wanted = None if unknown else asked.run
    run = _chosen(wanted, list(runs), "run", list(runs)[-1], unknown, prefix=True)
    head, path = runs[run]
    pin = pinned(head)
    found_pin = (pin.path, pin.head) if pin is not None and pin.head is not None else None
    # Runs of other agents can be compared with too, by link; this agent's own come last, so that they win where ids are the same.
    others = {item.head.run_id: (item.head, item.path) for item in found.runs if item.head.agent != agent}
    baseline, word = _baseline(asked.baseline, head, others | runs, found_pin, unknown)
    selection = replace(asked, agent=agent, run=run, baseline=word)
    return View(selection, agents, runs, head, path, baseline, found_pin[1] if found_pin else None, pin, tuple(unknown))


def _chosen(wanted: str | None, options: Sequence[str], kind: str, default: str, unknown: list[Unknown], *, prefix: bool = False) -> str:
    if wanted is None:
        return default
    found = choose(wanted, options, kind, prefix=prefix)
    if isinstance(found, Unknown):
        unknown.append(found)
        return default
    return found


def _baseline(
    asked: str | None, head: RunHead, runs: Mapping[str, tuple[RunHead, Path]], pin: tuple[Path, RunHead] | None, unknown: list[Unknown]
) -> tuple[tuple[Path, RunHead] | None, str]:
    if asked == NONE:
        return None, NONE
    if asked is not None and asked != PINNED:
        if pin and asked == pin[1].run_id:
            return pin, asked
        options = [run_id for run_id, (other, _) in runs.items() if other.suite.name == head.suite.name]
        found = choose(asked, options, "run to compare with", prefix=True)
        if not isinstance(found, Unknown):
            other, path = runs[found]
            return (path, other), found
        unknown.append(found)
    if pin and asked is None and pin[1].run_id == head.run_id:
        return None, NONE  # the pinned run itself: against itself nothing ever changes
    return (pin, PINNED) if pin else (None, NONE)


def stored_verdict(view: View) -> Verdict | None:
    """The verdict that the run itself recorded, where it stands against the baseline now chosen (or against none, both times)."""
    verdict = view.head.gate
    chosen = view.baseline[1].run_id if view.baseline else None
    return verdict if verdict is not None and verdict.baseline == chosen else None


def symbol(head: RunHead) -> str:
    """The symbol of a run's recorded gate."""
    return look(head.gate.outcome.value).symbol if head.gate else "·"
