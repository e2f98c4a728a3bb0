"""Figures that others published can be read off the pages: the airline benchmark, the predecessor's runs, and both out of a CI artifact."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.builders import shared_data
from tests.dashboard.conftest import APP, Open, words

pytestmark = pytest.mark.data
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def airline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs folder of the imported benchmark."""
    folder = tmp_path_factory.mktemp("airline")
    trials = shared_data("data", "tau_bench_gpt4o_airline.jsonl")
    prepare = ROOT / "examples/tau_bench/prepare.py"
    subprocess.run([sys.executable, str(prepare), str(trials), "--out", str(folder)], check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "agenteval", "run", "--quiet"], cwd=folder, capture_output=True, check=False)
    return folder / "runs"


def text(page: Any) -> str:
    """Every word of a page, its tables' cells and metrics' values included."""
    parts = [words(page), *(f"{metric.label} {metric.value} {metric.delta}" for metric in page.metric)]
    parts += [str(cell) for table in page.dataframe for cell in table.value.to_numpy().ravel()]
    return "\n".join(parts).replace("\\", "")


def figures(page: Any) -> str:
    """The specification of every figure of a page."""
    return "\n".join(element.proto.spec for element in page.get("plotly_chart"))


def test_the_benchmarks_pass_rates_stand_on_the_flakiness_page(open_page: Open, tmp_path: Path, airline: Path) -> None:
    shutil.copytree(airline, tmp_path / "runs")
    page = open_page("flakiness")
    assert not page.exception
    assert "26" in text(page).partition("\n")[0]
    drawn = figures(page)
    for published in ("42%", "27%", "22%", "20%", "57%", "66%", "72%"):
        assert published in drawn + text(page), published


def test_the_benchmarks_trajectories_stand_on_the_case_page(open_page: Open, tmp_path: Path, airline: Path) -> None:
    shutil.copytree(airline, tmp_path / "runs")
    listed = open_page("case")
    case = str(listed.dataframe[0].value["case"].iloc[0])
    page = open_page("case", case=case)
    assert not page.exception
    for heading in ("Steps", "Scores", "Expected"):
        assert heading in text(page)


def test_the_predecessors_correctness_stands_on_the_compare_page(open_page: Open, tmp_path: Path) -> None:
    shutil.copytree(shared_data("data", "predecessor", "runs"), tmp_path / "runs")
    page = open_page("compare", run="20260714T201812Z", baseline="20260714T201128Z")
    assert not page.exception
    assert "86% · 18 of 21" in text(page)
    assert "95% · 20 of 21" in text(page)


def test_the_predecessors_latency_and_cost_stand_on_the_overview(open_page: Open, tmp_path: Path) -> None:
    shutil.copytree(shared_data("data", "predecessor", "runs"), tmp_path / "runs")
    then, now = open_page("overview", run="20260714T201128Z"), open_page("overview", run="20260714T201812Z", baseline="20260714T201128Z")
    assert "757 ms" in text(then)
    assert "5.82 s" in text(now) or "5.8 s" in text(now)
    assert "$0.0014" in text(then)


def test_an_artifact_as_ci_packs_it_shows_the_same(open_page: Open, tmp_path: Path, airline: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = tmp_path / "downloads" / "agenteval-runs.zip"
    packed.parent.mkdir()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for root in (airline, shared_data("data", "predecessor", "runs")):
            for path in root.rglob("*.json"):
                archive.write(path, Path("runs") / path.relative_to(root))
    monkeypatch.setenv("AGENTEVAL_RUNS", str(packed.parent))
    flaky = open_page("flakiness", agent="tau_bench_gpt4o")
    assert "26" in text(flaky).partition("\n")[0]
    compared = open_page("compare", agent="data_analyst", run="20260714T201812Z", baseline="20260714T201128Z")
    assert "95% · 20 of 21" in text(compared)
    assert APP.is_file()
