"""Calibrations as files: written, read back, found, and those of AgentEval 0.3."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from agenteval.artifacts.calibrations import list_calibrations, load_calibration, write_calibration
from agenteval.artifacts.store import Store
from agenteval.calibration.asking import recorded
from agenteval.calibration.measuring import measured
from agenteval.errors import InputError
from agenteval.model.calibration import Calibration, Kind, Standing
from tests.builders import shared_data
from tests.calibration.test_measuring import a_set, an_item


def a_calibration(**changes: object) -> Calibration:
    golden = a_set(*(an_item(f"g{n}", n % 2 == 0, recorded=n % 3 != 1) for n in range(12)))
    known = {"model": "small-1", "prompt_version": "1", "settings": "abc"}
    made = measured("bot", golden, [recorded(item) for item in golden.items], timestamp="2026-11-30T12:00:00.000Z", threshold=0.6, **known)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_what_is_written_reads_back_the_same(tmp_path: Path) -> None:
    stored = write_calibration(tmp_path, a_calibration())

    assert stored.path is not None
    assert stored.path.parent == tmp_path / "bot" / "calibration"
    assert re.fullmatch(r"20261130T120000Z_[0-9a-f]{6}\.json", stored.path.name)
    assert load_calibration(stored.path) == stored


def test_pairs_read_back_the_same(tmp_path: Path) -> None:
    golden = a_set(
        *(an_item(f"g{n}", "AB"[n % 2], other_answer="bb", recorded="A", recorded_swapped="B") for n in range(4)), kind=Kind.PAIRS
    )
    made = measured("bot", golden, [recorded(item) for item in golden.items], timestamp="2026-11-30T12:00:00.000Z", threshold=0.6)

    stored = write_calibration(tmp_path, made)

    assert stored.path is not None
    assert load_calibration(stored.path) == stored


def test_the_file_begins_with_the_keys_of_agenteval_03(tmp_path: Path) -> None:
    stored = write_calibration(tmp_path, a_calibration())
    assert stored.path is not None
    document = json.loads(stored.path.read_text())

    keys = [
        "timestamp",
        "judge",
        "n_cases",
        "agreement_rate",
        "kappa",
        "kappa_threshold",
        "below_threshold",
        "interpretation",
        "mismatches",
    ]
    assert list(document)[:10] == ["schema", *keys]
    assert document["schema"] == "agenteval.calibration/1"
    assert (document["model"], document["prompt_version"], document["settings"]) == ("small-1", "1", "abc")


def test_a_calibration_of_agenteval_03_reads(tmp_path: Path) -> None:
    found = load_calibration(shared_data("data", "predecessor", "samples", "calibration.json"))

    assert (found.judge, found.n, found.kappa_threshold, found.interpretation) == ("judge", 6, 0.6, "fair")
    assert round(found.kappa or 0, 6) == 0.333333
    assert found.mismatches == ("calib_hallucinated_extra_fact", "calib_evasive_non_answer")
    assert (found.low, found.model, found.standing) == (None, None, Standing.BELOW)
    assert found.legacy


def test_calibrations_are_found_in_folders_and_archives_each_once(tmp_path: Path) -> None:
    first = write_calibration(tmp_path / "runs", a_calibration())
    write_calibration(tmp_path / "runs", a_calibration(judge="other", timestamp="2026-11-29T12:00:00.000Z"))
    assert first.path is not None
    with zipfile.ZipFile(tmp_path / "artifacts.zip", "w") as archive:
        archive.write(first.path, f"runs/bot/calibration/{first.path.name}")
    (tmp_path / "runs" / "bot" / "calibration" / "broken.json").write_text('{"kappa": "high", "kappa_threshold": 0.6}')

    found = list_calibrations([tmp_path])

    assert [item.judge for item in found.found] == ["other", "bot"]
    assert [item.judge for item in found.of("bot")] == ["bot"]
    assert [item.reason for item in found.unreadable] == ["is a damaged calibration: kappa is no number"]


def test_calibrations_are_no_runs(tmp_path: Path) -> None:
    write_calibration(tmp_path, a_calibration())

    listing = Store([tmp_path]).heads()

    assert (listing.runs, listing.unreadable) == ((), ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "is no calibration of a judge"),
        ('{"kappa": 1, "kappa_threshold": 0.6}', "is a damaged calibration"),
        ('{"schema": "agenteval.calibration/9", "kappa": 1, "kappa_threshold": 0.6}', "written with schema 9, this version reads up to 1"),
        ('{"kappa": ', "is cut off"),
    ],
)
def test_what_can_not_be_read_says_why(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "c.json"
    path.write_text(text)

    with pytest.raises(InputError, match=re.escape(reason)):
        load_calibration(path)


def test_secrets_in_a_reason_are_not_stored(tmp_path: Path) -> None:
    secret = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    made = a_calibration()
    stored = write_calibration(tmp_path, replace(made, items=(replace(made.items[0], reason=f"it shows {secret}"),)))

    assert stored.path is not None
    assert secret not in stored.path.read_text()
