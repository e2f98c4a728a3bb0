"""Alignment of step sequences: what a trajectory shares with the expected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agenteval.compare.lcs import common_pairs


@dataclass(frozen=True, slots=True)
class Alignment:
    """Expected and actual steps laid beside each other along one longest common subsequence.

    Attributes:
        pairs: Index pairs (expected, actual) of the matched steps, ascending.
        missing, extra: Indices of the expected steps that never came and of the actual ones that nobody expected.
    """

    expected: tuple[str, ...]
    actual: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]

    @property
    def matched_steps(self) -> tuple[str, ...]:
        """Labels of the matched steps, in order."""
        return tuple(self.expected[i] for i, _ in self.pairs)

    @property
    def missing_steps(self) -> tuple[str, ...]:
        """Labels of the missing steps, as often as they are missing."""
        return tuple(self.expected[i] for i in self.missing)

    @property
    def extra_steps(self) -> tuple[str, ...]:
        """Labels of the surplus steps, as often as they came."""
        return tuple(self.actual[j] for j in self.extra)

    @property
    def moved(self) -> tuple[tuple[int, int], ...]:
        """Steps that came, but out of order: index pairs (missing, extra) of the same label, the first of each first."""
        places: dict[str, list[int]] = {}
        for j in reversed(self.extra):
            places.setdefault(self.actual[j], []).append(j)
        return tuple((i, places[self.expected[i]].pop()) for i in self.missing if places.get(self.expected[i]))

    @property
    def precision(self) -> float:
        """Matched / actual; with no actual steps 0.0, or 1.0 where none were expected."""
        return len(self.pairs) / len(self.actual) if self.actual else float(not self.expected)

    @property
    def recall(self) -> float | None:
        """Matched / expected; with nothing expected 1.0, or None where steps came nevertheless."""
        if self.expected:
            return len(self.pairs) / len(self.expected)
        return None if self.actual else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both, in [0, 1]; 1.0 for two empty sequences."""
        total = len(self.expected) + len(self.actual)
        return 2 * len(self.pairs) / total if total else 1.0

    @property
    def exact(self) -> bool:
        """True where both sequences are equal."""
        return not self.missing and not self.extra

    @property
    def in_order(self) -> bool:
        """True where every expected step came, in the expected order."""
        return not self.missing


def align(expected: Sequence[str], actual: Sequence[str]) -> Alignment:
    """The alignment of two sequences of step labels; labels are compared without surrounding white space.

    >>> found = align(["plan", "search", "write"], ["plan", "search", "search", "write"])
    >>> found.extra, found.f1
    ((2,), 0.8571428571428571)
    """
    left, right = tuple(label.strip() for label in expected), tuple(label.strip() for label in actual)
    pairs = tuple(common_pairs(left, right))
    matched_left, matched_right = {i for i, _ in pairs}, {j for _, j in pairs}
    return Alignment(
        left,
        right,
        pairs,
        tuple(i for i in range(len(left)) if i not in matched_left),
        tuple(j for j in range(len(right)) if j not in matched_right),
    )
