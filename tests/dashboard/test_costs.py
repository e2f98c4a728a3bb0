"""Costs by step and tool, the end of a scripted conversation, and whose the variance is, on the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agenteval.model.attempt import Attempt
from agenteval.model.response import Step, Usage
from agenteval.model.score import Score
from agenteval.model.status import Status
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

RUN = "20261130T120000Z-abc1234-000001"
STEPS = (
    Step("model", "gpt-4o", prompt_tokens=1000, completion_tokens=100),
    Step("tool_call", "*look*", {"order": 1}, "found"),
    Step("model", "gpt-4o", cost_usd=0.001, parent=1),
)


def priced(case_id: str, **changes: Any) -> Attempt:
    return an_attempt(case_id, steps=STEPS, cost_usd=0.006, cost_source="reported", usage=Usage(1200, 300), **changes)


def test_a_case_says_which_steps_its_cost_comes_from(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [priced("a")], RUN, provenance={"prices": {"table": "2026-11-30"}})

    page = open_page("case", run=RUN, case="a")

    # The first model step: 1000 x 2.50 + 100 x 10 = 3500, a million.
    assert not page.exception
    assert "$0.0045 of $0.006 attributed to 2 of 3 steps." in words(page)
    table = next(frame.value for frame in page.dataframe if "share" in frame.value)
    assert table[["kind", "name", "cost", "share"]].to_numpy().tolist() == [
        ["model", "gpt-4o", "$0.0035", "58%"],
        ["tool_call", "*look*", "$0.001", "17%"],
    ]


def test_without_recorded_prices_only_reports_count(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [priced("a"), an_attempt("plain")], RUN)

    assert "$0.001 of $0.006 attributed to 1 of 3 steps." in words(open_page("case", run=RUN, case="a"))
    assert "What it cost" not in words(open_page("case", run=RUN, case="plain"))


def test_a_run_says_what_its_tools_cost(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [priced("a"), priced("b"), an_attempt("plain", cost_usd=None)], RUN, provenance={"prices": {"table": "2026-11-30"}})

    page = open_page("runs", run=RUN)
    folded = words(page)
    page.session_state["bytool"] = True
    page.run()

    assert not page.exception
    assert "attributed" not in folded
    # Of each of two cases $0.0045 of $0.006; the third has neither cost nor steps.
    assert "$0.009 of $0.012 attributed to 4 of 6 steps." in words(page)
    assert "n 2 cases with a known cost; 1 case unpriced" in words(page)


def test_a_run_without_steps_says_so(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("plain", cost_usd=0.1)], RUN)

    page = open_page("runs", run=RUN)
    page.session_state["bytool"] = True
    page.run()

    assert not page.exception
    assert "No case of this run has steps, so its cost is not told apart." in words(page)


def test_a_scripted_conversation_says_why_it_ended(open_page: Open, tmp_path: Path) -> None:
    turns = (an_attempt("a::turn0", prompt="hello", output="hi", status=Status.UNSCORED, scores=()),)
    raw = {"conversation": {"stopped": "max_turns", "unsaid": ["**It is 4821.**"]}}
    store(tmp_path, [an_attempt("a", turns=turns, raw=raw)], RUN)

    page = open_page("case", run=RUN, case="a")

    text = words(page)
    assert (
        "It ended because the user had said as much as max_turns allows (max_turns), after 1 turn; 1 line of the script not said." in text
    )
    assert "not said: **It is 4821.**" in text
    assert "Every required check held (1)." in text
    assert "unscored" not in text


def test_flakiness_says_whose_the_variance_is(open_page: Open, tmp_path: Path) -> None:
    def judged(repetition: int, *votes: bool) -> Attempt:
        evidence = {"judge": {"votes": [{"value": vote} for vote in votes]}}
        return an_attempt("a", scores=(Score("llm_judge", 1.0, True, evidence=evidence),), repetition=repetition)

    store(tmp_path, [judged(0, True, True)], RUN, repetitions=[judged(1, True, False), judged(2, False, False)])

    page = open_page("flakiness", run=RUN)

    # Worked out in the test of the split itself: both are one sixth.
    assert not page.exception
    assert (
        "Variance of judged answers: agent 0.17 between attempts, judge 0.17 within "
        "(50% of both is the judge's; 1 case, 3 attempts, 6 votes)." in words(page)
    )
