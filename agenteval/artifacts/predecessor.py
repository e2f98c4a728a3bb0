"""Files of AgentEval 0.3 as today's values: what they recorded is kept, what they did not is None, secrets are redacted while reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agenteval._redact import redact, redact_json
from agenteval._time import iso, parse
from agenteval.artifacts.predecessor_cases import convert_case, status_of
from agenteval.model.attempt import Attempt
from agenteval.model.facts import counts_of, facts_of
from agenteval.model.flakiness import CaseFlakiness, NumericCluster
from agenteval.model.gates import GateOutcome, Verdict
from agenteval.model.run import Measure, Run, RunHead, SuiteRef
from agenteval.model.status import Status

if TYPE_CHECKING:
    from agenteval.artifacts.history import LedgerEntry
    from agenteval.artifacts.reading import Sidecar

LEGACY_RUN = (
    "a run of AgentEval 0.3, which does not record suite, selection, case definitions, the tested project's commit or duration; "
    "its latency percentiles count errored cases as 0 ms, its costs may be estimates"
)
LEGACY_ENTRY = "a ledger entry of AgentEval 0.3, which does not record suite, selection, counts or how many cases a figure stands on"

_RATE = ("rate", "higher")
METRICS: dict[str, tuple[str, str]] = {
    "correctness_rate": _RATE,
    "hallucination_rate": ("rate", "lower"),
    "tool_call_accuracy": ("score", "higher"),
    "latency_p50_ms": ("ms", "lower"),
    "latency_p95_ms": ("ms", "lower"),
    "total_cost_usd": ("usd", "lower"),
    "total_tokens": ("tokens", "lower"),
    "break_rate": ("rate", "lower"),
    "context_retention_rate": _RATE,
    "tool_efficiency_avg": ("score", "higher"),
    "context_relevance_avg": ("score", "higher"),
    "faithfulness_avg": ("score", "higher"),
    "unsupported_claim_rate_avg": ("score", "lower"),
    "citation_f1_avg": ("score", "higher"),
    "retrieval_f1_avg": ("score", "higher"),
}
"""Unit and better direction of every metric that 0.3 stored."""


def convert_run(document: Mapping[str, Any], path: Path) -> Run:
    """The run that a report of 0.3 holds.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: It is damaged.
    """
    records = _redacted(document["case_results"])
    attempts = [convert_case(record) for record in records]
    outcomes = tuple(facts_of(attempt).outcome for attempt in attempts)
    stored = {key: _redacted_value(value) for key, value in (document.get("provenance") or {}).items()}
    agent = stored.get("agent_name") or document.get("adapter") or path.stem
    head = RunHead(
        run_id=_text(document["run_id"]),
        agent=_text(agent),
        suite=SuiteRef("", cases=None),
        started_at=iso(parse(_text(document["timestamp"]))),
        counts=counts_of(list(outcomes)),
        metrics={
            name: _measure(name, document[name], _counted(name, records, attempts), _left_out(name, attempts))
            for name in METRICS
            if name in document
        },
        legacy=LEGACY_RUN,
    )
    provenance = {**stored, "adapter": document.get("adapter"), "agenteval_git_sha": document.get("git_sha"), "format": "AgentEval 0.3"}
    return Run(head, provenance, outcomes, attempts, (), (), path)


def convert_sidecar(document: Mapping[str, Any], path: Path) -> Sidecar:
    """The sidecar that a flakiness file of 0.3 holds; its observations have status, answer, latency and cost alone."""
    from agenteval.artifacts.reading import Sidecar

    records = _redacted(document["cases"])
    attempts = [
        Attempt(
            case_id=_text(case["case_id"]),
            status=Status(observation["status"]),
            repetition=int(observation["index"]),
            correct={"passed": True, "failed": False}.get(observation["status"]),
            output=observation.get("final_answer") or "",
            latency_ms=observation.get("latency_ms") if Status(observation["status"]).decided else observation.get("latency_ms") or None,
            cost_usd=observation.get("cost_usd"),
        )
        for case in records
        for observation in case["observations"]
        if observation["index"] > 0
    ]
    cases = tuple(_flakiness(case) for case in records)
    return Sidecar(_text(document["run_id"]), _text(document["agent"]), int(document["repeat_count"]), cases, attempts)


def convert_ledger(document: Sequence[Any], path: Path) -> list[LedgerEntry]:
    """The entries that a ledger of 0.3 holds."""
    from agenteval.artifacts.history import LedgerEntry

    return [LedgerEntry(_entry_head(entry, path), f"{entry['run_id']}.json") for entry in document]


def _entry_head(entry: Mapping[str, Any], path: Path) -> RunHead:
    passed = entry.get("gate_passed")
    outcome = GateOutcome.PASS if passed else GateOutcome.FAIL
    verdict = Verdict(outcome, f"gate {'passed' if passed else 'failed'}, as AgentEval 0.3 recorded it")
    return RunHead(
        run_id=_text(entry["run_id"]),
        agent=_text(entry.get("adapter") or path.parent.name),
        suite=SuiteRef(""),
        started_at=iso(parse(_text(entry["timestamp"]))),
        metrics={name: _measure(name, value, 0, {}) for name, value in entry["metrics"].items() if name in METRICS and value is not None},
        gate=verdict if isinstance(passed, bool) else None,
        legacy=LEGACY_ENTRY,
    )


def _measure(name: str, value: Any, n: int | None, left_out: Mapping[str, int]) -> Measure:
    """A stored figure; a rate over nothing, which 0.3 writes as 0, is no value."""
    unit, better = METRICS[name]
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise TypeError(f"{name} is no number: {value!r}")
    return Measure(None if n is None else value, n or 0, unit, better, left_out)


def _counted(name: str, records: Sequence[Mapping[str, Any]], attempts: Sequence[Attempt]) -> int | None:
    """How many cases a stored figure stands on; None where it stands on nothing."""
    if name in ("latency_p50_ms", "latency_p95_ms") and all(attempt.status is Status.AGENT_ERROR for attempt in attempts):
        return None  # 0.3 takes percentiles over the zeros that it wrote for errors.
    if name in ("latency_p50_ms", "latency_p95_ms", "total_cost_usd"):
        return len(attempts) or None
    if name == "total_tokens":
        return sum(attempt.tokens is not None for attempt in attempts) or None
    if name == "context_retention_rate":
        turns = [turn for record in records for turn in record.get("turn_results") or ()]
        return sum(turn.get("context_retention_pass") is not None for turn in turns) or None
    if name == "tool_efficiency_avg":
        return sum(record.get("tool_efficiency_score") is not None for record in records) or None
    if name.endswith("_avg"):
        part = name.removesuffix("_avg")
        return sum((record.get("rag") or {}).get(part) is not None for record in records) or None
    eligible = [record for record in records if status_of(record).decided]
    if name == "break_rate":
        eligible = [record for record in eligible if record.get("source") == "adversarial"]
    return len(eligible) or None


def _left_out(name: str, attempts: Sequence[Attempt]) -> dict[str, int]:
    """Cases that a stored rate does not count, by reason."""
    if name not in ("correctness_rate", "hallucination_rate", "tool_call_accuracy"):
        return {}
    reasons = {
        "errors": sum(attempt.status in (Status.AGENT_ERROR, Status.EVALUATOR_ERROR) for attempt in attempts),
        "skipped": sum(attempt.status is Status.SKIPPED for attempt in attempts),
        "unscored": sum(attempt.status is Status.UNSCORED for attempt in attempts),
    }
    return {reason: count for reason, count in reasons.items() if count}


def _flakiness(case: Mapping[str, Any]) -> CaseFlakiness:
    cluster = case.get("numeric_cluster")
    return CaseFlakiness(
        case_id=_text(case["case_id"]),
        classification=_text(case["classification"]),
        consistent=int(case["consistent_observations"]),
        total=int(case["total_observations"]),
        passed=int(case["pass_count"]),
        errors=sum(not Status(observation["status"]).decided for observation in case["observations"]),
        basis=_text(case["comparison_basis"]),
        numeric=NumericCluster(cluster["tolerance"], tuple(cluster["member_indices"]), cluster["minimum"], cluster["maximum"])
        if cluster
        else None,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, not {value!r}")
    return value


def _redacted(records: Any) -> list[Mapping[str, Any]]:
    safe: Any = redact_json(records)
    if not isinstance(safe, list):
        raise TypeError("a list of cases expected")
    return safe


def _redacted_value(value: Any) -> Any:
    return redact(value) if isinstance(value, str) else redact_json(value)
