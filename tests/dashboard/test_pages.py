"""Every page on stored runs: healthy, empty, broken, unknown, hostile and old."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agenteval._files import dumps
from agenteval.artifacts.codec import head_to_json
from agenteval.artifacts.journal import JournalWriter
from agenteval.model.attempt import Attempt
from agenteval.model.record import to_record
from agenteval.model.response import Step, ToolCall
from agenteval.model.run import Run, SuiteRef
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Role
from tests.builders import a_run, an_attempt, shared_data
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


def test_an_agents_yaml_says_where_the_baseline_lies(open_page: Open, tmp_path: Path, two_runs: tuple[Run, Run]) -> None:
    (tmp_path / "pinned").mkdir()
    shutil.move(tmp_path / "baselines" / "bot.json", tmp_path / "pinned" / "main.json")
    agents = (
        "version: 1\nagents:\n  bot:\n    adapter: 'json:loads'\n    baseline: pinned/main.json\n    gates: {max_correctness_drop: 0.5}\n"
    )
    (tmp_path / "agents.yaml").write_text(agents)

    opened = open_page("compare")

    assert f"then `{FIRST}`" in words(opened)
    assert "limits of agents.yaml" in words(opened)


def test_a_baseline_in_an_archive_is_found(open_page: Open, tmp_path: Path, two_runs: tuple[Run, Run]) -> None:
    shutil.make_archive(str(tmp_path / "artifacts"), "zip", tmp_path)
    for folder in ("runs", "baselines"):
        shutil.rmtree(tmp_path / folder)
    (tmp_path / "runs").mkdir()
    shutil.move(tmp_path / "artifacts.zip", tmp_path / "runs" / "artifacts.zip")

    opened = open_page("compare", run=SECOND)

    assert f"now `{SECOND}`" in words(opened)
    assert f"then `{FIRST}`" in words(opened)


def test_an_unreadable_baseline_is_named(open_page: Open, tmp_path: Path, two_runs: tuple[Run, Run]) -> None:
    (tmp_path / "baselines" / "bot.json").write_text('{"schema": "agenteval.run/99"}')

    text = words(open_page())

    assert "baseline can't be read" in text
    assert "bot.json" in text


def test_an_unreadable_registry_is_named(open_page: Open, tmp_path: Path, two_runs: tuple[Run, Run]) -> None:
    (tmp_path / "agents.yaml").write_text("agents: [")

    assert "agents.yaml can't be read" in words(open_page())


def journal(folder: Path, done: int) -> JournalWriter:
    """The journal of a run of three cases of which ``done`` are on disk; its writer holds the lock."""
    record = head_to_json(replace(a_run([], run_id="20261130T090000Z-ccccccc-000003").head, suite=SuiteRef("support", cases=3)))
    writer = JournalWriter.create(folder / "runs" / "bot" / "journal" / "20261130T090000Z-ccccccc-000003.jsonl", record)
    for number in range(done):
        writer.append(dumps(to_record(a_case(f"c{number}"))))
    return writer


def test_a_running_run_shows_how_far_it_is(open_page: Open, tmp_path: Path, two_runs: tuple[Run, Run]) -> None:
    writer = journal(tmp_path, 2)
    try:
        text = words(open_page())
    finally:
        writer.close()

    assert ":blue-badge[▶ running] `bot` 2 of 3 attempts done of suite support" in text


def test_a_crashed_run_shows_how_to_go_on(open_page: Open, tmp_path: Path) -> None:
    journal(tmp_path, 1).close()

    text = words(open_page())

    assert "No finished run yet" in text
    assert "crashed] `bot` 1 of 3 attempts done" in text
    assert "agenteval run --resume 20261130T090000Z-ccccccc-000003" in text


def test_a_quarantined_case_tells_until_when_and_why(open_page: Open, tmp_path: Path) -> None:
    terms = {"until": "2026-12-15", "reason": "the upstream search is down"}
    store(tmp_path, [a_case("a"), a_case("b", False, role=Role.QUARANTINED, quarantine=terms)], FIRST)

    text = words(open_page())

    assert "until 2026-12-15: the upstream search is down" in text


def test_a_case_alone_tells_why_it_failed(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [a_case("a", False, scores=(Score("contains", 0.0, False, "no '30 days' in it"),))], FIRST)

    assert "contains: no '30 days' in it" in words(open_page())


def test_a_step_without_a_time_is_a_line_of_the_transcript(open_page: Open, tmp_path: Path) -> None:
    steps = (Step("message", "user", output="Book me a flight"), Step("tool_call", "search", {"to": "SEA"}, [{"flight": "HAT1"}]))
    store(tmp_path, [a_case("a", steps=steps)], FIRST)

    text = words(open_page("case", case="a"))

    assert "2 steps, none with a time" in text
    assert "Book me a flight" in text
    assert 'in   {"to": "SEA"}\nout  [{"flight": "HAT1"}]' in text


def test_retrieved_passages_and_citations_are_shown_as_text(open_page: Open, tmp_path: Path) -> None:
    passages = ({"id": "doc-1", "text": "Returns within 30 days."}, {"id": "doc-2", "text": HOSTILE})
    store(tmp_path, [a_case("a", retrieved_context=passages, citations=("doc-1", "doc-9"))], FIRST)

    text = words(open_page("case", case="a"))

    assert "1. `doc-1` :green-badge[✓ cited]" in text
    assert "Returns within 30 days." in text
    assert "Cited, not among the passages:] `doc-9`" in text


def link_labels(page: Any) -> list[str]:
    """Labels of the links on a page."""
    return [element.proto.label for element in page.get("page_link")]


def links(page: Any) -> str:
    return "\n".join(link_labels(page))
