"""A comparison as DataFrames: the metrics in words and in numbers, what a forest draws, what became of each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agenteval import _format
from agenteval.charts.palette import metric_title
from agenteval.compare.deltas import NOISE
from agenteval.compare.ratios import Ratios
from agenteval.model.comparison import MetricDelta, Transition
from agenteval.model.run import Measure

if TYPE_CHECKING:
    import pandas as pd

FAMILIES = {"points": "Rates, in points", "score": "Scores, from 0 to 1", "percent": "Time, cost and tokens, in percent"}
"""Units that share an axis, and what a forest of them is called."""

_QUANTITIES = {"latency_ms": "Latency", "cost_usd": "Cost", "tokens": "Tokens"}


def metric_rows(deltas: Sequence[MetricDelta]) -> pd.DataFrame:
    """The table of metrics of a comparison, every cell in words.

    Returns:
        Columns ``metric``, ``baseline``, ``current``, ``change``, ``direction``, ``interval``, ``p``, ``left_out``, ``note`` (all str).
    """
    import pandas as pd

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
    return "not recorded" if measure is None else _format.measure(replace(measure, left_out={}))


def _left_out(delta: MetricDelta) -> str:
    """What the measure leaves out now, and then where that differs."""
    now = _format.left_out(delta.current.left_out) if delta.current else ""
    then = _format.left_out(delta.baseline.left_out) if delta.baseline else ""
    words = now.removesuffix(" left out")
    return words if now == then or not delta.baseline else f"{words or 'none'}; then {then.removesuffix(' left out') or 'none'}"


def metric_numbers(deltas: Sequence[MetricDelta]) -> pd.DataFrame:
    """The same table as numbers, for files.

    Returns:
        Columns ``metric``, ``unit``, ``better`` (str), ``then``, ``then_n``, ``now``, ``now_n``, ``change``, ``low``, ``high``, ``p``,
        ``p_holm`` (float in the metric's unit, NaN where unknown), ``direction``, ``note`` (str).
    """
    import pandas as pd

    rows = []
    for delta in deltas:
        known = delta.current or delta.baseline
        rows.append(
            {
                "metric": delta.name,
                "unit": known.unit if known else "",
                "better": known.better if known else "",
                "then": delta.baseline.value if delta.baseline else None,
                "then_n": delta.baseline.n if delta.baseline else None,
                "now": delta.current.value if delta.current else None,
                "now_n": delta.current.n if delta.current else None,
                "change": delta.delta,
                "low": delta.low,
                "high": delta.high,
                "p": delta.p,
                "p_holm": delta.p_adjusted,
                "direction": delta.direction,
                "note": delta.note,
            }
        )
    return pd.DataFrame(rows)


def forest_rows(deltas: Sequence[MetricDelta], ratios: Mapping[str, Ratios] | None = None) -> pd.DataFrame:
    """What forests draw: every change that is known, each family of units apart, then what a typical case takes.

    Args:
        ratios: Paired values by ``latency_ms``, ``cost_usd``, ``tokens``.

    Returns:
        Columns ``name``, ``title`` (str), ``family`` (of ``FAMILIES``), ``value``, ``low``, ``high`` (float in the family's unit: points,
        score or percent; NaN without interval), ``direction``, ``text``, ``hover`` (str).
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for delta in deltas:
        known = delta.current or delta.baseline
        if delta.delta is None or known is None:
            continue
        before = delta.baseline.value if delta.baseline else None
        if known.unit not in ("rate", "score") and not before:
            continue
        family = {"rate": "points", "score": "score"}.get(known.unit, "percent")
        scale = {"points": 100.0, "score": 1.0}.get(family, 100.0 / before if before else 0.0)
        text = _format.delta(delta.delta, known.unit, before)
        interval = f" {_format.points_interval(delta.low, delta.high)}" if family == "points" and delta.low is not None else ""
        rows.append(
            {
                "name": delta.name,
                "title": metric_title(delta.name),
                "family": family,
                "value": delta.delta * scale,
                "low": None if delta.low is None else delta.low * scale,
                "high": None if delta.high is None else delta.high * scale,
                "direction": delta.direction,
                "text": text,
                "hover": f"{text}{interval}, {delta.direction}",
            }
        )
    for quantity, found in (ratios or {}).items():
        if found.typical is not None:
            rows.append(_typical(quantity, found, found.typical))
    frame = pd.DataFrame(rows, columns=["name", "title", "family", "value", "low", "high", "direction", "text", "hover"])
    return frame.astype({"value": "float64", "low": "float64", "high": "float64"})


def _typical(quantity: str, found: Ratios, typical: float) -> dict[str, Any]:
    text = _format.percent_change(typical - 1)
    return {
        "name": f"typical_{quantity}",
        "title": f"{_QUANTITIES[quantity]}, typical case",
        "family": "percent",
        "value": (typical - 1) * 100,
        "low": None if found.low is None else (found.low - 1) * 100,
        "high": None if found.high is None else (found.high - 1) * 100,
        "direction": _of_ratio(found, typical),
        "text": text,
        "hover": f"{typical_words(found)}, {_format.count(len(found.cases), 'pair')}",
    }


def _of_ratio(found: Ratios, typical: float) -> str:
    if abs(typical - 1) < 1e-9:
        return "same"
    if found.low is None or found.high is None or found.low <= 1 <= found.high:
        return NOISE
    return "worse" if typical > 1 else "better"


def typical_words(found: Ratios) -> str:
    """``+4% [−2%, +11%]``: what a typical case takes more or less."""
    if found.typical is None:
        return _format.ABSENT
    text = _format.percent_change(found.typical - 1)
    if found.low is None or found.high is None:
        return text
    return f"{text} [{_format.percent_change(found.low - 1)}, {_format.percent_change(found.high - 1)}]"


def case_points(found: Ratios, unit: str) -> pd.DataFrame:
    """Paired cases as points of a scatter.

    Returns:
        Columns ``case_id`` (str), ``then``, ``now`` (float in ``unit``, above zero), ``ratio`` (now / then), ``status_then``,
        ``status_now`` (str), ``text`` (str, for hover).
    """
    import pandas as pd

    rows = [
        {
            "case_id": case.case_id,
            "then": float(case.then),
            "now": float(case.now),
            "ratio": case.ratio,
            "status_then": case.status_then.value,
            "status_now": case.status_now.value,
            "text": f"{_format.value(case.then, unit)} → {_format.value(case.now, unit)}, {_format.percent_change(case.ratio - 1)}",
        }
        for case in found.cases
    ]
    return pd.DataFrame(rows, columns=["case_id", "then", "now", "ratio", "status_then", "status_now", "text"])


def transition_rows(transitions: Sequence[Transition]) -> pd.DataFrame:
    """What became of every case of either run, for files.

    Returns:
        Columns ``case``, ``then``, ``now`` ("" where the case is not in that run), ``kind``, ``reason``, ``tags``, ``role`` (str),
        ``critical``, ``definition_known`` (bool).
    """
    import pandas as pd

    return pd.DataFrame(
        {
            "case": [item.case_id for item in transitions],
            "then": [item.before or "" for item in transitions],
            "now": [item.after or "" for item in transitions],
            "kind": [item.kind for item in transitions],
            "reason": [item.reason for item in transitions],
            "tags": [", ".join(item.tags) for item in transitions],
            "role": [item.role or "" for item in transitions],
            "critical": [item.critical for item in transitions],
            "definition_known": [item.definition_known for item in transitions],
        }
    )
