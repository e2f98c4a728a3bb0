"""Every view is a link, in a real browser: it reopens the same, leads where it says, and back and forward walk over it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from agenteval._links import page_url
from tests.dashboard.browsing import chromium, click_mark, page_names, see, serving, settled, text_of, there, wait
from tests.dashboard.folders import Folder, written
from tests.dashboard.rich_folder import AGENT, NEWEST, PINNED, run_id

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("links")]

FULL = os.environ.get("AGENTEVAL_REQUIRE_ALL") == "1"
RUN, GOOD = run_id(NEWEST), run_id(NEWEST - 1)
PAGES = page_names()
REGRESSED = "cancel_and_refund"
"""Passed until the run before the newest, in which it was tried once."""
_WORDS = """
    const drawn = [...document.querySelectorAll('.main-svg text')].map(text => text.textContent)
    const chosen = [...document.querySelectorAll('input')].map(input => input.type === 'checkbox' ? input.checked : input.value)
    const pressed = [...document.querySelectorAll('[data-testid*=Active]')].map(button => button.innerText)
    return [document.querySelector('[data-testid=stMainBlockContainer]').innerText, ...chosen, ...pressed, ...drawn]
"""
_LINKS = "return [...document.querySelectorAll('a[href]')].map(link => link.href)"


@dataclass(frozen=True, slots=True)
class Site:
    """The rich folder, served, and two readers' browsers: mine, and a stranger's that has seen nothing of it."""

    folder: Folder
    address: str
    mine: Any
    stranger: Any

    def url(self, page: str, **chosen: Any) -> str:
        """The address of a page with a full selection, changed as asked; None leaves a part out."""
        selection = {"agent": AGENT, "run": RUN, "baseline": run_id(PINNED), **chosen}
        return self.address + page_url(page, **{name: value for name, value in selection.items() if value is not None})

    def open(self, page: str, **chosen: Any) -> Any:
        """My browser, at rest on the page."""
        self.mine.get(self.url(page, **chosen))
        settled(self.mine)
        return self.mine

    def reopened(self, url: str) -> Any:
        """The stranger's browser, with nothing kept from before, at rest on an address."""
        self.stranger.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
        self.stranger.get(url)
        settled(self.stranger)
        return self.stranger


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    place = tmp_path_factory.mktemp("links")
    with ExitStack() as standing:
        folder = standing.enter_context(written("rich", place))
        address = standing.enter_context(serving(folder.runs))
        mine, stranger = (standing.enter_context(chromium(place / name)) for name in ("mine", "stranger"))
        yield Site(folder, address, mine, stranger)


def words(browser: Any) -> list[Any]:
    """What a reader sees on the page: words, figures' texts, and what the widgets are set to; ages, which grow meanwhile, left out."""
    return [re.sub(r"\d+ \w+ ago", "some time ago", word) if isinstance(word, str) else word for word in browser.execute_script(_WORDS)]


def main(browser: Any) -> str:
    return str(browser.execute_script("return document.querySelector('[data-testid=stMainBlockContainer]').innerText"))


def follow(browser: Any, selector: str) -> None:
    """Click a link and wait until its page is at rest."""
    before = browser.current_url
    link = there(browser, selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].click()", link)
    wait(lambda: browser.current_url != before, f"the link led nowhere: {selector}")
    settled(browser)


def chosen(url: str) -> dict[str, str]:
    """Page and parameters of an address."""
    parts = urlsplit(url)
    return {"page": parts.path.strip("/") or "overview", **{name: values[0] for name, values in parse_qs(parts.query).items()}}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("case", [None, "refund_after_30_days"], ids=["page", "case"])
def test_an_address_shows_a_stranger_the_same(site: Site, page: str, case: str | None) -> None:
    browser = site.open(page, case=case, attempt=1 if page == "case" and case else None)

    seen = words(browser)

    assert words(site.reopened(browser.current_url)) == seen


@pytest.mark.parametrize("page", PAGES)
def test_what_a_reader_switched_stands_in_the_address(site: Site, page: str) -> None:
    browser = site.open(page)
    groups = len(browser.find_elements("css selector", "[data-testid=stMain] [data-testid=stButtonGroup]"))
    for place in range(groups):
        buttons = "[data-testid=stMain] [data-testid=stButtonGroup]"
        group = browser.find_elements("css selector", buttons)
        if place >= len(group):
            break
        other = group[place].find_elements("css selector", "button:not([data-testid$=Active])")[-1]
        before = browser.current_url
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].click()", other)
        wait(lambda before=before: browser.current_url != before, "the switch does not stand in the address")
        settled(browser)

    told = words(site.reopened(browser.current_url))

    # The address may change before the script runs: the page comes to show what it will, or never does.
    wait(lambda: words(browser) == told, lambda: f"my page shows {words(browser)}\nand the stranger's {told}")


@pytest.mark.parametrize(
    ("page", "wrong", "told", "nearest"),
    [
        ("overview", {"agent": "suport_agent", "run": None, "baseline": None}, "There is no agent 'suport_agent' here.", {"agent": AGENT}),
        ("trends", {"run": f"{RUN[:-1]}7"}, f"There is no run '{RUN[:-1]}7' here.", {"run": RUN}),
        ("compare", {"baseline": f"{GOOD[:-1]}7"}, f"There is no run to compare with '{GOOD[:-1]}7' here.", {"baseline": GOOD}),
        ("case", {"case": "refund_after_3_days"}, "There is no case refund_after_3_days in this run.", {"case": "refund_after_30_days"}),
        ("case", {"case": "refund_after_30_days", "attempt": 9}, "There is no attempt 9", {"attempt": "4"}),
    ],
    ids=["agent", "run", "baseline", "case", "attempt"],
)
def test_an_unknown_id_says_so_and_offers_the_nearest(
    site: Site, page: str, wrong: dict[str, Any], told: str, nearest: dict[str, str]
) -> None:
    browser = site.open(page, **wrong)

    assert told in text_of(browser)

    (name, value), *_ = nearest.items()
    follow(browser, f"[data-testid=stMain] a[href*='{name}={value}']")
    assert chosen(browser.current_url)[name] == value
    assert "unknown" not in main(browser)


def test_back_and_forward_walk_over_the_pages(site: Site) -> None:
    browser = site.open("overview")
    steps = [(browser.current_url, main(browser))]
    for selector in (
        f"[data-testid=stMain] a[href*='case={REGRESSED}']",
        f"[data-testid=stMain] a[href*='run={GOOD}'][href*='case=']",
        "[data-testid=stSidebar] a[href*='compare?']",
        "[data-testid=stSidebar] a[href*='flakiness?']",
    ):
        follow(browser, selector)
        steps.append((browser.current_url, main(browser)))

    for one in steps[-2::-1]:
        browser.back()
        _shows(browser, *one)
    for one in steps[1:]:
        browser.forward()
        _shows(browser, *one)


def _shows(browser: Any, url: str, seen: str) -> None:
    """Wait until the page at an address shows what it showed before."""
    wait(lambda: browser.current_url == url, lambda: f"not at {url} but at {browser.current_url}")
    settled(browser)
    wait(lambda: main(browser) == seen, lambda: f"{url} shows something else:\n{main(browser)[:1500]}\ninstead of\n{seen[:1500]}")


def test_every_link_leads_where_it_says(site: Site) -> None:
    found: dict[str, str] = {}
    for page in PAGES:
        browser = site.open(page, case="refund_after_30_days" if page == "case" else None)
        for href in browser.execute_script(_LINKS):
            if href.startswith(site.address):
                found.setdefault(href, page)
    if not FULL:
        one_of_each = {(page, chosen(href)["page"], tuple(sorted(chosen(href)))): href for href, page in reversed(found.items())}
        found = {href: page for href, page in found.items() if href in one_of_each.values()}

    wrong = [f"{page}: {href}: {fault}" for href, page in found.items() for fault in _misleads(site, href)]

    assert len(found) > len(PAGES)
    assert not wrong, "\n".join(wrong)


def _misleads(site: Site, href: str) -> list[str]:
    """What is wrong where a link leads."""
    browser = site.mine
    browser.get(href)
    settled(browser)
    asked, text = chosen(href), main(browser)
    faults = [f"says {words!r}" for words in ("cannot be shown", "unknown ", "could not be drawn", "Page not found") if words in text]
    if "case" in asked and asked["page"] == "case" and asked["case"] not in text:
        faults.append(f"does not name the case {asked['case']}")
    if "run" in asked and asked["run"] not in text and not _chosen_beside(browser, asked["run"]):
        faults.append(f"does not name the run {asked['run']}")
    return faults


def _chosen_beside(browser: Any, run: str) -> bool:
    """Whether the box of runs in the sidebar names the run, by the day and time of its id."""
    moment = f"{run[4:6]}-{run[6:8]} {run[9:11]}:{run[11:13]}"
    values = browser.execute_script("return [...document.querySelectorAll('[data-testid=stSidebar] input')].map(input => input.value)")
    return any(moment in value for value in values)


def test_from_the_verdict_to_the_difference(site: Site) -> None:
    browser = site.open("overview", baseline=None)

    follow(browser, f"[data-testid=stMain] a[href*='case={REGRESSED}']")
    see(browser, "Order 1009 is already on its way")
    there(browser, "[data-testid=stPlotlyChart] .main-svg")
    see(browser, "Last passed")
    failed = browser.current_url

    follow(browser, f"[data-testid=stMain] a[href*='run={GOOD}'][href*='case?']")
    see(browser, "Order 1009 is cancelled and $39.90 refunded.")
    assert chosen(browser.current_url)["case"] == REGRESSED

    browser.back()
    wait(lambda: browser.current_url == failed, "back did not lead to the failed case")
    settled(browser)
    summary = there(browser, "[data-testid=stExpander] summary")
    browser.execute_script(
        "[...document.querySelectorAll('summary')].find(one => one.innerText.includes('Against the last run that passed')).click()", summary
    )
    see(browser, "only then")
    assert GOOD in main(browser)


def test_a_point_of_a_trend_leads_to_its_run(site: Site) -> None:
    browser = site.open("trends")
    marks = browser.find_elements("css selector", "[class*='st-key-trend-'] .scatterlayer .points path")

    click_mark(browser, marks[1])

    wait(lambda: chosen(browser.current_url)["page"] == "overview", "the point led nowhere")
    settled(browser)
    opened = chosen(browser.current_url)["run"]
    assert opened != RUN
    assert opened in main(browser)


def test_a_flaky_case_leads_to_its_attempts_side_by_side(site: Site) -> None:
    browser = site.open("flakiness")

    follow(browser, "[data-testid=stMain] a[href*='case=refund_after_30_days']")

    see(browser, "side by side")
    see(browser, "$45.00 will arrive within 3 days.")
    see(browser, "42 days ago, and the return window is 30 days.")
