"""The pages in a real Chromium: words on screen, links that come back, the back button, and nothing fetched for hostile text."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from agenteval._links import page_url
from agenteval.model.run import Run
from agenteval.model.score import Score
from tests.builders import an_attempt
from tests.dashboard.stored import store

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1440,900",
)
ELSEWHERE = """
    const asked = performance.getEntriesByType('resource').map(entry => entry.name)
    const named = [...document.querySelectorAll('link')].map(link => link.href)
    return [...asked, ...named].filter(name => !name.startsWith(location.origin) && !name.startsWith('data:'))
"""
"""What the page asked of, or names for, any other host."""
PATIENCE_S = 60.0


class Trap:
    """A listener on loopback that counts connections: whoever fetches the hostile image is caught."""

    def __init__(self) -> None:
        self.caught = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                self._socket.accept()[0].close()
            except OSError:
                return
            self.caught += 1

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def trap() -> Iterator[Trap]:
    found = Trap()
    yield found
    found.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, trap: Trap) -> Iterator[tuple[str, Run]]:
    """The address of the served dashboard and its newest run."""
    pytest.importorskip("streamlit")
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
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", "--server.headless=true", "--server.address=127.0.0.1"]
    environment = {**os.environ, "AGENTEVAL_RUNS": str(folder / "runs")}
    server = subprocess.Popen(
        [*command, f"--server.port={port}"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(lambda: _answers(f"{address}/_stcore/health"), "the server never answered")
        yield address, newest
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no chromium and chromedriver on the PATH")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield found
    found.quit()


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _wait(holds: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            pytest.fail(otherwise)
        time.sleep(0.1)


def text_of(browser: Any) -> str:
    return str(browser.execute_script("return document.body.innerText"))


def see(browser: Any, words: str) -> None:
    """Wait until these words are on screen."""
    _wait(lambda: words in text_of(browser), f"never on screen: {words!r}; there is:\n{text_of(browser)[:3000]}")


def settled(browser: Any) -> None:
    """Wait until the script has run to its end."""
    script = "const app = document.querySelector('[data-test-script-state]'); return app ? app.dataset.testScriptState : ''"
    _wait(lambda: browser.execute_script(script) == "notRunning", "the page never came to rest")


def exceptions(browser: Any) -> int:
    return len(browser.find_elements("css selector", '[data-testid="stException"]'))


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("overview", "What changed"),
        ("trends", "Every case over the runs"),
        ("compare", "Changed cases"),
        ("case", "Case"),
        ("flakiness", "How often it passes, and how consistently"),
    ],
)
def test_every_page_opens_without_a_trace(browser: Any, served: tuple[str, Run], page: str, words: str) -> None:
    browser.get(served[0] + page_url(page))

    see(browser, words)
    settled(browser)
    assert exceptions(browser) == 0
    assert not browser.execute_script(ELSEWHERE)
    assert "could not be drawn" not in text_of(browser)


def test_the_verdict_is_on_screen(browser: Any, served: tuple[str, Run]) -> None:
    verdict = served[1].head.gate
    assert verdict is not None

    browser.get(served[0])

    see(browser, "FAIL")
    see(browser, verdict.sentence[1:60])


def test_a_link_leads_to_the_case_and_the_back_button_back(browser: Any, served: tuple[str, Run]) -> None:
    browser.get(served[0])
    see(browser, "What changed")
    settled(browser)

    browser.find_element("partial link text", "refund").click()
    see(browser, "Answer")
    address = browser.current_url
    assert f"run={SECOND}" in address
    assert "case=refund" in address

    browser.back()
    see(browser, "What changed")

    browser.get(address)
    see(browser, "Answer")
    assert "refund" in text_of(browser)


def test_hostile_text_is_read_not_rendered(browser: Any, served: tuple[str, Run], trap: Trap) -> None:
    for page, case in (("overview", None), ("compare", None), ("case", "refund"), ("case", f"![p](http://127.0.0.1:{trap.port}/leak.png)")):
        browser.get(served[0] + page_url(page, agent="bot", run=SECOND, case=case))
        see(browser, "leak.png")
        settled(browser)

    assert not browser.find_elements("css selector", "img[src*='leak']")
    assert trap.caught == 0
    browser.execute_script(f"new Image().src = 'http://127.0.0.1:{trap.port}/leak.png'")
    _wait(lambda: trap.caught > 0, "the trap does not work: it missed a real fetch")


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
    _wait(lambda: browser.find_elements("css selector", "[class*='st-key-grid-'] .scatterlayer .textpoint"), "no symbol is drawn")

    mark = browser.find_elements("css selector", "[class*='st-key-grid-'] .scatterlayer .textpoint")[0]
    box = browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center'}); const box = arguments[0].getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]",
        mark,
    )
    press(browser, box[0], box[1])

    see(browser, "Expected")
    assert "case=" in browser.current_url


@pytest.mark.parametrize("page", ["overview", "trends", "compare", "case", "flakiness"])
def test_a_narrow_window_needs_no_sideways_scrolling(browser: Any, served: tuple[str, Run], page: str) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 400, "height": 860, "deviceScaleFactor": 1, "mobile": False})
    try:
        browser.get(served[0] + page_url(page, agent="bot", run=SECOND, case="refund" if page == "case" else None))
        see(browser, "refund")
        settled(browser)
        wide = browser.execute_script("return document.querySelector('[data-testid=stMain]').scrollWidth")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    assert wide <= 400


def there(browser: Any, selector: str) -> Any:
    """The first element that a selector finds, once it is drawn: tables and charts come after the words."""
    _wait(lambda: browser.find_elements("css selector", selector), f"never drawn: {selector}")
    return browser.find_elements("css selector", selector)[0]


def click_at(browser: Any, element: Any, across: float, down: float) -> None:
    """Click at a share of an element's width and height: tables are drawn on a canvas, without elements for cells."""
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    _wait(lambda: element.find_elements("css selector", "canvas"), "the table is never drawn")
    box = browser.execute_script("const box = arguments[0].getBoundingClientRect(); return [box.x, box.y, box.width, box.height]", element)
    press(browser, box[0] + box[2] * across, box[1] + box[3] * down)


def press(browser: Any, x: float, y: float) -> None:
    """A mouse click at a place of the window."""
    place = {"x": x, "y": y, "button": "left", "clickCount": 1}
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **place})
