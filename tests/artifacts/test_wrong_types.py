"""Run files whose fields hold something of another type: unreadable by name, instead of a fault where they are shown."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.errors import InputError
from tests.builders import an_attempt
from tests.dashboard.stored import store

HUGE = {"correctness_rate": {"value": 1e308, "n": 3, "unit": "usd", "better": "lower"}}


@pytest.mark.parametrize(
    ("place", "wrong", "reason"),
    [
        ("head.label", ["x"], "text expected, not list"),
        ("head.parent", 5, "text expected, not int"),
        ("head.suite.path", {"a": 1}, "text expected, not dict"),
        ("head.metrics", HUGE, "a finite number expected"),
        ("provenance", None, "provenance is no mapping but NoneType"),
        ("provenance", ["x"], "provenance is no mapping but list"),
    ],
)
def test_a_field_of_another_type_makes_the_file_a_damaged_run(tmp_path: Path, place: str, wrong: Any, reason: str) -> None:
    store(tmp_path, [an_attempt()], "20261129T090000Z-aaaaaaa-000001")
    (file,) = (tmp_path / "runs").rglob("2*.json")
    document = json.loads(file.read_text())
    *folders, name = place.split(".")
    inner = document
    for folder in folders:
        inner = inner[folder]
    inner[name] = wrong
    file.write_text(json.dumps(document))
    with pytest.raises(InputError, match=f"is a damaged run: .*{reason}"):
        load_run(file)


def test_an_archive_named_as_a_run_says_how_to_name_a_file_in_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "art.zip", "w") as archive:
        archive.writestr("run.json", "{}")
    with pytest.raises(InputError, match=r"art\.zip: is an archive; name a file in it: art\.zip/NAME\.json"):
        load_run(tmp_path / "art.zip")
