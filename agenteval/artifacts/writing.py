"""Run files and sidecars: valid JSON, one record a line, head first, streamed so that no more than one case is in memory.

The digest is the sha256 of the file's bytes with the digest's own value replaced by 64 zeros.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from agenteval._files import atomic_file, dumps
from agenteval.artifacts.codec import head_to_json, outcomes_to_json
from agenteval.artifacts.schemas import FLAKINESS, RUN
from agenteval.errors import HarnessError, InputError
from agenteval.model.flakiness import CaseFlakiness
from agenteval.model.run import Outcome, RunHead
from agenteval.model.status import RunStatus

BLANK_DIGEST = "0" * 64
_HEAD_END = b'"},\n'


def line_hash(line: bytes) -> str:
    """Short hash (12 hex) of a case's line, without its end, as the table of outcomes holds it."""
    return hashlib.sha256(line).hexdigest()[:12]


def write_run(
    path: Path,
    head: RunHead,
    provenance: Mapping[str, Any],
    outcomes: Sequence[Outcome],
    left_out: Sequence[str],
    lines: Iterable[bytes],
    *,
    overwrite: bool = False,
) -> str:
    """Write a run file and return its digest; ``lines`` are the case records in the order of ``outcomes``.

    An existing file is replaced only by the resumed self of an unfinished run, or with ``overwrite`` (baselines).

    Raises:
        HarnessError: The disk refused, the file exists, or lines and outcomes don't match; nothing was changed.
    """
    first = _first_line(RUN.text, head_to_json(replace(head, digest=BLANK_DIGEST)))
    before = [
        b'"provenance":' + dumps(provenance) + b",\n",
        b'"outcomes":' + dumps(outcomes_to_json(outcomes, left_out)) + b",\n",
        b'"cases":[\n',
    ]
    try:
        with atomic_file(path, exclusive=not (overwrite or _resumes(path, head))) as file:
            count, digest = _write_parts(file, first, before, lines, [b"]}\n"])
            if count != len(outcomes):
                raise HarnessError(f"{path}: {count} case records for {len(outcomes)} outcomes; the run was not written")
    except FileExistsError as error:
        raise HarnessError(f"{path}: exists already; runs are never overwritten") from error
    return digest


def write_sidecar(path: Path, run_id: str, agent: str, k: int, cases: Sequence[CaseFlakiness], lines: Iterable[bytes]) -> str:
    """Write the further attempts of repeated cases and return the file's digest; ``lines`` are whole attempt records.

    Raises:
        HarnessError: The disk refused; an older sidecar of the run is intact.
    """
    hashes: list[str] = []

    def hashed() -> Iterator[bytes]:
        for line in lines:
            hashes.append(line_hash(line))
            yield line

    def end() -> Iterator[bytes]:
        yield b'],\n"lines":' + dumps(hashes) + b"}\n"

    head = {"run_id": run_id, "agent": agent, "k": k, "cases": [flakiness_to_json(case) for case in cases], "digest": BLANK_DIGEST}
    with atomic_file(path) as file:
        return _write_parts(file, _first_line(FLAKINESS.text, head), [b'"attempts":[\n'], hashed(), end())[1]


def flakiness_to_json(case: CaseFlakiness) -> dict[str, Any]:
    """JSON-safe mapping of one repeated case."""
    record: dict[str, Any] = {
        "case_id": case.case_id,
        "classification": case.classification,
        "consistent": case.consistent,
        "total": case.total,
        "passed": case.passed,
        "errors": case.errors,
        "basis": case.basis,
    }
    if case.numeric is not None:
        numeric = case.numeric
        record["numeric"] = {
            "tolerance": numeric.tolerance,
            "members": list(numeric.members),
            "minimum": numeric.minimum,
            "maximum": numeric.maximum,
        }
    if case.answers:
        record["answers"] = [{"representative": group.representative, "members": list(group.members)} for group in case.answers]
    return record


def _first_line(schema: str, head: Mapping[str, Any]) -> bytes:
    return b'{"schema":' + dumps(schema) + b',"head":' + dumps(head) + b",\n"


def _write_parts(file: BinaryIO, first: bytes, before: Iterable[bytes], lines: Iterable[bytes], after: Iterable[bytes]) -> tuple[int, str]:
    """Write a whole file, then its digest into the blank that ends ``first``; returns the count of lines and the digest."""
    digest = hashlib.sha256()
    update, write = digest.update, file.write
    for part in (first, *before):
        update(part)
        write(part)
    count = 0
    for line in lines:
        part = line if count == 0 else b",\n" + line
        update(part)
        write(part)
        count += 1
    for part in (b"\n", *after) if count else after:
        update(part)
        write(part)
    value = digest.hexdigest()
    file.seek(len(first) - len(_HEAD_END) - len(BLANK_DIGEST))
    write(value.encode())
    return count, value


def _resumes(path: Path, head: RunHead) -> bool:
    """True where ``head`` is the resumed self of the unfinished run that the file holds."""
    from agenteval.artifacts.reading import load_head

    if not head.resumed or not path.exists():
        return False
    try:
        stored = load_head(path)
    except InputError:
        return False
    return stored.run_id == head.run_id and stored.resumed < head.resumed and stored.status is not RunStatus.COMPLETED
