"""Measures and cases over many runs as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from agenteval.charts.palette import metric_title
from agenteval.compare.case_history import CaseHistory, Standing
from agenteval.compare.movement import Movement
from agenteval.model.run import Measure, RunHead

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
    "metadata",
    "stored",
    "text",
)
_STANDINGS = {
    Standing.BEGAN: "began to fail",
    Standing.FAILS: "fails",
    Standing.NEVER: "never passed",
    Standing.MENDED: "passes again",
    Standing.PASSES: "passes",
}


def metric_points(
    heads: Sequence[RunHead],
    metric: str,
    *,
    stored: Iterable[str] | None = None,
    measured: Sequence[Mapping[str, Measure]] | None = None,
) -> pd.DataFrame:
    """One row a run, oldest first, whether or not it measured the metric.

    Args:
        stored: Ids of runs whose file still exists; None: all.
        measured: Each run's measures of a part of its cases, which no gate judged; None: its own.

    Returns:
        Columns ``run_id`` (str), ``started_at`` (datetime64, UTC), ``value``, ``low``, ``high`` (float in the metric's unit, NaN where
        not measured), ``n`` (int), ``unit`` (str), ``gate`` (outcome or ""; of a part "part"), ``commit``, ``model``, ``suite_hash``,
        ``metadata`` (str, "" unknown), ``stored`` (bool), ``text`` (the measure in words).
    """
    import pandas as pd

    from agenteval import _format

    kept = None if stored is None else set(stored)
    rows = []
    for place, head in enumerate(heads):
        measure = (head.metrics if measured is None else measured[place]).get(metric)
        rows.append(
            {
                "run_id": head.run_id,
                "started_at": head.started_at,
                "value": None if measure is None else measure.value,
                "low": None if measure is None else measure.low,
                "high": None if measure is None else measure.high,
                "n": 0 if measure is None else measure.n,
                "unit": "" if measure is None else measure.unit,
                "gate": "part" if measured is not None else "" if head.gate is None else head.gate.outcome.value,
                "commit": str(head.git.get("commit") or "")[:7],
                "model": str(head.parameters.get("model") or ""),
                "suite_hash": head.suite.hash or "",
                "metadata": "; ".join(f"{key}={value}" for key, value in head.meta.items()),
                "stored": kept is None or head.run_id in kept,
                "text": "not measured" if measure is None else _format.measure(measure),
            }
        )
    frame = pd.DataFrame(rows, columns=list(POINT_COLUMNS))
    frame["started_at"] = pd.to_datetime(frame["started_at"], utc=True, format="ISO8601", errors="coerce")
    for column in ("value", "low", "high"):
        frame[column] = frame[column].astype("float64")
    return frame


def change_rows(heads: Sequence[RunHead], movements: Mapping[str, Movement]) -> pd.DataFrame:
    """The changes of level of all metrics, one a row.

    Returns:
        Columns ``metric``, ``since_run``, ``since``, ``direction`` (str), ``before``, ``after`` (float), ``runs_before``, ``runs_after``
        (int), ``p`` (float), ``commit`` (str).
    """
    import pandas as pd

    rows = [
        {
            "metric": metric_title(name),
            "since_run": heads[change.at].run_id,
            "since": heads[change.at].started_at,
            "direction": "better" if change.better else "worse",
            "before": change.before,
            "after": change.after,
            "runs_before": change.runs_before,
            "runs_after": change.runs_after,
            "p": change.p,
            "commit": str(heads[change.at].git.get("commit") or ""),
        }
        for name, movement in movements.items()
        for change in movement.changes
    ]
    columns = ["metric", "since_run", "since", "direction", "before", "after", "runs_before", "runs_after", "p", "commit"]
    return pd.DataFrame(rows, columns=columns)


def case_rows(cases: Sequence[CaseHistory], run_ids: Sequence[str]) -> pd.DataFrame:
    """Cases by runs, one row a case in the given order.

    Returns:
        Columns ``case_id``, ``standing``, ``failing_since`` (run id or ""), ``failing_runs`` (int), then one a run id: the status or "".
    """
    import pandas as pd

    rows = [
        {
            "case_id": case.case_id,
            "standing": _STANDINGS[case.standing],
            "failing_since": "" if case.since is None else run_ids[case.since],
            "failing_runs": case.failing,
            **{run: "" if status is None else status.value for run, status in zip(run_ids, case.statuses, strict=True)},
        }
        for case in cases
    ]
    return pd.DataFrame(rows, columns=["case_id", "standing", "failing_since", "failing_runs", *run_ids])
