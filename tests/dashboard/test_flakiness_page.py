"""The page Flakiness: repeats, history, causes and quarantines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agenteval.model.attempt import Attempt
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Role
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

pytest.importorskip("streamlit")


def run_id(day: int) -> str:
    return f"202611{day:02d}T090000Z-aaaaaaa-0000{day:02d}"


def add(folder: Path, day: int, *attempts: Attempt, repetitions: list[Attempt] | None = None, commit: str = "c", **head: Any) -> str:
    store(folder, list(attempts), run_id(day), repetitions=repetitions, git={"commit": commit * 40, "dirty": False}, **head)
    return run_id(day)


def counted(number: float, repetition: int = 0) -> Attempt:
    """An answer with a number to a case whose number is 64 ± 0.5."""
    passed = abs(number - 64) <= 0.5
    score = Score("numeric", float(passed), passed, evidence={"value": number, "candidates": [number]}, feeds=Feeds.CORRECTNESS)
    expects = {"correctness_type": "numeric", "ground_truth": 64, "numeric_tolerance": 0.5}
    return an_attempt("amount", passed, repetition=repetition, output=f"It is {number}.", expects=expects, scores=(score,))


@pytest.fixture
def repeated(tmp_path: Path) -> str:
    """One run: ``amount`` right in 2 of 3 attempts, ``steady`` right in all."""
    again = [counted(80, 1), counted(64, 2), an_attempt("steady", repetition=1), an_attempt("steady", repetition=2)]
    return add(tmp_path, 1, counted(64), an_attempt("steady"), repetitions=again)


def test_pass_k_is_told_with_its_n_and_interval(open_page: Open, repeated: str) -> None:
    text = words(open_page("flakiness"))

    # amount passes 2 of 3: no choice of 3 passes in full, any holds a pass; steady passes all. Of two cases resampling gives 0 to 1.
    assert "pass^3, all of 3 attempts pass: 50%, 0–100% · pass@3, at least one does: 100%" in text
    assert "fewer than 10 cases: the intervals can be too narrow" in text


def test_kinds_of_answers_have_their_share(open_page: Open, repeated: str) -> None:
    page = open_page("flakiness", case="amount")
    text = words(page)

    assert "is unstable: passed 2 of 3 decided attempts (67%)" in text
    assert "**2 of 3 (67%)** · attempts 0, 2 · :green[✓ passed 2]" in text
    assert "**1 of 3 (33%)** · attempt 1 · :red[✕ failed 1]" in text
    assert "2 of 3 answers agree on the number 64 (tolerance 0.5)" in text


def test_a_chosen_case_shows_its_attempts_side_by_side(open_page: Open, repeated: str) -> None:
    page = open_page("flakiness", case="amount")

    assert "Attempts side by side" in words(page)
    assert words(page).count("It is 64.0.") + words(page).count("It is 64.") >= 2
    assert not page.exception


def test_an_unknown_case_offers_the_nearest(open_page: Open, repeated: str) -> None:
    assert "No run of this suite decided `amont`." in words(open_page("flakiness", case="amont"))


def test_numbers_are_drawn_where_they_differ(open_page: Open, repeated: str) -> None:
    assert "1 of 1 case with numbers gave different ones" in words(open_page("flakiness"))


def test_without_repeats_the_history_of_runs_speaks(open_page: Open, tmp_path: Path) -> None:
    for day, refund in enumerate((True, False, False, True), 1):
        add(tmp_path, day, an_attempt("refund", refund), an_attempt("greet"), commit="c" if day < 3 else "d")

    text = words(open_page("flakiness"))

    assert "1 of 2 cases flipped between pass and fail over 4 runs: refund (2 of 3)." in text
    assert "2 of 6 transitions over 4 runs flipped." in text
    assert "**2** of 3 transitions" in text
    assert "2 of 2 at the same code" in text  # days 1-2 and 3-4 ran one commit each, and both flipped
    assert "1 case never flipped" in text
    assert "agenteval run --repeat 5 --repeat-all" in text


def test_an_edited_case_does_not_flip(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, 1, an_attempt("refund"))
    add(tmp_path, 2, an_attempt("refund", False, definition="edited"))

    assert "No evidence of steadiness yet" in words(open_page("flakiness"))


def test_overdue_quarantines_come_first_and_are_said_at_the_top(open_page: Open, tmp_path: Path) -> None:
    terms = {"until": "2099-01-01", "reason": "vendor is down"}
    add(
        tmp_path,
        1,
        an_attempt("later", False, role=Role.QUARANTINED, quarantine=terms),
        an_attempt("late", quarantine={"until": "2026-01-01", "reason": "forgotten"}),
        an_attempt("free"),
    )

    text = words(open_page("flakiness"))

    assert "1 quarantine is past the date: late (until 2026-01-01)." in text
    assert "2 cases, 1 overdue." in text
    assert text.index("until 2026-01-01, gates again") < text.index("until 2099-01-01")
    assert "vendor is down" in text


def test_cases_that_flip_together_are_shown_with_how_sure_that_is(open_page: Open, tmp_path: Path) -> None:
    for day, digit in enumerate("1011011010", 1):
        passed = digit == "1"
        add(tmp_path, day, an_attempt("a", passed, tags=("delivery",)), an_attempt("b", passed, tags=("delivery",)), an_attempt("c"))

    text = words(open_page("flakiness"))

    assert "2 cases flip together" in text
    assert "phi 1.00 · p = .028 after Benjamini-Hochberg · n at least 9 a pair" in text  # 1 / 36: 7 of 9 transitions, the same ones
    assert "their failures share tag delivery" in text


def test_the_overview_gives_pass_k_its_n(open_page: Open, repeated: str) -> None:
    assert "pass^3 **50% · n 2 cases**" in words(open_page("overview"))


def test_hostile_text_is_never_markdown(open_page: Open, tmp_path: Path) -> None:
    hostile = "![x](http://127.0.0.1:9/leak.png) :red[ok] <b>"
    fields: dict[str, Any] = {"output": hostile, "tags": (hostile,), "prompt": hostile}
    for day, digit in enumerate("1011011010", 1):
        cases = [an_attempt(f"{name}{hostile}", digit == "1", **fields) for name in "ab"]
        held = an_attempt("q", role=Role.QUARANTINED, quarantine={"until": "2026-01-01", "reason": hostile})
        again = [an_attempt(case.case_id, digit == "0", repetition=1, **fields) for case in cases] if day == 10 else None
        add(tmp_path, day, *cases, held, repetitions=again)

    for page in (open_page("flakiness"), open_page("flakiness", case=f"a{hostile}")):
        assert not page.exception
        assert "could not be drawn" not in words(page)
        for part in (*page.markdown, *page.caption):
            outside_code = "".join(str(part.value).split("`")[::2])
            assert "](http" not in outside_code.replace("\\]", "")


def test_repeats_that_can_not_be_read_leave_the_history(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, 1, an_attempt("refund"))
    add(tmp_path, 2, an_attempt("refund", False), repetitions=[an_attempt("refund", repetition=1)])
    (sidecar,) = (tmp_path / "runs/bot/flakiness").glob("*.json")
    sidecar.write_text("{ cut off")

    text = words(open_page("flakiness"))

    assert "1 of 1 case flipped between pass and fail over 2 runs: refund (1 of 1)." in text
    assert "is not JSON" in text
    assert "repeated no case" not in text
