"""Calibrations of a judge beside stored runs, as this version and as AgentEval 0.3 wrote them."""

from __future__ import annotations

import json
from pathlib import Path

from agenteval.artifacts.calibrations import write_calibration
from agenteval.artifacts.paths import agent_dir
from agenteval.calibration.asking import recorded
from agenteval.calibration.golden_set import GoldenItem, GoldenSet
from agenteval.calibration.measuring import measured
from agenteval.model.calibration import Calibration, Kind

NEWEST = "2026-11-29T12:00:00.000Z"


def write_calibrations(folder: Path, judge: str, *, said: str = "It sounds right.", name: str = "item") -> None:
    """Three calibrations below ``folder/runs``: one of 0.3, one that trusts the judge, and a later one that does not, with errors.

    Args:
        said: What is asked, answered and given as a reason.
        name: How the ids of items begin; texts of others may stand in both.
    """
    _write_legacy(folder, judge, name)
    for wrong, errors, day in ((1, 0, "2026-11-22T12:00:00.000Z"), (11, 2, NEWEST)):
        write_calibration(folder / "runs", _calibration(judge, wrong, errors, day, said, name))


def _write_legacy(folder: Path, judge: str, name: str) -> None:
    """Six answers of which four were judged as people did: kappa 1/3."""
    old = {"timestamp": "2026-11-15T12:00:00.028741+00:00", "judge": judge, "n_cases": 6, "agreement_rate": 4 / 6, "kappa": 1 / 3}
    old |= {"kappa_threshold": 0.6, "below_threshold": True, "interpretation": "fair", "mismatches": [f"{name} 1", f"{name} 2"]}
    place = agent_dir(folder / "runs", judge) / "calibration"
    place.mkdir(parents=True, exist_ok=True)
    (place / "20261115T120000Z_abcdef.json").write_text(json.dumps(old), encoding="utf-8")


def _calibration(judge: str, wrong: int, errors: int, day: str, said: str, name: str) -> Calibration:
    """Twenty good and twenty bad answers; the first ``wrong`` bad ones are passed, the last ``errors`` good ones get no verdict."""
    good = [GoldenItem(f"{name} good {n}", said, said, True, recorded=True if n < 20 - errors else None) for n in range(20)]
    bad = [GoldenItem(f"{name} bad {n}", said, said, False, recorded=n < wrong, recorded_reason=said) for n in range(20)]
    golden = GoldenSet("answers.yaml", Kind.BINARY, tuple(good + bad), "hash")
    asked = [recorded(item) for item in golden.items]
    return measured(judge, golden, asked, timestamp=day, threshold=0.6, model="small-1", prompt_version="1", settings="x")


def calibration_files(folder: Path, judge: str) -> list[Path]:
    """The files written, oldest first."""
    return sorted((agent_dir(folder / "runs", judge) / "calibration").glob("*.json"))
