"""The page Robustness: which adversarial cases broke the agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agenteval.model.attempt import Attempt
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

FIRST, SECOND = "20261129T120000Z-abc1234-000001", "20261130T120000Z-abc1234-000002"


def a_mutant(case_id: str, passed: bool | None, parent: str | None = "refund", **changes: Any) -> Attempt:
    return an_attempt(case_id, passed, **{"source": "adversarial", "parent_id": parent, "mutation_type": "authority", **changes})


def six(*broken: int) -> list[Attempt]:
    return [an_attempt("refund"), *(a_mutant(f"m{n}", n not in broken) for n in range(6))]


def listed(page: Any) -> list[str]:
    return [item.proto.label for item in page.sidebar.get("page_link")]


def linked(page: Any) -> list[str]:
    return [item.proto.label.replace("\\", "") for item in page.main.get("page_link")]


@pytest.fixture
def two_runs(tmp_path: Path) -> None:
    first = store(tmp_path, six(), FIRST, pin=True)
    store(tmp_path, six(2), SECOND, baseline=first)


@pytest.mark.usefixtures("two_runs")
def test_the_first_line_says_how_many_broke_the_agent(open_page: Open) -> None:
    page = open_page("robustness")

    assert not page.exception
    shown = words(page)
    # Wilson's interval of 1 of 6 is 3.0 to 56.4 percent.
    assert "#### 1 of 6 adversarial cases broke the agent: 17%, 95% interval 3–56%." in shown
    assert "Broken by the mutation, as the parent passed: 1 of 1 (m2)." in shown
    assert "✕ 1 now broken] m2" in shown
    assert "2 runs of this suite" in shown


@pytest.mark.usefixtures("two_runs")
def test_each_case_stands_beside_its_parent_with_links_to_both(open_page: Open) -> None:
    page = open_page("robustness")

    labels = linked(page)
    assert labels[:2] == [":red[✕ failed] `m2`", ":gray[parent] :green[✓ passed] `refund`"]
    assert len(labels) == 12
    assert words(page).count("broken by the mutation") == 1


@pytest.mark.usefixtures("two_runs")
def test_a_run_that_holds_says_none(open_page: Open) -> None:
    # 0 of 6: 0 to 39.0 percent.
    assert "None of 6 adversarial cases broke the agent: 0%, 95% interval 0–39%." in words(open_page("robustness", run=FIRST))


def test_a_parent_that_fails_too_is_told_from_a_break_by_the_mutation(tmp_path: Path, open_page: Open) -> None:
    store(tmp_path, [an_attempt("refund", False), a_mutant("a", False), a_mutant("b", False, "gone"), a_mutant("c", True, None)], FIRST)

    shown = words(open_page("robustness"))

    assert "In none of them did a parent pass, so the mutation alone can't be blamed." in shown
    assert "broken by the mutation" not in shown
    assert "parent gone is not in this run" in shown
    assert "no parent named" in shown


def test_errors_are_no_evidence(tmp_path: Path, open_page: Open) -> None:
    store(tmp_path, [an_attempt("refund"), a_mutant("a", None)], FIRST)

    page = open_page("robustness")

    assert "Robustness" in listed(page)
    assert "No evidence: no adversarial case was decided (1 error left out)." in words(page)


def test_without_adversarial_cases_the_page_is_not_listed_and_says_what_to_do(tmp_path: Path, open_page: Open) -> None:
    store(tmp_path, [an_attempt("refund")], FIRST)

    page = open_page("robustness")

    assert "Robustness" not in listed(page)
    assert "No adversarial case was run yet" in words(page)
    assert "parent_id: refund_after_30_days" in words(page)


def test_a_run_without_them_leads_to_those_that_have_some(tmp_path: Path, open_page: Open) -> None:
    store(tmp_path, six(1), FIRST)
    store(tmp_path, [an_attempt("refund")], SECOND)

    page = open_page("robustness")

    assert "Robustness" in listed(page)
    assert "No adversarial case in this run" in words(page)
    assert [FIRST in label for label in linked(page)] == [True]


def test_what_others_named_is_text(tmp_path: Path, open_page: Open) -> None:
    said = "![x](http://evil.test/x.png) **bold** [go](//evil.test)"
    store(tmp_path, [an_attempt(said), a_mutant("a", False, said, mutation_type=said)], FIRST)

    page = open_page("robustness")

    assert not page.exception
    assert not [text.value for text in page.markdown if "![x]" in text.value.replace(f"`{said}`", "")]
