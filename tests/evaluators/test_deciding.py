"""From scores to a case's status."""

from __future__ import annotations

import pytest

from agenteval.evaluators import decide
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status

PASSED, FAILED, ERROR, UNSCORED = Status.PASSED, Status.FAILED, Status.EVALUATOR_ERROR, Status.UNSCORED
HOLDS, FAILS = Score("a", 1.0, True), Score("a", 0.0, False)
BROKEN, ABSENT, LEFT_OUT = Score("a", error="ValueError: x"), Score("a", reason="not applicable: x"), Score("a", skipped=True)
RIGHT, WRONG = Score("exact", 1.0, True, feeds=Feeds.CORRECTNESS), Score("exact", 0.0, False, feeds=Feeds.CORRECTNESS)
OBSERVED = Score("t", 0.2, False, required=False)


@pytest.mark.parametrize(
    ("scores", "status", "correct"),
    [
        pytest.param([HOLDS, HOLDS], PASSED, True, id="all-hold"),
        pytest.param([HOLDS, FAILS], FAILED, False, id="one-fails"),
        pytest.param([HOLDS, OBSERVED], PASSED, True, id="observed-decides-nothing"),
        pytest.param([HOLDS, BROKEN], ERROR, None, id="required-error"),
        pytest.param([FAILS, BROKEN], ERROR, None, id="error-beside-failure"),
        pytest.param([HOLDS, Score("a", required=False, error="x")], PASSED, True, id="observed-error"),
        pytest.param([HOLDS, ABSENT], PASSED, True, id="decided-by-the-others"),
        pytest.param([ABSENT], ERROR, None, id="nothing-to-judge"),
        pytest.param([ABSENT, OBSERVED], ERROR, None, id="only-observed-decided"),
        pytest.param([], ERROR, None, id="no-check"),
        pytest.param([LEFT_OUT], UNSCORED, None, id="left-out"),
        pytest.param([LEFT_OUT, ABSENT], UNSCORED, None, id="left-out-and-absent"),
        pytest.param([LEFT_OUT, FAILS], FAILED, False, id="left-out-and-decided"),
        pytest.param([RIGHT, FAILS], FAILED, True, id="correct-but-failed"),
        pytest.param([WRONG, HOLDS], FAILED, False, id="wrong"),
        pytest.param([Score("llm_judge", skipped=True, feeds=Feeds.CORRECTNESS), HOLDS], PASSED, None, id="correctness-left-out"),
    ],
)
def test_all_required_checks_must_hold(scores: list[Score], status: Status, correct: bool | None) -> None:
    assert decide(scores) == (status, correct)


@pytest.mark.parametrize(
    ("scores", "status", "correct"),
    [
        ([HOLDS], FAILED, False),
        ([FAILS], PASSED, True),
        ([RIGHT, FAILS], PASSED, False),
        ([BROKEN], ERROR, None),
        ([ABSENT], ERROR, None),
        ([LEFT_OUT], UNSCORED, None),
    ],
    ids=["holds", "fails", "right-but-failed", "error", "absent", "left-out"],
)
def test_expecting_failure_inverts_verdicts_and_never_errors(scores: list[Score], status: Status, correct: bool | None) -> None:
    assert decide(scores, expect_pass=False) == (status, correct)


@pytest.mark.parametrize(
    ("scores", "turns", "required", "status"),
    [
        ([HOLDS], [PASSED, FAILED], True, FAILED),
        ([HOLDS], [PASSED, FAILED], False, PASSED),
        ([], [PASSED, UNSCORED], True, PASSED),
        ([], [UNSCORED], True, UNSCORED),
        ([HOLDS], [UNSCORED], True, PASSED),
        ([HOLDS], [ERROR, FAILED], False, ERROR),
        ([HOLDS], [Status.AGENT_ERROR], True, Status.AGENT_ERROR),
        ([], [PASSED], False, ERROR),
    ],
)
def test_turns_count_unless_they_are_not_required(scores: list[Score], turns: list[Status], required: bool, status: Status) -> None:
    assert decide(scores, turn_statuses=turns, turns_required=required)[0] is status
