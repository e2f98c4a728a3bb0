"""Compare: which runs are set against each other, what changed in each metric and case, and one case of both side by side."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.compare.diff import compare_runs
from agenteval.model.attempt import Attempt
from agenteval.model.response import Step, Usage
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Role, Status
from agenteval.reports.markdown import comparison_markdown
from tests.builders import an_attempt, shared_data
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"
THIRD = "20261130T090000Z-ccccccc-000003"


def refund(passed: bool, output: str, tool: str, **changes: Any) -> Attempt:
    return an_attempt(
        "refund",
        passed,
        prompt="Can I return order 4821?",
        output=output,
        scores=(Score("contains", float(passed), passed, "found it" if passed else "no 'not eligible'", feeds=Feeds.CORRECTNESS),),
        steps=(Step("tool_call", "look", {"order": 4821}), Step("tool_call", tool, {})),
        **changes,
    )


@pytest.fixture
def two_runs(tmp_path: Path) -> None:
    """``refund`` regressed, ``greet`` improved, ``edited`` has another definition, ``slow`` takes four times as long."""
    then = [
        refund(True, "It is not eligible.\n\nThe window is 30 days.", "check"),
        an_attempt("greet", False),
        an_attempt("edited"),
        an_attempt("slow", latency_ms=500.0),
        an_attempt("steady", latency_ms=300.0, usage=Usage(10, 5)),
        an_attempt("gone"),
    ]
    now = [
        refund(False, "It is approved.\n\nThe window is 30 days.", "pay"),
        an_attempt("greet"),
        an_attempt("edited", definition="other"),
        an_attempt("slow", latency_ms=2000.0),
        an_attempt("steady", latency_ms=300.0, usage=Usage(10, 5)),
        an_attempt("added"),
        an_attempt("draft", role=Role.CANDIDATE),
    ]
    first = store(tmp_path, then, FIRST, pin=True)
    store(tmp_path, now, SECOND, baseline=first)


def links(page: Any) -> dict[str, str]:
    """Labels of the links on a page with what they hold in the address."""
    return {element.proto.label.replace("\\", ""): element.proto.query_string for element in page.get("page_link")}


def frames(page: Any) -> list[Any]:
    return [frame.value for frame in page.dataframe]


def test_without_a_baseline_other_runs_of_the_suite_are_offered(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a")], FIRST)
    store(tmp_path, [an_attempt("a")], SECOND)
    store(tmp_path, [an_attempt("a")], THIRD)

    page = open_page("compare", run=THIRD)

    assert "Nothing to compare with" in words(page)
    assert f"agenteval baseline set {THIRD}" in words(page)
    offered = [query for label, query in links(page).items() if label in (f"`{SECOND}`", f"`{FIRST}`")]
    assert [f"baseline={run}" in query for run, query in zip((SECOND, FIRST), offered, strict=True)] == [True, True]


def test_a_run_alone_says_how_to_get_another(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a")], FIRST)

    assert "No other run of suite `suite` is stored." in words(open_page("compare"))


def test_the_baseline_itself_is_not_compared_with_itself(open_page: Open, two_runs: None) -> None:
    assert "This run is the baseline itself" in words(open_page("compare", run=FIRST))


def test_any_two_runs_can_be_compared(open_page: Open, two_runs: None) -> None:
    text = words(open_page("compare", run=FIRST, baseline=SECOND))

    assert f"now `{FIRST}`" in text
    assert f"then `{SECOND}`" in text


def test_a_metric_within_noise_is_called_so(open_page: Open, two_runs: None) -> None:
    metrics = frames(open_page("compare"))[0]

    # Correctness fell in one case and rose in another: 4 of 5 pairs each time.
    row = metrics[metrics["metric"] == "Correctness"].iloc[0]
    assert row["change"] == "0 pts"
    assert row["verdict"] == "= same"
    latency = metrics[metrics["metric"] == "Latency p95"].iloc[0]
    assert latency["verdict"] == "≈ within noise"


def test_a_cell_in_the_address_filters_the_cases(open_page: Open, two_runs: None) -> None:
    page = open_page("compare", then="failed", now="passed")

    text = words(page)
    assert "✕ failed] → :green[✓ passed]: 1 case" in text
    chosen = {label: query for label, query in links(page).items() if "case=" in query}
    assert list(chosen) == [":green[**✓**] `greet`", ":green[**✓**] `edited`"]
    assert "then=failed&now=passed" in chosen[":green[**✓**] `greet`"]


def test_a_cell_without_cases_says_so(open_page: Open, two_runs: None) -> None:
    assert "unknown cell" in words(open_page("compare", then="passed", now="nonsense"))


def test_changed_definitions_stand_apart(open_page: Open, two_runs: None) -> None:
    assert "##### Changed definition (1)" in words(open_page("compare"))


def test_paired_cases_and_those_left_out_are_counted(open_page: Open, two_runs: None) -> None:
    text = words(open_page("compare"))

    # refund, greet, slow and steady are paired; added and gone are in one run, edited is another case now.
    assert "4 pairs · 2 in one run only · 1 definition changed · ▲ 1 at least 2 times as much" in text
    # One of four takes 4 times as long, the others the same: the fourth root of 4 is 1.414.
    assert "typical case +41%" in text
    assert "No cost is recorded for any pair." in text


def test_a_case_of_both_runs_stands_side_by_side(open_page: Open, two_runs: None) -> None:
    page = open_page("compare", case="refund")
    text = words(page)

    assert "#### :green-badge[✓ passed] → :red-badge[✕ failed] `refund`" in text
    assert "It is :red[~~not eligible.~~] \n\nThe window is 30 days." in text
    assert "It is :green[**approved.**] \n\nThe window is 30 days." in text
    assert "| :green[✓ passed] 1.00 | :red[✕ failed] 0.00 | `contains` no 'not eligible' |" in text
    assert "1 only then, 1 only now, 1 the same" in text
    assert "| :red[−\u00a0only\u00a0then] | **tool_call:check** input: {} |" in text
    assert "Metrics" not in text


def test_side_by_side_leads_to_the_next_changed_case_and_back(open_page: Open, two_runs: None) -> None:
    page = open_page("compare", case="gone")

    # In the page's order: refund regressed, gone is missing, greet improved, added is new, edited is defined otherwise.
    assert "2 of 5 changed" in words(page)
    assert "case=refund" in links(page)["previous"]
    assert "case=greet" in links(page)["next"]
    assert "case=" not in links(page)["whole comparison"]
    assert "Only the run then holds this case." in words(page)


def test_going_through_a_cell_stays_in_it(open_page: Open, two_runs: None) -> None:
    page = open_page("compare", case="slow", then="passed", now="passed")

    assert "2 of 3 :green[✓ passed] → :green[✓ passed]" in words(page)
    assert "case=steady&then=passed&now=passed" in links(page)["next"]


def test_an_unknown_case_offers_the_nearest(open_page: Open, two_runs: None) -> None:
    page = open_page("compare", case="refnud")

    assert "Neither run holds a case `refnud`." in words(page)
    assert "case=refund" in links(page)["`refund`"]


def test_a_conversation_shows_only_the_turns_that_differ(open_page: Open, tmp_path: Path) -> None:
    def talk(city: str) -> Attempt:
        said = enumerate(("Hello", city))
        turns = tuple(an_attempt(f"trip::turn{place}", prompt=f"question {place}", output=text) for place, text in said)
        return an_attempt("trip", turns=turns)

    first = store(tmp_path, [talk("To Paris")], FIRST, pin=True)
    store(tmp_path, [talk("To Rome")], SECOND, baseline=first)

    text = words(open_page("compare", case="trip"))

    assert "the answer or the verdict differs in 1 of 2 turns" in text
    assert "To :red[~~Paris~~]" in text
    assert "To :green[**Rome**]" in text
    assert "question 0" not in text


def test_the_markdown_to_copy_is_the_command_lines(open_page: Open, tmp_path: Path, two_runs: None) -> None:
    page = open_page("compare")
    page.session_state["copy-markdown"] = True
    page.run()

    now, then = (load_run(tmp_path / "runs" / "bot" / f"{run}.json") for run in (SECOND, FIRST))
    assert comparison_markdown(compare_runs(now, then)).strip() in [block.value for block in page.code]


def test_repeats_are_not_told_as_other_checks(open_page: Open, tmp_path: Path) -> None:
    first = store(tmp_path, [an_attempt("a")], FIRST, repetitions=[an_attempt("a", False, repetition=1)])
    store(tmp_path, [an_attempt("a", False)], SECOND, baseline=first, repetitions=[an_attempt("a", repetition=1)])

    text = words(open_page("compare", baseline=FIRST))

    assert "1 case went from passed to failed in the run's own attempt" in text
    assert "failed by another required check" not in text


@pytest.mark.parametrize("case", [None, "a", "b", "c", "d"])
def test_errors_skips_and_unscored_cases_open(open_page: Open, tmp_path: Path, case: str | None) -> None:
    kinds = [Status.AGENT_ERROR, Status.EVALUATOR_ERROR, Status.SKIPPED, Status.UNSCORED]
    then = [an_attempt(name) for name in "abcd"]
    now = [an_attempt(name, None, status=kind, latency_ms=None) for name, kind in zip("abcd", kinds, strict=True)]
    first = store(tmp_path, then, FIRST, pin=True)
    store(tmp_path, now, SECOND, baseline=first)

    page = open_page("compare", **({"case": case} if case else {}))

    assert not page.exception
    assert "could not be drawn" not in words(page)


def test_files_of_the_predecessor_compare_case_by_case(open_page: Open, tmp_path: Path) -> None:
    shutil.copytree(shared_data("data", "predecessor", "runs"), tmp_path / "runs")
    names = sorted(path.stem for path in (tmp_path / "runs").rglob("*.json") if path.name[:2] == "20")
    case = None
    for path in (tmp_path / "runs").rglob(f"{names[0]}.json"):
        case = load_run(path).outcomes[0].case_id

    assert case is not None
    for chosen in ({}, {"case": case}):
        page = open_page("compare", **chosen)
        assert not page.exception
        assert "could not be drawn" not in words(page)


HOSTILE = "# PASSED | ![x](http://127.0.0.1:9/leak.png) <img src='http://127.0.0.1:9/leak.png'> :red[ok] **`[click](http://127.0.0.1:9/)"


@pytest.mark.parametrize("page", ["compare", "case"])
def test_hostile_text_in_every_field_stays_text(open_page: Open, tmp_path: Path, page: str) -> None:
    def hostile(passed: bool, more: str, **changes: Any) -> Attempt:
        said = HOSTILE + more
        evidence = {"expected": [said, HOSTILE], "actual": [HOSTILE, said]}
        return an_attempt(
            HOSTILE,
            passed,
            prompt=said,
            output=said,
            scores=(Score(said, float(passed), passed, said), Score(HOSTILE, 0.5, None, said, evidence, False, Feeds.TRAJECTORY)),
            steps=(Step("tool_call", said, said, said, 0.0, 9.0, error=said), Step("message", HOSTILE, output=said, parent=0)),
            expects={"contains": said},
            **changes,
        )

    first = store(tmp_path, [hostile(True, " then")], FIRST, pin=True)
    store(tmp_path, [hostile(False, " now")], SECOND, baseline=first, repetitions=[hostile(True, " again", repetition=1)])

    opened = open_page(page, case=HOSTILE)

    assert not opened.exception
    assert "could not be drawn" not in words(opened)
    links_said = [element.proto.label for element in opened.get("page_link")]
    for value in [*(str(part.value) for part in (*opened.markdown, *opened.caption)), *links_said]:
        for line in value.splitlines():
            outside_code = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line.replace("\\`", ""))
            assert "](http" not in outside_code.replace("\\]", "").replace("\\(", "")
            assert "<img" not in outside_code.replace("\\<", "")
            cells = re.sub(r"\\.", "", outside_code)
            assert not line.startswith("|") or cells.count("|") in (3, 4), line
