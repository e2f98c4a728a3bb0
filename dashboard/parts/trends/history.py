"""The runs that the page of trends draws, and what is read of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from agenteval.artifacts.reading import load_run
from agenteval.compare.case_history import CaseHistory, case_histories
from agenteval.compare.movement import Movement, movement
from agenteval.compare.tagged import TAGGED, tagged_measures
from agenteval.errors import AgentEvalError
from agenteval.model.run import Measure, Outcome, RunHead
from parts import stored
from parts.stored import fingerprint
from parts.view import View, comparable
from parts.words import moment

MOST_READ = 200
"""Runs whose tables of outcomes are read for a tag."""


@dataclass(frozen=True, slots=True)
class History:
    """Comparable runs of one window, oldest first.

    Attributes:
        files: Paths by run id; a run that is only in the ledger has none.
        tag: Only cases with this tag count; None: all.
        labels: What each run is called below an axis.
        known: All comparable runs, in the window or not.
        of_part: The tag's measures, one a run; None without a tag.
    """

    heads: Sequence[RunHead]
    files: Mapping[str, Path]
    tag: str | None
    labels: Sequence[str]
    known: int
    of_part: Sequence[Mapping[str, Measure]] | None = None

    @property
    def key(self) -> str:
        """What cached figures of these runs depend on."""
        return "|".join((self.tag or "", *(f"{head.run_id}{head.digest}{head.run_id in self.files}" for head in self.heads)))

    def measured(self, place: int) -> Mapping[str, Measure]:
        """The measures of a run that are drawn."""
        return self.heads[place].metrics if self.of_part is None else self.of_part[place]

    def names(self) -> list[str]:
        """Metrics that any of the runs measured, in the newest run's order."""
        named = dict.fromkeys(name for place in reversed(range(len(self.heads))) for name in self.measured(place))
        return [name for name in named if any(_value(self.measured(place).get(name)) for place in range(len(self.heads)))]

    def newest(self, name: str) -> Measure | None:
        """The newest known value of a metric."""
        places = reversed(range(len(self.heads)))
        return next((measure for place in places if (measure := self.measured(place).get(name)) and _value(measure)), None)


def _value(measure: Measure | None) -> bool:
    return measure is not None and measure.value is not None


def history(view: View, most: int, tag: str | None) -> History:
    """The newest ``most`` comparable runs, stored or only in the ledger; with a tag stored ones only."""
    siblings = view.siblings()
    files = {head.run_id: path for head, path in siblings}
    heads = {head.run_id: head for head, _ in siblings}
    if tag is None:
        heads = {head.run_id: head for head in stored.ledger_heads(view.head.agent) if comparable(head, view.head)} | heads
    ordered = sorted(heads.values(), key=lambda head: (head.started_at, head.run_id))
    drawn = ordered[-(most if tag is None else min(most, MOST_READ)) :]
    part = None
    if tag is not None:
        part = _tagged(_identity(drawn, files), tag, [files[head.run_id] for head in drawn])
    return History(drawn, files, tag, run_days(drawn), len(ordered), part)


def run_days(heads: Sequence[RunHead]) -> list[str]:
    """What runs are called below an axis: days, or times where all ran on one day."""
    form = "%b %d" if len({head.started_at[:10] for head in heads}) > 1 else "%H:%M:%S"
    moments = [moment(head.started_at) for head in heads]
    return [f"{started:{form}}" if started else head.run_id[-6:] for head, started in zip(heads, moments, strict=True)]


def movements(runs: History) -> Mapping[str, Movement]:
    """How every metric of these runs moves."""
    return _movements(runs.key, runs)


@st.cache_resource(max_entries=32, show_spinner=False)
def _movements(key: str, _runs: History) -> dict[str, Movement]:
    return {name: movement([_runs.measured(place).get(name) for place in range(len(_runs.heads))]) for name in _runs.names()}


def cases(runs: Sequence[RunHead], files: Mapping[str, Path], tag: str | None) -> tuple[list[CaseHistory], list[str]]:
    """The cases of runs that have files, the one to look at first on top, and what is wrong with files that can't be read."""
    return _cases(_identity(runs, files), tag, [files[head.run_id] for head in runs])


@st.cache_resource(max_entries=32, show_spinner=False)
def _cases(key: str, tag: str | None, _paths: Sequence[Path]) -> tuple[list[CaseHistory], list[str]]:
    tables: list[Sequence[Outcome]] = []
    broken: list[str] = []
    for path in _paths:
        try:
            tables.append(load_run(path).outcomes)
        except AgentEvalError as error:
            tables.append(())
            broken.append(str(error))
    return case_histories(tables, tag), broken


@st.cache_resource(max_entries=32, show_spinner=False)
def _tagged(key: str, tag: str, _paths: Sequence[Path]) -> list[Mapping[str, Measure]]:
    return [part_of(path, tag) for path in _paths]


def part_of(path: Path, tag: str) -> Mapping[str, Measure]:
    """A run's measures over the cases with a tag; none where the file can't be read."""
    try:
        return tagged_measures(load_run(path).outcomes, tag)
    except AgentEvalError:
        return {}


def tags(path: Path) -> list[str]:
    """The tags of a run's cases, by name."""
    return _tags(path, fingerprint(path))


@st.cache_resource(max_entries=32, show_spinner=False)
def _tags(path: Path, identity: stored.Fingerprint) -> list[str]:
    try:
        return sorted({tag for outcome in load_run(path).outcomes for tag in outcome.tags})
    except AgentEvalError:
        return []


def _identity(runs: Sequence[RunHead], files: Mapping[str, Path]) -> str:
    """One text for the cache: hashing paths one by one takes longer than drawing."""
    return "|".join(f"{head.run_id}{files[head.run_id]}{fingerprint(files[head.run_id])}" for head in runs)


__all__ = ["TAGGED", "History", "cases", "history", "movements", "part_of", "run_days", "tags"]
