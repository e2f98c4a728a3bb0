"""Several agents on one suite: pairs by hand, Holm over the pairs, and no winner without proof."""

from __future__ import annotations

import pytest
import scipy.stats
import statsmodels.stats.multitest

from agenteval.compare.contenders import Duel, duels, leader
from agenteval.model.run import Run
from tests.compare.runs import case, repeated, run


def of(found: list[Duel], *names: str) -> Duel:
    return next(duel for duel in found if {duel.first, duel.second} == set(names))


def test_every_two_are_tested_over_the_cases_that_both_decided() -> None:
    (duel,) = duels({"weak": run("00001111" + "e1"), "strong": run("11111111" + "1e")})

    assert (duel.first, duel.second, duel.cases) == ("strong", "weak", 8)
    assert (duel.first_rate, duel.second_rate, duel.difference) == (1.0, 0.5, 0.5)
    assert (duel.test.regressed, duel.test.improved) == (0, 4)
    assert duel.test.p == pytest.approx(scipy.stats.binomtest(0, 4).pvalue)
    assert duel.p_adjusted == duel.test.p
    assert duel.low is not None
    assert duel.low > 0 or not duel.told_apart


def test_p_is_adjusted_by_holm_over_the_pairs() -> None:
    runs = {"a": run("1" * 20), "b": run("0" * 6 + "1" * 14), "c": run("0" * 9 + "1" * 11)}

    found = duels(runs)

    raw = [scipy.stats.binomtest(0, changed).pvalue for changed in (6, 9, 3)]
    expected = statsmodels.stats.multitest.multipletests(raw, method="holm")[1]
    assert [duel.p_adjusted for duel in found] == pytest.approx(list(expected))
    assert [duel.told_apart for duel in found] == [bool(p <= 0.05) for p in expected]


def test_repeats_on_both_sides_are_tested_over_case_means() -> None:
    (duel,) = duels({"a": repeated(["1111", "1110", "1100"]), "b": repeated(["1100", "1000", "0000"])})

    assert duel.test.method == "sign-flip over cases"
    assert duel.difference == pytest.approx(0.5)
    assert duel.p_adjusted == pytest.approx(2 / 8)  # all three differ the same way: 2 of 8 sign patterns


def test_an_edited_case_is_in_the_rates_and_in_no_test() -> None:
    (duel,) = duels({"a": run("", case("x", "1"), case("y", "1", definition="new")), "b": run("", case("x", "1"), case("y", "0"))})

    assert (duel.cases, duel.edited, duel.test.n_pairs, duel.test.p) == (2, 1, 1, 1.0)
    assert duel.difference == 0.5


def test_agents_without_a_common_case_are_never_told_apart() -> None:
    (duel,) = duels({"a": run("", case("x")), "b": run("", case("y"))})

    assert (duel.cases, duel.difference, duel.p_adjusted, duel.told_apart) == (0, None, None, False)


def rates(runs: dict[str, Run]) -> dict[str, tuple[float, int]]:
    return {name: (run.head.metrics["correctness_rate"].value or 0.0, run.head.metrics["correctness_rate"].n) for name, run in runs.items()}


def test_the_best_is_named_with_those_it_can_not_be_told_apart_from() -> None:
    runs = {"a": run("1" * 20), "b": run("0" * 10 + "1" * 10), "c": run("0" + "1" * 19)}

    found = leader(rates(runs), duels(runs))

    assert found is not None
    assert (found.name, [(duel.first, duel.second) for duel in found.undecided]) == ("a", [("a", "c")])


def test_a_best_that_beats_everyone_has_nothing_undecided() -> None:
    runs = {"a": run("1" * 20), "b": run("0" * 10 + "1" * 10)}

    found = leader(rates(runs), duels(runs))

    assert found is not None
    assert (found.name, found.undecided) == ("a", ())


def test_of_equal_rates_the_one_with_more_decided_cases_leads() -> None:
    found = leader({"a": (1.0, 3), "b": (1.0, 20)}, [])

    assert found is not None
    assert found.name == "b"
    assert leader({}, []) is None
