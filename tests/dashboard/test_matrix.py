"""Every page on every folder in light, dark and on a phone: nothing breaks, overflows, leaves the host or obeys what it shows.

All of it runs where ``AGENTEVAL_REQUIRE_ALL=1``, as in CI; else each page once, and the overview of every folder.
Whole pages are kept as ``<folder>-<page>-<look>.png`` in the folder that ``AGENTEVAL_SCREENSHOTS`` names.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agenteval._links import page_url
from tests.dashboard.browsing import Trap, asked_elsewhere, chromium, exceptions, page_names, prefer, resize, serving, settled, wait
from tests.dashboard.folders import NAMES, Folder, written

FULL = os.environ.get("AGENTEVAL_REQUIRE_ALL") == "1"
SCREENSHOTS = os.environ.get("AGENTEVAL_SCREENSHOTS")
TOLERATED = (
    # Streamlit finds its own base path by asking for it below the page's path first.
    r"/_stcore/(health|host-config) - Failed to load resource: the server responded with a status of 404",
    # The line in Streamlit's metric card is measured before its data arrives.
    r"Infinite extent for field",
)
"""What the console may hold, and why."""
EXPECTED = {"broken": ("is cut off", "is a damaged")}
"""What the boxes of trouble may say, by folder; in the others there is none."""
UNFOLDED = ("rich", "hostile")
"""Folders on whose pages every fold is opened too."""
WIDE, NARROW = (1440, 900), (390, 844)
_BACKGROUND = "return getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
_OVERFLOW = """
    const main = document.querySelector('[data-testid=stMain]'), page = document.documentElement
    const block = document.querySelector('[data-testid=stMainBlockContainer]')
    return [[page, innerWidth], [main, main.clientWidth], [block, main.clientWidth]]
        .filter(([element, room]) => element.scrollWidth > room + 1)
        .map(([element, room]) => `${element.dataset.testid || 'document'} is ${element.scrollWidth} wide in ${room}`)
"""
_OBEYED = """
    const found = [], root = document.getElementById('root'), own = name => name.startsWith(location.origin + '/')
    const all = (selector, bad) => document.querySelectorAll(selector).forEach(one => bad(one) && found.push(one.outerHTML.slice(0, 300)))
    all('img', one => one.src && !own(one.src) && !one.src.startsWith('data:image/'))
    all('a[href]', one => !own(one.href) && !one.href.startsWith('blob:') && one.getAttribute('href')[0] !== '#')
    all('iframe, object, embed, .katex, #root script', () => true)
    all('[onerror], [onload], [onclick]', () => true)
    all('style', one => one.textContent.includes('@import'))
    all('h1, h2, h3, h4, h5, h6', one => one.innerText.trim().startsWith('GATE PASSED'))
    all('details', one => one.querySelector('summary')?.innerText === 's')
    if (document.title !== 'AgentEval') found.push('title: ' + document.title)
    if (Object.keys(document.body.dataset).length) found.push('body: ' + JSON.stringify(document.body.dataset))
    return found
"""
_TROUBLE = """
    return [...document.querySelectorAll('.stMarkdownBadge')].filter(badge => badge.innerText.includes('cannot be shown'))
        .map(badge => badge.closest('[data-testid=stVerticalBlock]').innerText)
"""


@dataclass(frozen=True, slots=True)
class Opened:
    """A folder served to a browser of its own."""

    folder: Folder
    address: str
    browser: Any
    trap: Trap


def _looks() -> list[Any]:
    """Folder and page of every test, folder by folder, so that each is served once."""
    pages = page_names()
    found = [(folder, page) for folder in NAMES for page in pages if FULL or folder == "rich" or page == "overview"]
    return [pytest.param(folder, page, marks=pytest.mark.xdist_group(f"matrix-{folder}")) for folder, page in found]


@pytest.fixture(scope="module")
def trap() -> Iterator[Trap]:
    found = Trap()
    yield found
    found.close()


class Stage:
    """Serves one folder at a time to one browser; asking for another one clears the stage."""

    def __init__(self, trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> None:
        self._trap = trap
        self._folders = tmp_path_factory
        self._standing = ExitStack()
        self._opened: Opened | None = None

    def opened(self, name: str) -> Opened:
        if self._opened is None or self._opened.folder.name != name:
            self.clear()
            place = self._folders.mktemp(name)
            folder = self._standing.enter_context(written(name, place, self._trap.address))
            address = self._standing.enter_context(serving(folder.runs))
            browser = self._standing.enter_context(chromium(place / "profile"))
            self._opened = Opened(folder, address, browser, self._trap)
        return self._opened

    def clear(self) -> None:
        self._opened = None
        self._standing.close()


@pytest.fixture(scope="module")
def stage(trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    found = Stage(trap, tmp_path_factory)
    yield found
    found.clear()


@pytest.mark.browser
@pytest.mark.parametrize(("folder", "page"), _looks())
def test_a_page_stands_in_light_in_dark_and_on_a_phone(stage: Stage, folder: str, page: str) -> None:
    opened = stage.opened(folder)
    browser, selection = opened.browser, dict(opened.folder.selection)
    if page != "case":
        selection.pop("case", None)
    address = opened.address + page_url(page, **selection)
    faults = []

    resize(browser, *WIDE)
    prefer(browser, "light")
    browser.get(address)
    settled(browser)
    light = browser.execute_script(_BACKGROUND)
    faults += _faults(opened, page, "light")
    if folder in UNFOLDED:
        _unfold(browser)
        faults += _faults(opened, page, "unfolded")
    prefer(browser, "dark")
    wait(lambda: browser.execute_script(_BACKGROUND) != light, "the page never turned dark")
    settled(browser)
    faults += _faults(opened, page, "dark")
    prefer(browser, "light")
    resize(browser, *NARROW)
    browser.get(address)
    settled(browser)
    faults += _faults(opened, page, "narrow")

    assert not faults, "\n".join(faults)


def _faults(opened: Opened, page: str, look: str) -> list[str]:
    """What is wrong with the page as it stands, each with the look that it was seen in."""
    browser = opened.browser
    text = browser.execute_script("return document.querySelector('[data-testid=stMainBlockContainer]').innerText")
    expected = EXPECTED.get(opened.folder.name, ())
    trouble = [box for box in browser.execute_script(_TROUBLE) if not any(words in box for words in expected)]
    console = [entry["message"] for entry in browser.get_log("browser")]
    found = [
        *(["exception"] * exceptions(browser)),
        *(["an empty page"] if len(text.strip()) < 20 else []),
        *(["a part could not be drawn"] if "could not be drawn" in text else []),
        *(f"trouble: {box[:300]}" for box in trouble),
        *(f"console: {message[:300]}" for message in console if not any(re.search(known, message) for known in TOLERATED)),
        *(f"overflow: {words}" for words in browser.execute_script(_OVERFLOW)),
        *(f"asked elsewhere: {name}" for name in asked_elsewhere(browser, opened.address)),
        *(f"obeyed: {what}" for what in browser.execute_script(_OBEYED)),
        *(["the trap was asked"] if opened.trap.caught else []),
    ]
    if SCREENSHOTS:
        _keep(browser, Path(SCREENSHOTS) / f"{opened.folder.name}-{page}-{look}.png", NARROW if look == "narrow" else WIDE)
    return [f"{look}: {fault}" for fault in found]


def _unfold(browser: Any) -> None:
    """Open everything that is folded, and what is folded in it."""
    for _ in range(3):
        closed = browser.find_elements("css selector", "[data-testid=stMain] details:not([open]) > summary")
        if not closed:
            break
        for summary in closed:
            browser.execute_script("arguments[0].click()", summary)
            settled(browser)


def _keep(browser: Any, file: Path, size: tuple[int, int]) -> None:
    """A picture of the whole page: the window is made as high as what scrolls in it."""
    height = browser.execute_script("return document.querySelector('[data-testid=stMain]').scrollHeight")
    resize(browser, size[0], max(size[1], min(height, 8_000)))
    settled(browser)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]))
    resize(browser, *size)


@pytest.mark.browser
def test_the_trap_hears_whoever_asks(trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> None:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        before = trap.caught
        browser.execute_script(f"new Image().src = '{trap.address}/leak.png'")
        wait(lambda: trap.caught > before, "the trap does not work: it missed a real fetch")

        assert asked_elsewhere(browser, "http://127.0.0.1:1") == [f"{trap.address}/leak.png"]
