"""The corrected rate of a calibrated judge: how it is told, and the gate on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agenteval import _format
from agenteval.artifacts.calibrations import write_calibration
from agenteval.artifacts.codec import measure_from_json, measure_to_json
from agenteval.model.gates import GateLimits, GateOutcome, GateResult
from tests.calibration.test_in_a_run import a_calibration, a_project, metrics, model
from tests.llm.server import Endpoint
from tests.runner.project import Project

__all__ = ["model"]  # a fixture


@pytest.fixture
def project(tmp_path: Path, model: Endpoint) -> Iterator[Project]:
    """Ten answers, seven of which the judge passes."""
    yield a_project(tmp_path, model)


def gate(project: Project, limit: float) -> GateResult:
    limits = GateLimits(min_judged_pass_rate=limit, written=frozenset({"min_judged_pass_rate"}))
    verdict = project.run(limits=lambda base: limits).comparison.verdict
    return next(gate for gate in verdict.gates if gate.gate == "min_judged_pass_rate")


@pytest.mark.parametrize(("limit", "outcome"), [(0.65, GateOutcome.PASS), (0.7, GateOutcome.FAIL)])
def test_the_gate_holds_the_corrected_rate_and_not_the_raw_one(
    project: Project, tmp_path: Path, limit: float, outcome: GateOutcome
) -> None:
    write_calibration(tmp_path / "runs", a_calibration())

    found = gate(project, limit)

    # Raw .70. Sensitivity 36/40, specificity 15/20: (.7 + .75 - 1) / (.9 + .75 - 1) = .6923.
    assert found.outcome is outcome
    assert found.value == pytest.approx(0.45 / 0.65)
    assert found.message.startswith("min_judged_pass_rate: judged_pass_rate_corrected 69% (n 10 · ")
    assert "corrected by the judge's sensitivity 90% (36 of 40 · " in found.message
    assert " and specificity 75% (15 of 20 · " in found.message


def test_the_gate_fails_without_a_calibration(project: Project) -> None:
    found = gate(project, 0.1)

    assert found.outcome is GateOutcome.FAIL
    assert found.message.startswith("min_judged_pass_rate: no evidence: no calibration of this run's judge allows a corrected rate")


def test_the_corrected_rate_is_a_percentage_and_no_count_of_cases(project: Project, tmp_path: Path) -> None:
    write_calibration(tmp_path / "runs", a_calibration())

    found = metrics(project)["judged_pass_rate_corrected"]

    assert _format.measure(found).startswith("69% · n 10 · ")
    assert measure_from_json(measure_to_json(found)) == found
