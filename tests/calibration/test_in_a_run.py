"""What a calibration does for the runs whose answers the same judge judges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agenteval.artifacts.calibrations import write_calibration
from agenteval.calibration.measuring import measured
from agenteval.calibration.session import ask
from agenteval.evaluators.questions import VERSION
from agenteval.llm.settings import ModelSettings
from agenteval.model.calibration import Calibration
from agenteval.model.gates import GateLimits, GateOutcome
from agenteval.model.run import Measure
from tests.calibration.judges import ScriptedJudge
from tests.calibration.test_measuring import a_set, an_item
from tests.llm.server import Answer, Endpoint, endpoint, said
from tests.runner.project import Project

NEGATED = {"evaluators": [{"not": {"llm_judge": {"criteria": "polite"}}}]}


@pytest.fixture
def model() -> Iterator[Endpoint]:
    with endpoint() as served:
        served.reply = lambda request, number: Answer(json.dumps({"passed": "bad" not in said(request), "reason": "so it is"}))
        yield served


def a_project(tmp_path: Path, model: Endpoint, cases: int = 10, bad: int = 3, **case: object) -> Project:
    (tmp_path / ".git").mkdir()
    prompts = [f"bad {n}" for n in range(bad)] + [f"fine {n}" for n in range(cases - bad)]
    written = case or {"evaluators": [{"llm_judge": {"criteria": "polite"}}]}
    suite = {
        "judge": {"model": "judge-1", "base_url": model.url},
        "cases": [{"id": prompt.replace(" ", "_"), "prompt": prompt, **written} for prompt in prompts],
    }
    (tmp_path / "suite.yaml").write_text(json.dumps(suite))
    return Project(tmp_path)


def a_calibration(model: str = "judge-1", version: str = VERSION, settings: str | None = None) -> Calibration:
    """40 good answers of which the judge passes 36, 20 bad ones of which it fails 15."""
    items = [*(an_item(f"good{n}", True) for n in range(40)), *(an_item(f"bad{n}", False) for n in range(20))]
    script = {item.id: item.human is True for item in items} | {f"good{n}": False for n in range(4)} | {f"bad{n}": True for n in range(5)}
    golden = a_set(*items)
    asked = ask(ScriptedJudge(script), golden)[0]
    known = {"model": model, "prompt_version": version, "settings": settings}
    return measured("echo", golden, asked, timestamp="2026-11-30T12:00:00.000Z", threshold=0.6, **known)


def metrics(project: Project, **options: object) -> dict[str, Measure]:
    return dict(project.run(**options).run.head.metrics)  # type: ignore[arg-type]


def test_a_calibrated_judge_brings_its_kappa_and_a_corrected_rate(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model)
    write_calibration(tmp_path / "runs", a_calibration())

    found = metrics(project)

    assert (found["judged_pass_rate"].value, found["judged_pass_rate"].n) == (0.7, 10)
    # Agreement 51/60; chance (40 x 41 + 20 x 19) / 3600 = .5611: kappa .6582.
    assert found["judge_kappa"].value == pytest.approx((51 / 60 - 2020 / 3600) / (1 - 2020 / 3600))
    assert found["judge_kappa"].n == 60
    # Sensitivity .9, specificity .75: (.7 + .75 - 1) / (.9 + .75 - 1).
    better = found["judged_pass_rate_corrected"]
    assert better.value == pytest.approx(0.45 / 0.65)
    assert (better.n, better.unit) == (10, "rate")
    assert better.low is not None and better.high is not None and better.low < 0.5 < 0.9 < better.high


@pytest.mark.parametrize("other", [{"model": "judge-2"}, {"version": "0"}, {"settings": "of other votes"}])
def test_a_calibration_of_another_judge_or_other_prompts_says_nothing(tmp_path: Path, model: Endpoint, other: dict[str, str]) -> None:
    project = a_project(tmp_path, model)
    write_calibration(tmp_path / "runs", a_calibration(**other))

    found = metrics(project)

    assert "judged_pass_rate" in found
    assert not {"judge_kappa", "judged_pass_rate_corrected"} & set(found)


def test_a_calibration_with_the_same_settings_speaks_for_the_judge(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model)
    write_calibration(tmp_path / "runs", a_calibration(settings=ModelSettings("judge-1").identity))

    assert metrics(project)["judge_kappa"].n == 60


def test_recorded_verdicts_do_not_speak_for_a_judge(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model)
    write_calibration(tmp_path / "runs", replace(a_calibration(), recorded=True))

    assert "judge_kappa" not in metrics(project)


def test_the_newest_calibration_counts(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model)
    for timestamp, kappa in (("2026-11-30T12:00:00.000Z", 0.8), ("2026-10-30T12:00:00.000Z", 0.1)):
        write_calibration(tmp_path / "runs", replace(a_calibration(), timestamp=timestamp, kappa=kappa))

    assert metrics(project)["judge_kappa"].value == 0.8


def test_a_calibration_in_which_the_judge_never_answered_says_nothing(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model)
    write_calibration(tmp_path / "runs", a_calibration())
    silent = replace(a_calibration(), timestamp="2026-12-01T00:00:00.000Z", agreement=Measure(None, 0, "rate", "higher"), kappa=None)
    write_calibration(tmp_path / "runs", silent)

    assert metrics(project)["judge_kappa"].n == 60


def test_what_the_judge_said_counts_and_not_what_the_case_makes_of_it(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model, **NEGATED)

    found = metrics(project)

    assert (found["judged_pass_rate"].value, found["pass_rate"].value) == (0.7, 0.3)


def test_a_run_that_asks_no_judge_has_no_such_metric(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model, evaluators=["no_error"])
    write_calibration(tmp_path / "runs", a_calibration())

    assert not [name for name in metrics(project) if "judge" in name]


@pytest.mark.parametrize(("limit", "outcome"), [(0.6, GateOutcome.PASS), (0.7, GateOutcome.FAIL)])
def test_min_judge_kappa_holds_the_calibration_against_its_limit(
    tmp_path: Path, model: Endpoint, limit: float, outcome: GateOutcome
) -> None:
    project = a_project(tmp_path, model)
    write_calibration(tmp_path / "runs", a_calibration())

    result = project.run(limits=lambda base: GateLimits(min_judge_kappa=limit, written=frozenset({"min_judge_kappa"})))

    gate = next(gate for gate in result.comparison.verdict.gates if gate.gate == "min_judge_kappa")
    assert gate.outcome is outcome
    assert gate.message.startswith("min_judge_kappa: judge_kappa 0.66 (n 60 · ")


def test_min_judge_kappa_fails_without_a_calibration_and_says_how_to_make_one(tmp_path: Path, model: Endpoint) -> None:
    project = a_project(tmp_path, model)

    result = project.run(limits=lambda base: GateLimits(min_judge_kappa=0.6, written=frozenset({"min_judge_kappa"})))

    gate = next(gate for gate in result.comparison.verdict.gates if gate.gate == "min_judge_kappa")
    assert gate.outcome is GateOutcome.FAIL
    assert gate.message == (
        "min_judge_kappa: no evidence: the judge that this run asked was not calibrated, or no answer was judged; see `agenteval calibrate`"
    )
