"""What there is to say about a measure over runs: its trend, the changes of its level, and newest runs that are out of line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agenteval.compare.changepoints import Change, change_points
from agenteval.compare.out_of_line import OutOfLine, out_of_line
from agenteval.compare.trend import Trend, trend
from agenteval.model.run import Measure


@dataclass(frozen=True, slots=True)
class Movement:
    """A measure over runs; ``changes`` are oldest first, ``late`` is judged by the runs since the last of them."""

    trend: Trend
    changes: tuple[Change, ...]
    late: OutOfLine | None


def movement(series: Sequence[Measure | None]) -> Movement:
    """The movement of a measure over runs, oldest first; None where a run does not have it."""
    known = next((measure for measure in reversed(series) if measure is not None), None)
    unit, better = (known.unit, known.better) if known else ("score", "higher")
    values = [None if measure is None else measure.value for measure in series]
    counts = [0 if measure is None else measure.n for measure in series] if unit == "rate" else None
    changes = change_points(values, counts, unit=unit, better=better)
    since = changes[-1].at if changes else 0
    late = out_of_line(values[since:], counts[since:] if counts else None, unit=unit, better=better)
    return Movement(trend(values, unit=unit, better=better), changes, late)
