"""From verdicts to a calibration: agreement, confusion, errors of each kind, and what sways the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agenteval.calibration.golden_set import GoldenItem, GoldenSet
from agenteval.compare.agreement import cohen_kappa, landis_koch
from agenteval.compare.intervals import wilson
from agenteval.compare.judge_bias import length_bias, length_of_winner, position_bias
from agenteval.compare.pass_mark import tune
from agenteval.model.calibration import (
    PASSES,
    Calibration,
    Confusion,
    JudgedItem,
    Kind,
    Label,
    LengthBias,
    LengthOfWinner,
    PassMark,
    label_word,
)
from agenteval.model.run import Measure

LABELS: Mapping[Kind, tuple[Label, ...]] = {
    Kind.BINARY: (True, False),
    Kind.MARKS: tuple(range(1, 11)),
    Kind.PAIRS: ("A", "B", "tie"),
}
"""Every verdict of a kind, in the order of the confusion table."""


def measured(judge: str, golden: GoldenSet, items: Sequence[JudgedItem], *, timestamp: str, threshold: float, **known: Any) -> Calibration:
    """The calibration that these verdicts come to; items without a verdict of the judge are counted and left out of every figure.

    Args:
        items: In the order of the golden set.
        known: Further fields of ``Calibration``: model, prompt_version, settings, cost_usd, recorded.
    """
    decided = [(given, item) for given, item in zip(golden.items, items, strict=True) if item.judge is not None]
    judged = [item for _, item in decided]
    errors = len(items) - len(judged)
    labels = LABELS[golden.kind]
    counts = Counter((item.human, item.judge) for item in judged)
    table = tuple(tuple(counts[human, judge] for judge in labels) for human in labels)
    weights = "quadratic" if golden.kind is Kind.MARKS else "none"
    kappa = cohen_kappa(table, weights=weights)
    value = None if kappa is None else kappa.value
    sensitivity, specificity = _error_rates(golden.kind, judged)
    return Calibration(
        judge=judge,
        timestamp=timestamp,
        n_cases=len(items),
        agreement=_rate(sum(item.agrees is True for item in judged), len(judged), errors),
        kappa=value,
        kappa_threshold=threshold,
        interpretation=None if value is None else landis_koch(value),
        mismatches=tuple(item.id for item in sorted(judged, key=_distance, reverse=True) if not item.agrees),
        errors=errors,
        kind=golden.kind,
        weights=weights,
        low=None if kappa is None else kappa.low,
        high=None if kappa is None else kappa.high,
        confusion=Confusion(tuple(map(label_word, labels)), table),
        sensitivity=sensitivity,
        specificity=specificity,
        position=position_bias([item.orders for item in judged if item.orders is not None]),
        length=_length_of_pairs(decided) if golden.kind is Kind.PAIRS else _length(decided),
        pass_mark=_pass_mark(golden.kind, judged),
        golden_set=golden.shown,
        golden_hash=golden.hash,
        items=tuple(items),
        **known,
    )


def _rate(hits: int, n: int, errors: int = 0) -> Measure:
    left_out = {"errors": errors} if errors else {}
    if not n:
        return Measure(None, 0, "rate", "higher", left_out)
    return Measure(hits / n, n, "rate", "higher", left_out, *wilson(hits, n))


def _good(label: Label) -> bool:
    return label if isinstance(label, bool) else isinstance(label, int) and label >= PASSES


def _error_rates(kind: Kind, judged: Sequence[JudgedItem]) -> tuple[Measure | None, Measure | None]:
    if kind is Kind.PAIRS:
        return None, None
    good = [_good(item.judge) for item in judged if item.judge is not None and _good(item.human)]
    bad = [not _good(item.judge) for item in judged if item.judge is not None and not _good(item.human)]
    return _rate(sum(good), len(good)), _rate(sum(bad), len(bad))


def _distance(item: JudgedItem) -> int:
    """How far apart the verdicts are; all disagreements but those of marks are alike."""
    if isinstance(item.human, str) or isinstance(item.judge, str) or item.judge is None:
        return 0
    return abs(int(item.human) - int(item.judge))


def _length(decided: Sequence[tuple[GoldenItem, JudgedItem]]) -> LengthBias | None:
    kinder = [float(int(item.judge) - int(item.human)) for _, item in decided if item.judge is not None]
    return length_bias([len(given.answer) for given, _ in decided], kinder)


def _length_of_pairs(decided: Sequence[tuple[GoldenItem, JudgedItem]]) -> LengthOfWinner | None:
    choices = []
    for given, item in decided:
        assert given.other_answer is not None
        longer = "A" if len(given.answer) > len(given.other_answer) else "B"
        if len(given.answer) != len(given.other_answer) and "tie" not in (item.human, item.judge):
            choices.append((item.judge == longer, item.human == longer))
    return length_of_winner(choices)


def _pass_mark(kind: Kind, judged: Sequence[JudgedItem]) -> PassMark | None:
    """Of a judge that gives marks; what people marked ``PASSES`` or more is good."""
    mark_of: Callable[[JudgedItem], Label | None] = (lambda item: item.judge) if kind is Kind.MARKS else (lambda item: item.mark)
    marked = [(mark, _good(item.human)) for item in judged if (mark := mark_of(item)) is not None and not isinstance(mark, str)]
    return tune([int(mark) for mark, _ in marked], [good for _, good in marked]) if kind is not Kind.PAIRS else None
