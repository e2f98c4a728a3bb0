"""One run taken apart: tags, latencies, shares of a sum."""

import pytest

from agenteval.compare.breakdown import UNTAGGED, by_tag, counted_facts, latencies, shares
from agenteval.compare.measures import measures
from agenteval.model.attempt import Failure
from agenteval.model.facts import facts_of
from agenteval.model.status import ErrorKind, Role
from tests.builders import a_run, an_attempt


def failed(case_id, kind, latency_ms):
    return an_attempt(case_id, None, latency_ms=latency_ms, error=Failure(kind, "Error", "no"))


def test_a_case_counts_under_each_of_its_tags_the_lowest_rate_first():
    run = a_run(
        [
            an_attempt("a", tags=("easy",)),
            an_attempt("b", False, tags=("easy", "money", "money")),
            an_attempt("c", None, tags=("money",)),
            an_attempt("d"),
        ]
    )

    found = by_tag(counted_facts(run))

    rates = {item.tag: item.measures["pass_rate"] for item in found}
    assert [item.tag for item in found] == ["money", "easy", UNTAGGED]
    assert [item.cases for item in found] == [2, 2, 1]
    assert (rates["money"].value, rates["money"].n, rates["money"].left_out) == (0.0, 1, {"errors": 1})
    assert (rates["easy"].value, rates["easy"].n) == (0.5, 2)
    # Wilson's interval of 1 in 2: (0.0945, 0.9055), as in every table of it.
    assert (rates["easy"].low, rates["easy"].high) == pytest.approx((0.0945, 0.9055), abs=5e-5)


def test_cases_outside_the_rates_are_outside_the_tags():
    run = a_run([an_attempt("a", tags=("x",)), an_attempt("b", False, tags=("x",), role=Role.QUARANTINED)])

    (found,) = by_tag(counted_facts(run))

    assert (found.cases, found.measures["pass_rate"].value) == (1, 1.0)


def test_a_timeout_counts_at_its_deadline_and_other_errors_do_not():
    run = a_run(
        [
            an_attempt("slow", latency_ms=300.0),
            an_attempt("fast", latency_ms=100.0),
            failed("late", ErrorKind.TIMEOUT, 1000.0),
            failed("broken", ErrorKind.EXCEPTION, 5.0),
            failed("gone", ErrorKind.EXIT, None),
        ]
    )

    found = latencies(counted_facts(run))

    assert found.cases == (("fast", 100.0), ("slow", 300.0), ("late", 1000.0))
    assert found.left_out == 2
    assert found.p50 == 300.0


def test_percentiles_are_the_run_s_own():
    attempts = [an_attempt(f"c{number}", latency_ms=float(value)) for number, value in enumerate((40, 10, 30, 20))]

    found = latencies(counted_facts(a_run(attempts)))

    own = measures(facts_of(attempt) for attempt in attempts)
    assert (found.p50, found.p95) == (own["latency_p50_ms"].value, own["latency_p95_ms"].value) == (25.0, 38.5)


def test_shares_add_up_from_the_dearest_and_the_unpriced_are_counted():
    run = a_run(
        [
            an_attempt("cheap", cost_usd=1.0),
            an_attempt("dear", cost_usd=6.0),
            an_attempt("middle", cost_usd=3.0),
            an_attempt("unknown"),
            an_attempt("candidate", cost_usd=50.0, role=Role.CANDIDATE),
        ]
    )

    found, without = shares(run.outcomes, "cost_usd")

    assert found == [("dear", 6.0, pytest.approx(0.6)), ("middle", 3.0, pytest.approx(0.9)), ("cheap", 1.0, pytest.approx(1.0))]
    assert without == 1


def test_a_sum_of_nothing_has_no_shares():
    run = a_run([an_attempt("a", cost_usd=0.0), an_attempt("b", cost_usd=0.0)])

    assert shares(run.outcomes, "cost_usd") == ([("a", 0.0, 0.0), ("b", 0.0, 0.0)], 0)
