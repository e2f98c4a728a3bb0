"""What a case takes now against then: who is paired, who is left out and why, and the interval of a typical case."""

from __future__ import annotations

import math
from typing import Any

import pytest

from agenteval.compare.alignment import align
from agenteval.compare.ratios import CaseRatio, case_ratios, typical_ratio
from agenteval.model.status import Role, Status
from tests.builders import a_run, an_attempt


def test_every_case_without_a_point_is_counted_with_its_reason() -> None:
    then = a_run(
        [
            an_attempt("both", latency_ms=100.0),
            an_attempt("gone"),
            an_attempt("edited"),
            an_attempt("broke"),
            an_attempt("unmeasured", latency_ms=None),
            an_attempt("instant", latency_ms=0.0),
            an_attempt("candidate", role=Role.CANDIDATE),
        ]
    )
    now = a_run(
        [
            an_attempt("both", False, latency_ms=150.0),
            an_attempt("new"),
            an_attempt("edited", definition="other"),
            an_attempt("broke", None),
            an_attempt("unmeasured"),
            an_attempt("instant"),
            an_attempt("candidate", role=Role.CANDIDATE),
        ]
    )

    found = case_ratios(now, then, "latency_ms")

    assert found.cases == (CaseRatio("both", 100.0, 150.0, Status.PASSED, Status.FAILED),)
    assert found.left_out == {"in one run only": 2, "not decided in both": 1, "definition changed": 1, "not measured in both": 1, "zero": 1}
    assert (found.typical, found.low, found.high) == (pytest.approx(1.5), None, None)


def test_a_typical_case_is_the_geometric_mean_so_double_and_half_cancel_out() -> None:
    typical, low, high = typical_ratio([_ratio(2.0), _ratio(0.5)])

    assert typical == pytest.approx(1.0)
    assert low is not None
    assert high is not None
    assert low * high == pytest.approx(1.0)


def test_the_interval_is_students_on_the_logarithms() -> None:
    stats: Any = pytest.importorskip("scipy.stats")
    ratios = [1.1, 0.9, 1.4, 1.25, 1.02]

    _, low, high = typical_ratio([_ratio(value) for value in ratios])

    logs = [math.log(value) for value in ratios]
    expected = stats.t.interval(0.95, len(logs) - 1, loc=sum(logs) / len(logs), scale=stats.sem(logs))
    assert (low, high) == pytest.approx((math.exp(expected[0]), math.exp(expected[1])))


def test_no_pairs_say_nothing() -> None:
    assert typical_ratio([]) == (None, None, None)


def test_a_step_that_came_elsewhere_is_out_of_order_and_not_missing_twice() -> None:
    found = align(["log in", "look", "pay"], ["look", "log in", "log in", "pay"])

    # "log in" and "pay" are matched; "look", expected second, came first; the second "log in" is surplus.
    assert found.pairs == ((0, 1), (2, 3))
    assert found.moved == ((1, 0),)
    assert found.missing == (1,)
    assert found.extra == (0, 2)


def test_a_step_that_never_came_is_not_out_of_order() -> None:
    assert align(["look", "pay"], ["look", "refund"]).moved == ()


def _ratio(value: float) -> CaseRatio:
    return CaseRatio("a", 100.0, 100.0 * value, Status.PASSED, Status.PASSED)
