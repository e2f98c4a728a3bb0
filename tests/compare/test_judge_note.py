"""The sentence about a run's judge: said where people do not confirm it, silent where they do or a gate says it."""

from __future__ import annotations

import pytest

from agenteval.compare import compare_runs
from agenteval.compare.judge_note import judge_note
from agenteval.model.gates import GateOutcome, GateResult, Verdict
from agenteval.model.run import Measure
from agenteval.reports.console import run_text
from tests.builders import a_run, an_attempt

SILENT = Verdict(GateOutcome.PASS, "fine")
JUDGED = {"judged_pass_rate": Measure(8 / 13, 13, "rate", "higher")}


def with_kappa(value: float | None, low: float | None = None, high: float | None = None) -> dict[str, Measure]:
    return JUDGED | {"judge_kappa": Measure(value, 28, "score", "higher", {}, low, high)}


@pytest.mark.parametrize(
    ("metrics", "told"),
    [
        pytest.param(
            with_kappa(0.03, -0.27, 0.33),
            "13 answers were judged by a model that agrees too little with people to gate on: "
            "kappa 0.03, 95% −0.27 to 0.33, n 28, limit 0.60",
            id="below the limit",
        ),
        pytest.param(
            with_kappa(0.7, 0.45, 0.95),
            "13 answers were judged by a model whose agreement with people is not sure enough to gate on: "
            "kappa 0.70, 95% 0.45 to 0.95, n 28, limit 0.60",
            id="limit within the interval",
        ),
        pytest.param(
            with_kappa(None),
            "13 answers were judged by a model that agrees too little with people to gate on: kappa n/a, n 28, limit 0.60",
            id="no kappa",
        ),
        pytest.param(
            JUDGED,
            "13 answers were judged by a model that was never set against people: what its verdicts are worth is not known; "
            "see `agenteval calibrate`",
            id="not calibrated",
        ),
        pytest.param(with_kappa(0.8, 0.6, 0.95), "", id="trusted"),
        pytest.param({}, "", id="nothing judged"),
    ],
)
def test_what_is_said_of_a_judge(metrics: dict[str, Measure], told: str) -> None:
    assert judge_note(metrics, SILENT) == told


def test_a_gate_on_kappa_speaks_for_itself() -> None:
    verdict = Verdict(GateOutcome.FAIL, "kappa", (GateResult("min_judge_kappa", GateOutcome.FAIL, "kappa 0.03 < 0.60"),))

    assert judge_note(with_kappa(0.03, -0.27, 0.33), verdict) == ""


def test_the_note_stands_in_the_run_s_report_and_in_every_comparison() -> None:
    metrics = with_kappa(0.03, -0.27, 0.33)
    run, before = a_run([an_attempt("a")], metrics=metrics), a_run([an_attempt("a")], run_id="20261129T120000Z-abc1234-000001")
    told = judge_note(metrics, SILENT)

    assert compare_runs(run, None).notes == (told,)
    assert told in compare_runs(run, before).notes
    assert f"\n\n  note: {told}\n\n" in run_text(run, compare_runs(run, None))
