"""What evaluators do wrong becomes a score that says so."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from agenteval.evaluators import Check, Context, scores_of
from agenteval.model.score import Feeds, Score
from tests.builders import an_attempt

CONTEXT = Context(an_attempt())


@dataclass(frozen=True)
class Returns:
    found: Any

    def evaluate(self, context: Context) -> Any:
        return self.found


@dataclass(frozen=True)
class Raises:
    error: BaseException

    def evaluate(self, context: Context) -> Score:
        raise self.error


@dataclass(frozen=True)
class Model:
    asks_a_model = True

    def evaluate(self, context: Context) -> Score:
        raise AssertionError("must not be asked")


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise ValueError


def judged(evaluator: Any, **options: Any) -> Score:
    (score,) = scores_of([Check("check", evaluator, **options)], CONTEXT)
    return score


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no such key"), "ValueError: no such key"),
        (KeyError("x"), "KeyError: 'x'"),
        (RecursionError(), "RecursionError"),
        (SystemExit(3), "SystemExit: the evaluator ended the process (3)"),
        (UnprintableError(), "UnprintableError"),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("negate", [False, True], ids=["plain", "negated"])
def test_an_exception_is_an_error_both_ways(error: BaseException, told: str, negate: bool) -> None:
    score = judged(Raises(error), negate=negate)

    assert (score.error, score.passed, score.value) == (told, None, None)


def test_an_interrupt_is_not_swallowed() -> None:
    with pytest.raises(KeyboardInterrupt):
        judged(Raises(KeyboardInterrupt()))


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, 1.1, "0.5"])
def test_a_value_out_of_range_is_an_error(value: Any) -> None:
    score = judged(Returns(Score("x", value=value, passed=True)))

    assert score.error is not None
    assert score.error.endswith("is not between 0 and 1")
    assert (score.value, score.passed) == (None, None)


@pytest.mark.parametrize("found", [None, "yes", object(), Score("x", passed="yes")], ids=["none", "text", "object", "word"])  # type: ignore[arg-type]
def test_what_is_no_verdict_is_an_error(found: Any) -> None:
    assert str(judged(Returns(found)).error).startswith("TypeError: ")


@pytest.mark.parametrize(("found", "value", "passed"), [(True, 1.0, True), (False, 0.0, False), (0.25, 0.25, None), (1, 1.0, None)])
def test_a_bare_verdict_or_value_is_a_score(found: Any, value: float, passed: bool | None) -> None:
    score = judged(Returns(found))

    assert (score.value, score.passed, score.error) == (value, passed, None)


def test_negation_inverts_the_verdict_and_nothing_else() -> None:
    score = judged(Returns(Score("x", 0.5, False, "the answer does not say 'x'", {"missing": ["x"]})), negate=True)

    assert score == Score("check", 0.5, True, "must not hold, and does not: the answer does not say 'x'", {"missing": ["x"]})


def test_negation_leaves_the_undecided_undecided() -> None:
    assert judged(Returns(Score("x", reason="not applicable: no steps")), negate=True).passed is None


def test_a_score_carries_what_the_case_says_about_its_check() -> None:
    score = judged(Returns(True), required=False, feeds=Feeds.TOOLS)

    assert (score.name, score.required, score.feeds) == ("check", False, Feeds.TOOLS)


def test_judges_are_left_out_by_request() -> None:
    model, plain = scores_of([Check("judge", Model()), Check("plain", Returns(True))], CONTEXT, skip_judges=True)

    assert (model.skipped, model.reason, plain.passed) == (True, "skipped by request (--no-llm-judge)", True)


def test_everything_is_left_out_by_request() -> None:
    (score,) = scores_of([Check("plain", Returns(True))], CONTEXT, no_score=True)

    assert (score.skipped, score.passed) == (True, None)
