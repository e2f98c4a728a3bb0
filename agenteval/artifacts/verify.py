"""Whether stored evidence is what was written: digests, line by line, and the figures made of it."""

from __future__ import annotations

import hashlib
import math
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agenteval._files import loads
from agenteval.artifacts.history import LedgerEntry, altered_fields, read_ledger
from agenteval.artifacts.paths import ledger_path
from agenteval.artifacts.reading import find_sidecar, load_head, load_run, load_sidecar
from agenteval.artifacts.source import Source, open_source
from agenteval.artifacts.writing import BLANK_DIGEST, line_hash
from agenteval.errors import InputError
from agenteval.model.attempt import Attempt
from agenteval.model.run import Measure, Run

_DIGEST = re.compile(rb'"digest":"([0-9a-f]{64})"\},\r?\n$')
_FIRST_CASE_LINE = 5
_FIRST_ATTEMPT_LINE = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """One verified file. ``recorded`` is False for files of AgentEval 0.3, which record nothing to verify against."""

    path: Path
    findings: tuple[str, ...]
    recorded: bool = True


Recompute = Callable[[Sequence[Attempt]], Mapping[str, Measure]]


def check(path: Path, recompute: Recompute | None = None) -> Checked:
    """``verify`` with whether the file recorded anything to verify against."""
    findings = tuple(verify(path, recompute))
    try:
        return Checked(path, findings, recorded=load_head(path).digest is not None)
    except InputError:
        return Checked(path, findings)


def verify(path: Path, recompute: Recompute | None = None) -> list[str]:
    """What is wrong with a stored run, its sidecar and its ledger entry; empty where everything holds.

    Args:
        recompute: Makes the run's metrics from its attempts; None leaves them unchecked.
    """
    try:
        run = load_run(path)
    except InputError as error:
        return [str(error)]
    if run.head.legacy is not None and run.head.digest is None:
        return []
    findings = [*_altered_lines(run, path), *_digest(open_source(path), run.head.digest)]
    if recompute is not None and run.head.legacy is None and not findings:
        findings += _metrics(run, path, recompute)
    return findings + _sidecar(run, path) + ([] if findings else _ledger(run, path))


def _digest(source: Source, recorded: str | None) -> list[str]:
    actual = file_digest(source)
    if actual is None:
        return [f"{source.path}:1: no digest; it was not written by `agenteval run`, or was reformatted"]
    if actual == recorded:
        return []
    return [f"{source.path}: the file was altered: its digest is {_short(actual)}, recorded is {_short(recorded)}"]


def file_digest(source: Source) -> str | None:
    """The digest that the file ought to record; None where its first line has no place for one."""
    with source.open() as file:
        first = file.readline()
        match = _DIGEST.search(first)
        if match is None:
            return None
        digest = hashlib.sha256(first[: match.start(1)] + BLANK_DIGEST.encode() + first[match.end(1) :])
        for chunk in iter(lambda: file.read(1 << 20), b""):
            digest.update(chunk)
    return digest.hexdigest()


def _altered_lines(run: Run, path: Path) -> Iterator[str]:
    lines = _lines(open_source(path), b'"cases":[')
    for row, outcome in enumerate(run.outcomes):
        line = next(lines, None)
        where = f"{path}:{_FIRST_CASE_LINE + row}"
        if line is None:
            yield f"{where}: the record of case {outcome.case_id!r} is missing"
            return
        if outcome.line is not None and line_hash(line) != outcome.line:
            yield f"{where}: the record of case {outcome.case_id!r} was altered{_renamed(line, outcome.case_id)}"
    for extra, _ in enumerate(lines, _FIRST_CASE_LINE + len(run.outcomes)):
        yield f"{path}:{extra}: a record that the table of outcomes does not know"


def _renamed(line: bytes, case_id: str) -> str:
    try:
        record = loads(line)
        found = record.get("case_id")
    except (ValueError, AttributeError, RecursionError):
        return " (it is no JSON)"
    return "" if found == case_id else f" (it says {found!r})"


def _lines(source: Source, opening: bytes) -> Iterator[bytes]:
    """The records between the opening of the list and its end."""
    with source.open() as file:
        for line in file:
            if line.rstrip() == opening:
                break
        for line in file:
            if line.startswith(b"]"):
                return
            yield line.rstrip(b",\r\n")


def _metrics(run: Run, path: Path, recompute: Recompute) -> list[str]:
    try:
        made = recompute(run.cases)
    except InputError as error:
        return [str(error)]
    findings = []
    for name, stored in run.head.metrics.items():
        again = made.get(name)
        if again is None:
            continue
        if not _same(stored.value, again.value) or stored.n != again.n:
            findings.append(f"{path}:1: {name} is recorded as {_shown(stored)}, its cases give {_shown(again)}")
    return findings


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def _shown(measure: Measure) -> str:
    return f"{measure.value!r} over {measure.n}"


def _sidecar(run: Run, path: Path) -> list[str]:
    place = find_sidecar(path)
    if place is None:
        return [f"{path}: its sidecar of repeated cases is missing"] if run.head.repeats is not None else []
    try:
        sidecar = load_sidecar(place)
    except InputError as error:
        return [str(error)]
    if sidecar.run_id != run.head.run_id:
        return [f"{place}: belongs to run {sidecar.run_id}, not to {run.head.run_id}"]
    source = open_source(place)
    return [*_altered_attempts(source), *_digest(source, sidecar.digest)]


def _altered_attempts(source: Source) -> Iterator[str]:
    actual = [line_hash(line) for line in _lines(source, b'"attempts":[')]
    recorded = _recorded_hashes(source)
    for row, (now, then) in enumerate(zip(actual, recorded, strict=False), _FIRST_ATTEMPT_LINE):
        if now != then:
            yield f"{source.path}:{row}: the attempt was altered"
    if len(actual) != len(recorded):
        yield f"{source.path}: {len(actual)} attempts, {len(recorded)} recorded"


def _recorded_hashes(source: Source) -> list[str]:
    """The hashes on the sidecar's last line; empty where they are gone."""
    with source.open() as file:
        last = b"".join(deque(file, maxlen=1))
    try:
        return list(loads(b"{" + last)["lines"])
    except (ValueError, KeyError, TypeError):
        return []


def _ledger(run: Run, path: Path) -> list[str]:
    place = ledger_path(path.parent)
    try:
        entries = read_ledger(place)
    except InputError as error:
        return [str(error)]
    about = [entry for entry in entries if entry.head.run_id == run.head.run_id or entry.file == path.name]
    return [found for entry in about for found in _entry_findings(f"{place}: its entry of run {run.head.run_id}", entry, run, path)]


def _entry_findings(where: str, entry: LedgerEntry, run: Run, path: Path) -> list[str]:
    if entry.head.digest != run.head.digest:
        return [f"{where} has digest {_short(entry.head.digest)}, the file {_short(run.head.digest)}"]
    fields = [] if entry.head.legacy else altered_fields(entry, run.head, path.name)
    return [f"{where} differs from the file in {', '.join(fields)}"] if fields else []


def _short(digest: str | None) -> str:
    return f"{digest[:12]}…" if digest else "none"
