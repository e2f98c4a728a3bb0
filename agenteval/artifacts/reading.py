"""Stored runs as values: the first line for lists, one case when it is opened, any format ever written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenteval._files import loads
from agenteval.artifacts.codec import head_from_json, outcomes_from_json
from agenteval.artifacts.paths import sidecar_candidates
from agenteval.artifacts.records import Deferred, Records, StoredLines
from agenteval.artifacts.schemas import FLAKINESS, RUN, check_version
from agenteval.artifacts.source import MAX_MEMBER_BYTES, Source, open_source, source_exists
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.flakiness import AnswerCluster, CaseFlakiness, NumericCluster
from agenteval.model.run import Run, RunHead

_RUN_START = b'{"schema":"agenteval.run/1","head":'
_SIDECAR_START = b'{"schema":"agenteval.flakiness/1","head":'
_NATIVE = re.compile(rb'\s*\{\s*"schema"\s*:\s*"(agenteval\.run/[0-9]{1,6})"')
_HEAD_LIMIT = 16 << 20
_BAD = (KeyError, TypeError, ValueError, AttributeError, RecursionError, IndexError)


class NotARunError(InputError):
    """A readable JSON document that is something else; ``kind`` says what, where it is known."""

    def __init__(self, path: Path, kind: str) -> None:
        self.kind = kind
        super().__init__(Problem(f"is not a run but {kind}", file=str(path)))


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Further attempts of a run's repeated cases. ``attempts`` are read from the file when they are used."""

    run_id: str
    agent: str
    k: int
    cases: tuple[CaseFlakiness, ...]
    attempts: Sequence[Attempt]
    digest: str | None = None


def load_head(path: Path) -> RunHead:
    """The head of a stored run, from its first line alone.

    Raises:
        InputError: Not a readable run; the message names the file and the reason. ``NotARunError`` for other documents.
    """
    return source_head(open_source(path))


def source_head(source: Source) -> RunHead:
    """As ``load_head``, for an artifact already located."""
    first, tail = source.edges(_HEAD_LIMIT)
    if first.startswith(_RUN_START):
        if tail and not tail.rstrip().endswith(b"]}"):
            raise _problem(source.path, "is cut off: its end is missing")
        try:
            return head_from_json(loads(first[len(_RUN_START) :].rstrip(b",\r")))
        except _BAD:
            pass  # Reformatted or damaged: the whole document decides which.
    return _from_document(source)[0].head


def load_run(path: Path) -> Run:
    """A stored run; its cases and its sidecar are read when they are used.

    Raises:
        InputError: Not a readable run; the message names the file and the reason. Damaged case records raise it when they are read.
    """
    source = open_source(path)
    run = _streamed(source)
    if run is None:
        run, converted = _from_document(source)
        if converted:
            return run
    return _with_sidecar(run, source.path)


def load_sidecar(path: Path) -> Sidecar:
    """The further attempts of a run's repeated cases.

    Raises:
        InputError: Not a readable sidecar.
    """
    source = open_source(path)
    try:
        with source.open() as file:
            first = file.readline(_HEAD_LIMIT)
            start = file.readline(64)
            if first.startswith(_SIDECAR_START) and start.rstrip() == b'"attempts":[':
                head = loads(first[len(_SIDECAR_START) :].rstrip(b",\r\n"))
                return _sidecar(head, StoredLines(source, file.tell(), None, 3))
    except _BAD:
        pass
    document = read_document(source)
    try:
        if isinstance(document, dict) and "repeat_count" in document:
            from agenteval.artifacts.predecessor import convert_sidecar

            return convert_sidecar(document, path)
        if isinstance(document, dict) and "schema" in document:
            document = FLAKINESS.upgraded(document, path)
            return _sidecar(document["head"], Records(path, document["attempts"]))
    except _BAD as error:
        raise _problem(path, f"is a damaged sidecar: {_why(error)}") from error
    raise _problem(path, "is no sidecar of repeated cases")


def find_sidecar(run_file: Path) -> Path | None:
    """The sidecar beside a run file, or None."""
    return next((path for path in sidecar_candidates(run_file) if source_exists(path)), None)


def read_document(source: Source) -> Any:
    """The whole artifact as JSON.

    Raises:
        InputError: Empty, binary, cut off, not JSON, or holding NaN; the message names the file and the reason.
    """
    data = source.whole()
    if match := _NATIVE.match(data):
        check_version(match[1].decode(), RUN, source.path)
    if not data.strip():
        raise _problem(source.path, "is empty")
    if data.startswith(b"PK\x03\x04"):
        raise InputError(Problem("is an archive", f"name a file in it: {source.path.name}/NAME.json", file=str(source.path)))
    try:
        return loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _problem(source.path, f"is not text: byte {error.start} is no UTF-8") from error
    except json.JSONDecodeError as error:
        cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
        reason = "is cut off" if cut else "is not JSON"
        raise InputError(Problem(f"{reason}: {error.msg.lower()}", file=str(source.path), line=error.lineno, column=error.colno)) from error
    except RecursionError as error:
        raise _problem(source.path, "is nested too deeply") from error
    except ValueError as error:
        raise _problem(source.path, str(error)) from error


def _streamed(source: Source) -> Run | None:
    """A run in the layout that ``write_run`` writes, or None where the file has another one."""
    first, tail = source.edges(_HEAD_LIMIT)
    if not first.startswith(_RUN_START):
        return None
    if tail and not tail.rstrip().endswith(b"]}"):
        raise _problem(source.path, "is cut off: its end is missing")
    try:
        with source.open() as file:
            head = head_from_json(loads(file.readline(MAX_MEMBER_BYTES)[len(_RUN_START) :].rstrip(b",\r\n")))
            provenance = _provenance(_part(file.readline(MAX_MEMBER_BYTES), b'"provenance":'))
            outcomes, left_out = outcomes_from_json(_part(file.readline(MAX_MEMBER_BYTES), b'"outcomes":'))
            if file.readline(64).rstrip() != b'"cases":[':
                return None
            cases = StoredLines(source, file.tell(), len(outcomes), 5)
    except _BAD:
        return None
    return Run(head, provenance, outcomes, cases, (), left_out, source.path)


def _provenance(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"provenance is no mapping but {type(value).__name__}")
    return value


def _part(line: bytes, key: bytes) -> Any:
    if not line.startswith(key):
        raise ValueError(f"{key.decode()} expected")
    return loads(line[len(key) :].rstrip(b",\r\n"))


def _from_document(source: Source) -> tuple[Run, bool]:
    """The run in a document read as a whole, and whether the predecessor wrote it (then its sidecar is attached already)."""
    document = read_document(source)
    path = source.path
    if not isinstance(document, dict):
        raise NotARunError(path, _kind_of_list(document) if isinstance(document, list) else f"a JSON {type(document).__name__}")
    try:
        if "schema" in document:
            return _from_native(document, path), False
        if isinstance(document.get("case_results"), list) and "run_id" in document:
            from agenteval.artifacts.predecessor import convert_run

            return _with_sidecar(convert_run(document, path), path), True
    except _BAD as error:
        raise _problem(path, f"is a damaged run: {_why(error)}") from error
    raise NotARunError(path, _kind_of_mapping(document))


def _from_native(document: dict[str, Any], path: Path) -> Run:
    schema = str(document["schema"])
    if schema.startswith("agenteval.") and not schema.startswith("agenteval.run/"):
        raise NotARunError(path, f"a file of schema {schema}")
    if not schema.startswith("agenteval."):
        raise NotARunError(path, "another program's document")
    document = RUN.upgraded(document, path)
    outcomes, left_out = outcomes_from_json(document["outcomes"])
    cases = document["cases"]
    if len(cases) != len(outcomes):
        raise ValueError(f"{len(cases)} case records for {len(outcomes)} outcomes")
    return Run(head_from_json(document["head"]), _provenance(document["provenance"]), outcomes, Records(path, cases), (), left_out, path)


def _kind_of_list(document: list[Any]) -> str:
    if document and all(isinstance(entry, dict) and "run_id" in entry and "metrics" in entry for entry in document):
        return "a ledger of AgentEval 0.3"
    return "a JSON list"


_KINDS = (
    ("case_transitions", "a comparison of AgentEval 0.3"),
    ("repeat_count", "a flakiness sidecar of AgentEval 0.3"),
    ("kappa", "a calibration result of AgentEval 0.3"),
    ("steps_a", "a trajectory diff of AgentEval 0.3"),
    ("tier_activation", "an SQL scan of AgentEval 0.3"),
    ("baseline_only", "an SQL comparison of AgentEval 0.3"),
)


def _kind_of_mapping(document: Mapping[str, Any]) -> str:
    return next((kind for key, kind in _KINDS if key in document), "another JSON document")


def _with_sidecar(run: Run, path: Path) -> Run:
    sidecar = find_sidecar(path)
    if sidecar is None:
        return run

    def attempts() -> Sequence[Attempt]:
        found = load_sidecar(sidecar)
        return found.attempts if found.run_id == run.head.run_id else ()

    return Run(run.head, run.provenance, run.outcomes, run.cases, Deferred(attempts), run.left_out, run.path)


def _sidecar(head: Mapping[str, Any], attempts: Sequence[Attempt]) -> Sidecar:
    cases = tuple(_flakiness(case) for case in head["cases"])
    return Sidecar(str(head["run_id"]), str(head["agent"]), int(head["k"]), cases, attempts, head.get("digest"))


def _flakiness(record: Mapping[str, Any]) -> CaseFlakiness:
    numeric = record.get("numeric")
    return CaseFlakiness(
        record["case_id"],
        record["classification"],
        record["consistent"],
        record["total"],
        record["passed"],
        record["errors"],
        record["basis"],
        NumericCluster(numeric["tolerance"], tuple(numeric["members"]), numeric["minimum"], numeric["maximum"]) if numeric else None,
        tuple(AnswerCluster(group["representative"], tuple(group["members"])) for group in record.get("answers", ())),
    )


def _why(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _problem(path: Path, reason: str) -> InputError:
    return InputError(Problem(reason, file=str(path)))
