"""Alignment: known pairs, ties, agreement with the textbook table, and speed that does not depend on luck."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenteval.compare.alignment import align
from agenteval.compare.lcs import common_pairs

LABELS = st.lists(st.sampled_from("abcd"), max_size=14)


def textbook_pairs(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """The full dynamic-programming table and its walk, as every textbook prints it."""
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            longest[i][j] = longest[i + 1][j + 1] + 1 if a[i] == b[j] else max(longest[i + 1][j], longest[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i][j + 1] == longest[i][j]:
            j += 1
        else:
            i += 1
    return pairs


@settings(deadline=None)
@given(LABELS, LABELS)
def test_pairs_are_those_of_the_full_table(a: list[str], b: list[str]) -> None:
    assert common_pairs(a, b) == textbook_pairs(a, b)


def test_pairs_are_those_of_the_full_table_across_blocks_and_for_frequent_labels() -> None:
    a = [str(i * i % 7) for i in range(600)]
    b = [str(i * i * i % 11 % 7) for i in range(530)]

    assert common_pairs(a, b) == textbook_pairs(a, b)


def test_only_the_surplus_one_of_repeated_steps_is_extra() -> None:
    found = align(["plan", "search", "search", "write"], ["plan", "search", "search", "search", "write"])

    assert found.pairs == ((0, 0), (1, 1), (2, 2), (3, 4))
    assert found.extra == (3,)
    assert found.extra_steps == ("search",)
    assert found.in_order
    assert not found.exact


def test_a_tie_skips_the_actual_step() -> None:
    assert align(["a", "b"], ["b", "a"]).pairs == ((0, 1),)


def test_missing_steps_keep_their_number() -> None:
    found = align(["route:sql", "agent:sql", "agent:check", "agent:check"], ["route:sql", "agent:sql"])

    assert found.missing_steps == ("agent:check", "agent:check")
    assert (found.precision, found.recall, found.f1) == (1.0, 0.5, pytest.approx(2 / 3))
    assert not found.in_order


@pytest.mark.parametrize(
    ("expected", "actual", "precision", "recall", "f1"),
    [
        pytest.param([], [], 1.0, 1.0, 1.0, id="nothing expected, nothing came"),
        pytest.param([], ["x"], 0.0, None, 0.0, id="nothing expected, one came"),
        pytest.param(["x"], [], 0.0, 0.0, 0.0, id="one expected, nothing came"),
        pytest.param([" x "], ["x"], 1.0, 1.0, 1.0, id="white space does not count"),
        pytest.param(["X"], ["x"], 0.0, 0.0, 0.0, id="case counts"),
    ],
)
def test_edges(expected: list[str], actual: list[str], precision: float, recall: float | None, f1: float) -> None:
    found = align(expected, actual)

    assert (found.precision, found.recall, found.f1) == (precision, recall, f1)


@pytest.mark.parametrize("vocabulary", [5, 300, 5000])
def test_five_thousand_steps_take_little_time_and_memory(vocabulary: int) -> None:
    a = [str(i * 7919 % 104_729 % vocabulary) for i in range(5000)]
    b = [str(i * 6101 % 99_991 % vocabulary) for i in range(5000)]

    tracemalloc.start()
    started = time.process_time()
    found = align(a, b)
    elapsed, (_, peak) = time.process_time() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 0 < len(found.pairs) < 5000
    assert elapsed < 1
    assert peak < 20_000_000
