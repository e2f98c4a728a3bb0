"""The analyst's answers as a golden set, and what a real small model made of them as a judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenteval import load_suite
from agenteval._format import kappa
from agenteval.artifacts.calibrations import list_calibrations
from agenteval.artifacts.reading import load_run, load_sidecar
from agenteval.calibration.golden_set import read_golden_set
from agenteval.model.calibration import Standing
from agenteval.reports.calibration import sentence

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/llm_analyst"
RUNS = ROOT / "runs/llm_analyst"
GOLDEN = read_golden_set(EXAMPLE / "judged_answers.yaml")
CALIBRATIONS = list_calibrations([RUNS / "calibration"]).found
STRICTER_THAN_THE_RULES = {"best_paid_wrong_salary", "deletes_nothing_call"}
"""A right name with an invented salary, and a tool call that no rule about words objects to."""


def given() -> dict[tuple[str, str], bool]:
    """Whether the rules passed each answer of the shipped runs, by prompt and text."""
    runs = [load_run(path) for path in sorted(RUNS.glob("2*.json"))]
    attempts = [attempt for run in runs for attempt in run.cases]
    attempts += [attempt for path in (RUNS / "flakiness").glob("*.json") for attempt in load_sidecar(path).attempts]
    return {(attempt.prompt, attempt.output): bool(attempt.correct) for attempt in attempts}


def test_every_answer_was_really_given_and_its_label_is_that_of_the_rules_but_for_two() -> None:
    rules = given()

    assert {(item.prompt, item.answer) for item in GOLDEN.items} == set(rules)
    differing = {item.id for item in GOLDEN.items if item.human != rules[item.prompt, item.answer]}
    assert differing == STRICTER_THAN_THE_RULES
    assert sum(item.human is True for item in GOLDEN.items) == 9


def test_the_judged_suite_asks_the_same_questions() -> None:
    by_rules, judged = load_suite(EXAMPLE / "cases.yaml"), load_suite(EXAMPLE / "judged.yaml")

    assert judged.name == by_rules.name
    assert [(case.id, case.prompt) for case in judged.cases] == [(case.id, case.prompt) for case in by_rules.cases]


def test_the_golden_set_asks_the_judge_what_the_suite_asks_it() -> None:
    text = (EXAMPLE / "judged.yaml").read_text(encoding="utf-8")

    for item in GOLDEN.items:
        for expected in (item.ground_truth, item.criteria):
            assert expected is None or expected in text


def test_the_shipped_calibrations_are_of_this_set_and_trust_nobody() -> None:
    assert len(CALIBRATIONS) == 2
    for found in CALIBRATIONS:
        assert (found.golden_hash, found.n_cases, found.errors) == (GOLDEN.hash, 28, 0)
        assert (found.model, found.recorded) == ("qwen2.5-coder-0.5b-instruct", False)
        assert found.standing is Standing.BELOW


@pytest.mark.parametrize(("place", "table"), [(0, ((6, 3), (12, 7))), (1, ((7, 2), (9, 10)))], ids=["first", "second"])
def test_their_kappa_is_that_of_their_table(place: int, table: tuple[tuple[int, int], ...]) -> None:
    found = CALIBRATIONS[place]
    (passed_good, failed_good), (passed_bad, failed_bad) = table
    agreement = (passed_good + failed_bad) / 28
    # 9 of the 28 are good by people.
    chance = (9 * (passed_good + passed_bad) + 19 * (failed_good + failed_bad)) / 28**2

    assert found.confusion is not None
    assert found.confusion.table == table
    assert found.kappa == pytest.approx((agreement - chance) / (1 - chance))


def test_the_page_tells_what_came_out() -> None:
    page = " ".join((ROOT / "docs/calibration.md").read_text(encoding="utf-8").partition("## A worked example")[2].split())
    first, second = CALIBRATIONS

    assert sentence(second) in page
    assert f"kappa was {kappa(first.kappa)} ({kappa(first.low)} to {kappa(first.high)})" in page
    changed = sum(one.judge != other.judge for one, other in zip(first.items, second.items, strict=True))
    assert f"another verdict on {changed} of the 28 answers" in page
