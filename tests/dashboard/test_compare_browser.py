"""Compare in a real Chromium: a cell, its cases and the way through them stand in the address, and the back button walks over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import an_attempt
from tests.dashboard.browsing import chromium, click_at, click_mark, see, serving, settled, there, wait
from tests.dashboard.stored import store

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("compare")]

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"


def test_the_way_through_changed_cases_stands_in_the_address(tmp_path: Path) -> None:
    first = store(tmp_path, [an_attempt("a"), an_attempt("b"), an_attempt("c", False)], FIRST, pin=True)
    store(tmp_path, [an_attempt("a", False), an_attempt("b", False), an_attempt("c")], SECOND, baseline=first)

    with serving(tmp_path / "runs") as address, chromium(tmp_path / "profile") as browser:
        browser.get(f"{address}/compare?agent=bot")
        see(browser, "Choose a cell to see its cases.")
        settled(browser)

        # Rows and columns by status: then passed -> now failed is the second column of the first row.
        click_at(browser, there(browser, ".st-key-matrix [data-testid=stDataFrameResizable]"), 0.85, 0.5)
        see(browser, "all changed cases")
        wait(lambda: "then=passed&now=failed" in browser.current_url, "the cell is not in the address")
        settled(browser)

        there(browser, ".st-key-rows-cell a[href*='case=a']").click()
        see(browser, "1 of 2")
        wait(lambda: "case=a&then=passed&now=failed" in browser.current_url, "the case is not in the address")
        settled(browser)

        browser.find_element("partial link text", "next").click()
        see(browser, "2 of 2")
        wait(lambda: "case=b&then=passed&now=failed" in browser.current_url, "the next case is not in the address")
        settled(browser)

        browser.back()
        see(browser, "1 of 2")
        assert "case=a&" in browser.current_url

        browser.get(f"{address}/compare?agent=bot")
        see(browser, "Each case, now against then")
        settled(browser)
        click_mark(browser, browser.find_elements("css selector", "[class*='st-key-scatter-latency'] .scatterlayer .point")[0])
        see(browser, "whole comparison")
        wait(lambda: "case=" in browser.current_url, "the point's case is not in the address")
