"""The page Runs in a real Chromium: a row opens its run and the address holds it; a stored file is downloaded as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.paths import run_path
from tests.builders import an_attempt
from tests.dashboard.browsing import chromium, click_at, see, serving, settled, text_of, there, wait
from tests.dashboard.stored import store

pytestmark = pytest.mark.browser

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of one agent."""
    folder = tmp_path_factory.mktemp("project")
    store(folder, [an_attempt("refund"), an_attempt("greet")], FIRST, label="release")
    store(folder, [an_attempt("refund", False), an_attempt("greet")], SECOND)
    return folder / "runs"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def address(runs: Path) -> Iterator[str]:
    with serving(runs) as found:
        yield found


def test_a_row_opens_its_run_and_keeps_the_filter_in_the_address(browser: Any, address: str) -> None:
    browser.get(f"{address}/runs?q=aaaaaaa+bot")
    see(browser, "1 of 2 runs shown")
    see(browser, "Take it along")
    settled(browser)

    click_at(browser, there(browser, "[data-testid=stDataFrameResizable]"), 0.015, 0.7)

    wait(lambda: f"run={FIRST}" in browser.current_url, "the row did not open its run")
    assert "q=aaaaaaa" in browser.current_url
    see(browser, f"Run {FIRST}")


def test_a_run_file_is_downloaded_as_it_is_stored(browser: Any, address: str, runs: Path, tmp_path: Path) -> None:
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    browser.get(f"{address}/runs?agent=bot&run={SECOND}")
    see(browser, "Run file as stored")
    settled(browser)
    saved = tmp_path / f"{SECOND}.json"

    button = there(browser, f"[class*='st-key-file-{SECOND}-json'] button")
    browser.execute_script("arguments[0].click()", button)

    wait(saved.exists, "nothing was downloaded")
    assert saved.read_bytes() == run_path(runs / "bot", SECOND).read_bytes()
    assert "cannot be shown" not in text_of(browser)
