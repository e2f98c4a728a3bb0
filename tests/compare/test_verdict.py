"""The verdict: its outcome and its one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from agenteval.compare import compare_runs
from agenteval.model.gates import GateLimits, GateOutcome
from agenteval.model.run import Selection
from tests.compare.runs import case, compared, run

PIN = "pin this run with `agenteval baseline set latest`"
TESTED = {"require_statistical_significance": True}


@pytest.mark.parametrize(
    ("now", "then", "limits", "verdict", "sentence"),
    [
        pytest.param(
            "0" * 6 + "1" * 44,
            "1" * 50,
            {},
            "fail",
            "worse than the baseline: 6 of 50 regressed, p = .031: c0, c1, c2 and 3 more",
            id="worse",
        ),
        pytest.param(
            "000" + "e" + "1" * 46,
            "1" * 50,
            {},
            "fail",
            "worse than the baseline: 3 of 49 regressed, p = .25: c0, c1, c2; also failed: fail_on_agent_error",
            id="worse, and an error",
        ),
        pytest.param(
            "e" + "1" * 9,
            "1" * 10,
            {},
            "fail",
            "failed: 1 of 10 cases with an agent error: c0",
            id="as good, but an error",
        ),
        pytest.param(
            "000" + "1" * 47,
            "1" * 50,
            TESTED,
            "pass",
            "within noise: 3 of 50 regressed, p = .25: c0, c1, c2; a drop of 6 pts is not proven",
            id="within noise",
        ),
        pytest.param(
            "1" * 50,
            "0" * 6 + "1" * 44,
            {},
            "pass",
            "better than the baseline: +12 pts, p = .031; 0 of 50 regressed, 6 improved",
            id="better",
        ),
        pytest.param(
            "00000",
            "11111",
            TESTED,
            "inconclusive",
            "inconclusive: 5 of 5 regressed, p = .063: c0, c1, c2 and 2 more; "
            "a drop of 100 pts is not proven and too large to ignore: repeat cases or add some",
            id="inconclusive",
        ),
        pytest.param(
            "1101111111", "1101111111", {}, "pass", "no worse than the baseline: all 10 cases as before, 90% correct", id="unchanged"
        ),
        pytest.param(
            "ee11",
            "1111",
            {"fail_on_agent_error": False},
            "pass",
            "no worse than the baseline: all 2 cases as before, 100% correct; left out: 2 agent errors",
            id="errors allowed",
        ),
        pytest.param(
            "1100",
            "11",
            {},
            "pass",
            "no worse than the baseline: all 2 cases as before, 100% correct; 2 new cases failed",
            id="new cases fail",
        ),
        pytest.param("1", "1", {}, "pass", "no worse than the baseline: the one case as before, 100% correct", id="one case"),
        pytest.param(
            "0" + "1" * 49,
            "1" * 49 + "0",
            {},
            "pass",
            "no worse than the baseline: 1 of 50 regressed, 1 improved: c0; the smallest drop this suite would have shown is 15.4 pts",
            id="moved within the limit",
        ),
        pytest.param(
            "111",
            "110",
            {},
            "pass",
            "no worse than the baseline: 0 of 3 regressed, 1 improved; 3 paired cases can show no drop, however large",
            id="too few to show anything",
        ),
        pytest.param(
            "ee",
            "11",
            {"fail_on_agent_error": False, "max_correctness_drop": None},
            "not_evaluated",
            "nothing was decided: 2 agent errors",
            id="no verdicts",
        ),
        pytest.param(
            "uus", "111", {"fail_on_skipped": False}, "not_evaluated", "nothing was decided: 1 skipped, 2 unscored", id="unscored"
        ),
    ],
)
def test_against_a_baseline(now: str, then: str, limits: dict[str, Any], verdict: str, sentence: str) -> None:
    found = compare_runs(run(now), run(then), GateLimits(**limits)).verdict

    assert (found.outcome.value, found.sentence) == (verdict, sentence)


@pytest.mark.parametrize(
    ("letters", "limits", "verdict", "sentence"),
    [
        pytest.param("111", {}, "pass", f"no baseline: all 3 decided cases pass; {PIN}", id="all pass"),
        pytest.param(
            "1001",
            {},
            "fail",
            f"no baseline: every case must pass; 2 of 4 failed: c1, c2; to accept this, {PIN}",
            id="two fail",
        ),
        pytest.param("11e", {}, "fail", "no baseline: 1 of 3 cases with an agent error: c2", id="an error"),
        pytest.param("eee", {}, "fail", "no baseline: 3 of 3 cases with an agent error: c0, c1, c2", id="all errors fail"),
        pytest.param("eee", {"fail_on_agent_error": False}, "not_evaluated", "nothing was decided: 3 agent errors", id="errors allowed"),
        pytest.param("uuu", {}, "not_evaluated", "nothing was decided: 3 unscored", id="unscored"),
        pytest.param("11u", {}, "pass", f"no baseline: all 2 decided cases pass; {PIN}", id="some unscored"),
        pytest.param("", {}, "not_evaluated", "nothing was decided: no case counts", id="no case"),
    ],
)
def test_without_a_baseline(letters: str, limits: dict[str, Any], verdict: str, sentence: str) -> None:
    found = compare_runs(run(letters), None, GateLimits(**limits)).verdict

    assert (found.outcome.value, found.sentence, found.baseline) == (verdict, sentence, None)


def test_a_smoke_selection_passes_against_the_full_baseline() -> None:
    found = compare_runs(run("11", selection=Selection({"smoke": True}, 48)), run("1" * 50), GateLimits())

    assert found.verdict.passed
    assert found.verdict.details["not_selected"] == 48


def test_a_selection_of_new_cases_alone_proves_nothing() -> None:
    found = compare_runs(run("", case("new"), selection=Selection({"case_id": ["new"]}, 3)), run("111"), GateLimits()).verdict

    assert (found.outcome, found.sentence) == (
        GateOutcome.INCONCLUSIVE,
        "inconclusive: no evidence: no case was decided in both runs",
    )


def test_only_pass_is_a_pass() -> None:
    assert compared("1", "1").verdict.passed
    assert not compared("00000", "11111", **TESTED).verdict.passed
    assert not compared("u", None).verdict.passed


def test_the_verdict_names_its_baseline() -> None:
    assert compared("1", "1").verdict.baseline == "20261129T120000Z-abc1234-000001"
