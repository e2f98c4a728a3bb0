"""Stored runs as a table: what a list of runs shows, and what its filters read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agenteval import _format
from agenteval.charts.frames import status_words
from agenteval.model.run import Measure, Outcome, RunHead

if TYPE_CHECKING:
    import pandas as pd

NO_VERDICT = "no verdict"


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run in the list: its head, where it lies, and what is known of its file.

    Attributes:
        place: The folder or archive, as text for readers.
        path: The run file; None where only the ledger or a journal knows the run.
        state: What is known of the record without reading it as a whole.
        pinned: It is the pinned baseline of its suite.
    """

    head: RunHead
    place: str
    path: str | None
    state: str
    pinned: bool = False


def verdict_of(head: RunHead) -> str:
    """The gate's outcome as a word to filter by: ``pass``, ``fail``, ``inconclusive``, ``not_evaluated``, else ``no verdict``."""
    return head.gate.outcome.value if head.gate else NO_VERDICT


def searched(head: RunHead) -> str:
    """What a filter by text looks through, in lower case: id, agent, suite, label, commit, metadata."""
    meta = (f"{key}={value}" for key, value in head.meta.items())
    parts = (head.run_id, head.agent, head.suite.name, head.label or "", str(head.git.get("commit") or ""), *meta)
    return "\n".join(parts).lower()


def run_rows(runs: Iterable[ListedRun], verified: Mapping[str, str]) -> pd.DataFrame:
    """A row a run, in the order given, every cell in words or a number with its unit in the column's name.

    Args:
        verified: What verifying found, by path; it takes the place of the state.

    Returns:
        Columns ``run``, ``agent`` (str), ``started`` (datetime64, UTC), ``verdict``, ``correctness``, ``label``, ``baseline``, ``record``
        (str), ``cases`` (int), ``duration_s``, ``cost_usd`` (float, NaN unknown), ``status``, ``suite``, ``selection``, ``commit``,
        ``place`` (str).
    """
    import pandas as pd

    frame = pd.DataFrame([_cells(item, verified.get(item.path or "", item.state)) for item in runs], columns=list(_COLUMNS))
    frame["started"] = pd.to_datetime(frame["started"], utc=True, format="ISO8601", errors="coerce")
    for column in ("duration_s", "cost_usd"):
        frame[column] = frame[column].astype("float64")
    return frame


_COLUMNS = (
    "run",
    "agent",
    "started",
    "verdict",
    "correctness",
    "label",
    "baseline",
    "record",
    "cases",
    "duration_s",
    "cost_usd",
    "status",
    "suite",
    "selection",
    "commit",
    "place",
)


def _cells(item: ListedRun, record: str) -> tuple[object, ...]:
    head = item.head
    correctness, cost = head.metrics.get("correctness_rate"), head.metrics.get("total_cost_usd")
    commit = str(head.git.get("commit") or "")[:7]
    return (
        head.run_id,
        head.agent,
        head.started_at,
        status_words(head.gate.outcome.value) if head.gate else "· none",
        _rate(correctness),
        head.label or "",
        "★ pinned" if item.pinned else "",
        record,
        sum(head.counts.values()),
        head.duration_s,
        None if cost is None else cost.value,
        head.status.value,
        head.suite.name,
        selection_words(head),
        f"{commit} changed" if commit and head.git.get("dirty") else commit,
        item.place,
    )


def _rate(correctness: Measure | None) -> str:
    """``88% · 44 of 50``: the interval has no room in a list."""
    if correctness is None or correctness.value is None:
        return _format.ABSENT
    return f"{_format.rate(correctness.value)} · {_format.evidence(replace(correctness, low=None, high=None))}"


def selection_words(head: RunHead) -> str:
    """What was selected: ``whole suite``, or the filter and how many cases it left out."""
    chosen = head.selection
    if not chosen.filter and not chosen.left_out:
        return "whole suite"
    words = ", ".join(f"{key} {_named(value)}" for key, value in chosen.filter.items())
    return f"{words or 'a part'} ({_format.count(chosen.left_out, 'case')} left out)"


def _named(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def outcome_rows(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """A row a case as the run file's table of outcomes has it, in suite order.

    Returns:
        Columns ``case_id``, ``status``, ``correct`` (true, false or null), ``score`` (float in [0, 1]), ``latency_ms``, ``cost_usd``,
        ``tokens`` (float, NaN unknown), ``tags`` (comma-separated), ``role`` ("" for none), ``critical`` (bool).
    """
    import pandas as pd

    columns = ["case_id", "status", "correct", "score", "latency_ms", "cost_usd", "tokens", "tags", "role", "critical"]
    rows = [
        (*item[:1], item.status.value, item.correct, *item[3:7], ", ".join(item.tags), item.role.value if item.role else "", item.critical)
        for item in outcomes
    ]
    return pd.DataFrame(rows, columns=columns)
