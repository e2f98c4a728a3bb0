"""How far a judge agrees with people: the verdicts on a golden set, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from agenteval.model.run import Measure

Label = bool | int | str
"""A verdict: true or false, a mark from 1 to 10, or ``A``, ``B`` or ``tie``."""


PASSES = 7
"""The mark from which on an answer is good, as in the check ``llm_judge``."""
DEFAULT_THRESHOLD = 0.6
"""Kappa that is good enough where nobody says otherwise: substantial agreement, by Landis and Koch."""


def label_word(label: Label) -> str:
    """A verdict as people say it.

    >>> label_word(True), label_word(8), label_word("tie")
    ('good', '8', 'tie')
    """
    return ("good" if label else "bad") if isinstance(label, bool) else str(label)


class Kind(StrEnum):
    """What people and judge say of an item: good or not, a mark from 1 to 10, or which of two answers is better."""

    BINARY = "binary"
    MARKS = "marks"
    PAIRS = "pairs"


class Standing(StrEnum):
    """What a calibration is worth against its threshold.

    TRUSTED: the whole interval of kappa keeps it. UNPROVEN: kappa does, the interval's lower end does not, or there is none.
    BELOW: kappa does not, or there is none.
    """

    TRUSTED = "trusted"
    UNPROVEN = "unproven"
    BELOW = "below"


class PositionBias(NamedTuple):
    """Pairs judged in both orders.

    Attributes:
        same: Pairs in which both orders gave the same winner.
        first, second: Other pairs that leaned to the answer shown first, or second.
        p: Exact two-sided p of that split being even.
    """

    n: int
    same: int
    first: int
    second: int
    p: float


class LengthBias(NamedTuple):
    """How far the judge is kinder than people to long answers.

    Attributes:
        correlation: Spearman's, of the answer's length with judge less human (1 / 0, or marks); None where either never varies.
        p: Two-sided, that it is zero.
        longer, shorter: Mean of judge less human in the longer and the shorter half; positive where the judge is kinder.
    """

    n: int
    correlation: float | None
    p: float | None
    longer: float
    shorter: float


class LengthOfWinner(NamedTuple):
    """Pairs of unequal length in which judge and people both chose.

    Attributes:
        judge, human: Pairs in which they chose the longer answer.
        p: Exact McNemar, that both choose it equally often.
    """

    n: int
    judge: int
    human: int
    p: float


class PassMark(NamedTuple):
    """A pass mark and how it did on the half that did not choose it.

    Attributes:
        mark: Marks from here on pass.
        chosen_on, tested_on: Answers in each half.
        kappa, low, high: Against people, on the tested half; None as of ``compare.agreement.Kappa``.
        sensitivity, specificity: On the tested half, in [0, 1].
    """

    mark: int
    chosen_on: int
    tested_on: int
    kappa: float | None
    low: float | None
    high: float | None
    sensitivity: float
    specificity: float


class Confusion(NamedTuple):
    """Counts of every pair of verdicts: a row what people say, a column what the judge says."""

    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """One item of the golden set with both verdicts.

    Attributes:
        judge: None where ``error`` says why there is no verdict.
        mark: What the judge gave, from 1 to 10, where its verdict is that mark against ``PASSES``; else None.
        orders: The winner with A shown first, and with B; only of pairs asked in both orders.
        backing: Share of the judge's votes behind its verdict, in [0, 1]; None where it was not asked here.
        prompt, answer, other_answer, ground_truth: Texts, kept only where a reader needs them: disagreements and errors.
    """

    id: str
    human: Label
    judge: Label | None
    reason: str = ""
    error: str | None = None
    mark: int | None = None
    orders: tuple[str, str] | None = None
    backing: float | None = None
    prompt: str | None = None
    answer: str | None = None
    other_answer: str | None = None
    ground_truth: str | None = None

    @property
    def verdicts(self) -> tuple[str, str]:
        """What people and judge say, in words."""
        return label_word(self.human), "error" if self.judge is None else label_word(self.judge)

    @property
    def agrees(self) -> bool | None:
        """Whether both say the same, None without the judge's verdict."""
        return None if self.judge is None else self.judge == self.human


@dataclass(frozen=True, slots=True)
class Calibration:
    """A judge set against people on one golden set.

    Attributes:
        judge: The agent whose judge it is.
        n_cases: Items of the set; ``n_cases - errors`` are in every figure.
        errors: Items without a verdict of the judge.
        kappa: None where nothing can be said: no verdicts, or both raters always gave the same one.
        low, high: 95% interval of kappa.
        weights: Which kappa it is: ``none``, or ``quadratic`` for marks.
        mismatches: Ids of the items in which they disagree, the furthest apart first.
        sensitivity, specificity: Good answers that the judge passed, bad ones that it failed (of marks: 7 and more is good); not of pairs.
        model, prompt_version, settings: What was asked, ``settings`` as a short hash; None where not recorded.
        golden_set, golden_hash: The set's path as the user named it, and the hash of its content.
        recorded: The verdicts stood in the golden set; no model was asked.
        legacy: Set for files of an older format: what they do not record.
    """

    judge: str
    timestamp: str
    n_cases: int
    agreement: Measure
    kappa: float | None
    kappa_threshold: float
    interpretation: str | None
    mismatches: tuple[str, ...] = ()
    errors: int = 0
    kind: Kind = Kind.BINARY
    weights: str = "none"
    low: float | None = None
    high: float | None = None
    confusion: Confusion | None = None
    sensitivity: Measure | None = None
    specificity: Measure | None = None
    position: PositionBias | None = None
    length: LengthBias | LengthOfWinner | None = None
    pass_mark: PassMark | None = None
    model: str | None = None
    prompt_version: str | None = None
    settings: str | None = None
    golden_set: str | None = None
    golden_hash: str | None = None
    cost_usd: float | None = None
    recorded: bool = False
    items: Sequence[JudgedItem] = ()
    path: Path | None = None
    legacy: str | None = None

    @property
    def n(self) -> int:
        """Items with both verdicts."""
        return self.agreement.n

    @property
    def below_threshold(self) -> bool:
        """Whether kappa misses the threshold; a kappa that does not exist does."""
        return self.standing is Standing.BELOW

    @property
    def standing(self) -> Standing:
        """What it is worth against the threshold."""
        least = self.kappa_threshold - 1e-12
        if self.kappa is None or self.kappa < least:
            return Standing.BELOW
        return Standing.TRUSTED if self.low is not None and self.low >= least else Standing.UNPROVEN

    @property
    def needed(self) -> int | None:
        """Items with which the whole interval would keep the threshold, were kappa to stay as it is; None where that is no question."""
        if self.standing is not Standing.UNPROVEN or self.kappa is None or self.low is None or self.kappa - self.kappa_threshold < 1e-9:
            return None
        return math.ceil(self.n * ((self.kappa - self.low) / (self.kappa - self.kappa_threshold)) ** 2)

    @property
    def disagreements(self) -> list[JudgedItem]:
        """The items of ``mismatches``, as far as they are stored."""
        by_id = {item.id: item for item in self.items}
        return [by_id[name] for name in self.mismatches if name in by_id]
