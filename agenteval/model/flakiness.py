"""How steady a repeated case is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumericCluster:
    """The largest complete-link cluster of the numbers read from the answers, all with one verdict."""

    tolerance: float
    members: tuple[int, ...]
    """Repetition indices."""
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class AnswerCluster:
    """Answers that say the same (equal after normalising), the most frequent first."""

    representative: str
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CaseFlakiness:
    """One repeated case.

    Attributes:
        classification: ``stable`` (consistency 1), ``flaky`` (>= 0.8) or ``unstable``; ``no evidence`` with fewer than two
            decided observations.
        consistent, total: Observations in the largest agreeing group, and decided observations; consistency is their ratio.
        passed: Passed among ``total``.
        errors: Observations that are agent or evaluator errors, skipped or unscored: in no ratio.
        basis: ``verdict`` or ``verdict_and_numeric_majority_cluster``.
    """

    case_id: str
    classification: str
    consistent: int
    total: int
    passed: int
    errors: int
    basis: str
    numeric: NumericCluster | None = None
    answers: tuple[AnswerCluster, ...] = ()

    @property
    def consistency(self) -> float | None:
        """In [0, 1]; None without observations."""
        return self.consistent / self.total if self.total else None

    @property
    def rate(self) -> float | None:
        """Flakiness rate, 1 - consistency."""
        return (self.total - self.consistent) / self.total if self.total else None
