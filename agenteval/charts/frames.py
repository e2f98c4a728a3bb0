"""Stored runs as DataFrames: the tables that figures draw and pages show. Nothing is computed here but the layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from agenteval.charts.palette import look
from agenteval.model.run import Outcome, RunHead

if TYPE_CHECKING:
    import pandas as pd

POINT_COLUMNS = (
    "run_id",
    "started_at",
    "value",
    "low",
    "high",
    "n",
    "unit",
    "gate",
    "commit",
    "model",
    "suite_hash",
    "stored",
    "text",
)


def metric_points(heads: Sequence[RunHead], metric: str, *, stored: Iterable[str] | None = None) -> pd.DataFrame:
    """One row a run, oldest first, whether or not it measured the metric.

    Args:
        stored: Ids of runs whose file still exists; None: all.

    Returns:
        Columns ``run_id`` (str), ``started_at`` (datetime64, UTC), ``value``, ``low``, ``high`` (float in the metric's unit, NaN where
        not measured), ``n`` (int), ``unit`` (str), ``gate`` (outcome or ""), ``commit``, ``model``, ``suite_hash`` (str, "" unknown),
        ``stored`` (bool), ``text`` (the measure in words).
    """
    import pandas as pd

    from agenteval import _format

    kept = None if stored is None else set(stored)
    rows = []
    for head in heads:
        measured = head.metrics.get(metric)
        rows.append(
            {
                "run_id": head.run_id,
                "started_at": head.started_at,
                "value": None if measured is None else measured.value,
                "low": None if measured is None else measured.low,
                "high": None if measured is None else measured.high,
                "n": 0 if measured is None else measured.n,
                "unit": "" if measured is None else measured.unit,
                "gate": "" if head.gate is None else head.gate.outcome.value,
                "commit": str(head.git.get("commit") or "")[:7],
                "model": str(head.parameters.get("model") or ""),
                "suite_hash": head.suite.hash or "",
                "stored": kept is None or head.run_id in kept,
                "text": "not measured" if measured is None else _format.measure(measured),
            }
        )
    frame = pd.DataFrame(rows, columns=list(POINT_COLUMNS))
    frame["started_at"] = pd.to_datetime(frame["started_at"], utc=True, format="ISO8601", errors="coerce")
    for column in ("value", "low", "high"):
        frame[column] = frame[column].astype("float64")
    return frame


def changes(points: pd.DataFrame) -> list[tuple[int, str]]:
    """Where commit, model or suite differ from the run before: (row, what changed), only where both are known.

    Commits differ at nearly every run of a healthy project, so a commit alone is no mark: it is added to the words of another.
    """
    found: list[tuple[int, str]] = []
    rows = points[["commit", "model", "suite_hash"]].to_dict("records")
    for place in range(1, len(rows)):
        before, now = rows[place - 1], rows[place]
        words = []
        if before["suite_hash"] and now["suite_hash"] and before["suite_hash"] != now["suite_hash"]:
            words.append("suite changed")
        if before["model"] and now["model"] and before["model"] != now["model"]:
            words.append(f"model {now['model']}")
        if words and before["commit"] != now["commit"] and now["commit"]:
            words.append(f"commit {now['commit']}")
        if words:
            found.append((place, ", ".join(words)))
    return found


def outcome_grid(runs: Sequence[tuple[str, Sequence[Outcome]]]) -> pd.DataFrame:
    """Outcomes of every case over runs, in long form.

    Args:
        runs: Run id and outcomes, oldest first.

    Returns:
        Columns ``case_id`` (str; cases with the most failures first, then by id), ``run_id`` (str), ``status`` (str).
    """
    import pandas as pd

    rows = [(outcome.case_id, run_id, outcome.status.value) for run_id, outcomes in runs for outcome in outcomes]
    frame = pd.DataFrame(rows, columns=["case_id", "run_id", "status"])
    if frame.empty:
        return frame
    trouble = (~frame["status"].isin(["passed", "skipped", "unscored"])).groupby(frame["case_id"]).sum()
    order = {case: place for place, case in enumerate(sorted(trouble.index, key=lambda case: (-trouble[case], case)))}
    return frame.sort_values("case_id", key=lambda column: column.map(order), kind="stable", ignore_index=True)


def status_words(status: str | None) -> str:
    """Symbol and word of a status, for a table's cell.

    >>> status_words("failed"), status_words(None)
    ('✕ failed', '')
    """
    if status is None:
        return ""
    shown = look(status)
    return f"{shown.symbol} {shown.word}"
