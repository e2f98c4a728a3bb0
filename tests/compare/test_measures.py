"""Measures: what is counted, what is left out and why, and nothing that was not measured."""

from __future__ import annotations

import json
import random

import pytest

from agenteval.compare.measures import METRICS, measures, repeats
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.facts import facts_of
from agenteval.model.response import Usage
from agenteval.model.run import Measure
from agenteval.model.score import Feeds, Score
from agenteval.model.status import ErrorKind, Role, Status
from tests.builders import an_attempt, shared_data


def measured(*attempts: Attempt) -> dict[str, Measure]:
    return measures(map(facts_of, attempts))


def scored(case_id: str, feeds: Feeds, **fields: object) -> Attempt:
    attempt = an_attempt(case_id)
    return an_attempt(case_id, scores=(*attempt.scores, Score("extra", feeds=feeds, **fields)))  # type: ignore[arg-type]


def undecided(case_id: str, status: Status, **fields: object) -> Attempt:
    return an_attempt(case_id, None, status=status, **{"latency_ms": None, **fields})


def test_every_metric_is_there_and_null_where_nothing_ran() -> None:
    found = measured()

    assert tuple(found) == METRICS
    assert all(measure.value is None and measure.n == 0 and measure.low is None for measure in found.values())


def test_a_rate_counts_what_it_leaves_out() -> None:
    found = measured(
        an_attempt("a"),
        an_attempt("b", False),
        undecided("c", Status.AGENT_ERROR),
        undecided("d", Status.EVALUATOR_ERROR),
        undecided("e", Status.SKIPPED),
        undecided("f", Status.UNSCORED),
    )["correctness_rate"]

    assert (found.value, found.n) == (0.5, 2)
    assert found.left_out == {"errors": 2, "skipped": 1, "unscored": 1}
    assert (found.low, found.high) == (pytest.approx(0.094531, abs=1e-6), pytest.approx(0.905469, abs=1e-6))


def test_all_errors_measure_nothing() -> None:
    found = measured(undecided("a", Status.AGENT_ERROR), undecided("b", Status.AGENT_ERROR))

    assert {name for name, measure in found.items() if measure.value is not None} == set()
    assert found["latency_p50_ms"].left_out == {"errors": 2}
    assert found["total_cost_usd"].left_out == {"errors": 2}


def test_correctness_and_passing_are_two_rates() -> None:
    found = measured(an_attempt("a", False, correct=True), an_attempt("b"))

    assert (found["correctness_rate"].value, found["pass_rate"].value) == (1.0, 0.5)


def test_hallucination_is_a_rate_of_the_cases_that_ask_for_it() -> None:
    found = measured(*(an_attempt(f"c{i}") for i in range(9)), scored("asks", Feeds.HALLUCINATION, passed=False))["hallucination_rate"]

    assert (found.value, found.n, found.left_out) == (1.0, 1, {"not_applicable": 9})


def test_tool_accuracy_is_a_mean_over_cases_that_declare_tools() -> None:
    found = measured(an_attempt("a"), scored("b", Feeds.TOOLS, value=0.5), scored("c", Feeds.TOOLS, value=1.0))["tool_call_accuracy"]

    assert (found.value, found.n, found.left_out) == (0.75, 2, {"not_applicable": 1})


def test_latency_is_of_finished_calls_with_timeouts_at_their_deadline() -> None:
    timeout = an_attempt("t", None, latency_ms=300.0, error=Failure(ErrorKind.TIMEOUT, "TimeoutError", "300 ms"))
    crash = an_attempt("x", None, latency_ms=1.0, error=Failure(ErrorKind.EXCEPTION, "ValueError", "no"))

    found = measured(an_attempt("a", latency_ms=100.0), an_attempt("b", latency_ms=200.0), timeout, crash)

    assert (found["latency_p50_ms"].value, found["latency_p95_ms"].value) == (200.0, 290.0)
    assert (found["latency_p50_ms"].n, found["latency_p50_ms"].left_out) == (3, {"errors": 1})


def test_cost_sums_what_is_known_and_counts_the_rest() -> None:
    found = measured(an_attempt("a", cost_usd=0.1), an_attempt("b", cost_usd=0.2), an_attempt("c"), undecided("d", Status.SKIPPED))[
        "total_cost_usd"
    ]

    assert (found.value, found.n, found.left_out) == (pytest.approx(0.3), 2, {"unpriced": 1, "skipped": 1})


def test_zero_tokens_are_not_unknown_tokens() -> None:
    assert measured(an_attempt("a", usage=Usage(total_tokens=0)))["total_tokens"].value == 0.0
    assert measured(an_attempt("a"))["total_tokens"].value is None


def test_break_rate_is_of_adversarial_cases() -> None:
    found = measured(an_attempt("a", False), an_attempt("b", False, source="adversarial"), an_attempt("c", source="adversarial_redteam"))

    assert (found["break_rate"].value, found["break_rate"].n, found["break_rate"].left_out) == (0.5, 2, {"not_applicable": 1})


def test_retention_counts_turns() -> None:
    kept, lost = Score("retained", passed=True, feeds=Feeds.RETENTION), Score("retained", passed=False, feeds=Feeds.RETENTION)
    turns = tuple(an_attempt(f"a::turn{i}", scores=(score,)) for i, score in enumerate((kept, kept, lost)))

    found = measured(an_attempt("a", turns=turns), an_attempt("b"))["context_retention_rate"]

    assert (found.value, found.n, found.left_out) == (pytest.approx(2 / 3), 3, {"not_applicable": 1})


@pytest.mark.parametrize("role", list(Role))
def test_candidates_and_quarantined_cases_are_in_nothing(role: Role) -> None:
    assert measured(an_attempt("a"), an_attempt("b", False, role=role, cost_usd=9.0)) == measured(an_attempt("a"))


def test_order_changes_no_figure() -> None:
    attempts = [an_attempt(f"c{i}", i % 3 > 0, cost_usd=0.1 * i, latency_ms=10.0 / (i + 1)) for i in range(40)]
    shuffled = random.Random(7).sample(attempts, len(attempts))

    assert measured(*shuffled) == measured(*attempts)


def observed(*verdicts: bool | None) -> list[Attempt]:
    return [an_attempt("a", passed, repetition=i) for i, passed in enumerate(verdicts)]


def test_four_of_five() -> None:
    found = repeats({"a": observed(True, True, True, True, False)})

    assert found.pass_hat_k == {1: 0.8, 2: 0.6, 3: pytest.approx(0.4), 4: pytest.approx(0.2), 5: 0.0}
    assert found.pass_at_k[2] == 1.0
    assert (found.k, found.cases, found.short) == (5, 1, {})


def test_an_error_is_no_failure_and_leaves_the_largest_k_undefined() -> None:
    found = repeats({"a": observed(True, True, None)})

    assert found.pass_hat_k == {1: 1.0, 2: 1.0, 3: None}
    assert found.pass_at_k[3] is None
    assert found.short == {3: 1}


def test_roles_have_no_repeats_either() -> None:
    assert repeats({"a": [an_attempt("a", role=Role.CANDIDATE), an_attempt("a", repetition=1)]}).cases == 0


def test_tau_bench_airline_gives_the_published_figures() -> None:
    rows = [json.loads(line) for line in shared_data("data", "tau_bench_gpt4o_airline.jsonl").read_text().splitlines()]
    cases: dict[str, list[Attempt]] = {}
    for row in rows:
        cases.setdefault(row["case_id"], []).append(an_attempt(row["case_id"], row["passed"], repetition=row["repetition"]))

    found = repeats(cases)

    assert (found.k, found.cases) == (4, 50)
    assert [round(value or 0, 6) for value in found.pass_hat_k.values()] == [0.42, 0.273333, 0.22, 0.2]
    assert [round(value or 0, 6) for value in found.pass_at_k.values()] == [0.42, 0.566667, 0.66, 0.72]
    assert found.clustered_se == pytest.approx(0.051691, abs=1e-6)
