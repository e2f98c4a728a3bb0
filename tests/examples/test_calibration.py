"""The worked golden set, and the calibration that comes with the project."""

from __future__ import annotations

from pathlib import Path

from agenteval.artifacts.calibrations import list_calibrations
from agenteval.calibration.golden_set import read_golden_set

ROOT = Path(__file__).parents[2]


def test_the_worked_set_holds_agreements_and_disagreements_of_both_kinds() -> None:
    items = read_golden_set(ROOT / "examples" / "calibration" / "answers.yaml").items

    assert {(item.human, item.recorded) for item in items} == {(True, True), (True, False), (False, True), (False, False)}


def test_the_shipped_calibration_is_of_the_worked_set() -> None:
    found = list_calibrations([ROOT / "runs"])

    assert not found.unreadable
    (shipped,) = found.of("support_agent")
    golden = read_golden_set(ROOT / "examples" / "calibration" / "answers.yaml")
    assert (shipped.golden_set, shipped.golden_hash) == ("examples/calibration/answers.yaml", golden.hash)
    assert (shipped.n, shipped.errors, shipped.recorded, shipped.below_threshold) == (20, 0, False, True)
