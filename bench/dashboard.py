"""The dashboard's budgets in headless Chromium, beside an empty Streamlit page in the same sitting.

    python bench/dashboard.py              # 500 and 2,000 runs of 100 cases: verdict, clicks, memory
    python bench/dashboard.py --runs 500   # one size; `make bench` shows this one among the other budgets

A page's time runs from the request to the verdict's text on screen in a fresh session; a click's from the mouse to the new page's own
words with the script at rest. Times are medians. Chromium and chromedriver must be on the PATH.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

if TYPE_CHECKING:
    from agenteval.model.attempt import Attempt

ROOT = Path(__file__).parents[1]
CASES = 100
EMPTY = "import streamlit as st\nst.markdown('an empty page')\n"
VERDICT_EXTRA_S = {500: 0.4, 2000: 0.8}
CLICK_S = {500: 0.5, 2000: 0.7}
SESSIONS = 10
MEMORY_MB = 20.0
LARGE_CASES = 5000
LARGE_S = 2.0
ANSWERS = 200
STRATEGIES = ("authority", "injection", "persona", "translation")
VERDICT = "return !!document.querySelector('[class*=st-key-verdict-] h4')"
LINK = "return [...document.querySelectorAll('[data-testid=stSidebar] a')].find(a => a.innerText.includes(arguments[0]))"
AT_REST = "const app = document.querySelector('[data-test-script-state]'); return app ? app.dataset.testScriptState : ''"
PAGES = {
    "Trends": "Every case over the runs",
    "Overview": "What changed",
    "Compare": "Changed cases",
    "Case": "choose a row to open it",
    "Flakiness": "repeated",
    "Runs": "Every check of",
    "Models": "Every two, over the cases",
    "Judge": "What people and judge say",
    "Robustness": "Over the stored runs",
}
"""Pages in the order of the clicks, and words that only they hold."""


def write_runs(folder: Path, number: int, cases: int = CASES) -> None:
    """So many runs of one agent with calibrations of its judge, the last run worse than the pinned one; an older run of another agent."""
    _write_runs(folder, "other", 1, cases)
    _write_runs(folder, "bot", number, cases)
    _write_calibrations(folder, "bot")


def _write_calibrations(folder: Path, judge: str) -> None:
    """Twelve calibrations on 200 answers; each judge is wrong in a few more than the one before, and is more often too kind."""
    from agenteval.artifacts.calibrations import write_calibration
    from agenteval.calibration.asking import recorded
    from agenteval.calibration.golden_set import GoldenItem, GoldenSet
    from agenteval.calibration.measuring import measured
    from agenteval.model.calibration import Kind

    for month in range(1, 13):
        wrong = {place * 17 % ANSWERS for place in range(month * 2)}
        items = [
            GoldenItem(
                f"answer_{place:03d}",
                "Can I still return a kettle that I bought 41 days ago?",
                "It is not eligible for a refund. " * (1 + place % 3),
                place % 2 == 0,
                recorded=(place % 2 == 0) is not (place in wrong),
                recorded_reason="The answer agrees with the expected one." if place in wrong else "",
            )
            for place in range(ANSWERS)
        ]
        golden = GoldenSet("answers.yaml", Kind.BINARY, tuple(items), "g1")
        known = {"timestamp": f"2026-{month:02d}-01T06:00:00.000Z", "threshold": 0.6, "model": "small-1", "prompt_version": "1"}
        write_calibration(folder / "runs", measured(judge, golden, [recorded(item) for item in items], **known))


def _write_runs(folder: Path, agent: str, number: int, cases: int) -> None:
    """So many runs of one suite as `agenteval run` writes them."""
    sys.path.insert(0, str(ROOT))
    from agenteval._files import dumps
    from agenteval.artifacts.history import append_entry
    from agenteval.artifacts.paths import agent_dir, baseline_path, run_path
    from agenteval.artifacts.reading import load_run
    from agenteval.artifacts.writing import line_hash, write_run
    from agenteval.compare.diff import compare_runs
    from agenteval.compare.measures import measures
    from agenteval.model.facts import counts_of, facts_of
    from agenteval.model.record import to_record
    from agenteval.model.run import Run, RunHead, SuiteRef

    place = agent_dir(folder / "runs", agent)
    pinned: Run | None = None
    for number_of_run in range(number):
        day, minute = divmod(number_of_run, 1440)
        started = f"2026-{1 + day // 28:02d}-{1 + day % 28:02d}T{minute // 60:02d}:{minute % 60:02d}:00.000Z"
        run_id = f"{started[:10].replace('-', '')}T{started[11:19].replace(':', '')}Z-{number_of_run // 3:07x}-{number_of_run:06x}"
        failing = {number_of_run * 7 % cases, number_of_run * 13 % cases}
        if number_of_run == number - 1:
            failing |= {1, 2, 3, 50, 60, 70, 80, 90}
        attempts = [_attempt(case, number_of_run, started, case not in failing) for case in range(cases)]
        lines = [dumps(to_record(attempt)) for attempt in attempts]
        facts = [facts_of(attempt, line_hash(line)) for attempt, line in zip(attempts, lines, strict=True)]
        outcomes = [fact.outcome for fact in facts]
        suite = SuiteRef("support", "suite.yaml", "a1", cases)
        head = RunHead(run_id, agent, suite, started, duration_s=31.0, counts=counts_of(outcomes), metrics=measures(facts))
        if pinned is not None and number_of_run >= number - 40:
            head = replace(head, gate=compare_runs(Run(head, {}, tuple(outcomes), attempts), pinned).verdict)
        path = run_path(place, run_id)
        write_run(path, head, {}, outcomes, [], lines)
        if number_of_run == max(0, number - 41):
            target = baseline_path(folder / "baselines", agent, "support", True)
            write_run(target, head, {}, outcomes, [], lines)
            pinned = load_run(target)
        if number_of_run >= number - 20:
            append_entry(place / "history.json", head, path.name, 20)


def _attempt(place: int, number_of_run: int, started: str, good: bool) -> Attempt:
    """One answer of the support agent, right or wrong."""
    from agenteval.model.attempt import Attempt
    from agenteval.model.response import Step, Usage
    from agenteval.model.score import Feeds, Score
    from agenteval.model.status import Status

    return Attempt(
        f"case_{place:03d}",
        Status.PASSED if good else Status.FAILED,
        correct=good,
        prompt="Can I still return a kettle that I bought 41 days ago?",
        output="It is not eligible for a refund." if good else "Your refund has been issued.",
        scores=(
            Score("contains", float(good), good, "" if good else "the answer does not say 'not eligible'", feeds=Feeds.CORRECTNESS),
            Score("must_call_tools", 1.0, True, feeds=Feeds.TOOLS),
            Score("must_not_hallucinate", 1.0, True, feeds=Feeds.HALLUCINATION),
        ),
        started_at=started,
        latency_ms=900.0 + place % 100 * 3 + number_of_run % 11,
        usage=Usage(400, 60, 460),
        cost_usd=0.0006,
        cost_source="priced",
        steps=(Step("tool_call", "lookup_order", {"order": 4821}, {"days": 41}, 5.0, 120.0),),
        definition=f"d{place}",
        **_made_from(place),
    )


def _made_from(place: int) -> dict[str, Any]:
    """Every tenth case is adversarial, made from the case after it."""
    if place % 10:
        return {}
    return {"source": "adversarial", "mutation_type": STRATEGIES[place // 10 % len(STRATEGIES)], "parent_id": f"case_{place + 1:03d}"}


@contextmanager
def served(script: Path, *arguments: str) -> Iterator[tuple[str, int]]:
    """Address and process id of a served Streamlit script."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}", "--browser.gatherUsageStats=false"]
    command = [sys.executable, "-m", "streamlit", "run", str(script), *options, "--server.fileWatcherType=none", "--", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _until(lambda: _healthy(f"http://127.0.0.1:{port}/_stcore/health"), 60)
        yield f"http://127.0.0.1:{port}", server.pid
    finally:
        server.terminate()
        server.wait(timeout=20)


def _healthy(address: str) -> bool:
    try:
        with urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless browser at 1440 x 900."""
    from selenium import webdriver

    found, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if found is None or driver is None:
        raise RuntimeError("no chromium and chromedriver on the PATH")
    options = webdriver.ChromeOptions()
    options.binary_location = found
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--window-size=1440,900"):
            options.add_argument(flag)
        options.add_argument(f"--user-data-dir={profile}")
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        try:
            yield browser
        finally:
            browser.quit()


def _until(holds: Callable[[], Any], patience_s: float = 30) -> float:
    began = time.perf_counter()
    while not holds():
        if time.perf_counter() - began > patience_s:
            raise RuntimeError("the page never showed what was waited for")
        time.sleep(0.01)
    return time.perf_counter() - began


def opened(browser: Any, address: str, there: str) -> float:
    """Seconds from the request to what ``there`` (JavaScript) looks for, in a fresh session."""
    browser.get("about:blank")
    began = time.perf_counter()
    browser.get(address)
    _until(lambda: browser.execute_script(there))
    return time.perf_counter() - began


def clicked(browser: Any, page: str) -> float:
    """Seconds from a click in the navigation to the page's own words, its script at rest."""
    _until(lambda: browser.execute_script(LINK, page))
    anchor = browser.execute_script(LINK, page)
    began = time.perf_counter()
    anchor.click()
    words = json.dumps(PAGES[page])
    _until(lambda: browser.execute_script(f"return document.querySelector('[data-testid=stMain]').innerText.includes({words})"))
    _until(lambda: browser.execute_script(AT_REST) == "notRunning")
    return time.perf_counter() - began


def resident_mb(pid: int) -> float:
    """Resident memory of a process."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


def measure(sizes: list[int], repeats: int) -> list[dict[str, Any]]:
    """A row a budget: what, unit, budget, measured, and the empty page where it is the measure."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        (folder / "empty.py").write_text(EMPTY)
        with served(folder / "empty.py") as (empty, _):
            there = "return document.body.innerText.includes('an empty page')"
            first_bare = opened(browser, empty, there)
            for size in sizes:
                project = folder / str(size)
                write_runs(project, size)
                bare: list[float] = []
                with served(ROOT / "dashboard" / "app.py", str(project / "runs")) as (address, pid):
                    first = opened(browser, address, VERDICT)
                    verdicts = []
                    for _ in range(repeats):
                        bare.append(opened(browser, empty, there))
                        verdicts.append(opened(browser, address, VERDICT))
                    base = statistics.median(bare)
                    shown = f"{size:,} runs x {CASES}"
                    budget = base + VERDICT_EXTRA_S.get(size, 0.8)
                    rows.append(
                        _row(
                            f"dashboard, {shown}: verdict's text",
                            "s",
                            budget,
                            statistics.median(verdicts),
                            empty=base,
                            first=first,
                            first_empty=first_bare,
                        )
                    )
                    _until(lambda: browser.execute_script(AT_REST) == "notRunning")
                    clicks: dict[str, list[float]] = {page: [] for page in PAGES}
                    for round_ in range(repeats + 1):
                        for page in PAGES:
                            took = clicked(browser, page)
                            if round_:
                                clicks[page].append(took)
                    for page, times in clicks.items():
                        rows.append(_row(f"dashboard, {shown}: click on {page}", "s", CLICK_S.get(size, 0.7), statistics.median(times)))
                    before = resident_mb(pid)
                    for _ in range(SESSIONS):
                        opened(browser, address, VERDICT)
                        for page in PAGES:
                            clicked(browser, page)
                    rows.append(
                        _row(
                            f"dashboard, {shown}: memory over {SESSIONS} sessions",
                            "MB",
                            MEMORY_MB,
                            resident_mb(pid) - before,
                            resident=before,
                        )
                    )
            rows += large(browser, folder / "large")
    return rows


def large(browser: Any, folder: Path) -> list[dict[str, Any]]:
    """How long a run of 5,000 cases takes to open in a fresh session, page by page: from the request to the script at rest."""
    write_runs(folder, 2, LARGE_CASES)
    rows = []
    with served(ROOT / "dashboard" / "app.py", str(folder / "runs")) as (address, _):
        opened(browser, address, VERDICT)
        for page, words in PAGES.items():
            main = "document.querySelector('[data-testid=stMain]')"
            there = f"return !!{main} && {main}.innerText.includes({json.dumps(words)})"
            times = []
            for _ in range(3):
                began = time.perf_counter()
                opened(browser, f"{address}/{'' if page == 'Overview' else page.lower()}", there)
                _until(lambda: browser.execute_script(AT_REST) == "notRunning")
                times.append(time.perf_counter() - began)
            rows.append(_row(f"dashboard, a run of {LARGE_CASES:,} cases: {page} opens", "s", LARGE_S, min(times)))
    return rows


def _row(what: str, unit: str, budget: float, measured: float, **others: float) -> dict[str, Any]:
    return {"what": what, "unit": unit, "budget": budget, "measured": measured, "ratio": measured / budget, "others": others}


def main() -> None:
    """Measure and print a line a budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, action="append", help="stored runs; 500 and 2,000")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.runs or [500, 2000], options.repeats)
    if options.json:
        print(json.dumps({"rows": rows}))
        return
    for row in rows:
        others = "".join(f"  {name} {value:.2f}" for name, value in row["others"].items())
        sign = "ok  " if row["measured"] <= row["budget"] else "OVER"
        print(f"{sign} {row['what']:<58} {row['measured']:7.2f} of {row['budget']:6.2f} {row['unit']:<2} = {row['ratio']:.2f}{others}")


if __name__ == "__main__":
    main()
