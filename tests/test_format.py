from __future__ import annotations

import doctest
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenteval import _format as fmt
from agenteval.model.run import Measure

shares = st.floats(0, 1, allow_nan=False)


def test_examples_in_the_docstrings_hold():
    assert doctest.testmod(fmt).failed == 0


def test_rate_says_value_counts_and_interval():
    measured = Measure(0.88, 50, "rate", "higher", low=0.7619, high=0.9438)

    assert fmt.measure(measured) == "88% · 44 of 50 · 76–94%"


def test_rate_that_counts_no_whole_cases_says_n():
    assert fmt.measure(Measure(0.915, 10, "rate", "higher")) == "92% · n 10"


def test_what_is_left_out_is_said():
    measured = Measure(0.5, 2, "rate", "higher", left_out={"errors": 1, "not_applicable": 3})

    assert fmt.measure(measured) == "50% · 1 of 2 · 1 error, 3 not applicable left out"


def test_unmeasured_is_never_zero():
    assert fmt.measure(Measure(None, 0, "usd", "lower", left_out={"unpriced": 4})) == "n/a · n 0 · 4 unpriced left out"


@pytest.mark.parametrize(
    ("hits", "n", "text"),
    [(0, 5000, "0%"), (1, 5000, "<0.1%"), (10, 5000, "0.2%"), (4999, 5000, ">99.9%"), (4980, 5000, "99.6%"), (5000, 5000, "100%")],
)
def test_all_and_none_are_never_rounded_to(hits, n, text):
    assert fmt.rate(hits / n) == text


def test_points_keep_the_digit_that_a_limit_turns_on():
    assert fmt.points(-0.054) == "−5.4 pts"


@pytest.mark.parametrize("function", [fmt.rate, fmt.points, fmt.ms, fmt.usd, fmt.tokens, fmt.score, fmt.percent_change, fmt.seconds])
def test_absent_is_said(function):
    assert function(None) == "n/a"


@given(shares)
def test_a_rate_has_a_percent_sign_and_at_most_one_decimal(share):
    text = fmt.rate(share)

    assert text.endswith("%") and len(text.partition(".")[2]) <= 2


@given(st.floats(-1, 1, allow_nan=False))
def test_a_falling_rate_has_a_real_minus_and_no_hyphen(change):
    text = fmt.points(change)

    assert ("−" in text) == (change <= -1e-9)
    assert ("+" in text) == (change >= 1e-9)
    assert "-" not in text


@given(st.floats(1e-12, 1e9))
def test_money_and_time_never_read_as_nothing(number):
    assert any(char in "123456789" for char in fmt.usd(number))
    assert any(char in "123456789" for char in fmt.ms(number))


@given(shares)
def test_p_is_never_shown_on_a_threshold_it_misses(p):
    text = fmt.p_value(p)

    if text == "p = .05":
        assert round(p, 4) == 0.05


def test_moments_are_utc():
    assert fmt.date(datetime.fromisoformat("2026-12-01T01:30:00+03:00")) == "2026-11-30 22:30 UTC"


def test_ages_of_moments_in_the_future():
    assert fmt.age(datetime(2026, 12, 3, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)) == "in 2 days"
