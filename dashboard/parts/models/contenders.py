"""Which runs stand against each other on a suite, read once and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from agenteval.compare.contenders import Contender, Duel, contender, duels
from agenteval.errors import AgentEvalError
from agenteval.model.run import RunHead
from agenteval.model.status import RunStatus
from parts import stored
from parts.stored import Fingerprint, fingerprint
from parts.view import View


@dataclass(frozen=True, slots=True)
class Field:
    """The contenders of a suite.

    Attributes:
        contenders: The one with the highest correctness first, those without any last.
        paths: Their run files, by name.
        chosen: The one whose run the sidebar chose instead of its newest; None where there is none.
        partial: Newest heads of agents that never ran the whole suite to its end.
        broken: Runs that can't be read.
    """

    suite: str
    contenders: tuple[Contender, ...]
    paths: Mapping[str, Path]
    chosen: str | None
    partial: tuple[RunHead, ...]
    broken: tuple[str, ...]


def suites() -> list[str]:
    """Names of all suites with stored runs, those that most agents ran first."""
    agents = {(item.head.suite.name, item.head.agent) for item in stored.listing().runs}
    counts = Counter(suite for suite, _ in agents)
    return sorted(counts, key=lambda suite: (-counts[suite], suite))


def field(view: View, suite: str) -> Field:
    """The newest whole run of every agent and model; of the sidebar's agent and model the chosen run, where it is a whole one."""
    newest: dict[tuple[str, str], tuple[RunHead, Path]] = {}
    partial: dict[str, RunHead] = {}
    for item in stored.listing().runs:  # oldest first
        if item.head.suite.name != suite:
            continue
        if _whole(item.head):
            newest[_key(item.head)] = (item.head, item.path)
        else:
            partial[item.head.agent] = item.head
    chosen = None
    if view.head.suite.name == suite and _whole(view.head) and newest[_key(view.head)][0].run_id != view.head.run_id:
        newest[_key(view.head)] = (view.head, view.path)
        chosen = _key(view.head)
    names = _names(list(newest))
    found, broken = [], []
    for key, (_, path) in newest.items():
        try:
            found.append(_contender(names[key], path, fingerprint(path)))
        except AgentEvalError as error:
            broken.append(str(error))
    left = {agent: head for agent, head in partial.items() if all(agent != known for known, _ in newest)}
    paths = {names[key]: path for key, (_, path) in newest.items()}
    return Field(suite, tuple(sorted(found, key=_rank)), paths, names[chosen] if chosen else None, tuple(left.values()), tuple(broken))


def _rank(found: Contender) -> tuple[float, int, str]:
    right = found.measure("correctness_rate")
    return (1.0, 0, found.name) if right is None or right.value is None else (-right.value, -right.n, found.name)


def contend(found: Field) -> list[Duel]:
    """Every two contenders against each other."""
    return _duels(tuple((one.name, found.paths[one.name], fingerprint(found.paths[one.name])) for one in found.contenders))


def _whole(head: RunHead) -> bool:
    return head.status is RunStatus.COMPLETED and not head.selection.partial


def _key(head: RunHead) -> tuple[str, str]:
    return head.agent, str(head.parameters.get("model") or "")


def _names(keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The agent's name; with its model where it ran with several."""
    models = Counter(agent for agent, _ in keys)
    return {(agent, model): agent if models[agent] == 1 else f"{agent} · {model or 'model not recorded'}" for agent, model in keys}


@st.cache_resource(max_entries=128, show_spinner=False)
def _contender(name: str, path: Path, identity: Fingerprint) -> Contender:
    run = stored.run_at(path)
    try:
        sidecar = stored.sidecar_of(run)
    except AgentEvalError:  # The page Flakiness says why; here only pass^k is missing.
        sidecar = None
    return contender(name, run.head, run.outcomes, sidecar.cases if sidecar is not None else ())


@st.cache_resource(max_entries=16, show_spinner=False)
def _duels(places: tuple[tuple[str, Path, Fingerprint], ...]) -> list[Duel]:
    return duels({name: stored.run_at(path) for name, path, _ in places})
