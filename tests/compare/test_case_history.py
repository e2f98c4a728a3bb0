"""Cases over runs: what began to fail lately and lastingly comes first."""

from __future__ import annotations

import random

import pytest

from agenteval.compare.case_history import CaseHistory, Standing, case_histories
from agenteval.model.run import Outcome
from agenteval.model.status import Role, Status
from tests.builders import a_run, an_attempt

SIGNS = {"P": True, "F": False, "E": None}


def over(histories: dict[str, str], **changes: dict[str, object]) -> list[tuple[Outcome, ...]]:
    """Runs from a line a case: P passed, F failed, E agent error, S skipped, a blank where the run has no such case."""
    runs = []
    for place in range(max(map(len, histories.values()))):
        attempts = []
        for case_id, line in histories.items():
            sign = line[place]
            if sign == "S":
                attempts.append(an_attempt(case_id, status=Status.SKIPPED, correct=None, scores=()))
            elif sign != " ":
                attempts.append(an_attempt(case_id, SIGNS[sign], **changes.get(case_id, {})))
        runs.append(a_run(attempts).outcomes)
    return runs


def of(line: str) -> CaseHistory:
    (found,) = case_histories(over({"a": line}))
    return found


@pytest.mark.parametrize(
    ("line", "standing"),
    [
        ("PPPPPPFF", Standing.BEGAN),
        ("PPPPEFE", Standing.BEGAN),
        ("PPPSPFSFF", Standing.BEGAN),
        ("PPPPPPPF", Standing.FAILS),
        ("PPFF", Standing.FAILS),
        ("PPPFF", Standing.FAILS),
        ("PFPFFPFPPPFF", Standing.FAILS),
        ("FFFF", Standing.NEVER),
        ("F", Standing.NEVER),
        ("PPFFPP", Standing.MENDED),
        ("PPPP", Standing.PASSES),
        ("SS", Standing.PASSES),
    ],
)
def test_standings(line: str, standing: Standing) -> None:
    assert of(line).standing is standing


def test_luck_is_fishers_exact_probability() -> None:
    """PPPFF: 1 of C(5, 3) = 10 ways to lay the passes; PPPPFF: 1 of C(6, 4) = 15, > .05; PPPPPFF: 1 of 21."""
    assert [of("P" * passes + "FF").standing for passes in (3, 4, 5)] == [Standing.FAILS, Standing.FAILS, Standing.BEGAN]


def test_a_case_that_began_knows_when_and_after_how_many_passes() -> None:
    case = of("FPPPPP FSF")

    assert (case.since, case.failing, case.passed_before, case.failures) == (7, 2, 5, 3)


def test_runs_that_did_not_execute_the_case_neither_end_nor_make_a_row() -> None:
    assert of("PPPPPPFSFS").since == 6
    assert of("PPPPPPF F ").failing == 2


def test_the_latest_to_fail_for_good_comes_first_and_what_always_passed_last() -> None:
    histories = case_histories(
        over(
            {
                "always": "PPPPPPPPPP",
                "hopeless": "FFFFFFFFFF",
                "early": "PPPPPFFFFF",
                "late": "PPPPPPPPFF",
                "mended": "PFFFPPPPPP",
                "now": "PPPPPPPPPF",
            }
        )
    )

    assert [case.case_id for case in histories] == ["late", "early", "now", "hopeless", "mended", "always"]


def test_a_quarantined_case_stands_below_all_that_count() -> None:
    runs = over({"q": "PPPPPPFF", "a": "PPPPPPPP"}, q={"role": Role.QUARANTINED})

    assert [case.case_id for case in case_histories(runs)] == ["a", "q"]


def test_only_cases_with_the_tag() -> None:
    runs = over({"a": "PF", "b": "PP"}, a={"tags": ("refund",)})

    assert [case.case_id for case in case_histories(runs, "refund")] == ["a"]
    assert case_histories(runs, "no such tag") == []


def test_a_definition_that_changed_with_the_first_failure_is_told() -> None:
    before = over({"a": "PPPPPP"}, a={"definition": "one"})
    after = over({"a": "FF"}, a={"definition": "two"})

    (case,) = case_histories([*before, *after])

    assert (case.standing, case.redefined) == (Standing.BEGAN, True)
    assert not of("PPPPPPFF").redefined


def test_a_coin_seldom_seems_to_have_begun_to_fail() -> None:
    """Cases that fail in half of 30 runs: 1 in 16 ends in three passes, then failures; few of these are nearly all at the end."""
    draw = random.Random(4)
    lines = {f"c{place}": "".join(draw.choice("PF") for _ in range(30)) for place in range(1000)}

    began = [case for case in case_histories(over(lines)) if case.standing is Standing.BEGAN]

    assert len(began) / 1000 <= 0.02
