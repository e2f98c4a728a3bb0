"""No answer, however odd, breaks an evaluator."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agenteval.evaluators import Context, compile_case, scores_of
from agenteval.evaluators.finality import counted
from agenteval.evaluators.quantities import read
from agenteval.model.attempt import Attempt
from agenteval.model.response import ToolCall
from agenteval.model.status import Status
from tests.evaluators.judging import a_case, spec

SPECS: list[tuple[str, Any]] = [
    ("exact", "4"),
    ("exact", {"value": 4}),
    ("contains", ["no", 12]),
    ("numeric", {"value": 12, "unit": "rate"}),
    ("numeric_table", {"cells": {"a": 1, "b 2": 2}}),
    ("regex", r"\d"),
    ("json", {"subset": {"a": 1}}),
    ("must_call_tools", ["a"]),
    ("tool_calls", [{"name": "a", "arguments": {"x": 1}}]),
    ("trajectory", ["a"]),
    ("must_not_hallucinate", None),
    ("retained_facts", ["12", "a b"]),
    ("max_steps", 1),
    ("field", {"path": "output.a", "equals": 1}),
    ("no_error", None),
]
CHECKS = compile_case(a_case(evaluators=tuple(spec(name, params, path=f"p[{i}]") for i, (name, params) in enumerate(SPECS))))[0].checks
INVERTED = compile_case(
    a_case(evaluators=tuple(spec(name, params, negate=True, path=f"p[{i}]") for i, (name, params) in enumerate(SPECS)))
)[0]

numberish = st.text(alphabet="0123456789.,-−+%$€()[]{}|*_~=^/\\ :#\n aekMnotis½²×\u00a0\u202f一")
answers = st.one_of(
    st.text(),
    numberish,
    st.lists(st.sampled_from(["the answer is ", "not ", "12", "1. ", "**", "\n", "|", "3-5", "$", "is wrong"])).map("".join),
)
arguments = st.one_of(st.none(), st.text(), st.integers(), st.dictionaries(st.text(), st.integers()))


@settings(deadline=None)  # a busy machine decides nothing
@given(answers, st.lists(st.builds(ToolCall, st.sampled_from(["a", "b"]), arguments), max_size=4))
def test_scores_are_shares_and_negation_never_flips_errors(answer: str, calls: list[ToolCall]) -> None:
    context = Context(Attempt("a", Status.UNSCORED, output=answer, tool_calls=tuple(calls)))

    for plain, inverted in zip(scores_of(CHECKS, context), scores_of(INVERTED.checks, context), strict=True):
        assert plain.error is None
        assert plain.value is None or 0 <= plain.value <= 1
        assert inverted.passed == (None if plain.passed is None else not plain.passed)


@settings(deadline=None)  # a busy machine decides nothing
@given(answers)
def test_spans_lie_inside_the_text_in_order(answer: str) -> None:
    quantities = read(answer).quantities

    assert all(0 <= found.start < found.end <= len(answer) for found in quantities)
    assert all(left.end <= right.start for left, right in pairwise(quantities))
    assert set(counted(read(answer))[0]) <= set(quantities)


@settings(deadline=None)  # a busy machine decides nothing
@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9))
def test_a_number_alone_is_read_as_itself(value: Any) -> None:
    for text in (f"{value:f}", f"{value:,f}"):
        assert [found.value for found in read(text).quantities] == [value]
