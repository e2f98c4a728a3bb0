"""Evaluators that others write: functions, classes, entry points."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agenteval.evaluators import Context, evaluator, table
from agenteval.evaluators.functions import as_evaluator
from agenteval.model.score import Score
from tests.evaluators.judging import a_case, problems_of, score, scores_of, spec


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    import sys

    names = sys.modules["agenteval.evaluators.table"]._defined  # type: ignore[attr-defined]
    before = dict(names)
    yield
    names.clear()
    names.update(before)


def test_a_function_is_an_evaluator_with_its_keywords_as_parameters() -> None:
    @evaluator
    def says_often(context: Context, word: str, *, times: int = 2) -> bool:
        """The answer says a word often enough."""
        return context.output.count(word) >= times

    assert score("says_often", "ha", output="ha ha").passed is True
    assert score("says_often", {"word": "ha", "times": 3}, output="ha ha").passed is False
    assert table()["says_often"].__doc__ == "The answer says a word often enough."
    assert problems_of(a_case(evaluators=(spec("says_often", {"word": "x", "time": 1}),))) == [
        "cases[0].evaluators[0].says_often.time: unknown key 'time'; did you mean 'times'?"
    ]


def test_a_function_can_decide_correctness() -> None:
    @evaluator(name="reversed")
    def is_reversed(context: Context) -> Score:
        return Score("reversed", passed=context.output == str(context.expects["ground_truth"])[::-1])

    (found,) = scores_of(a_case({"evaluator": "reversed", "ground_truth": "abc"}), "cba")

    assert (found.name, found.passed, found.feeds) == ("reversed", True, "correctness")


def test_a_built_in_name_is_taken() -> None:
    with pytest.raises(ValueError, match="'exact' is the name of a built-in evaluator; choose another"):
        evaluator(name="exact")(lambda context: True)


def test_what_cannot_evaluate_is_refused() -> None:
    async def later(context: Context) -> bool:
        return True

    class Nothing:
        pass

    for target, told in (
        (3, "int is neither a function nor a class"),
        (later, "later is asynchronous; an evaluator is a plain function"),
        (Nothing, r"Nothing has no method evaluate\(context\)"),
        (lambda: True, "<lambda> takes no context; its first parameter is the context to judge"),
    ):
        with pytest.raises(TypeError, match=told):
            as_evaluator(target)


def test_a_verdict_of_numpys_own_kind_is_a_verdict() -> None:
    import numpy

    @evaluator
    def compares_arrays(context: Context) -> bool:
        return numpy.bool_(True)

    found = score("compares_arrays")

    assert (found.passed, found.value, found.error) == (True, 1.0, None)
