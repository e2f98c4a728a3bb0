"""The page of trends: since when a measure changed, which cases began to fail, windows and tags in the address."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agenteval.model.attempt import Attempt
from agenteval.model.run import Run, SuiteRef
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

HOSTILE = "![x](http://127.0.0.1:9/leak.png) <b>"
START = datetime(2026, 11, 1, 8)


def store_runs(folder: Path, passed: list[int], cases: int = 20, **changes: Any) -> list[Run]:
    """A run a day from Nov 1 on; of its cases the first so many pass. Odd ones are tagged ``refund``, others ``tools``."""
    found = []
    for place, good in enumerate(passed):
        attempts = [
            an_attempt(f"case_{case:02d}", case < good, tags=("refund" if case % 2 else "tools",), prompt="q", output="a")
            for case in range(cases)
        ]
        found.append(store_day(folder, place, attempts, **{name: values[place] for name, values in changes.items()}))
    return found


def store_day(folder: Path, place: int, attempts: list[Attempt], **changes: Any) -> Run:
    day = START + timedelta(days=place)
    return store(folder, attempts, f"{day:%Y%m%dT%H%M%S}Z-{place:07x}-{place:06x}", **changes)


def headline(page: Any) -> str:
    return next(str(text.value) for text in page.markdown if str(text.value).startswith("#### ")).replace("\\", "").removeprefix("#### ")


def test_a_lasting_drop_is_the_first_sentence_with_its_day_and_both_levels(open_page: Open, tmp_path: Path) -> None:
    store_runs(tmp_path, [19] * 8 + [10] * 6)

    page = open_page("trends")

    assert headline(page) == "Correctness is worse since Nov 09: 95% → 50%, pass rate with it."
    assert "since Nov 09 worse: 95% → 50% (8 runs, then 6; p < .001)" in words(page)


def test_what_else_changed_there_stands_beside_it(open_page: Open, tmp_path: Path) -> None:
    models = [{"model": "small"}] * 8 + [{"model": "large"}] * 6
    commits = [{"commit": f"{place:07x}" + "0" * 33} for place in range(14)]
    metas = [{"prompt": "v3", "build": str(place)} for place in range(14)]
    store_runs(tmp_path, [19] * 8 + [10] * 6, parameters=models, git=commits, meta=metas)

    shown = words(open_page("trends"))

    assert "first at commit `0000008`; there: model small → large" in shown
    assert "M model changed" in shown
    assert "S suite changed" not in shown
    assert "metadata changed" not in shown
    assert "model `large` · prompt `v3` · build `13` · commit `000000d`" in shown


def test_a_changed_prompt_in_the_metadata_is_marked(open_page: Open, tmp_path: Path) -> None:
    store_runs(tmp_path, [19] * 6, meta=[{"prompt": "v3"}] * 3 + [{"prompt": HOSTILE}] * 3)

    assert "+ metadata changed (prompt)" in words(open_page("trends"))


def test_one_late_drop_is_told_and_never_called_no_trend(open_page: Open, tmp_path: Path) -> None:
    """100% or 95% in eleven runs, then 35%."""
    store_runs(tmp_path, [19, 20, 19, 19, 20, 19, 20, 19, 20, 19, 19, 7])

    page = open_page("trends")

    assert headline(page) == "The last run is out of line: correctness 35% after 95–100% in 11 runs (pass rate too)."
    assert "Correctness** &nbsp; :red[**▼ last run out of line**]" in words(page)


def test_runs_that_stay_alike_say_so(open_page: Open, tmp_path: Path) -> None:
    store_runs(tmp_path, [19, 18, 19, 20, 19, 18])

    assert headline(open_page("trends")) == "Nothing moves: over 6 runs no measure changed its level or drifts in one direction."


def test_a_few_runs_are_too_few(open_page: Open, tmp_path: Path) -> None:
    store_runs(tmp_path, [19, 18])

    assert headline(open_page("trends")) == "Too few runs for a trend: 2 runs so far, five are needed."


def test_the_window_of_the_address_is_drawn(open_page: Open, tmp_path: Path) -> None:
    """The drop lies before the last thirty runs."""
    store_runs(tmp_path, [20] * 8 + [15] * 31)

    newest, everything = open_page("trends"), open_page("trends", window="all")

    assert headline(newest).startswith("Nothing moves: over 30 runs")
    assert "the newest 30 of 39 runs of suite" in words(newest)
    assert headline(everything).startswith("Correctness is worse since Nov 09: 100% → 75%")


def test_with_a_tag_its_cases_alone_are_measured(open_page: Open, tmp_path: Path) -> None:
    """Of twenty cases the ten last fail from the ninth run on; ten are tagged refund, five of them fail."""
    store_runs(tmp_path, [20] * 8 + [10] * 6)

    page = open_page("trends", tag="refund")

    assert headline(page) == "Correctness is worse since Nov 09: 100% → 50%, pass rate with it."
    assert "50% · 5 of 10 · 24–76%" in words(page)
    assert "Only cases tagged `refund`" in words(page)
    assert "5 of 10 cases did not pass" in words(page)
    assert "dashed: gate" not in words(page)


def test_a_tag_that_no_case_carries_is_said(open_page: Open, tmp_path: Path) -> None:
    store_runs(tmp_path, [20] * 3)

    assert "No case of the chosen run carries the tag `nope`: all cases are shown." in words(open_page("trends", tag="nope"))


def test_a_case_that_began_to_fail_is_named_with_day_run_count_and_commit(open_page: Open, tmp_path: Path) -> None:
    for place in range(8):
        attempts = [an_attempt(HOSTILE, place < 5), an_attempt("steady"), an_attempt("hopeless", False)]
        store_day(tmp_path, place, attempts, git={"commit": f"{place:07x}"}, suite=SuiteRef("s"))

    shown = words(open_page("trends"))

    assert "fails since Nov 06, 3 runs, passed 5 in a row before, first at commit 0000005" in shown
    assert "2 of 3 cases did not pass at least once in 8 runs." in shown


def test_the_runs_are_links_for_who_has_no_mouse(open_page: Open, tmp_path: Path) -> None:
    runs = store_runs(tmp_path, [20] * 3)
    page = open_page("trends")

    page.session_state["runs-as-list"] = True
    page = page.run()

    assert not page.exception
    labels = [link.proto.label for link in page.get("page_link")]
    assert sum(run.head.run_id in label for run in runs for label in labels) == 3


@pytest.mark.parametrize("window", ["nonsense", ""])
def test_an_unknown_window_shows_the_default(open_page: Open, tmp_path: Path, window: str) -> None:
    store_runs(tmp_path, [20] * 3)

    page = open_page("trends", window=window)

    assert not page.exception
    assert "3 runs of suite" in words(page)


def test_a_run_that_cant_be_read_is_named_and_the_rest_drawn(open_page: Open, tmp_path: Path) -> None:
    runs = store_runs(tmp_path, [19] * 4)
    path = next((tmp_path / "runs").rglob(f"{runs[1].head.run_id}.json"))
    path.write_bytes(path.read_bytes().replace(b'"columns":', b'"kolumns":'))

    page = open_page("trends")

    assert not page.exception
    assert "1 run can't be read" in words(page)
    assert "1 of 20 cases did not pass at least once in 4 runs" in words(page)
