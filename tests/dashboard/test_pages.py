"""Every page on stored runs: healthy, empty, broken, unknown, hostile and old."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agenteval.model.attempt import Attempt
from agenteval.model.response import Step, ToolCall
from agenteval.model.run import Run
from agenteval.model.score import Feeds, Score
from tests.builders import an_attempt, shared_data
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"
PAGES = ("overview", "trends", "compare", "case", "flakiness")
HOSTILE = "# GATE PASSED\n![x](http://127.0.0.1:9/leak.png) <img src='http://127.0.0.1:9/leak.png'> :red[ok] [click](http://127.0.0.1:9/)"


def a_case(case_id: str, passed: bool | None = True, **changes: Any) -> Attempt:
    return an_attempt(case_id, passed, prompt="Can I return it?", output="No, the window is 30 days.", **changes)


@pytest.fixture
def two_runs(tmp_path: Path) -> tuple[Run, Run]:
    """A pinned run, and one in which ``refund`` regressed and ``greet`` improved."""
    first = store(tmp_path, [a_case("refund"), a_case("greet", False), a_case("track")], FIRST, pin=True)
    failed = a_case(
        "refund",
        False,
        scores=(
            Score("contains", 0.0, False, "no 'not eligible' in the answer", feeds=Feeds.CORRECTNESS),
            Score("trajectory", 0.5, None, "F1 0.50", {"expected": ["look", "check"], "actual": ["look", "pay"]}, False, Feeds.TRAJECTORY),
        ),
        steps=(Step("tool_call", "look", {"order": 1}, {"ok": True}, 0.0, 120.0), Step("tool_call", "pay", {}, None, 130.0, 80.0)),
        tool_calls=(ToolCall("look"), ToolCall("pay")),
        expects={"contains": "not eligible"},
    )
    again = [a_case("refund", True, repetition=1), a_case("refund", False, repetition=2)]
    second = store(tmp_path, [failed, a_case("greet"), a_case("track")], SECOND, repetitions=again, baseline=first)
    return first, second


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_healthy_runs(open_page: Open, two_runs: tuple[Run, Run], page: str) -> None:
    opened = open_page(page)

    assert not opened.exception
    assert "could not be drawn" not in words(opened)


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_folder_says_how_to_fill_it(open_page: Open, tmp_path: Path, page: str) -> None:
    opened = open_page(page)

    assert not opened.exception
    assert "No runs yet" in words(opened)
    assert str(tmp_path / "runs") in words(opened)
    assert "agenteval run suite.yaml --agent my_project.agent:answer" in words(opened)


def test_the_overview_tells_the_verdict_and_what_changed(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    verdict = two_runs[1].head.gate
    assert verdict is not None

    text = words(open_page())

    assert verdict.sentence[1:] in text
    assert SECOND in text
    assert ":green[passed] → :red[failed]" in text
    assert "no 'not eligible' in the answer" in text


def test_a_metric_card_holds_value_count_and_direction(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    card = next(metric for metric in open_page().metric if metric.label == "Correctness")

    assert card.value == "67\\%"
    assert card.delta == "0 pts same"


def test_a_run_alone_asks_for_a_baseline(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [a_case("refund", False)], FIRST)

    text = words(open_page())

    assert f"agenteval baseline set {FIRST}" in text


def test_unreadable_files_are_named_and_the_rest_is_shown(open_page: Open, tmp_path: Path, two_runs: tuple[Run, Run]) -> None:
    (tmp_path / "runs" / "bot" / "broken.json").write_text('{"schema":')

    opened = open_page()

    assert not opened.exception
    assert "broken.json" in words(opened)
    assert SECOND in words(opened)


@pytest.mark.parametrize(
    ("parameters", "told", "nearest"),
    [
        ({"agent": "bat"}, "There is no agent 'bat' here.", "bot"),
        ({"run": "20261129T090000Z-bbbbbbb-000009"}, "There is no run '20261129T090000Z-bbbbbbb-000009' here.", SECOND),
        ({"baseline": "nonsense"}, "There is no run to compare with 'nonsense' here.", SECOND),
    ],
    ids=["agent", "run", "baseline"],
)
def test_an_unknown_id_says_so_and_offers_the_nearest(
    open_page: Open, two_runs: tuple[Run, Run], parameters: dict[str, str], told: str, nearest: str
) -> None:
    opened = open_page(**parameters)

    assert told in words(opened)
    assert f"`{nearest}`" in links(opened)


def test_an_unknown_case_offers_the_nearest(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    opened = open_page("case", case="refnud")

    assert "There is no case `refnud` in this run." in words(opened)
    assert "`refund`" in links(opened)


def test_a_unique_beginning_names_a_run(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    assert f"run `{FIRST}`" in words(open_page(run="20261128"))


def test_the_case_page_tells_why_and_what_was_done(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    text = words(open_page("case", case="refund"))

    assert "contains: no 'not eligible' in the answer" in text
    assert "contains: not eligible" in text
    assert "1 matched, 1 missing, 1 extra" in text
    assert "Attempts, 1 of 3 passed:" in text


def test_another_attempt_is_a_link_away(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    opened = open_page("case", case="refund", attempt="1")

    assert "#### :green-badge[✓ passed] `refund`" in words(opened)


def test_a_run_without_repeats_says_which_command_makes_them(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    text = words(open_page("flakiness", run=FIRST))

    assert "agenteval run --repeat 5 --repeat-all" in text


def test_the_flakiness_page_names_the_unsteady_cases(open_page: Open, two_runs: tuple[Run, Run]) -> None:
    assert "1 of 1 repeated case not steady (1 unstable): refund." in words(open_page("flakiness"))


def test_hostile_text_is_never_markdown(open_page: Open, tmp_path: Path) -> None:
    name = "![pic](http://127.0.0.1:9/p.png)"
    attempts = [an_attempt(name, False, prompt=HOSTILE, output=HOSTILE, scores=(Score("contains", 0.0, False, HOSTILE),))]
    store(tmp_path, attempts, FIRST, agent="[bot](http://127.0.0.1:9/)")

    for page in PAGES:
        opened = open_page(page, **({"case": name} if page == "case" else {}))
        assert not opened.exception
        spoken = [str(part.value) for part in (*opened.markdown, *opened.caption)]
        for value in [*spoken, *(f"{metric.label} {metric.value}" for metric in opened.metric), *link_labels(opened)]:
            outside_code = "".join(value.split("`")[::2])
            assert "](http" not in outside_code.replace("\\]", "")


def test_files_of_the_predecessor_are_shown(open_page: Open, tmp_path: Path) -> None:
    shutil.copytree(shared_data("data", "predecessor", "runs"), tmp_path / "runs")

    for page in PAGES:
        opened = open_page(page)
        assert not opened.exception
        assert "could not be drawn" not in words(opened)
        assert "No runs yet" not in words(opened)


def link_labels(page: Any) -> list[str]:
    """Labels of the links on a page."""
    return [element.proto.label for element in page.get("page_link")]


def links(page: Any) -> str:
    return "\n".join(link_labels(page))
