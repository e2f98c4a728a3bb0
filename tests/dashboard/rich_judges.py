"""Calibrations of the rich folder's second agent: marks, pairs in both orders, and answers told good or bad by their mark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agenteval.artifacts.calibrations import write_calibration
from agenteval.calibration.asking import recorded
from agenteval.calibration.golden_set import GoldenItem, GoldenSet
from agenteval.calibration.measuring import measured
from agenteval.model.calibration import Kind

PAIRS, MARKS, SCALED, SAME = (f"2026-11-{day}T09:00:00.000Z" for day in (20, 23, 26, 28))
"""When each was made."""
_SHIFTS = (0, 0, 1, -1, 0, 2, -3)
_WINNERS = ("A", "B", "A", "tie", "B")
_ORDERS = (("A", "A"), ("B", "B"), ("A", "B"), ("A", "tie"), ("B", "B"), ("B", "A"), ("A", "A"), ("A", "B"))


def write_judges(folder: Path, judge: str) -> None:
    """Four calibrations below ``folder/runs``, made of ``golden``."""
    for stamp, kind in ((PAIRS, Kind.PAIRS), (MARKS, Kind.MARKS), (SCALED, Kind.BINARY), (SAME, Kind.BINARY)):
        items = golden(stamp)
        known: dict[str, Any] = {"model": "small-1", "prompt_version": "1", "settings": "x", "threshold": 0.6, "timestamp": stamp}
        judged = [recorded(item) for item in items]
        write_calibration(folder / "runs", measured(judge, GoldenSet("graded.yaml", kind, items, f"hash{stamp[8:10]}"), judged, **known))


def golden(stamp: str) -> tuple[GoldenItem, ...]:
    """What people said of the items of a calibration, and what the judge did."""
    if stamp == PAIRS:
        return tuple(_pair(place) for place in range(30))
    if stamp == MARKS:
        return tuple(_marked(place) for place in range(45))
    if stamp == SCALED:
        return tuple(_scaled(place) for place in range(48))
    return tuple(GoldenItem(f"same {place:02}", "Is it?", "It is.", True, recorded=True) for place in range(12))


def _pair(place: int) -> GoldenItem:
    there, back = _ORDERS[place % len(_ORDERS)]
    other = "y" * (10 + place * 11 % 19)
    said: dict[str, Any] = {"other_answer": other, "recorded": there, "recorded_swapped": back}
    return GoldenItem(f"pair {place:02}", "Which?", "x" * (10 + place * 7 % 23), _WINNERS[place % len(_WINNERS)], **said)


def _marked(place: int) -> GoldenItem:
    """The judge is one or two marks off now and then; it gives the last one none."""
    human = 1 + place * 7 % 10
    said = None if place == 44 else min(10, max(1, human + _SHIFTS[place % len(_SHIFTS)]))
    return GoldenItem(f"mark {place:02}", "How good?", "z" * (20 + place * 13 % 40), human, recorded=said)


def _scaled(place: int) -> GoldenItem:
    """Good answers get 6 to 10, bad ones 1 to 8: good enough, and too few to be sure."""
    good = place % 2 == 0
    mark = 6 + place // 2 % 5 if good else 2 + place // 2 % 7 - place // 24
    return GoldenItem(f"scaled {place:02}", "How good?", "w" * (15 + place * 17 % 31), good, recorded=mark)
