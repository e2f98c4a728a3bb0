"""Choosing cases of a suite by id and tag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agenteval._text import nearest
from agenteval.errors import InputError, Problem
from agenteval.model.run import Selection
from agenteval.suites.suite import Case, Suite


@dataclass(frozen=True, slots=True)
class Selector:
    """Which cases to run: those with one of the ids and, where tags are given, one of the tags; candidates on request only."""

    case_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    include_candidates: bool = False


def select(suite: Suite, selector: Selector) -> tuple[list[Case], Selection, list[str]]:
    """The selected cases in suite order, the filter as the run keeps it, and the ids left out.

    A candidate that nobody asked for awaits its review; it is not left out.

    Raises:
        InputError: An id or tag that no case has, or nothing selected; the flag is named.
    """
    problems = _unknown("--case-id", "case", selector.case_ids, [case.id for case in suite.cases])
    problems += _unknown("--tag", "tag", selector.tags, sorted({tag for case in suite.cases for tag in case.tags}))
    if problems:
        raise InputError(problems)
    ids, tags = set(selector.case_ids), set(selector.tags)
    fitting = [case for case in suite.cases if (not ids or case.id in ids) and (not tags or not tags.isdisjoint(case.tags))]
    chosen = [case for case in fitting if selector.include_candidates or not case.candidate]
    if not chosen:
        raise InputError(_nothing(suite, selector, fitting))
    kept = {case.id for case in chosen}
    waiting = set() if selector.include_candidates else {case.id for case in suite.cases if case.candidate}
    left_out = [case.id for case in suite.cases if case.id not in kept and case.id not in waiting]
    return chosen, Selection(_filter(selector), len(left_out)), left_out


def _unknown(flag: str, noun: str, wanted: Iterable[str], known: list[str]) -> list[Problem]:
    present = set(known)
    problems = []
    for name in wanted:
        if name not in present:
            close = nearest(name, known)
            listed = ", ".join(known[:10]) + (", …" if len(known) > 10 else "")
            fix = f"did you mean {close!r}?" if close else f"the suite has: {listed}" if known else f"no case has a {noun}"
            problems.append(Problem(f"no {noun} {name!r} in the suite", fix, file=flag))
    return problems


def _nothing(suite: Suite, selector: Selector, fitting: list[Case]) -> Problem:
    if fitting:
        count = f"all {len(fitting)} are candidates" if len(fitting) > 1 else f"{fitting[0].id!r} is a candidate"
        return Problem(
            f"nothing selected: {count} awaiting review", "review them, or add --include-candidates", file=_flags(selector) or suite.path
        )
    return Problem("nothing selected: no case fits both", "choose ids that have one of the tags", file=_flags(selector) or suite.path)


def _flags(selector: Selector) -> str:
    return " and ".join(flag for flag, given in (("--case-id", selector.case_ids), ("--tag", selector.tags)) if given)


def _filter(selector: Selector) -> dict[str, Any]:
    given: dict[str, Any] = {"case_ids": list(selector.case_ids), "tags": list(selector.tags)}
    return {key: value for key, value in given.items() if value} | ({"include_candidates": True} if selector.include_candidates else {})
