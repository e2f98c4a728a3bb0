"""What the page Judge ought to say of a stored calibration, by statsmodels and scipy.

Every figure is worked out from the verdicts of the file's items; of the golden set the lengths of the answers are asked.
"""

from __future__ import annotations

import json
import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from tests.dashboard.oracle.measures import wilson
from tests.dashboard.oracle.said import Said, with_numbers
from tests.dashboard.oracle.stored import Record
from tests.dashboard.oracle.words import count, fixed, of, p_value, points, rate, score, shares, signed

Lengths = Mapping[str, tuple[int, ...]]
"""Characters of an item's answers by its id."""

_LABELS: Mapping[str, tuple[Any, ...]] = {"binary": (True, False), "marks": tuple(range(1, 11)), "pairs": ("A", "B", "tie")}
_WORDS = {True: "good", False: "bad"}
_GOOD_MARK = 7
_LANDIS_KOCH = ((0.8, "Almost perfect"), (0.6, "Substantial"), (0.4, "Moderate"), (0.2, "Fair"), (0, "Slight"), (-1, "Poor"))
_LISTED = 25


@dataclass(frozen=True)
class Kappa:
    """``value`` None where chance alone agrees always, the ends None where there is no interval."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> str:
        return "" if self.low is None else f"95% {written(self.low)} to {written(self.high)}"


def calibrations(root: Path, judge: str) -> list[Record]:
    """The stored files of a judge, oldest first."""
    found = [json.loads(path.read_text()) for path in (root / "runs" / judge / "calibration").glob("*.json")]
    return sorted(found, key=lambda item: str(item["timestamp"]))


def written(value: float | None) -> str:
    return "n/a" if value is None else signed(value, score(abs(value)), plus=False)


def judged(item: Record) -> list[Record]:
    """The items with both verdicts."""
    return [one for one in item["items"] if one["judge"] is not None]


def legacy(item: Record) -> bool:
    return "schema" not in item


def answers(item: Record) -> int:
    return int(item["n_cases"]) if legacy(item) else len(judged(item))


def table(item: Record) -> np.ndarray:
    """Counts, people down, the judge across."""
    labels = _LABELS[item["kind"]]
    return np.array([[sum((one["human"], one["judge"]) == (a, b) for one in judged(item)) for b in labels] for a in labels])


def kappa(item: Record) -> Kappa:
    """Of a file of 0.3, which holds no verdicts, the stored one."""
    if legacy(item):
        return Kappa(item["kappa"])
    return kappa_of(table(item), weights="quadratic" if item["kind"] == "marks" else None)


def kappa_of(counts: np.ndarray, weights: str | None = None) -> Kappa:
    n, rows, columns = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    if n in rows and n in columns and rows.argmax() == columns.argmax():
        return Kappa(None)
    found = cohens_kappa(counts, wt=weights)
    if np.trace(counts) == n:
        chance = float(rows @ columns) / n**2
        return Kappa(1.0) if weights else Kappa(1.0, (wilson(n, n)[0] - chance) / (1 - chance), 1.0)
    if n in rows or n in columns:
        return Kappa(0.0)
    half = stats.norm.ppf(0.975) * found.std_kappa
    return Kappa(float(found.kappa), max(-1.0, float(found.kappa - half)), min(1.0, float(found.kappa + half)))


def good(label: Any) -> bool:
    return label if isinstance(label, bool) else label >= _GOOD_MARK


def kinder(item: Record) -> list[int]:
    return [int(one["judge"]) - int(one["human"]) for one in judged(item)]


def judge(history: Sequence[Record], place: int, lengths: Lengths) -> Said:
    """The page of the calibration at that place of its judge's, oldest first."""
    return with_numbers(_judge(history, place, lengths))


def _judge(history: Sequence[Record], place: int, lengths: Lengths) -> Said:
    item = history[place]
    found, n, limit = kappa(item), answers(item), written(item["kappa_threshold"])
    said: Said = [("limit" if found.value is not None else "Do not gate", f"limit {limit}" if found.value is not None else "")]
    said += [("", _sentence(item, found)), ("judge of", "AgentEval 0.3," if legacy(item) else f"prompts {item['prompt_version']}")]
    weights = ", quadratic weights" if item.get("weights") == "quadratic" else ""
    said.append(("Kappa ·", f"{written(found.value)} | {found.interval} · n {n:,} · limit {limit}{weights}"))
    agreed = round(item["agreement_rate"] * n) if legacy(item) else sum(one["human"] == one["judge"] for one in judged(item))
    said.append(("Agreement", _share(agreed, n, interval=not legacy(item))))
    if not legacy(item):
        said += _kinds(item)
        errors = len(item["items"]) - n
        said.append(("Judge errors ·", f"{errors:,} | of {count(len(item['items']), 'item')}"))
    if len(history) > 1:
        before = history[place - 1] if place else None
        told = f"had {written(kappa(before).value)} (n {answers(before):,})" if before else ""
        said.append(("its 95% interval", f"{count(len(history), 'calibration')} · {told}"))
    if legacy(item):
        return [*said, ("Disagreements", str(len(item["mismatches"])))]
    said.append(("both verdicts", f"{n:,} items"))
    return [*said, *_sways(item, lengths), *_rows(item)]


def _sentence(item: Record, found: Kappa) -> str:
    n, errors = answers(item), 0 if legacy(item) else len(item["items"]) - answers(item)
    left = f" ({count(errors, 'judge error')} left out)" if errors else ""
    thing = "pair" if item.get("kind") == "pairs" else "answer"
    if found.value is None:
        return f"on all {count(n, thing)}{left}"
    told = f"{word(found.value)} agreement: kappa {written(found.value)}, {found.interval}, n {n:,}{left}"
    limit = item["kappa_threshold"]
    if found.low is not None and found.low < limit < found.value:
        told += f" About {count(math.ceil(n * ((found.value - found.low) / (found.value - limit)) ** 2), f'labelled {thing}')}"
    return told


def word(value: float) -> str:
    """Landis and Koch's."""
    return next(told for least, told in _LANDIS_KOCH if value >= least)


def _share(hits: int, n: int, *, interval: bool = True) -> str:
    return f"{rate(hits / n)} | {of(hits, n)}{f' · {shares(*wilson(hits, n))}' if interval else ''}" if n else "n/a"


def _kinds(item: Record) -> Said:
    """Sensitivity and specificity."""
    if item["kind"] == "pairs":
        return []
    kinds = {wanted: [good(one["judge"]) for one in judged(item) if good(one["human"]) is wanted] for wanted in (True, False)}
    found = {"Good answers passed": kinds[True], "Bad answers failed": [not passed for passed in kinds[False]]}
    errors = len(item["items"]) - answers(item)
    assert errors >= 0
    return [(name, _share(sum(hits), len(hits))) for name, hits in found.items()]


def _sways(item: Record, lengths: Lengths) -> Said:
    if item["kind"] == "pairs":
        return [("Order:", f"{_order(item)} · {_winners(item, lengths)}")]
    told = [_length(item, lengths) if answers(item) >= 10 else "", pass_mark(item)]
    return [("Length:", " · ".join(filter(None, told)))]


def even(one: int, other: int) -> float:
    """Exact two-sided p that two counts are even."""
    return float(stats.binomtest(one, one + other).pvalue) if one + other else 1.0


def _order(item: Record) -> str:
    """A pair leans to the first place where the answer shown there does better than when it stands second."""
    lead = {"A": 1, "tie": 0, "B": -1}
    orders = [one["orders"] for one in judged(item)]
    same = sum(there == back for there, back in orders)
    leans = [lead[there] - lead[back] for there, back in orders if there != back]
    first, second = sum(lean > 0 for lean in leans), sum(lean < 0 for lean in leans)
    told = f"{of(same, len(orders), 'pair')} ({rate(same / len(orders))})"
    return f"{told}; of the other {len(leans)}, {max(first, second)} lean ({p_value(even(first, second))})" if leans else told


def _winners(item: Record, lengths: Lengths) -> str:
    chosen = []
    for one in judged(item):
        a, b = lengths[one["id"]]
        if a != b and "tie" not in (one["human"], one["judge"]):
            longer = "A" if a > b else "B"
            chosen.append((one["judge"] == longer, one["human"] == longer))
    n = len(chosen)
    p = even(sum(a and not b for a, b in chosen), sum(b and not a for a, b in chosen))
    return f"{rate(sum(a for a, _ in chosen) / n)}, people in {rate(sum(b for _, b in chosen) / n)} of {count(n, 'pair')} ({p_value(p)})"


def _length(item: Record, lengths: Lengths) -> str:
    sizes = np.array([lengths[one["id"]][0] for one in judged(item)])
    lean = np.array(kinder(item))
    n = len(sizes)
    if len(set(sizes)) == 1 or len(set(lean)) == 1:
        return f"the same for all {count(n, 'answer')}" if len(set(lean)) == 1 else f"for all {count(n, 'answer')}"
    rho, p = stats.spearmanr(sizes, lean)
    order = np.argsort(sizes, kind="stable")
    halves = [statistics.fmean(map(int, lean[half])) for half in (order[n - n // 2 :], order[: n // 2])]
    told = ", ".join(_lean(half, item["kind"]) for half in halves)
    return f"{told} (rank correlation {written(float(rho))}, n {n:,}, {p_value(float(p))})"


def _lean(mean: float, kind: str) -> str:
    if abs(mean) < 1e-9:
        return "neither"
    return points(abs(mean)).lstrip("+") if kind == "binary" else f"{fixed(abs(mean), 1)} marks"


def pass_mark(item: Record) -> str:
    """Good and bad answers are each shuffled (seed 0) and cut in halves: one half chooses by Youden's J, the other tests; "" if too few."""
    marks = [(one["judge"] if item["kind"] == "marks" else one.get("mark"), good(one["human"])) for one in judged(item)]
    if any(mark is None for mark, _ in marks):
        return ""
    kinds = [[place for place, (_, is_good) in enumerate(marks) if is_good is kind] for kind in (True, False)]
    if min(map(len, kinds)) < 10:
        return ""
    draw = random.Random(0)
    for places in kinds:
        draw.shuffle(places)
    choosing = [places[: len(places) // 2] for places in kinds]
    testing = [places[len(places) // 2 :] for places in kinds]

    def passed(halves: Sequence[Sequence[int]], mark: int) -> list[int]:
        return [sum(marks[place][0] >= mark for place in half) for half in halves]

    def youden(mark: int) -> float:
        hits, false = passed(choosing, mark)
        return round(hits / len(choosing[0]) - false / len(choosing[1]), 12)

    best = max(sorted({marks[place][0] for half in choosing for place in half}), key=youden)
    hits, false = passed(testing, best)
    n_good, n_bad = map(len, testing)
    found = kappa_of(np.array([[hits, n_good - hits], [false, n_bad - false]]))
    ends = f" ({found.interval})" if found.interval else ""
    rates = f"{rate(hits / n_good)} of the {n_good} good pass, {rate((n_bad - false) / n_bad)} of the {n_bad} bad fail"
    told = f"{best} parts good from bad best on {sum(map(len, choosing)):,} answers; on the other {n_good + n_bad:,} "
    return f"{told}kappa is {written(found.value)}{ends}, {rates}"


def _rows(item: Record) -> Said:
    """Disagreements, the furthest apart first, and items without a verdict."""
    apart = [one for one in judged(item) if one["human"] != one["judge"]]
    failed = [one for one in item["items"] if one["judge"] is None]
    said: Said = [("Disagreements", f"({len(apart):,})")]
    if item["kind"] == "binary" and apart:
        kind = sum(one["judge"] for one in apart)
        said.append(("Too kind", " ".join(times for number in (kind, len(apart) - kind) if (times := _times(number)))))
    if item["kind"] == "marks":
        apart.sort(key=lambda one: -abs(one["human"] - one["judge"]))
        said += [(one["id"], f"people {one['human']}, judge {one['judge']}") for one in apart[:_LISTED]]
        said += [(one["id"], f"people {one['human']}") for one in failed[:_LISTED]]
    if failed:
        said.append(("Judge errors (", f"({len(failed):,})"))
    return [*said, *[("more, in the download", f"{len(each) - _LISTED} more") for each in (apart, failed) if len(each) > _LISTED]]


def _times(number: int) -> str:
    return f"{number} times" if number > 1 else ""


def history(found: Sequence[Record]) -> Mapping[str, Mapping[str, Any]]:
    """The figure of kappa: marks with the reach of their intervals, and the limit, a step longer at both ends."""
    drawn = [kappa(item) for item in found]
    drawn = [one for one in drawn if one.value is not None]
    limits = [item["kappa_threshold"] for item in found]
    return {
        "limit": {"y": [limits[0], *limits, limits[-1]]},
        "kappa": {
            "y": [one.value for one in drawn],
            "up": [0 if one.high is None else one.high - (one.value or 0) for one in drawn],
            "down": [0 if one.low is None else (one.value or 0) - one.low for one in drawn],
        },
    }


def confusion(item: Record) -> tuple[list[list[float | None]], list[list[str]]]:
    """The table as drawn: shares of all, below zero where they disagree, and the words of each cell without their sign."""
    counts = table(item)
    if item["kind"] == "pairs" and not counts[2].any() and not counts[:, 2].any():
        counts = counts[:2, :2]
    few, size = len(counts) <= 3, range(len(counts))
    fills = [[_fill(counts, row, column, few) for column in size] for row in size]
    return fills, [[_cell(counts, row, column, few) for column in size] for row in size]


def _fill(counts: np.ndarray, row: int, column: int, few: bool) -> float | None:
    number = int(counts[row, column])
    return (1 if row == column else -1) * number / int(counts.sum()) if number or few else None


def _cell(counts: np.ndarray, row: int, column: int, few: bool) -> str:
    number, whole = int(counts[row, column]), int(counts[row].sum())
    if not few:
        return str(number) if number else ""
    return f"{number} of {whole}<br>{rate(number / whole)}" if whole else str(number)
