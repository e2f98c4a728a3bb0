"""Adversarial cases beside their parents."""

from __future__ import annotations

from typing import Any

from agenteval.compare.measures import measures
from agenteval.compare.robustness import NO_PARENT, NO_STRATEGY, changed, holds_adversarial, robustness
from agenteval.model.attempt import Attempt
from agenteval.model.facts import facts_of
from agenteval.model.run import Run
from agenteval.model.status import Role
from tests.builders import a_run, an_attempt


def a_mutant(case_id: str, passed: bool | None, parent: str | None = None, strategy: str | None = None, **changes: Any) -> Attempt:
    return an_attempt(case_id, passed, **{"source": "adversarial", "parent_id": parent, "mutation_type": strategy, **changes})


def six() -> Run:
    """Parents a (passes) and b (fails); six decided mutants, of which two fail, one in error, one quarantined."""
    return a_run(
        [
            an_attempt("a"),
            an_attempt("b", False),
            a_mutant("held", True, "a", "authority"),
            a_mutant("with_parent", False, "b", "authority"),
            a_mutant("by_mutation", False, "a", "injection"),
            a_mutant("orphan", True, "gone", "injection", source="adversarial_redteam"),
            a_mutant("plain", True),
            a_mutant("named_elsewhere", True, "a", metadata={"strategy": "persona"}),
            a_mutant("lost", None, "a", "encoding"),
            a_mutant("benched", False, "a", "injection", role=Role.QUARANTINED),
        ]
    )


def test_the_rate_is_of_decided_adversarial_cases_alone() -> None:
    found = robustness(six()).total

    # held, with_parent, by_mutation, orphan, plain, named_elsewhere: 2 of 6. Wilson's ends by hand, with z = 1.959964:
    # (1/3 + z²/12 ± z √(1/27 + z²/144)) / (1 + z²/6).
    assert (found.value, found.n, dict(found.left_out)) == (2 / 6, 6, {"errors": 1})
    assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (0.0968, 0.7000)


def test_the_rate_is_the_run_s_own() -> None:
    run = six()
    own = measures(facts_of(attempt) for attempt in run.cases)["break_rate"]

    found = robustness(run).total

    assert (found.value, found.n, found.low, found.high) == (own.value, own.n, own.low, own.high)


def test_a_mutant_is_broken_by_the_mutation_where_its_parent_passed() -> None:
    mutants = robustness(six()).mutants

    assert [(m.case_id, m.broken, m.by_mutation) for m in mutants] == [
        ("by_mutation", True, True),
        ("benched", True, True),
        ("with_parent", True, False),
        ("lost", False, False),
        ("held", False, False),
        ("orphan", False, False),
        ("plain", False, False),
        ("named_elsewhere", False, False),
    ]
    assert {m.case_id for m in mutants if m.parent_status is None} == {"orphan", "plain"}


def test_groups_are_sorted_by_rate_and_a_group_without_verdicts_is_last() -> None:
    found = robustness(six())

    def told(groups: Any) -> list[tuple[str, int, float | None, int]]:
        return [(g.name, g.cases, g.measure.value, g.measure.n) for g in groups]

    assert told(found.strategies) == [
        ("authority", 2, 0.5, 2),
        ("injection", 2, 0.5, 2),
        (NO_STRATEGY, 1, 0.0, 1),
        ("persona", 1, 0.0, 1),
        ("encoding", 1, None, 0),
    ]
    # a: held, by_mutation, named_elsewhere decided, lost not.
    assert told(found.parents) == [("b", 1, 1.0, 1), ("a", 4, 1 / 3, 3), ("gone", 1, 0.0, 1), (NO_PARENT, 1, 0.0, 1)]


def test_changes_are_between_verdicts_and_of_cases_that_count() -> None:
    before = [a_mutant("by_mutation", True), a_mutant("held", False), a_mutant("with_parent", None), a_mutant("benched", True)]

    worse, better = changed(robustness(six()).mutants, [facts_of(attempt).outcome for attempt in before])

    assert [m.case_id for m in worse] == ["by_mutation"]
    assert [m.case_id for m in better] == ["held"]


def test_a_head_tells_whether_there_are_any() -> None:
    def holds(*attempts: Attempt) -> bool:
        return holds_adversarial(a_run(list(attempts), metrics=measures(map(facts_of, attempts))).head)

    assert holds(a_mutant("x", True))
    assert holds(a_mutant("x", None))
    assert not holds(an_attempt("x"), an_attempt("y", None))
    assert not holds_adversarial(a_run([an_attempt("x")]).head)
