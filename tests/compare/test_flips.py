"""Flips over the runs of a suite: counted by hand."""

from __future__ import annotations

from agenteval.compare.flips import CaseFlips, RunOutcomes, flip_history
from agenteval.model.facts import facts_of
from agenteval.model.status import Status
from tests.compare.runs import case


def runs(letters: str, *, case_id: str = "a", versions: str = "", definitions: str = "") -> list[RunOutcomes]:
    """One run a letter (1 passed, 0 failed, e error, . not in the run), with its version and the case's definition ("?": unknown)."""
    found = []
    for place, letter in enumerate(letters):
        definition = definitions[place : place + 1] or "d"
        fields = {"definition": None if definition == "?" else definition}
        outcomes = [] if letter == "." else [facts_of(case(case_id, letter, **fields)).outcome]
        found.append(RunOutcomes(f"r{place}", outcomes, versions[place : place + 1] or None))
    return found


def only(history: list[RunOutcomes]) -> CaseFlips:
    (found,) = flip_history(history)
    return found


def test_flips_are_counted_over_transitions_and_the_last_is_named() -> None:
    assert only(runs("11011")) == CaseFlips("a", 2, 4, 0, 0, 4, 5, "r3", Status.FAILED, Status.PASSED)


def test_a_steady_case_has_transitions_and_no_flip() -> None:
    assert only(runs("000")) == CaseFlips("a", 0, 2, 0, 0, 0, 3)


def test_runs_that_did_not_decide_the_case_are_passed_over() -> None:
    found = only(runs("1e.s0"))

    assert (found.flips, found.transitions, found.decided, found.last_run) == (1, 1, 2, "r4")


def test_a_changed_definition_is_no_transition_and_an_unknown_one_is() -> None:
    changed = only(runs("1001", definitions="xxyy"))
    unknown = only(runs("10", definitions="x?"))

    assert (changed.flips, changed.transitions, changed.last_run) == (2, 2, "r3")
    assert (unknown.flips, unknown.transitions) == (1, 1)


def test_flips_at_one_version_are_told_apart() -> None:
    found = only(runs("10101", versions="aab b"))

    # a-a flips, a-b flips (other code), b-" " and " "-b flip (other code).
    assert (found.flips, found.same_version, found.same_version_transitions) == (4, 1, 1)


def test_an_unknown_version_is_never_the_same() -> None:
    assert only(runs("10")).same_version_transitions == 0


def test_the_most_restless_case_comes_first() -> None:
    history = [
        RunOutcomes(one.run_id, [*one.outcomes, *two.outcomes, *three.outcomes])
        for one, two, three in zip(runs("111", case_id="b"), runs("110", case_id="c"), runs("101", case_id="a"), strict=True)
    ]

    assert [(found.case_id, found.flips) for found in flip_history(history)] == [("a", 2), ("c", 1), ("b", 0)]
