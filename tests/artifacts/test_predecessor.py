"""Real files of AgentEval 0.3."""

import pytest

from agenteval.artifacts.history import read_ledger
from agenteval.artifacts.reading import load_head, load_run, load_sidecar
from agenteval.artifacts.store import Store
from agenteval.errors import InputError
from agenteval.model.score import Feeds
from agenteval.model.status import ErrorKind, Status
from tests.builders import shared_data

pytestmark = pytest.mark.data


def sample(*parts):
    return shared_data("data", "predecessor", *parts)


def figures(head):
    return {name: (measure.value, measure.n) for name, measure in head.metrics.items()}


@pytest.mark.parametrize(
    ("file", "correct", "p50", "cost"),
    [
        ("runs/20260714T201128Z_04052cd.json", 0.8571428571428571, 757.411599974148, 0.00142457),
        ("runs/20260714T201812Z_04052cd.json", 0.9523809523809523, 5820.348100038245, 0.00147276),
        ("baselines/data_analyst.json", 0.9523809523809523, 5820.348100038245, 0.00147276),
    ],
)
def test_the_shipped_runs_load_with_their_figures(file, correct, p50, cost):
    run = load_run(sample(*file.split("/")))
    found = figures(run.head)

    assert found["correctness_rate"] == (correct, 21)
    assert found["latency_p50_ms"] == (p50, 21)
    assert found["total_cost_usd"] == (cost, 21)
    assert run.head.agent == "data_analyst"
    assert len(run.cases) == len(run.outcomes) == 21
    assert run.head.git == {}
    assert "does not record suite" in run.head.legacy


def test_a_failed_case_keeps_its_evidence():
    case = load_run(sample("runs", "20260714T201128Z_04052cd.json")).case("avg_tenure_months")

    assert case.status is Status.FAILED
    assert case.reason == "correctness: expected ≈ 25.23 (tol=0.05); found [25.0, 2.0, 1.0]"
    assert case.score(Feeds.HALLUCINATION).passed is False
    assert [call.name for call in case.tool_calls] == ["sql_agent"]
    assert case.nodes_fired == ("route:sql", "agent:sql")
    assert case.definition is None


def test_errored_attempts_have_no_latency_and_no_secret():
    run = load_run(sample("samples", "run-report.json"))
    boom = run.case("boom")

    assert run.head.counts["agent_error"] == 3
    assert run.head.metrics["correctness_rate"].left_out == {"errors": 3}
    assert (boom.latency_ms, boom.correct, boom.scores) == (None, None, ())
    assert (boom.error.kind, boom.error.type) == (ErrorKind.EXCEPTION, "RuntimeError")
    assert "SECRETSECRET" not in repr(list(run.cases))


def test_traces_turns_and_retrieval_are_carried_over():
    run = load_run(sample("samples", "run-report.json"))

    assert [step.kind for step in run.case("trace").steps][:1] == ["reasoning"]
    assert run.case("trace").model == "gpt-4o"
    assert run.case("trace").score(Feeds.TRAJECTORY).evidence["missing"] == ["review"]
    assert [turn.case_id for turn in run.case("convo").turns] == ["convo::turn0", "convo::turn1"]
    assert {score.name: score.value for score in run.case("rag").scores}["retrieval_f1"] == 0.6666666666666666
    assert run.case("sum").cost_source == "estimated"
    assert run.case("trace").cost_source == "priced"


def test_a_sidecar_lies_where_it_was_left(tmp_path):
    (tmp_path / "flakiness").mkdir()
    (tmp_path / "r.json").write_bytes(sample("samples", "run-report.json").read_bytes())
    (tmp_path / "flakiness" / "r.json").write_bytes(sample("samples", "flakiness.json").read_bytes())

    sidecar = load_sidecar(tmp_path / "flakiness" / "r.json")
    flaky = {case.case_id: case for case in sidecar.cases}["flaky"]

    assert (sidecar.k, flaky.classification, flaky.consistent, flaky.total, flaky.passed) == (5, "unstable", 3, 5, 3)
    observations = load_run(tmp_path / "r.json").observations()["flaky"]
    assert [attempt.status.value for attempt in observations] == ["passed", "passed", "failed", "passed", "failed"]


def test_the_ledger_loads():
    entries = read_ledger(sample("samples", "history.json"))

    assert len(entries) == 7
    assert entries[0].head.gate is None
    assert entries[-1].head.gate.outcome.value == "fail"
    assert entries[-1].head.metrics["latency_p50_ms"].value == 95.0


def test_a_folder_of_everything_lists_the_runs_alone():
    listing = Store([sample("runs"), sample("samples"), sample("baselines")]).heads()

    assert [item.head.run_id for item in listing.runs] == [
        "20260714T201128Z_04052cd_a0a81c",
        "baseline_20260714T201812Z_04052cd",
        "20260714T201812Z_04052cd_93cba7",
        "20261130T222802Z_ff60109_797951",
    ]
    assert listing.unreadable == ()


def test_a_rate_over_nothing_is_no_value(tmp_path):
    path = tmp_path / "r.json"
    path.write_text(
        '{"run_id":"r","timestamp":"2026-07-14T20:11:28+00:00","adapter":"x","correctness_rate":0.0,"latency_p50_ms":0.0,'
        '"case_results":[{"case_id":"a","status":"agent_error","raw":{"error":"Boom: x"},"latency_ms":0.0}]}'
    )

    assert figures(load_head(path)) == {"correctness_rate": (None, 0), "latency_p50_ms": (None, 0)}


@pytest.mark.parametrize("file", ["comparison.json", "comparison-with-significance.json", "calibration.json", "sql-scan.json"])
def test_other_files_are_no_runs(file):
    with pytest.raises(InputError, match="is not a run but"):
        load_head(sample("samples", file))
