"""What only a real Chromium can do on a page: clicks on canvases and marks, and folded text that stays text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agenteval._links import page_url
from agenteval.model.run import Run
from agenteval.model.score import Score
from tests.builders import an_attempt
from tests.dashboard.browsing import (
    Trap,
    chromium,
    click_at,
    click_mark,
    see,
    serving,
    settled,
    text_of,
    there,
    wait,
)
from tests.dashboard.stored import store

pytestmark = pytest.mark.browser

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"


@pytest.fixture(scope="module")
def trap() -> Iterator[Trap]:
    found = Trap()
    yield found
    found.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, trap: Trap) -> Iterator[tuple[str, Run]]:
    """The address of the served dashboard and its newest run."""
    folder = tmp_path_factory.mktemp("project")
    image = f"http://127.0.0.1:{trap.port}/leak.png"
    hostile = f"# GATE PASSED ![x]({image}) <img src='{image}'> <script>document.body.dataset.hostile = 'ran'</script>"
    first = store(folder, [an_attempt("refund"), an_attempt("greet", False), an_attempt(f"![p]({image})")], FIRST, pin=True)
    reason = (Score("contains", 0.0, False, hostile),)
    attempts = [
        an_attempt("refund", False, output=hostile, scores=reason),
        an_attempt("greet"),
        an_attempt(f"![p]({image})", False, prompt=hostile),
    ]
    newest = store(folder, attempts, SECOND, baseline=first, repetitions=[an_attempt("refund", repetition=1)])
    with serving(folder / "runs") as address:
        yield address, newest


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


def test_the_verdict_is_on_screen(browser: Any, served: tuple[str, Run]) -> None:
    verdict = served[1].head.gate
    assert verdict is not None

    browser.get(served[0])

    see(browser, "FAIL")
    see(browser, verdict.sentence[1:60])


def test_a_hostile_script_and_a_differing_answer_stay_text(browser: Any, served: tuple[str, Run], trap: Trap) -> None:
    browser.get(served[0] + page_url("case", agent="bot", run=SECOND, case="refund"))
    see(browser, "Against attempt 1 of this run, which passed")
    settled(browser)
    before = trap.caught

    browser.find_element("xpath", "//summary[contains(., 'Against attempt 1')]").click()
    see(browser, "attempt 1 struck through, attempt 0 bold")
    settled(browser)

    assert "<script>" in text_of(browser)
    assert browser.execute_script("return document.body.dataset.hostile") is None
    assert not browser.find_elements("css selector", "img[src*='leak']")
    assert trap.caught == before


def test_a_cell_of_the_transitions_lists_its_cases(browser: Any, served: tuple[str, Run]) -> None:
    browser.get(served[0] + page_url("compare", agent="bot", run=SECOND))
    see(browser, "Choose a cell to see its cases.")
    settled(browser)

    # Rows and columns by status: then passed -> now failed is the second column of the first row.
    grid = there(browser, ".st-key-matrix [data-testid=stDataFrameResizable]")
    click_at(browser, grid, 0.85, 0.45)

    see(browser, "passed → ✕ failed")
    there(browser, ".st-key-rows-cell a[href*='case=refund']")


def test_a_row_of_the_cases_opens_its_case(browser: Any, served: tuple[str, Run]) -> None:
    browser.get(served[0] + page_url("case", agent="bot", run=SECOND))
    see(browser, "choose a row to open it")
    settled(browser)

    grid = there(browser, "[class*='st-key-cases-'] [data-testid=stDataFrameResizable]")
    click_at(browser, grid, 0.015, 1.5 / 4)

    see(browser, "Expected")
    assert "case=" in browser.current_url


def test_a_symbol_over_the_runs_opens_the_case_in_that_run(browser: Any, served: tuple[str, Run]) -> None:
    browser.get(served[0] + page_url("trends", agent="bot", run=SECOND))
    see(browser, "Every case over the runs")
    settled(browser)
    wait(lambda: browser.find_elements("css selector", "[class*='st-key-grid-'] .scatterlayer .textpoint"), "no symbol is drawn")

    mark = browser.find_elements("css selector", "[class*='st-key-grid-'] .scatterlayer .textpoint")[0]
    click_mark(browser, mark)

    see(browser, "Expected")
    assert "case=" in browser.current_url
