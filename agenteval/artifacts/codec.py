"""Heads, measures, verdicts and outcomes as JSON and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

from agenteval.model.gates import GateOutcome, GateResult, Verdict
from agenteval.model.run import Measure, Outcome, Repeats, RunHead, Selection, SuiteRef
from agenteval.model.status import Role, RunStatus, Status

COLUMNS = (
    "case_id",
    "status",
    "correct",
    "score",
    "latency_ms",
    "cost_usd",
    "tokens",
    "tags",
    "role",
    "critical",
    "definition",
    "line",
)
_STATUS = {status.value: status for status in Status}
_GATE_OUTCOME = {outcome.value: outcome for outcome in GateOutcome}


def head_to_json(head: RunHead) -> dict[str, Any]:
    """JSON-safe mapping of a head; the digest comes last, where writers find it."""
    suite, selection = head.suite, head.selection
    record: dict[str, Any] = {
        "run_id": head.run_id,
        "agent": head.agent,
        "suite": {"name": suite.name, "path": suite.path, "hash": suite.hash, "cases": suite.cases},
        "selection": {"filter": dict(selection.filter), "left_out": selection.left_out},
        "started_at": head.started_at,
        "duration_s": head.duration_s,
        "status": head.status.value,
        "counts": dict(head.counts),
        "metrics": {name: measure_to_json(measure) for name, measure in head.metrics.items()},
        "repeats": None if head.repeats is None else _repeats_to_json(head.repeats),
        "gate": None if head.gate is None else verdict_to_json(head.gate),
        "label": head.label,
        "meta": dict(head.meta),
    }
    for name, value in (
        ("parameters", dict(head.parameters)),
        ("parent", head.parent),
        ("resumed", head.resumed),
        ("git", dict(head.git)),
        ("legacy", head.legacy),
    ):
        if value:
            record[name] = value
    record["digest"] = head.digest
    return record


def head_from_json(record: Mapping[str, Any]) -> RunHead:
    """The head that a mapping holds; unknown keys of later minor versions are ignored.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: The mapping is not a head.
    """
    get = record.get
    suite = record["suite"]
    selection = get("selection") or {}
    repeats = get("repeats")
    gate = get("gate")
    return RunHead(
        run_id=_text(record["run_id"]),
        agent=_text(record["agent"]),
        suite=SuiteRef(_text(suite["name"]), _text_or_none(suite.get("path")), suite.get("hash"), suite.get("cases")),
        started_at=_text(record["started_at"]),
        status=RunStatus(get("status", "completed")),
        selection=Selection(_mapping(selection.get("filter")), int(selection.get("left_out") or 0)),
        duration_s=get("duration_s"),
        counts={name: int(count) for name, count in _mapping(get("counts")).items()},
        metrics=StoredMeasures(_mapping(get("metrics"))),
        repeats=_repeats_from_json(repeats) if repeats else None,
        gate=verdict_from_json(gate) if gate else None,
        label=_text_or_none(get("label")),
        meta=_mapping(get("meta")),
        parameters=_mapping(get("parameters")),
        parent=_text_or_none(get("parent")),
        resumed=int(get("resumed") or 0),
        digest=get("digest"),
        git=_mapping(get("git")),
        legacy=get("legacy"),
    )


def measure_to_json(measure: Measure) -> dict[str, Any]:
    """A measure with its value always written; interval and left-out counts only where there are any."""
    record: dict[str, Any] = {"value": measure.value, "n": measure.n, "unit": measure.unit, "better": measure.better}
    if measure.left_out:
        record["left_out"] = dict(measure.left_out)
    if measure.low is not None:
        record["low"] = measure.low
    if measure.high is not None:
        record["high"] = measure.high
    if measure.estimated:
        record["estimated"] = True
    return record


class StoredMeasures(Mapping[str, Measure]):
    """Measures of a stored head: checked when it is read, built when they are looked at, because lists of runs show few of them."""

    def __init__(self, records: Mapping[str, Any]) -> None:
        for name, record in records.items():
            value = record["value"]
            if type(record["n"]) is not int or (value is not None and (type(value) is not float or not -1e300 < value < 1e300)):
                _check_measure(name, record)
        self._records = records

    def __getitem__(self, name: str) -> Measure:
        return measure_from_json(self._records[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __repr__(self) -> str:
        return repr(dict(self))


def _check_measure(name: str, record: Mapping[str, Any]) -> None:
    value, n = record["value"], record["n"]
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"{name}: n is no whole number: {n!r}")
    if value is not None:
        _number(value)


def measure_from_json(record: Mapping[str, Any]) -> Measure:
    """The measure that a mapping holds."""
    get = record.get
    left_out = get("left_out") or {}
    return Measure(
        record["value"],
        record["n"],
        get("unit", ""),
        get("better", "higher"),
        left_out,
        get("low"),
        get("high"),
        bool(get("estimated")),
    )


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict with every gate's outcome."""
    return {
        "outcome": verdict.outcome.value,
        "sentence": verdict.sentence,
        "gates": [_gate_to_json(gate) for gate in verdict.gates],
        "baseline": verdict.baseline,
        "details": dict(verdict.details),
    }


def verdict_from_json(record: Mapping[str, Any]) -> Verdict:
    """The verdict that a mapping holds."""
    return Verdict(
        _GATE_OUTCOME[record["outcome"]],
        _text(record["sentence"]),
        StoredGates(record.get("gates", ())),
        record.get("baseline"),
        _mapping(record.get("details")),
    )


def _gate_to_json(gate: GateResult) -> dict[str, Any]:
    record: dict[str, Any] = {"gate": gate.gate, "outcome": gate.outcome.value, "message": gate.message}
    for name in ("value", "limit", "baseline", "p"):
        if (value := getattr(gate, name)) is not None:
            record[name] = value
    if gate.cases:
        record["cases"] = list(gate.cases)
    return record


class StoredGates(Sequence[GateResult]):
    """Gate results of a stored head: checked when it is read, built when they are looked at, as measures are."""

    def __init__(self, records: Sequence[Mapping[str, Any]]) -> None:
        for record in records:
            if record["outcome"] not in _GATE_OUTCOME or type(record["gate"]) is not str:
                raise ValueError(f"no result of a gate: {record!r}")
        self._records = records

    @overload
    def __getitem__(self, index: int) -> GateResult: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[GateResult, ...]: ...
    def __getitem__(self, index: int | slice) -> GateResult | tuple[GateResult, ...]:
        """One result, or several as a tuple."""
        if isinstance(index, slice):
            return tuple(_gate_from_json(record) for record in self._records[index])
        return _gate_from_json(self._records[index])

    def __len__(self) -> int:
        return len(self._records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


def _gate_from_json(record: Mapping[str, Any]) -> GateResult:
    get = record.get
    return GateResult(
        record["gate"],
        _GATE_OUTCOME[record["outcome"]],
        get("message", ""),
        get("value"),
        get("limit"),
        get("baseline"),
        get("p"),
        tuple(get("cases", ())),
    )


def _repeats_to_json(repeats: Repeats) -> dict[str, Any]:
    return {
        "k": repeats.k,
        "cases": repeats.cases,
        "pass_hat_k": {str(k): value for k, value in repeats.pass_hat_k.items()},
        "pass_at_k": {str(k): value for k, value in repeats.pass_at_k.items()},
        "clustered_se": repeats.clustered_se,
        **({"short": {str(k): cases for k, cases in repeats.short.items()}} if repeats.short else {}),
    }


def _repeats_from_json(record: Mapping[str, Any]) -> Repeats:
    return Repeats(
        int(record["k"]),
        int(record["cases"]),
        {int(k): value for k, value in _mapping(record.get("pass_hat_k")).items()},
        {int(k): value for k, value in _mapping(record.get("pass_at_k")).items()},
        record.get("clustered_se"),
        {int(k): int(cases) for k, cases in _mapping(record.get("short")).items()},
    )


def outcomes_to_json(outcomes: Iterable[Outcome], left_out: Sequence[str]) -> dict[str, Any]:
    """The table of outcomes: column names once, then one list a row."""
    rows = [
        [
            row.case_id,
            row.status,
            row.correct,
            row.score,
            row.latency_ms,
            row.cost_usd,
            row.tokens,
            row.tags,
            row.role,
            row.critical,
            row.definition,
            row.line,
        ]
        for row in outcomes
    ]
    return {"columns": COLUMNS, "rows": rows, "left_out": list(left_out)}


def outcomes_from_json(record: Mapping[str, Any]) -> tuple[tuple[Outcome, ...], tuple[str, ...]]:
    """The outcomes in suite order and the ids of deselected cases.

    Raises:
        KeyError, TypeError, ValueError: The mapping is not a table of outcomes.
    """
    columns = tuple(record["columns"])
    rows = record["rows"]
    if columns != COLUMNS:
        places = [columns.index(name) for name in COLUMNS]
        rows = [[row[place] for place in places] for row in rows]
    return tuple(_outcome(*row) for row in rows), tuple(record.get("left_out", ()))


def _outcome(
    case_id: str,
    status: str,
    correct: bool | None,
    score: float | None,
    latency_ms: float | None,
    cost_usd: float | None,
    tokens: int | None,
    tags: Sequence[str],
    role: str | None,
    critical: bool,
    definition: str | None,
    line: str | None,
) -> Outcome:
    return Outcome(
        case_id,
        _STATUS[status],
        correct,
        score,
        latency_ms,
        cost_usd,
        tokens,
        tuple(tags),
        Role(role) if role else None,
        critical,
        definition,
        line,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, not {type(value).__name__}")
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not -1e300 < value < 1e300:
        raise TypeError(f"a finite number expected, not {value!r}")
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise TypeError(f"a mapping expected, not {type(value).__name__}")
    return value
