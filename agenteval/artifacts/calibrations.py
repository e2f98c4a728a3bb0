"""Calibrations of judges as files, ``runs/<agent>/calibration/<stamp>_<6hex>.json``: written, found and read in every format."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agenteval._files import atomic_write, dumps
from agenteval._redact import redact_json
from agenteval._time import iso, parse, stamp
from agenteval.artifacts.discovery import MAX_DEPTH
from agenteval.artifacts.paths import agent_dir
from agenteval.artifacts.reading import read_document
from agenteval.artifacts.schemas import CALIBRATION
from agenteval.artifacts.source import archive_members, open_source
from agenteval.artifacts.store import Unreadable
from agenteval.errors import InputError, Problem
from agenteval.model.calibration import (
    Calibration,
    Confusion,
    JudgedItem,
    Kind,
    LengthBias,
    LengthOfWinner,
    PassMark,
    PositionBias,
)
from agenteval.model.run import Measure

FOLDER = "calibration"
_NEVER = frozenset({"journal", "flakiness", "node_modules", "__pycache__", "site-packages"})
LEGACY = "a calibration of AgentEval 0.3, which records neither model nor single verdicts and counts the judge's errors as failed answers"
_BAD = (KeyError, TypeError, ValueError, AttributeError)
_PLAIN = ("kappa", "kappa_threshold", "interpretation", "weights", "model", "prompt_version", "settings", "golden_set", "golden_hash")
_ITEM = ("reason", "error", "mark", "backing", "prompt", "answer", "other_answer", "ground_truth")


@dataclass(frozen=True, slots=True)
class Calibrations:
    """Stored calibrations, oldest first, and the files that can't be read."""

    found: tuple[Calibration, ...]
    unreadable: tuple[Unreadable, ...] = ()

    def of(self, judge: str) -> list[Calibration]:
        """Those of one judge, oldest first."""
        return [calibration for calibration in self.found if calibration.judge == judge]


def write_calibration(runs_dir: Path, calibration: Calibration) -> Calibration:
    """Store a calibration, redacted, under a fresh name; returns it with its path.

    Raises:
        HarnessError: The disk refused.
    """
    folder = agent_dir(runs_dir, calibration.judge) / FOLDER
    content = dumps(redact_json(to_json(calibration))) + b"\n"
    while True:
        path = folder / f"{stamp(parse(calibration.timestamp))}_{os.urandom(3).hex()}.json"
        try:
            atomic_write(path, [content], exclusive=True)
        except FileExistsError:
            continue
        return replace(calibration, path=path)


def to_json(calibration: Calibration) -> dict[str, Any]:
    """The JSON-safe mapping that is stored: the keys of AgentEval 0.3 first."""
    document: dict[str, Any] = {
        "schema": CALIBRATION.text,
        "timestamp": calibration.timestamp,
        "judge": calibration.judge,
        "n_cases": calibration.n_cases,
        "agreement_rate": calibration.agreement.value,
        "kappa": calibration.kappa,
        "kappa_threshold": calibration.kappa_threshold,
        "below_threshold": calibration.below_threshold,
        "interpretation": calibration.interpretation,
        "mismatches": list(calibration.mismatches),
        "n": calibration.n,
        "errors": calibration.errors,
        "kind": calibration.kind.value,
        "weights": calibration.weights,
        "kappa_interval": None if calibration.low is None else [calibration.low, calibration.high],
        "agreement": _measure(calibration.agreement),
        "sensitivity": _measure(calibration.sensitivity),
        "specificity": _measure(calibration.specificity),
        "confusion": None if calibration.confusion is None else calibration.confusion._asdict(),
        "position_bias": None if calibration.position is None else calibration.position._asdict(),
        "length_bias": None if calibration.length is None else calibration.length._asdict(),
        "pass_mark": None if calibration.pass_mark is None else calibration.pass_mark._asdict(),
        "recorded": calibration.recorded,
        "cost_usd": calibration.cost_usd,
    }
    document |= {name: getattr(calibration, name) for name in _PLAIN[4:]}
    document["items"] = [_item(item) for item in calibration.items]
    return document


def _item(item: JudgedItem) -> dict[str, Any]:
    kept = {name: value for name in _ITEM if (value := getattr(item, name)) not in (None, "")}
    orders = {} if item.orders is None else {"orders": list(item.orders)}
    return {"id": item.id, "human": item.human, "judge": item.judge, **kept, **orders}


def _to_item(stored: Mapping[str, Any]) -> JudgedItem:
    orders = tuple(map(str, stored["orders"])) if "orders" in stored else None
    assert orders is None or len(orders) == 2
    kept = {name: stored[name] for name in _ITEM if name in stored}
    return JudgedItem(str(stored["id"]), stored["human"], stored["judge"], orders=orders, **kept)


def _measure(measure: Measure | None) -> dict[str, Any] | None:
    return None if measure is None else {"value": measure.value, "n": measure.n, "low": measure.low, "high": measure.high}


def load_calibration(path: Path) -> Calibration:
    """A stored calibration, of AgentEval 0.3 too.

    Raises:
        InputError: It can't be read; the message names the file and the reason.
    """
    document = read_document(open_source(path))
    try:
        if not isinstance(document, dict) or "kappa" not in document:
            raise InputError(Problem("is no calibration of a judge", file=str(path)))
        for name in ("kappa", "kappa_threshold"):
            _check_number(document, name)
        if "schema" not in document:
            return _legacy(document, path)
        return _present(CALIBRATION.upgraded(document, path), path)
    except _BAD as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(Problem(f"is a damaged calibration: {why}", file=str(path))) from error


def _check_number(document: Mapping[str, Any], name: str) -> None:
    value = document[name]
    absent = value is None and name == "kappa"
    if not absent and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise ValueError(f"{name} is no number")


def _present(document: Mapping[str, Any], path: Path) -> Calibration:
    errors = int(document["errors"])
    interval = document["kappa_interval"] or (None, None)
    confusion = document["confusion"]
    return Calibration(
        judge=str(document["judge"]),
        timestamp=iso(parse(document["timestamp"])),
        n_cases=int(document["n_cases"]),
        agreement=_to_measure(document["agreement"], errors) or Measure(None, 0, "rate", "higher"),
        mismatches=tuple(map(str, document["mismatches"])),
        errors=errors,
        kind=Kind(document["kind"]),
        low=interval[0],
        high=interval[1],
        confusion=Confusion(tuple(map(str, confusion["labels"])), tuple(tuple(map(int, row)) for row in confusion["table"]))
        if confusion
        else None,
        sensitivity=_to_measure(document["sensitivity"]),
        specificity=_to_measure(document["specificity"]),
        position=PositionBias(**document["position_bias"]) if document["position_bias"] else None,
        length=_to_length(document["length_bias"]),
        pass_mark=PassMark(**document["pass_mark"]) if document["pass_mark"] else None,
        cost_usd=document["cost_usd"],
        recorded=bool(document["recorded"]),
        items=tuple(map(_to_item, document["items"])),
        path=path,
        **{name: document[name] for name in _PLAIN},
    )


def _legacy(document: Mapping[str, Any], path: Path) -> Calibration:
    safe: Any = redact_json(dict(document))
    n = int(safe["n_cases"])
    return Calibration(
        judge=str(safe["judge"]),
        timestamp=iso(parse(safe["timestamp"])),
        n_cases=n,
        agreement=Measure(safe["agreement_rate"], n, "rate", "higher"),
        kappa=safe["kappa"],
        kappa_threshold=safe["kappa_threshold"],
        interpretation=safe["interpretation"],
        mismatches=tuple(map(str, safe["mismatches"])),
        path=path,
        legacy=LEGACY,
    )


def _to_measure(stored: Mapping[str, Any] | None, errors: int = 0) -> Measure | None:
    if stored is None:
        return None
    left_out = {"errors": errors} if errors else {}
    return Measure(stored["value"], int(stored["n"]), "rate", "higher", left_out, stored["low"], stored["high"])


def _to_length(stored: Mapping[str, Any] | None) -> LengthBias | LengthOfWinner | None:
    if stored is None:
        return None
    return LengthBias(**stored) if "correlation" in stored else LengthOfWinner(**stored)


def list_calibrations(roots: Sequence[Path]) -> Calibrations:
    """Every calibration below these roots (folders and zip archives), each once."""
    found: dict[Path, Calibration] = {}
    unreadable: list[Unreadable] = []
    for path in dict.fromkeys(path for root in roots for path in calibration_files(root)):
        try:
            found[path] = load_calibration(path)
        except InputError as error:
            unreadable.append(Unreadable(path, error.problems[0].what))
    ordered = sorted(found.values(), key=lambda calibration: (calibration.timestamp, str(calibration.path)))
    return Calibrations(tuple(_once(ordered)), tuple(unreadable))


def _once(ordered: Sequence[Calibration]) -> Iterator[Calibration]:
    """Copies of a file (CI artifacts downloaded twice) count as one."""
    seen = set()
    for calibration in ordered:
        identity = (calibration.judge, calibration.timestamp, calibration.path.name if calibration.path else "")
        if identity not in seen:
            seen.add(identity)
            yield calibration


def calibration_files(root: Path) -> Iterator[Path]:
    """The files in every folder ``calibration`` below a root, unread; links in circles end at a depth."""
    if root.suffix == ".zip" and root.is_file():
        yield from _archived(root)
        return
    base = len(root.parts)
    for place, folders, files in os.walk(root):
        here = Path(place)
        deeper = len(here.parts) - base < MAX_DEPTH
        folders[:] = sorted(name for name in folders if deeper and not name.startswith(".") and name not in _NEVER)
        if here.name == FOLDER:
            yield from (here / name for name in sorted(files) if name.endswith(".json") and not name.startswith("."))
        else:
            for name in sorted(files):
                if name.endswith(".zip"):
                    yield from _archived(here / name)


def _archived(path: Path) -> Iterator[Path]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [name for name, refused in archive_members(archive) if refused is None]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return  # the listing of runs names it
    yield from (path / name for name in members if Path(name).parent.name == FOLDER and name.endswith(".json"))
