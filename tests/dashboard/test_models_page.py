"""The page Models: several agents on one suite."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agenteval.model.run import Selection, SuiteRef
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

pytest.importorskip("streamlit")

SUITE = SuiteRef("suite", "suite.yaml", "hash", 20)


def add(folder: Path, agent: str, letters: str, day: int, *, cost: float | None = None, **head: object) -> str:
    """A run of cases c0, c1, … (1 passed, 0 failed, e error) on a day of November."""
    attempts = [
        an_attempt(f"c{place}", {"1": True, "0": False, "e": None}[letter], cost_usd=cost if letter != "e" else None)
        for place, letter in enumerate(letters)
    ]
    run_id = f"202611{day:02d}T090000Z-aaaaaaa-0000{day:02d}"
    store(folder, attempts, run_id, agent=agent, **{"suite": SUITE, "parameters": {"model": "m"}, **head})
    return run_id


def test_a_clear_winner_is_named_with_the_closest_other(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, "strong", "1" * 20, 1)
    add(tmp_path, "weak", "1" * 10 + "0" * 10, 2)

    text = words(open_page("models"))

    assert "strong is best (100% of 20 cases correct), and better than the other one: closest is weak, +50 pts over 20 cases" in text
    assert "0 of 1 pair not distinguishable" in text


def test_the_best_two_that_chance_could_part_are_not_told_apart(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, "a", "1" * 20, 1)
    add(tmp_path, "b", "1" * 19 + "0", 2)
    add(tmp_path, "c", "1" * 8 + "0" * 12, 3)

    text = words(open_page("models"))

    assert "The best two can't be told apart at this n: a (100% of 20 cases correct) and b (95%), +5 pts over the 20 cases" in text
    assert "1 of 3 pairs not distinguishable" in text


def test_cases_that_the_leader_left_undecided_are_said(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, "a", "1" * 10 + "e" * 10, 1)
    add(tmp_path, "b", "1" * 10 + "0" * 10, 2)

    assert "a (100% of 10 cases correct, 10 undecided cases left out) and b (50%), 0 pts over the 10 cases" in words(open_page("models"))


def test_the_sidebars_agent_hides_no_other_and_its_chosen_run_counts(open_page: Open, tmp_path: Path) -> None:
    old = add(tmp_path, "a", "1" * 20, 1)
    add(tmp_path, "a", "0" * 20, 2)
    add(tmp_path, "b", "1" * 12 + "0" * 8, 3)

    newest = words(open_page("models", agent="a"))
    chosen = words(open_page("models", agent="a", run=old))

    assert "2 contenders" in newest
    assert "b is best" in newest
    assert "for a the run chosen in the sidebar" in chosen
    assert "a is best" in chosen


def test_models_of_one_agent_compete_too(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, "a", "1" * 20, 1, parameters={"model": "large"})
    add(tmp_path, "a", "0" * 20, 2, parameters={"model": "small"})

    text = words(open_page("models"))

    assert "a · large is best" in text
    assert "closest is a · small" in text


def test_agents_with_only_a_part_of_the_suite_are_named_and_not_compared(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, "a", "1" * 20, 1)
    add(tmp_path, "b", "1" * 20, 2)
    add(tmp_path, "c", "1" * 5, 3, selection=Selection({"tag": ["x"]}, 15))

    text = words(open_page("models"))

    assert "2 contenders" in text
    assert "Not compared, for lack of a finished run of the whole suite: c (15 cases left out)." in text


def test_one_agent_is_told_what_the_page_is_for_and_how_to_run_a_second(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, "a", "1" * 20, 1)

    text = words(open_page("models"))

    assert "Only `a` has run `suite` whole: there is nobody to compare it with" in text
    assert "agenteval run --agent OTHER_AGENT" in text
    assert "agenteval run --model OTHER_MODEL" in text


def test_the_suite_stands_in_the_address_and_an_unknown_one_offers_the_nearest(open_page: Open, tmp_path: Path) -> None:
    other = replace(SUITE, name="billing")
    add(tmp_path, "a", "1" * 20, 1, suite=other)
    add(tmp_path, "b", "0" * 20, 2, suite=other)
    add(tmp_path, "a", "1" * 20, 3)

    chosen, unknown = open_page("models", suite="billing"), open_page("models", suite="biling")

    assert "a is best" in words(chosen)
    assert chosen.selectbox(key="suite").value == "billing"
    assert "There is no suite `biling` here; the nearest is `billing`." in words(unknown)


def test_agents_without_prices_are_listed_apart(open_page: Open, tmp_path: Path) -> None:
    add(tmp_path, "a", "1" * 20, 1, cost=0.01)
    add(tmp_path, "b", "1" * 20, 2, cost=0.02)
    add(tmp_path, "free", "1" * 20, 3)

    text = words(open_page("models"))

    assert "nobody costs no more and is no worse: a ·" in text
    assert "not drawn, without a price: free" in text
    assert "**$0.01 a case**" in text


def test_a_comparison_of_two_agents_opens_by_link(open_page: Open, tmp_path: Path) -> None:
    first = add(tmp_path, "a", "1" * 20, 1)
    second = add(tmp_path, "b", "0" * 20, 2)

    text = words(open_page("compare", agent="b", run=second, baseline=first))

    assert first in text
    assert "unknown" not in text


def test_names_are_never_markdown(open_page: Open, tmp_path: Path) -> None:
    for day, agent in enumerate(("[bot](http://127.0.0.1:9/)", "![x](http://127.0.0.1:9/p.png)"), 1):
        add(tmp_path, agent, "1" * 20, day, suite=replace(SUITE, name="# [suite](http://127.0.0.1:9/)"), cost=0.01)

    page = open_page("models")

    assert not page.exception
    assert "could not be drawn" not in words(page)
    for part in (*page.markdown, *page.caption):
        outside_code = "".join(str(part.value).split("`")[::2])
        assert "](http" not in outside_code.replace("\\]", "")
