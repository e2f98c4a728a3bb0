"""Measures of the cases with a tag are what they would be, were these cases the suite."""

from __future__ import annotations

from agenteval.compare.measures import measures
from agenteval.compare.tagged import TAGGED, tagged_measures
from agenteval.model.facts import facts_of
from agenteval.model.response import Usage
from tests.builders import an_attempt

REFUND = [
    an_attempt("a", tags=("refund", "smoke"), latency_ms=120.0, cost_usd=0.002, usage=Usage(10, 5, 15)),
    an_attempt("b", False, tags=("refund",), latency_ms=480.0, usage=Usage(20, 5, 25)),
]
OTHER = [an_attempt("c", False, tags=("smoke",)), an_attempt("d")]


def test_the_part_is_measured_as_a_suite_of_its_own() -> None:
    outcomes = [facts_of(attempt).outcome for attempt in [*REFUND, *OTHER]]
    alone = measures(map(facts_of, REFUND))

    found = tagged_measures(outcomes, "refund")

    assert found == {name: alone[name] for name in TAGGED}
    assert (found["pass_rate"].value, found["pass_rate"].n, round(found["pass_rate"].low or 0, 4)) == (0.5, 2, 0.0945)
    assert found["total_cost_usd"].left_out == {"unpriced": 1}


def test_errors_are_left_out_of_latency_and_counted() -> None:
    outcomes = [facts_of(attempt).outcome for attempt in [*REFUND, an_attempt("e", None, tags=("refund",), latency_ms=9_000.0)]]

    latency = tagged_measures(outcomes, "refund")["latency_p50_ms"]

    assert (latency.value, latency.n, latency.left_out) == (300.0, 2, {"errors": 1})


def test_a_tag_that_no_case_carries_measures_nothing() -> None:
    outcomes = [facts_of(attempt).outcome for attempt in REFUND]

    assert {measure.value for measure in tagged_measures(outcomes, "none").values()} == {None}
