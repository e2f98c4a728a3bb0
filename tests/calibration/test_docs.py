"""What docs/calibration.md shows is what happens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agenteval.artifacts.calibrations import load_calibration, to_json
from agenteval.calibration.golden_set import ItemKeys
from agenteval.cli.main import invoke
from agenteval.model.calibration import Calibration
from tests.builders import shared_data
from tests.calibration.test_files import a_calibration

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")


def block(language: str, holding: str) -> str:
    return next(text for text in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if holding in text)


def test_the_shown_output_is_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    line = next(line for line in block("bash", "--recorded").splitlines() if "--recorded" in line)

    assert invoke([*line.split()[1:], "--runs-dir", str(tmp_path)]) == 1

    assert capsys.readouterr().out.rpartition("\n\nsaved ")[0] == block("text", "agreement").rstrip("\n")


def test_every_key_of_an_item_is_described() -> None:
    assert [name for name in ItemKeys.__dataclass_fields__ if f"`{name}`" not in PAGE] == []


def test_every_key_of_a_calibration_file_is_described() -> None:
    page = (ROOT / "docs" / "artifacts.md").read_text(encoding="utf-8")

    assert [key for key in to_json(a_calibration()) if key != "schema" and f"`{key}`" not in page] == []


@pytest.mark.parametrize(
    ("file", "judge", "kappa", "n", "errors", "same"),
    [
        ("judge_pandalm.jsonl", "gpt-3.5-turbo", 0.493, 974, 25, None),
        ("judge_llmbar.jsonl", "GPT-4/CoT", 0.623, 419, 0, 374),
        ("judge_llmbar.jsonl", "ChatGPT/CoT", -0.19, 418, 1, 244),
        ("judge_llmbar.jsonl", "GPT-4/Vanilla_NoRules", 0.523, 419, 0, 382),
        ("judge_llmbar.jsonl", "ChatGPT/Vanilla_NoRules", -0.206, 419, 0, 256),
    ],
)
def test_published_verdicts_come_out_as_published(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    judge: str,
    kappa: float,
    n: int,
    errors: int,
    same: int | None,
) -> None:
    found = calibrated(tmp_path, monkeypatch, shared_data("data", file), judge)

    assert found.kappa == pytest.approx(kappa, abs=5e-4)
    assert (found.n, found.errors, found.recorded) == (n, errors, True)
    assert (found.position.same if found.position else None) == same


def calibrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Path, judge: str) -> Calibration:
    """The page's script, then the page's command."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "convert.py").write_text(block("python", "judges_swapped"), encoding="utf-8")
    subprocess.run([sys.executable, "convert.py", str(source), judge, "pairs.jsonl"], check=True)
    invoke(["calibrate", "--recorded", "--judge", "published", "--golden-set", "pairs.jsonl"])
    (stored,) = (tmp_path / "runs" / "published" / "calibration").iterdir()
    return load_calibration(stored)


def test_the_converter_leaves_out_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"item_id": "a", "prompt": "p", "response_a": "x", "response_b": "y", "gold": "A", "judges": {"j": "A"}}
    rows = [row, {**row, "item_id": "b", "gold": "B", "judges": {"j": "B"}}, {**row, "item_id": "c", "judges": {}}]
    source = tmp_path / "rows.jsonl"
    source.write_text("".join(json.dumps(each) + "\n" for each in rows))

    found = calibrated(tmp_path, monkeypatch, source, "j")

    assert (found.kappa, found.n, found.errors, found.position) == (1.0, 2, 1, None)
