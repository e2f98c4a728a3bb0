"""The page Judge: may gates stand on it, and where it is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.calibrations import write_calibration
from agenteval.calibration.asking import recorded
from agenteval.calibration.golden_set import GoldenItem
from agenteval.calibration.measuring import measured
from agenteval.model.calibration import Calibration
from tests.builders import an_attempt
from tests.calibration.test_measuring import a_set
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store


def a_calibration(wrong: int = 2, errors: int = 0, each: int = 40, reason: str = "", **changes: Any) -> Calibration:
    """As many good as bad answers; the judge passes the first ``wrong`` bad ones and gives no verdict on the last ``errors`` good ones."""
    good = [GoldenItem(f"good{n}", "Is it?", "It is.", True, recorded=True if n < each - errors else None) for n in range(each)]
    bad = [GoldenItem(f"bad{n}", "Is it?", "It **is** not.", False, recorded=n < wrong, recorded_reason=reason) for n in range(each)]
    golden = a_set(*good, *bad)
    known = {"model": "small-1", "prompt_version": "1", "settings": "x"}
    asked = [recorded(item) for item in golden.items]
    return replace(measured("bot", golden, asked, timestamp="2026-11-29T12:00:00.000Z", threshold=0.6, **known), **changes)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with one run of bot, whose judge was small-1."""
    judge = {"model": "small-1", "prompt_version": "1"}
    store(tmp_path, [an_attempt("a")], "20261130T120000Z-abc1234-000001", provenance={"judge": judge})
    return tmp_path / "runs"


def test_a_judge_whose_whole_interval_keeps_the_limit_is_trusted(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration())

    page = open_page("judge")

    assert not page.exception
    shown = words(page)
    assert "✓ trusted" in shown
    assert "Gates can stand on this judge: even the lower end of kappa's interval keeps the limit 0.60." in shown
    # 78 of 80 agree, chance is .5: kappa .95.
    assert "Almost perfect agreement: kappa 0.95, 95% 0.88 to 1.00, n 80." in shown
    assert "Too kind 2 times (it passed a bad answer), too strict never (it failed a good one)." in shown
    assert [metric.value for metric in page.metric] == ["0.95", "97.5%", "100%", "95%", "0"] or [
        metric.label for metric in page.metric
    ] == [
        "Kappa",
        "Agreement",
        "Good answers passed",
        "Bad answers failed",
        "Judge errors",
    ]


def test_a_judge_below_the_limit_is_not(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration(wrong=30, errors=3))

    shown = words(open_page("judge"))

    assert "✕ not trusted" in shown
    assert "Do not gate on this judge: kappa is below the limit 0.60." in shown
    assert "(3 judge errors left out)" in shown
    assert "Judge errors (3)" in shown
    assert "and 5 more, in the download" in shown


def test_what_a_judge_or_an_answer_says_is_text(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration(wrong=1, reason="![x](http://evil.test/x.png) **passed**"))

    page = open_page("judge")

    label = next(expander.label for expander in page.expander if "bad0" in expander.label)
    assert "![x]" not in label
    assert "\\!\\[x\\]" in label


def test_an_opened_disagreement_shows_what_was_asked_and_answered(runs: Path, open_page: Open) -> None:
    stored = write_calibration(runs, a_calibration(wrong=1, reason="it sounds right"))
    assert stored.path is not None
    page = open_page("judge")

    page.session_state[f"item-{stored.path.stem}-bad0"] = True
    page.run()

    assert [block.value for block in page.code if block.value] == ["Is it?", "It **is** not.", "it sounds right"]


def test_without_a_calibration_the_page_is_not_listed_and_says_what_to_do(runs: Path, open_page: Open) -> None:
    shown = words(open_page("judge"))

    assert "No judge was calibrated yet" in shown
    assert "agenteval calibrate --judge AGENT --golden-set answers.yaml" in shown
    assert not [link for link in links(open_page()) if link == "Judge"]


def test_with_a_calibration_it_is_listed(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration())

    assert "Judge" in links(open_page())


def links(page: Any) -> list[str]:
    return [item.proto.label for item in page.sidebar.get("page_link")]


def test_it_needs_no_run(tmp_path: Path, open_page: Open) -> None:
    write_calibration(tmp_path / "runs", a_calibration())

    page = open_page("judge")

    assert not page.exception
    assert "Gates can stand on this judge" in words(page)
    assert "No runs yet" in words(open_page())


def test_a_calibration_of_agenteval_03_is_shown_with_what_it_lacks(runs: Path, open_page: Open) -> None:
    old = {"timestamp": "2026-11-30T22:29:01.028741+00:00", "judge": "bot", "n_cases": 6, "agreement_rate": 4 / 6, "kappa": 1 / 3}
    old |= {"kappa_threshold": 0.6, "below_threshold": True, "interpretation": "fair", "mismatches": ["one", "two"]}
    (runs / "bot" / "calibration").mkdir()
    (runs / "bot" / "calibration" / "20261130T222901Z_abcdef.json").write_text(json.dumps(old))

    shown = words(open_page("judge"))

    assert "Fair agreement: kappa 0.33, n 6." in shown
    assert "model not recorded" in shown
    assert "`one` `two`" in shown


def test_the_page_says_when_the_run_asked_another_judge(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration(model="big-2"))

    assert "The run in the sidebar asked model `small-1` with prompts `1`: this calibration does not speak for it." in words(
        open_page("judge")
    )


def test_the_same_judge_needs_no_such_words(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration())

    assert "does not speak for it" not in words(open_page("judge"))


def test_an_older_calibration_has_an_address(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration(wrong=20, timestamp="2026-11-01T12:00:00.000Z"))
    write_calibration(runs, a_calibration())

    newest, older = words(open_page("judge")), words(open_page("judge", calibration="2026-11-01T12:00:00"))

    assert "kappa 0.95" in newest
    assert "The one before had 0.50 (n 80) with the same judge and golden set." in newest
    assert "Moderate agreement: kappa 0.50" in older


def test_an_unknown_judge_or_calibration_in_the_address_is_told(runs: Path, open_page: Open) -> None:
    for judge in ("bot", "other"):
        write_calibration(runs, a_calibration(judge=judge))
        write_calibration(runs, a_calibration(judge=judge, wrong=9, timestamp="2026-11-01T12:00:00.000Z"))

    shown = words(open_page("judge", judge="othr", calibration="2026-01-01T12:00:00"))

    assert "There is no judge `othr` here; the nearest is `other`." in shown
    assert "There is no calibration `2026-01-01T12:00:00` here" in shown
    assert "judge of `other`" in words(open_page("judge", judge="other"))


def test_a_file_that_can_not_be_read_is_named_and_the_rest_is_shown(runs: Path, open_page: Open) -> None:
    write_calibration(runs, a_calibration())
    (runs / "bot" / "calibration" / "broken.json").write_text('{"kappa": ')

    page = open_page("judge")

    assert "Gates can stand on this judge" in words(page)
    assert any("1 calibration can't be read" in expander.label for expander in page.expander)
