"""Case: what was asked, done and judged, in any size; attempts beside each other; the way to what changed since it last passed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from agenteval.model.attempt import Failure
from agenteval.model.response import Step, ToolCall
from agenteval.model.score import Feeds, Score
from agenteval.model.status import ErrorKind, Role, Status
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"


def chosen(page: Any) -> dict[str, Any]:
    """The values of select boxes and segmented controls by the beginning of their label."""
    return {widget.label.partition(",")[0]: widget.value for widget in (*page.selectbox, *page.button_group)}


def test_the_trajectory_marks_what_matched_is_missing_extra_or_out_of_order(open_page: Open, tmp_path: Path) -> None:
    evidence = {"expected": ["log in", "look", "pay", "mail"], "actual": ["look", "log in", "audit", "mail"]}
    score = Score("trajectory", 0.5, None, "F1 0.50", evidence, False, Feeds.TRAJECTORY)
    store(tmp_path, [an_attempt("a", scores=(score,))], FIRST)

    text = words(open_page("case", case="a")).replace("\u00a0", " ")

    # "log in" and "mail" match; "look", expected second, came first; nobody paid; nobody asked for the audit.
    assert "not as expected · 2 matched, 1 missing, 1 extra, 1 out of order · F1 0.50" in text
    assert text[text.index("| expected |") :].splitlines()[2:8] == [
        "|  | look | :violet[⇄ out of order] :gray[expected as 2.] |",
        "| log in | log in | :green[✓ matched] |",
        "| look |  | :violet[⇄ out of order] :gray[came as 1.] |",
        "| pay |  | :red[∅ missing] |",
        "|  | audit | :orange[+ extra] |",
        "| mail | mail | :green[✓ matched] |",
    ]


def test_a_long_conversation_opens_at_the_turn_that_failed(open_page: Open, tmp_path: Path) -> None:
    turns = tuple(an_attempt(f"talk::turn{place}", place != 250, prompt=f"question {place + 1}") for place in range(300))
    store(tmp_path, [an_attempt("talk", False, turns=turns)], FIRST)

    page = open_page("case", case="talk")

    assert chosen(page)["Turns shown"] == "251-260"
    assert "question 251" in words(page)
    assert "question 250" not in words(page)


def test_a_part_of_a_conversation_stands_in_the_address(open_page: Open, tmp_path: Path) -> None:
    turns = tuple(an_attempt(f"talk::turn{place}", prompt=f"question {place + 1}") for place in range(30))
    store(tmp_path, [an_attempt("talk", turns=turns)], FIRST)

    text = words(open_page("case", case="talk", turns="11-20"))

    assert "question 11" in text
    assert "question 10" not in text


def nested_steps(rounds: int) -> tuple[Step, ...]:
    """Rounds of ten steps each, one of which failed."""
    steps: list[Step] = []
    for number in range(rounds):
        parent = len(steps)
        steps.append(Step("node", f"round {number}", timestamp_ms=number * 100.0, duration_ms=100.0))
        for place in range(10):
            error = "boom" if (number, place) == (7, 3) else None
            name, start = f"call {number}.{place}", number * 100.0 + place * 10
            steps.append(Step("tool_call", name, {"n": place}, "ok", start, 9.0, parent=parent, error=error))
    return tuple(steps)


def test_many_nested_steps_are_folded_and_a_hidden_error_is_named(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a", steps=nested_steps(200))], FIRST)

    page = open_page("case", case="a")

    assert "2,200 steps, 1 with an error" in words(page)
    # Seven rounds of eleven steps come before it, then the round and three calls.
    assert "! error] :gray[in step 82] `call 7.3` boom" in words(page)
    assert chosen(page)["Levels of nesting"] == "1"
    assert chosen(page)["Steps shown"] == "1-60"


def test_few_nested_steps_are_all_drawn(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a", steps=nested_steps(3))], FIRST)

    assert chosen(open_page("case", case="a"))["Levels of nesting"] == "all"


def test_levels_and_part_of_the_steps_stand_in_the_address(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a", steps=nested_steps(20))], FIRST)

    page = open_page("case", case="a", levels="all", steps="61-120")

    assert (chosen(page)["Levels of nesting"], chosen(page)["Steps shown"]) == ("all", "61-120")


def test_attempts_are_marked_against_the_shown_one(open_page: Open, tmp_path: Path) -> None:
    def attempt(number: int, output: str, *tools: str) -> Any:
        return an_attempt("a", number != 0, repetition=number, output=output, tool_calls=tuple(ToolCall(name) for name in tools))

    further = [attempt(1, "It is approved.", "look", "pay"), attempt(2, "It is refused.", "look", "check")]
    store(tmp_path, [attempt(0, "It is refused.", "look", "check")], FIRST, repetitions=further)

    text = words(open_page("case", case="a"))

    assert "against attempt 0: 1 of 2 others answered the same, word for word" in text
    assert "It is :red[~~refused.~~] :green[**approved.**]" in text
    assert "tools look → :green[**+ pay**] → :red[~~− check~~]" in text
    assert ":gray[= the same answer as attempt 0]" in text
    assert ":gray[= the same 2 tool calls]" in text


def test_what_changed_since_the_last_pass_is_one_click(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a")], FIRST)
    store(tmp_path, [an_attempt("a", False)], SECOND)

    page = open_page("case", case="a")

    query = {element.proto.label: element.proto.query_string for element in page.get("page_link")}["What changed since"]
    assert f"run={SECOND}&baseline={FIRST}&case=a" in query


def test_a_huge_answer_is_cut_and_its_record_is_left_to_the_command_line(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a b", output="word " * 2_000_000)], FIRST)

    started = time.monotonic()
    page = open_page("case", case="a b")
    took = time.monotonic() - started
    page.session_state["record-a b-0"] = True
    page.run()

    assert "the first 20,000 of 10,000,000 characters; the stored record has all" in words(page)
    assert "It is 10.0 MB long, too much for a page:" in words(page)
    assert f"agenteval trace {FIRST} --case-id 'a b' --json" in words(page)
    assert took < 20


KINDS = {
    "timeout": {
        "status": Status.AGENT_ERROR,
        "scores": (),
        "output": "",
        "error": Failure(ErrorKind.TIMEOUT, "TimeoutError", "no answer within 30 s", "Traceback"),
    },
    "evaluator error": {"status": Status.EVALUATOR_ERROR, "scores": (Score("judge", error="no judge configured"),)},
    "skipped": {"status": Status.SKIPPED, "scores": (), "latency_ms": None, "output": ""},
    "unscored": {"status": Status.UNSCORED, "scores": (Score("judge", skipped=True, reason="--no-llm-judge"),)},
    "candidate": {"role": Role.CANDIDATE},
    "quarantined": {"role": Role.QUARANTINED, "quarantine": {"until": "2027-01-15", "reason": "down"}},
    "calls without steps": {"tool_calls": (ToolCall("look", {"q": 1}, [1], None),) * 3},
    "steps without time": {"steps": tuple(Step("message", "user", output=f"line {place}") for place in range(150))},
    "deep": {"steps": tuple(Step("node", f"n{place}", None, None, place, 9.0, parent=place - 1 if place else None) for place in range(50))},
    "wrong parent": {"steps": (Step("node", "n", duration_ms=1.0, parent=7), Step("node", "m", duration_ms=None, parent=1))},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_record_opens(open_page: Open, tmp_path: Path, kind: str) -> None:
    store(tmp_path, [an_attempt("a", **KINDS[kind])], FIRST, repetitions=[an_attempt("a", repetition=1)])

    for number in ("0", "1"):
        page = open_page("case", case="a", attempt=number)
        assert not page.exception
        assert "could not be drawn" not in words(page)


def test_a_short_word_that_recurs_does_not_part_two_different_sentences(pages_on_path: None) -> None:
    from parts.difference import word_difference

    # "a" stands in both; kept as common it would cut each sentence in two.
    assert word_difference("please send it with a parcel by tomorrow noon", "we can never make a promise like that sorry") == (
        ":red[~~please send it with a parcel by tomorrow noon~~] :green[**we can never make a promise like that sorry**]"
    )


def test_a_long_part_in_common_is_left_out_and_said(pages_on_path: None) -> None:
    from parts.difference import word_columns

    same = "word " * 1_000
    left, right = word_columns(f"{same}old", f"{same}new")

    assert left == f":gray[*… 4,760 characters the same …*]\n\n{'word ' * 47}word :red[~~old~~]"
    assert right.endswith(":green[**new**]")


def test_line_breaks_of_an_answer_stay_line_breaks(pages_on_path: None) -> None:
    from parts.difference import word_columns

    assert word_columns("one\n- two\n\nend of it", "one\n- three\n\nend of it") == (
        "one  \n\\- :red[~~two~~] \n\nend of it",
        "one  \n\\- :green[**three**] \n\nend of it",
    )


def test_texts_of_megabytes_are_compared_at_once_and_the_cut_is_said(pages_on_path: None) -> None:
    from parts.difference import MOST, cut, word_difference

    then, now = "x " * 1_000_000, "y " * 1_000_000

    started = time.process_time()
    shown = word_difference(then, now)
    assert time.process_time() - started < 5
    assert len(shown) < 60_000
    assert cut(then, now) == f"The first {MOST:,} words from the first difference on are compared; the stored records have all."
    assert cut("a b", "a c") == ""


def test_many_matched_steps_in_a_row_are_one_line(open_page: Open, tmp_path: Path) -> None:
    names = [f"s{place}" for place in range(30)]
    score = Score("trajectory", 0.9, None, "", {"expected": [*names, "last"], "actual": names}, False, Feeds.TRAJECTORY)
    store(tmp_path, [an_attempt("a", scores=(score,))], FIRST)

    text = words(open_page("case", case="a")).replace("\u00a0", " ")

    assert text[text.index("| expected |") :].splitlines()[2:4] == [
        "| :gray[… 30 steps …] |  | :green[✓ matched] |",
        "| last |  | :red[∅ missing] |",
    ]


def test_the_list_of_cases_can_be_taken_along(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a"), an_attempt("b")], FIRST)
    assert [button.label for button in open_page("case").get("download_button")] == ["CSV", "JSON"]
