"""Figures and tables of one run, and the list of runs."""

from __future__ import annotations

import math

import pytest

from agenteval.compare.breakdown import by_tag, counted_facts, latencies, shares
from agenteval.model.attempt import Attempt
from agenteval.model.gates import GateOutcome, Verdict
from agenteval.model.run import Measure, Selection
from agenteval.model.score import Score
from agenteval.model.status import Role, Status
from tests.builders import a_run, an_attempt

pytest.importorskip("plotly")


def checks(case_id: str, *scores: Score, status: Status = Status.FAILED, **changes: object) -> Attempt:
    return an_attempt(case_id, False, **{"status": status, "scores": scores, **changes})


def test_every_check_is_a_cell_and_says_what_it_is() -> None:
    from agenteval.charts.one_run import score_grid

    grid = score_grid(
        [
            checks(
                "a",
                Score("contains", 0.0, False, "no 'yes'"),
                Score("judge", error="no judge configured"),
                Score("trajectory", 0.75, None, required=False),
                Score("tools", None, None, "declares no tools"),
                Score("slow", skipped=True),
            )
        ]
    )

    assert list(zip(grid["check"], grid["status"], strict=True)) == [
        ("verdict", "failed"),
        ("contains", "failed"),
        ("judge", "evaluator_error"),
        ("trajectory", "observed"),
        ("tools", "not_applicable"),
        ("slow", "skipped"),
    ]
    assert math.isnan(grid["value"][4])
    assert list(grid["required"]) == [True, True, True, False, True, True]


def test_a_check_made_several_times_shows_its_worst() -> None:
    from agenteval.charts.one_run import score_grid

    turns = (
        an_attempt("a::turn0", scores=(Score("contains", 1.0, True),)),
        an_attempt("a::turn1", False, scores=(Score("contains", 0.0, False, "missing"),)),
    )

    grid = score_grid([checks("a", Score("contains", 1.0, True), turns=turns)])

    assert list(zip(grid["check"], grid["status"], grid["reason"], strict=True))[1:] == [("contains", "failed", "missing")]


def test_cells_carry_symbol_or_score_and_lead_to_the_case() -> None:
    from agenteval.charts.one_run import score_grid, score_heatmap

    attempts = [
        checks("<b>", Score("contains", 0.0, False, "<script>"), Score("tools", 0.67, False)),
        checks("ok", Score("contains", 1.0, True), status=Status.PASSED, role=Role.QUARANTINED),
    ]
    figure = score_heatmap(score_grid(attempts), "run-1")

    marks = {
        (case, column): text
        for trace in figure.data
        if trace.customdata is not None
        for (case, _), column, text in zip(trace.customdata, trace.x, trace.text, strict=True)
    }
    assert marks == {("<b>", 0): "✕", ("<b>", 1): "✕", ("<b>", 2): ".67", ("ok", 0): "✓", ("ok", 1): "✓"}
    assert {run for trace in figure.data if trace.customdata is not None for _, run in trace.customdata} == {"run-1"}
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "‖ ok"]
    told = [text for trace in figure.data for text in (trace.hovertext or ())]
    assert any("&lt;script&gt;" in text for text in told)
    assert not any("<script>" in text or "<b>" in text for text in told)


def test_of_too_many_checks_those_that_fail_most_stay() -> None:
    from agenteval.charts.one_run import score_grid, score_heatmap

    scores = [Score(f"check{number}", 1.0, True) for number in range(30)]
    scores[29] = Score("check29", 0.0, False)

    figure = score_heatmap(score_grid([checks("a", *scores)]), "run-1")

    names = list(figure.layout.xaxis.ticktext)
    assert len(names) == 15
    assert names[0] == "verdict"
    assert names[-1] == "check29"


def test_the_latency_curve_climbs_to_all_and_names_its_percentiles() -> None:
    from agenteval.charts.one_run import latency_curve

    run = a_run([an_attempt(name, latency_ms=value) for name, value in (("a", 10.0), ("b", 30.0), ("c", 20.0), ("d", 40.0))])

    figure = latency_curve(latencies(counted_facts(run)), "run-1")

    curve, slowest = figure.data
    assert (list(curve.x), list(curve.y)) == ([10, 10, 20, 30, 40], [0, 0.25, 0.5, 0.75, 1])
    assert [list(mark) for mark in slowest.customdata][-1] == ["d", "run-1"]
    assert [note.text for note in figure.layout.annotations] == ["p50 25 ms", "p95 39 ms"]
    assert [shape.x0 for shape in figure.layout.shapes] == [25.0, 38.5]


def test_one_slow_call_does_not_press_the_others_against_the_edge() -> None:
    from agenteval.charts.one_run import latency_curve

    run = a_run([an_attempt(f"c{place}", latency_ms=value) for place, value in enumerate((10.0, 12.0, 15.0, 30_000.0))])

    figure = latency_curve(latencies(counted_facts(run)), "run-1")

    assert figure.layout.xaxis.type == "log"
    assert 10 ** figure.layout.annotations[0].x == pytest.approx(13.5)
    assert figure.layout.shapes[0].x0 == 13.5


def test_the_bill_names_the_dearest_cases_and_sums_the_others_up() -> None:
    from agenteval.charts.breakdown import amount_pareto

    run = a_run([an_attempt(f"c{number:02d}", cost_usd=20.0 - number) for number in range(20)])  # 20 + 19 + … + 1 = 210
    found, _ = shares(run.outcomes, "cost_usd")

    bars, so_far = amount_pareto(found, "usd", "run-1").data

    assert bars.text[0] == "$20.00"
    assert bars.text[-1] == "$15.00 together"  # 5 + 4 + 3 + 2 + 1
    assert list(bars.customdata[0]) == ["c00", "run-1"]
    assert list(bars.customdata[-1]) == []
    assert so_far.x[1] == pytest.approx(39 / 210)
    assert so_far.x[-1] == pytest.approx(1.0)


def test_tags_show_rate_interval_and_count() -> None:
    from agenteval.charts.breakdown import tag_rates, tag_rows

    run = a_run(
        [
            an_attempt("a", tags=("x",), latency_ms=10.0),
            an_attempt("b", False, tags=("x",)),
            an_attempt("c", None, tags=("y",)),
        ]
    )
    found = by_tag(counted_facts(run))

    rows = tag_rows(found).set_index("tag")
    assert (rows.loc["x", "passed"], rows.loc["x", "decided"], rows.loc["x", "pass_rate"]) == (1, 2, 0.5)
    assert math.isnan(rows.loc["y", "pass_rate"])
    assert rows.loc["y", "left_out"] == "1 error left out"
    figure = tag_rates(found)
    assert list(figure.layout.yaxis.ticktext) == ["x  1 of 2"]
    assert list(figure.data[0].x) == [0.5]


def test_the_list_of_runs_says_every_fact_in_words() -> None:
    from agenteval.charts.run_list import ListedRun, run_rows

    head = a_run(
        [an_attempt("a"), an_attempt("b", False)],
        run_id="r1",
        metrics={
            "correctness_rate": Measure(0.5, 2, "rate", "higher", low=0.09, high=0.91),
            "total_cost_usd": Measure(0.25, 2, "usd", "lower"),
        },
        gate=Verdict(GateOutcome.FAIL, "worse", ()),
        git={"commit": "abcdef1234567", "dirty": True},
        label="nightly",
        duration_s=1.5,
        selection=Selection({"tags": ["money", "slow"]}, 3),
    ).head

    (row,) = run_rows([ListedRun(head, "main/runs", "/x/r1.json", "not verified", pinned=True)], {}).to_dict("records")

    assert str(row.pop("started")) == "2026-11-30 12:00:00+00:00"
    assert row == {
        "run": "r1",
        "agent": "bot",
        "verdict": "✕ FAIL",
        "correctness": "50% · 1 of 2",
        "label": "nightly",
        "baseline": "★ pinned",
        "record": "not verified",
        "cases": 2,
        "duration_s": 1.5,
        "cost_usd": 0.25,
        "status": "completed",
        "suite": "suite",
        "selection": "tags money slow (3 cases left out)",
        "commit": "abcdef1 changed",
        "place": "main/runs",
    }


def test_what_verifying_found_takes_the_place_of_what_the_head_tells() -> None:
    from agenteval.charts.run_list import ListedRun, run_rows

    head = a_run([an_attempt("a")]).head

    rows = run_rows(
        [ListedRun(head, "runs", "/x/a.json", "not verified"), ListedRun(head, "runs", None, "ledger only")], {"/x/a.json": "✓ as written"}
    )

    assert list(rows["record"]) == ["✓ as written", "ledger only"]


def test_words_are_looked_for_in_id_label_commit_suite_and_metadata() -> None:
    from agenteval.charts.run_list import searched, verdict_of

    head = a_run([], run_id="R1", label="Nightly", git={"commit": "ABC"}, meta={"branch": "Main"}).head

    assert all(word in searched(head) for word in ("r1", "nightly", "abc", "suite", "branch=main", "bot"))
    assert verdict_of(head) == "no verdict"
