"""From which mark on an answer counts as good, chosen on one half of a calibration set and tested on the other."""

from __future__ import annotations

import random
from collections.abc import Sequence

from agenteval.compare.agreement import cohen_kappa
from agenteval.model.calibration import PassMark

SEED = 0
_FEWEST = 5
"""Good answers, and bad ones, that each half needs."""


def tune(marks: Sequence[int], good: Sequence[bool], *, seed: int = SEED) -> PassMark | None:
    """The mark with the largest sensitivity + specificity (Youden's J) on a seeded half; the lowest such where several are.

    None where a half would hold fewer than five good or five bad answers.

    Args:
        marks: The judge's, whole numbers.
        good: Whether people found the answer good.

    Source: Youden (1950), Cancer 3(1).
    """
    by_kind = [[place for place, is_good in enumerate(good) if is_good is kind] for kind in (True, False)]
    if min(map(len, by_kind)) < 2 * _FEWEST:
        return None
    shuffle = random.Random(seed)
    for places in by_kind:
        shuffle.shuffle(places)
    chosen = [place for places in by_kind for place in places[: len(places) // 2]]
    tested = [place for places in by_kind for place in places[len(places) // 2 :]]
    mark = max(sorted({marks[place] for place in chosen}), key=lambda candidate: sum(_rates(marks, good, chosen, candidate)))
    kappa = cohen_kappa(_table(marks, good, tested, mark))
    assert kappa is not None
    return PassMark(mark, len(chosen), len(tested), kappa.value, kappa.low, kappa.high, *_rates(marks, good, tested, mark))


def _table(marks: Sequence[int], good: Sequence[bool], places: Sequence[int], mark: int) -> list[list[int]]:
    """Rows: people say good, bad; columns: the judge does."""
    table = [[0, 0], [0, 0]]
    for place in places:
        table[not good[place]][marks[place] < mark] += 1
    return table


def _rates(marks: Sequence[int], good: Sequence[bool], places: Sequence[int], mark: int) -> tuple[float, float]:
    (found, missed), (taken, refused) = _table(marks, good, places, mark)
    return found / (found + missed), refused / (taken + refused)
