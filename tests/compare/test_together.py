"""Cases that flake together: shown by tests over pairs, never by a shared word alone."""

from __future__ import annotations

import random

import pytest
import scipy.stats

from agenteval.compare.together import flake_groups, signature
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.facts import facts_of
from agenteval.model.response import ToolCall
from agenteval.model.run import Outcome
from agenteval.model.status import ErrorKind
from tests.builders import an_attempt

OUTAGE = "1011011010"


def observed(case_id: str, verdicts: str, **fields: object) -> list[Attempt]:
    return [an_attempt(case_id, digit == "1", repetition=i, **fields) for i, digit in enumerate(verdicts)]


def test_cases_that_fail_in_the_same_repetitions_are_a_group_with_what_they_share() -> None:
    calls = (ToolCall("search"), ToolCall("book"))
    observations = {
        "a": observed("a", OUTAGE, tool_calls=calls, tags=("refund",)),
        "b": observed("b", OUTAGE, tool_calls=calls[:1], tags=("billing",)),
        "c": observed("c", "1101110101", tool_calls=calls),
        "steady": observed("steady", "1111111111", tool_calls=calls),
    }

    (group,) = flake_groups(observations)

    assert (group.cases, group.basis, group.observations, group.shared) == (("a", "b"), "flip together", 10, ("tool:search",))
    assert group.correlation == pytest.approx(1.0)
    assert group.p == pytest.approx(3 * scipy.stats.fisher_exact([[6, 0], [0, 4]], alternative="greater").pvalue)


def test_five_repetitions_cannot_show_it() -> None:
    assert flake_groups({"a": observed("a", "10110"), "b": observed("b", "10110")}) == []


def test_cases_that_flip_against_each_other_are_no_group() -> None:
    assert flake_groups({"a": observed("a", "1010101010"), "b": observed("b", "0101010101")}) == []


def history(**verdicts: str) -> list[list[Outcome]]:
    """Runs, oldest first, from one digit a run for each case."""
    return [
        [facts_of(an_attempt(case_id, digits[place] == "1")).outcome for case_id, digits in verdicts.items()]
        for place in range(len(next(iter(verdicts.values()))))
    ]


def test_flips_in_the_same_runs_count_as_shared_observations() -> None:
    (group,) = flake_groups({}, history(a=OUTAGE, b=OUTAGE))

    assert (group.cases, group.observations, group.shared) == (("a", "b"), 9, ())
    assert group.p == pytest.approx(1 / 36)  # 7 of 9 transitions flip, in both cases the same: one choice of 9 over 7


def test_cases_that_one_change_broke_for_good_do_not_flake_together() -> None:
    assert flake_groups({}, history(a="1111111111000000000000", b="1111111111000000000000")) == []


def test_repetitions_and_runs_are_two_tables_of_one_test() -> None:
    """Both cases fail often in repetitions and flip rarely over runs; thrown together that alone would look like a link."""
    observations = {"a": observed("a", "1010101010"), "b": observed("b", "0101010101")}
    runs = history(a="1" * 20, b="1" * 20)

    assert flake_groups(observations, runs) == []


def test_two_tables_are_tested_by_the_sum_of_their_counts() -> None:
    observations = {"a": observed("a", "10110"), "b": observed("b", "10110")}
    runs = history(a="110111", b="110111")

    (group,) = flake_groups(observations, runs)

    # 2 of 5 repetitions and 2 of 5 transitions, each time the same two: one of 10 choices, twice.
    assert (group.observations, group.p) == (10, pytest.approx(1 / 10 * 1 / 10))
    assert group.correlation == pytest.approx(1.0)


def test_what_is_shared_says_how_many_other_flaky_cases_carry_it_too() -> None:
    both, common = (ToolCall("search"), ToolCall("book")), (ToolCall("search"),)
    observations = {
        "a": observed("a", OUTAGE, tool_calls=both),
        "b": observed("b", OUTAGE, tool_calls=both),
        "c": observed("c", "1101110101", tool_calls=common),
    }

    (group,) = flake_groups(observations)

    assert (group.shared, group.elsewhere, group.others) == (("tool:book", "tool:search"), (0, 1), 1)


def test_failures_of_past_runs_say_what_groups_without_repeats_share() -> None:
    failures = {case_id: [an_attempt(case_id, False, tags=("refund",))] for case_id in ("a", "b")}

    (group,) = flake_groups({}, history(a=OUTAGE, b=OUTAGE), failures)

    assert group.shared == ("tag:refund",)


def test_flaky_cases_with_one_error_are_a_group() -> None:
    def outage(case_id: str, number: int) -> list[Attempt]:
        error = Failure(ErrorKind.EXCEPTION, "ConnectionError", f"upstream {number} refused")
        return [an_attempt(case_id), an_attempt(case_id, None, repetition=1, error=error)]

    (group,) = flake_groups({"a": outage("a", 17), "b": outage("b", 9041)})

    assert (group.cases, group.basis, group.correlation) == (("a", "b"), "same error", None)
    assert group.shared == ("error:ConnectionError: upstream # refused",)


def test_independent_flakes_make_no_groups() -> None:
    draw = random.Random(4)
    observations = {f"c{i}": observed(f"c{i}", "".join(draw.choice("01") for _ in range(20))) for i in range(40)}

    assert flake_groups(observations) == []


def test_signatures_drop_what_varies() -> None:
    assert signature("HTTP 503 at 0x7f3a for 123e4567-e89b-12d3-a456-426614174000") == "HTTP # at # for #"


def test_independent_cases_over_repeats_and_runs_seldom_make_a_group() -> None:
    """Forty suites without any link; adjusted over all pairs, a group may appear in one of twenty."""
    found = 0
    for seed in range(40):
        draw = random.Random(seed)
        chances = [draw.uniform(0.4, 0.97) for _ in range(15)]
        runs = [[facts_of(an_attempt(f"c{i}", draw.random() < chance)).outcome for i, chance in enumerate(chances)] for _ in range(20)]
        repeats = {f"c{i}": observed(f"c{i}", "".join("01"[draw.random() < chance] for _ in range(10))) for i, chance in enumerate(chances)}
        found += bool(flake_groups(repeats, runs))

    assert found <= 4  # of Bin(40, 0.05) five or more come up once in twenty
