"""Differences between two trajectories, step by step, and the shapes of JSON they are read from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from agenteval._text import clip, nearest
from agenteval.compare.alignment import Alignment, align
from agenteval.errors import InputError, Problem

_DETAIL_LIMIT = 120
_SHAPES = "a list of steps, a mapping with steps, trace_steps, actual or nodes_fired, or a run file"
_FACETS = ("tool_calls", "input", "output")


@dataclass(frozen=True, slots=True)
class TrajectoryStep:
    """One step of a trajectory to be compared: its label and what else of it may change (``input``, ``output``, ``tool_calls``)."""

    label: str
    facets: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The steps of one attempt, and its trajectory score in [0, 1] where the document holds one."""

    steps: tuple[TrajectoryStep, ...]
    score: float | None = None


@dataclass(frozen=True, slots=True)
class DiffEntry:
    """One line of a trajectory diff. ``kind`` is ``unchanged``, ``changed``, ``removed`` or ``added``; indices are 0-based."""

    kind: str
    index_a: int | None
    index_b: int | None
    step_a: str | None
    step_b: str | None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class TrajectoryDiff:
    """Two trajectories step by step. ``similarity`` is the F1 of their longest common subsequence."""

    a: Trajectory
    b: Trajectory
    entries: tuple[DiffEntry, ...]
    similarity: float

    @property
    def identical(self) -> bool:
        """True where every step is unchanged."""
        return all(entry.kind == "unchanged" for entry in self.entries)

    @property
    def score_delta(self) -> float | None:
        """Score of b - score of a; None where either is unknown."""
        return None if self.a.score is None or self.b.score is None else self.b.score - self.a.score

    def count(self, kind: str) -> int:
        """How many entries are of this kind."""
        return sum(entry.kind == kind for entry in self.entries)


def diff_trajectories(a: Trajectory, b: Trajectory) -> TrajectoryDiff:
    """What was removed from a, added in b, and changed in the steps that both hold."""
    alignment = align([step.label for step in a.steps], [step.label for step in b.steps])
    return TrajectoryDiff(a, b, tuple(_entries(a, b, alignment)), alignment.f1)


def _entries(a: Trajectory, b: Trajectory, alignment: Alignment) -> Iterator[DiffEntry]:
    i = j = 0
    for next_i, next_j in (*alignment.pairs, (len(a.steps), len(b.steps))):
        yield from (DiffEntry("removed", k, None, a.steps[k].label, None) for k in range(i, next_i))
        yield from (DiffEntry("added", None, k, None, b.steps[k].label) for k in range(j, next_j))
        if next_i < len(a.steps):
            before, after = a.steps[next_i], b.steps[next_j]
            detail = _changes(before.facets, after.facets)
            yield DiffEntry("changed" if detail else "unchanged", next_i, next_j, before.label, after.label, detail)
        i, j = next_i + 1, next_j + 1


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> str | None:
    """``input: {"q": "x"} → {"q": "y"}`` for every facet that differs; a bare name says nothing of its facets."""
    if not before or not after:
        return None
    changed = [name for name in _FACETS if before.get(name) != after.get(name)]
    return "; ".join(f"{name}: {_short(before.get(name))} → {_short(after.get(name))}" for name in changed) or None


def _short(value: Any) -> str:
    return clip(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str), _DETAIL_LIMIT)


def diff_to_record(diff: TrajectoryDiff) -> dict[str, Any]:
    """A diff as a JSON-safe mapping: ``steps_a``, ``steps_b``, ``identical``, ``summary`` and ``entries``."""
    return {
        "steps_a": [step.label for step in diff.a.steps],
        "steps_b": [step.label for step in diff.b.steps],
        "identical": diff.identical,
        "summary": {
            **{kind: diff.count(kind) for kind in ("added", "removed", "changed", "unchanged")},
            "similarity": diff.similarity,
            "score_a": diff.a.score,
            "score_b": diff.b.score,
            "score_delta": diff.score_delta,
        },
        "entries": [asdict(entry) for entry in diff.entries],
    }


def steps_of(document: Any, case_id: str | None = None, *, shown: str = "") -> Trajectory:
    """The trajectory in a parsed JSON document.

    Accepted: a list of step names; a list of step mappings (``name`` with an optional ``kind``, or ``label``); a mapping that holds
    such a list under ``steps``, ``trace_steps``, ``trajectory.actual``, ``actual`` or ``nodes_fired`` (the first that is not empty);
    a run, whose case is ``case_id`` (not needed where it holds one case).

    Raises:
        InputError: Not one of these shapes, or no such case; ``shown`` is the file's name.
    """
    problem = partial(Problem, file=shown)
    if isinstance(document, Mapping):
        for key in ("cases", "case_results"):
            if isinstance(document.get(key), list):
                return steps_of(_case(document[key], case_id, problem), shown=shown)
        found = _listed(document)
        if found is not None:
            return Trajectory(tuple(_step(item, place, problem) for place, item in enumerate(found)), _score(document))
    if isinstance(document, list):
        return Trajectory(tuple(_step(item, place, problem) for place, item in enumerate(document)))
    raise InputError(problem("no trajectory in this document", f"give {_SHAPES}"))


def _case(cases: list[Any], case_id: str | None, problem: partial[Problem]) -> Mapping[str, Any]:
    by_id = {case["case_id"]: case for case in _with_turns(cases)}
    if case_id is None and len(cases) == 1 and by_id:
        return next(iter(by_id.values()))
    if case_id is None:
        raise InputError(problem(f"holds {len(cases)} cases", "choose one with --case-id"))
    if case_id not in by_id:
        raise InputError(problem(f"no case {case_id!r}", _suggestion(case_id, list(by_id))))
    return by_id[case_id]


def _suggestion(case_id: str, known: list[str]) -> str:
    near = nearest(case_id, known)
    return f"did you mean {near!r}?" if near else ""


def _with_turns(cases: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for case in cases:
        if isinstance(case, Mapping) and isinstance(case.get("case_id"), str):
            yield case
            yield from _with_turns(_turns(case))


def _turns(case: Mapping[str, Any]) -> Sequence[Any]:
    found = case.get("turns") or case.get("turn_results") or ()
    return found if isinstance(found, (list, tuple)) else ()


def _listed(document: Mapping[str, Any]) -> list[Any] | None:
    """The first list of steps that is not empty, else an empty one where a key is there.

    A conversation's steps are its turns' in order; the names of all nodes that fired, which it holds beside, tell less.
    """
    inner = document.get("trajectory")
    inner = inner.get("actual") if isinstance(inner, Mapping) else inner
    places = (document.get("steps"), document.get("trace_steps"), inner, document.get("actual"))
    turns = [step for turn in _turns(document) if isinstance(turn, Mapping) for step in _listed(turn) or ()]
    lists = [list(place) for place in (*places, turns, document.get("nodes_fired")) if isinstance(place, (list, tuple))]
    known = len(lists) > 1 or "case_id" in document
    return next(filter(None, lists), [] if known else None)


def _step(item: Any, place: int, problem: partial[Problem]) -> TrajectoryStep:
    if isinstance(item, str):
        return TrajectoryStep(item.strip(), {})
    label = _label(item) if isinstance(item, Mapping) else None
    if label is None:
        raise InputError(problem(f"{_short(item)} is not a step", "give a name, or a mapping with name or label", path=f"steps[{place}]"))
    facets = {name: item.get(name) for name in _FACETS} | ({"tool_calls": item["tools_called"]} if "tools_called" in item else {})
    return TrajectoryStep(label, {name: value for name, value in facets.items() if value is not None})


def _label(item: Mapping[str, Any]) -> str | None:
    name, kind = item.get("name", item.get("label")), item.get("kind")
    if not isinstance(name, str):
        return None
    return f"{kind}:{name}".strip() if isinstance(kind, str) and "name" in item else name.strip()


def _score(document: Mapping[str, Any]) -> float | None:
    places: list[Any] = [document.get("score"), document.get("trajectory_score"), document.get("f1")]
    if isinstance(document.get("trajectory"), Mapping):
        places.append(document["trajectory"].get("score"))
    scores = [score for score in document.get("scores") or () if isinstance(score, Mapping)]
    places += [score.get("value") for score in scores if score.get("feeds") == "trajectory"]
    return next((float(place) for place in places if isinstance(place, (int, float)) and not isinstance(place, bool)), None)
