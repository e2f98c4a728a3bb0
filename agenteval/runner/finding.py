"""Finding earlier runs by name: what --resume, --retry-errors and --last-failed start from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agenteval.artifacts.codec import head_from_json
from agenteval.artifacts.journal import Journal, read_journal
from agenteval.artifacts.naming import resolve
from agenteval.artifacts.reading import load_run
from agenteval.artifacts.store import Store, StoredHead
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.run import Run, RunHead
from agenteval.model.status import RunStatus

UNFINISHED = (RunStatus.STOPPED, RunStatus.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A run that did not reach its end: a journal that a crash left, or a stopped or interrupted run file."""

    head: RunHead
    left_out: tuple[str, ...]
    journal: Journal | None = None
    run: Run | None = None

    def attempts(self) -> Iterator[Attempt]:
        """What it holds, the last record of every case and repetition."""
        if self.journal is not None:
            yield from self.journal.attempts(self.journal.latest().values())
        if self.run is not None:
            yield from self.run.cases
            yield from self.run.repetitions


def newest_unfinished(folder: Path, name: str) -> Unfinished:
    """The unfinished run of an agent that begins with ``name``, the newest where several do.

    Raises:
        InputError: There is none, or it is still running.
    """
    stored = Store([folder]).heads().runs
    finished = {item.head.run_id for item in stored if item.head.status not in UNFINISHED}
    every = [*_crashed(folder, finished), *_stopped(stored)]
    found = [unfinished for unfinished in every if not unfinished.head.parameters.get("rescored")]
    named = [unfinished for unfinished in found if unfinished.head.run_id.startswith(name)]
    judged_again = [unfinished.head for unfinished in every if name and unfinished.head.run_id.startswith(name)]
    if judged_again and not named:
        what = f"run {judged_again[-1].run_id} judges a stored run again and calls no agent"
        raise InputError(Problem(what, f"judge it once more: agenteval rescore {judged_again[-1].parent}", file="--resume"))
    if not found:
        raise InputError(Problem("there is no unfinished run", "start one without --resume", file="--resume"))
    if not named:
        ids = [unfinished.head.run_id for unfinished in found]
        raise InputError(Problem(f"no unfinished run {name!r}", f"unfinished: {', '.join(sorted(ids)[-5:])}", file="--resume"))
    newest = max(named, key=lambda unfinished: (unfinished.head.started_at, unfinished.journal is not None))
    if newest.journal is not None and newest.journal.running:
        raise InputError(Problem(f"run {newest.head.run_id} is still running", "wait for it, or end that process", file="--resume"))
    return newest


def run_named(runs_dir: Path, agent: str, name: str, *, flag: str, suite: str | None = None) -> Run:
    """The agent's stored run of that name, the newest (of the suite) for "".

    Raises:
        InputError: There is none, or the name fits several.
    """
    return resolve(name or "latest", Store([runs_dir]), agent=agent, suite=suite, flag=flag)


def _stopped(stored: Iterable[StoredHead]) -> Iterator[Unfinished]:
    for item in stored:
        if item.head.status in UNFINISHED:
            run = load_run(item.path)
            yield Unfinished(run.head, run.left_out, run=run)


def _crashed(folder: Path, finished: set[str]) -> Iterator[Unfinished]:
    """The journals of runs that are not stored whole: a kill just before the end leaves the journal beside the finished run."""
    for path in sorted((folder / "journal").glob("*.jsonl")):
        try:
            journal = read_journal(path)
        except InputError:
            continue
        head = head_from_json(journal.head)
        if head.run_id not in finished:
            yield Unfinished(head, tuple(journal.head.get("left_out", ())), journal=journal)
