"""Stored runs as DataFrames: the tables that figures draw and pages show. Nothing is computed here but the layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agenteval.charts.palette import look, metric_title
from agenteval.model.comparison import MetricDelta
from agenteval.model.response import Step
from agenteval.model.run import Measure, Outcome, RunHead

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


def metric_rows(deltas: Sequence[MetricDelta]) -> pd.DataFrame:
    """The table of metrics of a comparison, every cell in words.

    Returns:
        Columns ``metric``, ``baseline``, ``current``, ``change``, ``direction``, ``interval``, ``p``, ``left_out``, ``note`` (all str).
    """
    import pandas as pd

    from agenteval import _format

    rows = []
    for delta in deltas:
        known = delta.current or delta.baseline
        if known is None:
            continue
        unit, before = known.unit, delta.baseline.value if delta.baseline else None
        interval = ""
        if delta.low is not None and delta.high is not None:
            ends = (_format.delta(delta.low, unit, before), _format.delta(delta.high, unit, before))
            interval = _format.points_interval(delta.low, delta.high) if unit == "rate" else f"[{ends[0]}, {ends[1]}]"
        p = delta.p_adjusted if delta.p_adjusted is not None else delta.p
        rows.append(
            {
                "metric": metric_title(delta.name),
                "baseline": _measured(delta.baseline),
                "current": _measured(delta.current),
                "change": _format.delta(delta.delta, unit, before),
                "direction": delta.direction,
                "interval": interval or "–",
                "p": "–" if p is None else _format.p_value(p),
                "left_out": _left_out(delta),
                "note": delta.note,
            }
        )
    columns = ["metric", "baseline", "current", "change", "direction", "interval", "p", "left_out", "note"]
    return pd.DataFrame(rows, columns=columns, dtype="str")


def _measured(measure: Measure | None) -> str:
    """Value, count and interval; what is left out has a column of its own."""
    from agenteval import _format

    return "not recorded" if measure is None else _format.measure(replace(measure, left_out={}))


def _left_out(delta: MetricDelta) -> str:
    """What the measure leaves out now, and then where that differs."""
    from agenteval import _format

    now = _format.left_out(delta.current.left_out) if delta.current else ""
    then = _format.left_out(delta.baseline.left_out) if delta.baseline else ""
    words = now.removesuffix(" left out")
    return words if now == then or not delta.baseline else f"{words or 'none'}; then {then.removesuffix(' left out') or 'none'}"


def step_rows(steps: Sequence[Step]) -> pd.DataFrame:
    """Steps on a time line; a step without a start follows the one before.

    Returns:
        Columns ``place`` (int, from 1), ``label``, ``kind``, ``error`` (str), ``start_ms``, ``duration_ms`` (float, 0 where unknown),
        ``timed`` (bool), ``depth`` (int), ``text`` (str, for hover).
    """
    import pandas as pd

    from agenteval import _format
    from agenteval._text import clip

    rows = []
    clock = 0.0
    depths: list[int] = []
    for place, step in enumerate(steps):
        parent = step.parent if step.parent is not None and 0 <= step.parent < place else None
        depths.append(0 if parent is None else depths[parent] + 1)
        start = clock if step.timestamp_ms is None else step.timestamp_ms
        duration = step.duration_ms or 0.0
        clock = max(clock, start + duration)
        parts = [step.kind, _format.ms(step.duration_ms)]
        tokens = sum(part for part in (step.prompt_tokens, step.completion_tokens) if part is not None)
        if step.prompt_tokens is not None or step.completion_tokens is not None:
            parts.append(_format.tokens(tokens))
        if step.cost_usd is not None:
            parts.append(_format.usd(step.cost_usd))
        rows.append(
            {
                "place": place + 1,
                "label": clip(step.name or step.kind, 40),
                "kind": step.kind,
                "error": step.error or "",
                "start_ms": start,
                "duration_ms": duration,
                "timed": step.duration_ms is not None,
                "depth": depths[-1],
                "text": " · ".join(parts),
            }
        )
    columns = ["place", "label", "kind", "error", "start_ms", "duration_ms", "timed", "depth", "text"]
    return pd.DataFrame(rows, columns=columns)


def conversation_steps(turns: Sequence[Sequence[Step]]) -> list[Step]:
    """The steps of a conversation's turns as one list, each turn's clock going on where the turn before ended."""
    found: list[Step] = []
    clock = 0.0
    for steps in turns:
        first, end = len(found), clock
        for step in steps:
            start = None if step.timestamp_ms is None else clock + step.timestamp_ms
            end = max(end, (end if start is None else start) + (step.duration_ms or 0.0))
            found.append(replace(step, timestamp_ms=start, parent=None if step.parent is None else first + step.parent))
        clock = end
    return found


def status_words(status: str | None) -> str:
    """Symbol and word of a status, for a table's cell.

    >>> status_words("failed"), status_words(None)
    ('✕ failed', '')
    """
    if status is None:
        return ""
    shown = look(status)
    return f"{shown.symbol} {shown.word}"
