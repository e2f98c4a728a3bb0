"""A measure's movement: trend, changes of level, and newest runs out of line since the last change."""

from __future__ import annotations

from agenteval.compare.movement import movement
from agenteval.model.run import Measure


def a_rate(hits: int, n: int = 50) -> Measure:
    return Measure(hits / n, n, "rate", "higher")


def test_the_newest_run_is_judged_by_the_runs_since_the_last_change() -> None:
    """78% was the rule of old, but not since it rose to 96%."""
    found = movement([a_rate(39)] * 8 + [a_rate(48)] * 8 + [a_rate(38)])

    assert [change.at for change in found.changes] == [8]
    assert found.late is not None
    assert (found.late.before, found.late.low, found.late.value) == (8, 0.96, 0.76)


def test_a_run_without_the_measure_is_no_zero() -> None:
    found = movement([a_rate(47)] * 6 + [None, Measure(None, 0, "rate", "higher")])

    assert (found.changes, found.late, found.trend.points) == ((), None, 6)


def test_of_nothing_there_is_nothing_to_say() -> None:
    assert movement([]).late is None
