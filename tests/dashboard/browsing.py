"""A served dashboard, a real Chromium, and the waits between them."""

from __future__ import annotations

import ast
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
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
PATIENCE_S = 60.0
_OWN = ("data", "blob", "about", "chrome", "chrome-untrusted")
"""Schemes that ask no host; a browser's first window loads its own start page from ``chrome:``."""
_AT_REST = """
    const app = document.querySelector('[data-testid=stApp]'), main = document.querySelector('[data-testid=stMainBlockContainer]')
    if (!app || app.dataset.testScriptState !== 'notRunning' || app.dataset.testConnectionState !== 'CONNECTED') return false
    if (!main || !document.querySelector('[data-testid=stPageLink]') || document.querySelector('[data-testid=stSkeleton]')) return false
    const drawn = (where, what) => [...document.querySelectorAll(where)].every(place => !place.offsetParent || place.querySelector(what))
    return drawn('[data-testid=stPlotlyChart]', '.main-svg') && drawn('[data-testid=stDataFrame]', 'canvas')
"""


class Trap:
    """A listener on loopback that counts connections: whoever fetches the hostile image is caught."""

    def __init__(self) -> None:
        self.caught = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
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


def page_names() -> tuple[str, ...]:
    """The pages that the navigation lists, always or where there is something to show, read without starting Streamlit."""
    source = ast.parse((ROOT / "dashboard/parts/chrome.py").read_text(encoding="utf-8"))
    lists = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in source.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in ("PAGES", "OPTIONAL")
    }
    return tuple(name for name, *_ in (*lists["PAGES"], *lists["OPTIONAL"]))


@contextmanager
def serving(runs: Path) -> Iterator[str]:
    """The address of a dashboard that shows this folder."""
    pytest.importorskip("streamlit")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", "--server.headless=true", "--server.address=127.0.0.1"]
    server = subprocess.Popen(
        [*command, f"--server.port={port}", "--server.fileWatcherType=none"],
        cwd=ROOT,
        env={**os.environ, "AGENTEVAL_RUNS": str(runs)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait(lambda: _answers(f"{address}/_stcore/health"), "the server never answered")
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """A browser of its own; skips the test where there is none. It keeps what the pages log and ask of the network."""
    webdriver = pytest.importorskip("selenium.webdriver")
    binary, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("no chromium and chromedriver on the PATH")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.page_load_strategy = "eager"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        found.get("about:blank")
        yield found
    finally:
        found.quit()


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def wait(holds: Callable[[], Any], otherwise: str | Callable[[], str]) -> None:
    """Wait until something holds; fails the test with ``otherwise``."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            pytest.fail(otherwise if isinstance(otherwise, str) else otherwise())
        time.sleep(0.05)


def text_of(browser: Any) -> str:
    """What can be read on the page."""
    return str(browser.execute_script("return document.body.innerText"))


def see(browser: Any, words: str) -> None:
    """Wait until these words are on screen."""
    wait(lambda: words in text_of(browser), lambda: f"never on screen: {words!r}; there is:\n{text_of(browser)[:3000]}")


def settled(browser: Any) -> None:
    """Wait until the script has run to its end and its figures and tables are drawn."""
    wait(lambda: browser.execute_script(_AT_REST), lambda: f"the page never came to rest:\n{text_of(browser)[:2000]}")


def exceptions(browser: Any) -> int:
    """How many of Streamlit's own error boxes are on the page."""
    return len(browser.find_elements("css selector", '[data-testid="stException"]'))


def there(browser: Any, selector: str) -> Any:
    """The first element that a selector finds, once it is drawn: tables and charts come after the words."""
    wait(lambda: browser.find_elements("css selector", selector), f"never drawn: {selector}")
    return browser.find_elements("css selector", selector)[0]


def click_at(browser: Any, element: Any, across: float, down: float) -> None:
    """Click at a share of an element's width and height: tables are drawn on a canvas, without elements for cells."""
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    wait(lambda: element.find_elements("css selector", "canvas"), "the table is never drawn")
    box = browser.execute_script("const box = arguments[0].getBoundingClientRect(); return [box.x, box.y, box.width, box.height]", element)
    press(browser, box[0] + box[2] * across, box[1] + box[3] * down)


def click_mark(browser: Any, mark: Any) -> None:
    """Click the middle of a figure's mark, which Plotly hears as mouse events of the window alone."""
    box = browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center'}); const box = arguments[0].getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]",
        mark,
    )
    press(browser, box[0], box[1])


def press(browser: Any, x: float, y: float) -> None:
    """A mouse click at a place of the window."""
    place = {"x": x, "y": y, "button": "left", "clickCount": 1}
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **place})


def asked_elsewhere(browser: Any, address: str) -> list[str]:
    """Addresses at other hosts that were asked since the last call, by the browser's own network log and the page's entries."""
    host = urlsplit(address).netloc
    asked = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        parameters = message["params"]
        if message["method"] == "Network.requestWillBeSent":
            asked.append(parameters["request"]["url"])
        elif message["method"] == "Network.webSocketCreated":
            asked.append(parameters["url"])
    asked += browser.execute_script(
        "return [...performance.getEntriesByType('resource').map(entry => entry.name),"
        " ...[...document.querySelectorAll('link')].map(link => link.href)]"
    )
    return sorted({name for name in asked if urlsplit(name).scheme not in _OWN and urlsplit(name).netloc != host})


def resize(browser: Any, width: int, height: int) -> None:
    """Show the page in a window of this size, in CSS pixels."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    )


def prefer(browser: Any, scheme: str) -> None:
    """The reader's system prefers ``light`` or ``dark``; an open page follows."""
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
