"""Stored runs and attempts as a command line names them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agenteval._text import clip, nearest
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.run import Run
from agenteval.model.status import Status


def stored_run(name: str, *, cwd: Path, agent: str | None = None, registry: str | None = None, runs_dir: str | None = None) -> Run:
    """The run of that name: id or its beginning, ``latest``, ``latest~2``, ``baseline`` or a path.

    Raises:
        InputError: No run, or several.
    """
    from agenteval.runner.workspace import open_workspace

    workspace = open_workspace(cwd, registry=registry, runs_dirs=[] if runs_dir is None else [runs_dir])
    return workspace.run(name, agent)


def attempt_of(run: Run, case_id: str | None, repetition: int = 0) -> Attempt:
    """The attempt of a case, or of a turn (``case::turn1``); the case need not be named where the run holds one.

    Raises:
        InputError: No such case, turn or repetition; the nearest is named.
    """
    ids = [outcome.case_id for outcome in run.outcomes]
    if case_id is None and len(ids) == 1:
        case_id = ids[0]
    if case_id is None:
        raise InputError(
            Problem(f"run {run.head.run_id} holds {len(ids)} cases", f"choose one with --case-id{_example(run)}", file="--case-id")
        )
    # A case may itself be called "a::turn1", so the whole name is tried first.
    outer = case_id if case_id in ids else case_id.partition("::turn")[0]
    attempt = run.case(outer)
    if attempt is None:
        close = nearest(case_id, ids)
        fix = f"did you mean {close!r}?" if close else f"it holds {', '.join(ids[:8])}{' and more' if len(ids) > 8 else ''}"
        raise InputError(Problem(f"no case {clip(case_id, 80)!r} in run {run.head.run_id}", fix, file="--case-id"))
    return _turn(_repeated(run, attempt, repetition), case_id)


def _example(run: Run) -> str:
    failed = next((outcome.case_id for outcome in run.outcomes if outcome.status is not Status.PASSED), None)
    return f", for example {failed!r}, which did not pass" if failed is not None else ""


def _repeated(run: Run, attempt: Attempt, repetition: int) -> Attempt:
    if repetition == attempt.repetition:
        return attempt
    others = [other for other in run.repetitions if other.case_id == attempt.case_id]
    for other in others:
        if other.repetition == repetition:
            return other
    what = f"case {attempt.case_id!r} has no repetition {repetition}"
    raise InputError(Problem(what, f"it was attempted {len(others) + 1} times, counted from 0", file="--repetition"))


def _turn(attempt: Attempt, case_id: str) -> Attempt:
    if attempt.case_id == case_id:
        return attempt
    turns = list(_turns(attempt))
    for turn in turns:
        if turn.case_id == case_id:
            return turn
    names = ", ".join(turn.case_id for turn in turns[:8])
    raise InputError(
        Problem(f"no turn {clip(case_id, 80)!r}", f"its turns are {names}" if names else "the case has no turns", file="--case-id")
    )


def _turns(attempt: Attempt) -> Iterator[Attempt]:
    for turn in attempt.turns:
        yield turn
        yield from _turns(turn)
