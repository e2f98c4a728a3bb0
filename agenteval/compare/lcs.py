"""Longest common subsequence of two sequences of labels, fast enough for thousands of steps."""

from __future__ import annotations

from collections.abc import Sequence

_BLOCK = 256
"""Rows kept at once while walking back: at 50,000 x 50,000 labels that is 3 MB instead of 300."""

_RARE = 16
"""Labels that occur at most this often have no mask of their own."""


def common_pairs(expected: Sequence[str], actual: Sequence[str]) -> list[tuple[int, int]]:
    """Index pairs of one longest common subsequence, ascending.

    Among several longest ones the earliest match is taken, and a surplus label of ``actual`` is skipped before one of ``expected``.

    Bit-parallel: one big integer a row, so 5,000 x 5,000 labels take hundredths of a second.
    Source: Crochemore et al. (2001), Information Processing Letters 80(6).

    >>> common_pairs(["plan", "search", "write"], ["plan", "search", "search", "write"])
    [(0, 0), (1, 1), (2, 3)]
    """
    rows, columns = len(expected), len(actual)
    if not rows or not columns:
        return []
    rank = {label: number for number, label in enumerate(dict.fromkeys(expected))}
    left = [rank[label] for label in expected]
    right = [rank.get(label, -1) for label in actual]
    table = _Table(left, right)
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if left[i] == right[j]:
            pairs.append((i, j))
            i += 1
            j += 1
        elif table.skips_actual(i, j):
            j += 1
        else:
            i += 1
    return pairs


class _Table:
    """For every suffix of the expected labels, the bit row that tells where the length grows along the suffixes of the actual ones.

    Rows are computed once from the end, every ``_BLOCK``-th is kept, and a block is recomputed when the walk enters it.
    """

    def __init__(self, left: list[int], right: list[int]) -> None:
        self._left = left
        self._columns = len(right)
        self._full = (1 << self._columns) - 1
        self._masks = _Masks(right)
        self._kept = {len(left): self._full}
        row = self._full
        for i in range(len(left) - 1, -1, -1):
            row = self._next(row, i)
            if i % _BLOCK == 0:
                self._kept[i] = row
        self._block: dict[int, int] = {}

    def skips_actual(self, i: int, j: int) -> bool:
        """True where dropping ``actual[j]`` leaves the longest length from (i, j) on as it is."""
        return bool(self._row(i) >> (self._columns - 1 - j) & 1)

    def _row(self, i: int) -> int:
        if i not in self._block:
            start = i - i % _BLOCK
            end = min(start + _BLOCK, len(self._left))
            row = self._kept[end]
            self._block = {}
            for k in range(end - 1, start - 1, -1):
                row = self._next(row, k)
                self._block[k] = row
        return self._block[i]

    def _next(self, row: int, i: int) -> int:
        hits = row & self._masks.of(self._left[i])
        return ((row + hits) | (row - hits)) & self._full


class _Masks:
    """For each label the bits of its places, counted from the end.

    Rare labels are kept as places: a mask of every label would take 300 MB for 50,000 different ones.
    """

    def __init__(self, right: list[int]) -> None:
        self._places: dict[int, list[int]] = {}
        for place, label in enumerate(reversed(right)):
            if label >= 0:
                self._places.setdefault(label, []).append(place)
        size = len(right) // 8 + 1
        self._masks = {label: _mask(places, size) for label, places in self._places.items() if len(places) > _RARE}

    def of(self, label: int) -> int:
        mask = self._masks.get(label)
        if mask is None:
            mask = 0
            for place in self._places.get(label, ()):
                mask |= 1 << place
        return mask


def _mask(places: list[int], size: int) -> int:
    bits = bytearray(size)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")
