"""Comparison of two runs: pairing, transitions, metrics over common cases, tests, and what must never matter."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenteval.compare import compare_runs
from agenteval.compare.deltas import NOT_RECORDED
from agenteval.compare.intervals import wilson
from agenteval.errors import InputError
from agenteval.model.attempt import Failure
from agenteval.model.comparison import Comparison, MetricDelta
from agenteval.model.gates import GateLimits
from agenteval.model.run import Measure, Run, Selection, SuiteRef
from agenteval.model.score import Feeds, Score
from agenteval.model.status import ErrorKind, Role
from tests.compare.runs import case, compared, outcome, repeated, run, scored


def delta(comparison: Comparison, name: str) -> MetricDelta:
    return next(found for found in comparison.metrics if found.name == name)


@pytest.mark.parametrize(
    ("then", "now", "kind"),
    [
        ("1", "0", "regressed"),
        ("0", "1", "improved"),
        ("1", "1", "unchanged"),
        ("0", "0", "unchanged"),
        ("1", "e", "errored"),
        ("0", "v", "errored"),
        ("s", "e", "errored"),
        ("e", "1", "recovered"),
        ("s", "1", "recovered"),
        ("e", "0", "no_verdict"),
        ("e", "e", "no_verdict"),
        ("1", "s", "no_verdict"),
        ("1", "u", "no_verdict"),
    ],
)
def test_kinds_of_transitions(then: str, now: str, kind: str) -> None:
    (found,) = compared(now, then).transitions

    assert found.kind == kind


def test_added_removed_deselected_reordered_and_edited_cases() -> None:
    then = run("", case("keep"), case("edited", definition="old"), case("gone"), case("other"))
    now = replace(
        run("", case("added", "0"), case("edited", "0", definition="new"), case("keep")),
        left_out=("other",),
    )

    found = compared(now, then)

    assert [(change.case_id, change.before, change.after, change.kind) for change in found.transitions] == [
        ("added", None, "failed", "new"),
        ("edited", "passed", "failed", "changed_definition"),
        ("keep", "passed", "passed", "unchanged"),
        ("gone", "passed", "missing", "missing"),
        ("other", "passed", "not_selected", "not_selected"),
    ]
    assert found.matrix == {
        "new": {"failed": 1},
        "passed": {"failed": 1, "passed": 1, "missing": 1, "not_selected": 1},
    }
    assert outcome(found, "fail_on_missing") == "fail"
    assert found.notes[:3] == (
        "1 case of the baseline not selected now",
        "1 changed case left out of tests, not of rates: edited",
        "1 new case failing, without a baseline to gate against: added",
    )


def test_an_edited_case_cannot_hide_its_failure() -> None:
    then = run("1" * 9, case("x", definition="old"))
    now = run("1" * 9, case("x", "0", definition="new"))

    found = compared(now, then)

    assert found.test is not None
    assert (found.test.n_pairs, found.test.regressed) == (9, 0)
    assert delta(found, "correctness_rate").delta == pytest.approx(-0.1)
    assert outcome(found, "max_correctness_drop") == "fail"


def test_unknown_definitions_are_paired_and_marked() -> None:
    then = run("", case("a", definition=None))

    found = compared(run("", case("a", "0")), then)

    assert found.of_kind("regressed")[0].definition_known is False
    assert found.test is not None
    assert found.test.n_pairs == 1
    assert "1 case paired by id alone: a file does not record the definition" in found.notes


def test_reasons_are_those_of_this_run() -> None:
    failed = Score("exact", value=0.0, passed=False, reason="says 5, not\n4", feeds=Feeds.CORRECTNESS)
    crashed = Failure(ErrorKind.EXCEPTION, "ValueError", "no route")
    turn = case("t::turn0", "0", scores=(failed,))
    now = run("", case("a", "0", scores=(failed,)), case("b", "e", error=crashed), case("t", "0", scores=(), turns=(turn,)))

    found = compared(now, run("", case("a"), case("b"), case("t")))

    reasons = [change.reason for change in found.transitions]
    assert reasons == ["exact: says 5, not 4", "ValueError: no route", "turn0: exact: says 5, not 4"]


def test_quarantined_cases_are_shown_and_in_nothing() -> None:
    then = run("1", case("q"))

    found = compared(run("1", case("q", "0", role=Role.QUARANTINED)), then)

    shown = found.transitions[1]
    assert (shown.before, shown.after, shown.kind, shown.role) == ("passed", "failed", "no_verdict", "quarantined")
    assert found.matrix == {"passed": {"passed": 1}}
    assert found.verdict.passed


def test_a_case_out_of_quarantine_is_new() -> None:
    found = compared(run("1", case("q", "0")), run("1", case("q", role=Role.QUARANTINED)))

    assert found.transitions[1].kind == "new"


def test_rates_are_over_cases_decided_in_both() -> None:
    found = delta(compared("0e11", "1100"), "correctness_rate")

    assert (found.baseline and found.baseline.value, found.baseline and found.baseline.n) == (pytest.approx(1 / 3), 3)
    assert (found.current and found.current.value, found.current and found.current.n) == (pytest.approx(2 / 3), 3)
    assert found.delta == pytest.approx(1 / 3)
    assert found.direction == "within noise"


def test_other_metrics_are_over_cases_decided_in_both_too() -> None:
    then = run("", scored("a", Feeds.TOOLS, value=1.0), scored("b", Feeds.TOOLS, value=0.0))
    now = run("", scored("a", Feeds.TOOLS, value=0.5), case("b", "e"))

    found = delta(compared(now, then), "tool_call_accuracy")

    assert (found.baseline and found.baseline.value, found.current and found.current.value, found.delta) == (1.0, 0.5, -0.5)
    assert (found.baseline and found.baseline.n, found.direction) == (1, "within noise")


def test_a_deselected_case_changes_no_metric() -> None:
    then = run("1", case("slow", latency_ms=9000.0, cost_usd=5.0))
    now = run("1", selection=Selection({"case_id": ["c0"]}, 1))

    found = delta(compared(now, then), "latency_p95_ms")

    assert (found.baseline and found.baseline.value, found.delta, found.direction) == (100.0, 0.0, "same")


def test_metrics_that_an_old_file_did_not_record_say_so() -> None:
    old = Measure(1.0, 1, "rate", "higher", {}, *wilson(1, 1))
    then = run("1", metrics={"correctness_rate": old}, legacy="AgentEval 0.3")

    found = compared("1", then)

    assert delta(found, "pass_rate").note == NOT_RECORDED
    assert delta(found, "pass_rate").delta is None
    assert delta(found, "pass_rate").direction == "unknown"
    assert delta(found, "correctness_rate").delta == 0.0
    assert found.notes[0] == "20261130T120000Z-abc1234-000001: AgentEval 0.3"


def test_a_metric_measured_nowhere_has_no_delta() -> None:
    found = delta(compared("1", "1"), "hallucination_rate")

    assert (found.delta, found.direction, found.note) == (None, "unknown", "")


def test_the_test_of_a_drop_carries_every_form() -> None:
    found = compared("0" * 10 + "11" + "1" * 38, "1" * 10 + "00" + "1" * 38).test

    assert found is not None
    assert (found.method, found.n_pairs, found.regressed, found.improved) == ("exact McNemar", 50, 10, 2)
    assert found.difference == pytest.approx(-0.16)
    assert [round(value or 0, 6) for value in (found.p, found.mid_p, found.chi_square_p)] == [0.038574, 0.022461, 0.043308]
    assert (found.newcombe_low or 0) < (found.bootstrap_low or 0) + 0.05 < 0
    assert found.smallest_possible_drop == 0.12
    assert found.minimum_detectable_drop is not None
    assert found.changed_share == 0.24
    assert found.warnings == ()


def test_few_changes_and_few_pairs_are_warned_of() -> None:
    found = compared("0011111", "1111111").test

    assert found is not None
    assert found.warnings == (
        "only 2 of 7 paired cases changed: no p-value over so few is evidence of no change",
        "only 7 paired cases: the bootstrap interval can be too narrow",
    )


def test_no_pairs_have_no_p() -> None:
    found = compared("e", "1").test

    assert found is not None
    assert (found.n_pairs, found.p, found.difference) == (0, None, None)


def test_repeats_on_both_sides_are_tested_over_case_means() -> None:
    then = repeated(["11111"] * 8 + ["11110"] * 8)
    now = repeated(["11110"] * 8 + ["11100"] * 8)

    found = compared(now, then, require_statistical_significance=True)

    assert found.test is not None
    assert (found.test.method, found.test.n_pairs, found.test.regressed, found.test.improved) == ("sign-flip over cases", 16, 16, 0)
    assert found.test.difference == pytest.approx(-0.2)
    assert found.test.p == pytest.approx(2 / 2**16)
    assert (found.test.mid_p, found.test.chi_square, found.test.newcombe_low) == (None, None, None)
    assert found.test.smallest_possible_drop == pytest.approx(6 / 5 / 16)
    assert outcome(found, "max_correctness_drop") == "fail"
    rates = delta(found, "correctness_rate")
    assert (rates.delta, rates.current and rates.current.value, rates.current and rates.current.n) == (pytest.approx(-0.2), 0.7, 16)
    assert rates.note == "means over the repeats of each case"


def test_repeats_on_one_side_are_not_used() -> None:
    found = compared(repeated(["10", "10"]), "11").test

    assert found is not None
    assert (found.method, found.regressed) == ("exact McNemar", 0)


def test_errors_among_repeats_are_no_failures() -> None:
    found = compared(repeated(["1e1", "110"]), repeated(["111", "111"])).test

    assert found is not None
    assert (found.regressed, found.improved) == (1, 0)


def test_runs_of_other_suites_are_not_compared() -> None:
    with pytest.raises(InputError) as caught:
        compared(run("1"), run("1", suite=SuiteRef("other"), run_id="r1"))

    assert str(caught.value) == "baseline r1: is a run of suite 'other', not 'suite'; compare runs of one suite"


def test_a_run_judged_alone_has_no_transitions() -> None:
    found = compare_runs(run("10"), None, GateLimits())

    assert (found.baseline, found.metrics, found.transitions, found.test) == (None, (), (), None)


@pytest.mark.parametrize("size", range(1, 41))
def test_identical_outcomes_pass_at_every_size(size: int) -> None:
    letters = "".join("0" if i % 3 == 2 else "1" for i in range(size))

    for limits in ({}, {"require_statistical_significance": True}, {"max_correctness_drop": 0.0, "max_pass_rate_drop": 0.0}):
        assert compared(letters, letters, **limits).verdict.passed


@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize(("now", "then"), [("00000", "11111"), ("1100000000", "1111111100")])
def test_collapses_never_pass(now: str, then: str, required: bool) -> None:
    assert not compared(now, then, require_statistical_significance=required).verdict.passed
    assert not compared(repeated(list(now)), repeated(list(then)), require_statistical_significance=required).verdict.passed
    repeats_now, repeats_then = ([letter * 3 for letter in letters] for letters in (now, then))
    assert not compared(repeated(repeats_now), repeated(repeats_then), require_statistical_significance=required).verdict.passed


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("10"), st.sampled_from("10")), min_size=1, max_size=40))
def test_swapping_runs_flips_the_sign_and_keeps_p(pairs: list[tuple[str, str]]) -> None:
    a, b = ("".join(side) for side in zip(*pairs, strict=True))
    there, back = compared(a, b).test, compared(b, a).test

    assert there is not None and back is not None
    assert there.difference == pytest.approx(-(back.difference or 0))
    assert there.newcombe_low == pytest.approx(-(back.newcombe_high or 0))
    assert (there.p, there.mid_p, there.chi_square_p, there.minimum_detectable_drop) == (
        back.p,
        back.mid_p,
        back.chi_square_p,
        back.minimum_detectable_drop,
    )


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.text("10e", min_size=3, max_size=3), st.text("10", min_size=3, max_size=3)), min_size=2, max_size=12),
    st.randoms(),
)
def test_order_of_cases_changes_no_number(shares: list[tuple[str, str]], draw: random.Random) -> None:
    now, then = repeated([share for share, _ in shares]), repeated([share for _, share in shares])

    straight, mixed = compared(now, then), compared(shuffled(now, draw), shuffled(then, draw))

    assert mixed.metrics == straight.metrics
    assert mixed.test == straight.test
    assert [(gate.gate, gate.outcome, gate.value, gate.p) for gate in mixed.verdict.gates] == [
        (gate.gate, gate.outcome, gate.value, gate.p) for gate in straight.verdict.gates
    ]
    assert mixed.verdict.details == straight.verdict.details


def shuffled(source: Run, draw: random.Random) -> Run:
    rows = list(range(len(source.cases)))
    draw.shuffle(rows)
    repetitions = list(source.repetitions)
    draw.shuffle(repetitions)
    return replace(
        source,
        outcomes=tuple(source.outcomes[row] for row in rows),
        cases=[source.cases[row] for row in rows],
        repetitions=repetitions,
    )


def test_a_case_errored_in_both_runs_changes_nothing_but_counts() -> None:
    plain, extended = compared("1101", "1111"), compared("1101e", "1111e", fail_on_agent_error=False)

    assert extended.test == plain.test
    assert delta(extended, "correctness_rate").delta == delta(plain, "correctness_rate").delta


def test_gpqa_as_two_runs_gives_the_sign_flip_and_the_t_test() -> None:
    from tests.compare.test_statistics import gpqa

    nano, mini = ([["01"[int(score)] for score in scores] for scores in model] for model in gpqa())

    found = compared(repeated(["".join(scores) for scores in mini]), repeated(["".join(scores) for scores in nano])).test

    assert found is not None
    assert (found.n_pairs, round(found.p or 0, 4), round(found.t_p or 0, 4)) == (198, 0.0395, 0.0363)
    assert found.difference == pytest.approx(-0.058586, abs=1e-6)


def test_the_predecessors_runs_change_as_it_reported() -> None:
    from agenteval.artifacts.reading import load_run
    from tests.builders import shared_data

    folder = shared_data("data", "predecessor", "runs")
    then, now = (load_run(path) for path in sorted(folder.glob("*.json")))

    found = compare_runs(now, then, GateLimits())

    rates = delta(found, "correctness_rate")
    assert (
        round(rates.baseline.value or 0, 3) if rates.baseline else None,
        round(rates.current.value or 0, 3) if rates.current else None,
    ) == (
        0.857,
        0.952,
    )
    assert json.dumps(dict(found.verdict.details))


def test_details_are_plain_numbers() -> None:
    details: dict[str, Any] = dict(compared("110", "111").verdict.details)

    assert details["regressed"] == 1
    assert json.loads(json.dumps(details)) == details
