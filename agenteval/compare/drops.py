"""A pass/fail rate then and now over the same cases, in exact fractions, with the paired test of its change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from agenteval._format import count, of
from agenteval.compare.distributions import normal_quantile
from agenteval.compare.intervals import newcombe_paired
from agenteval.compare.paired import bootstrap_interval, mcnemar_chi_square, mcnemar_exact, mcnemar_mid_p, paired_t, sign_flip
from agenteval.compare.pairing import Pair, Pairing
from agenteval.compare.power import minimum_detectable_drop, smallest_possible_drop
from agenteval.model.attempt import Attempt
from agenteval.model.comparison import PairedTest
from agenteval.model.run import Outcome, Run
from agenteval.model.status import Status

MCNEMAR, SIGN_FLIP = "exact McNemar", "sign-flip over cases"

_FEW = 10
"""Changed cases, and paired cases, below which a test or a bootstrap says little."""

_Repeats = Mapping[str, Sequence[tuple[bool | None, bool]]]
"""Correctness and verdict of a case's decided attempts after the first, by case id."""


@dataclass(frozen=True, slots=True)
class CaseChange:
    """One case decided in both runs: the share of its attempts that hold, then and now."""

    case_id: str
    then: Fraction | int
    now: Fraction | int
    attempts: int
    testable: bool


@dataclass(frozen=True, slots=True)
class RateChange:
    """``correctness_rate`` or ``pass_rate`` over the cases decided in both runs.

    Attributes:
        then, now: Means over these cases; with repeats on both sides of the cases' means over their attempts. None without cases.
        repeated: Whether the means are over repeats.
        fell, rose: Cases whose share fell or rose, in this run's order.
        test: Over the cases whose definition did not change.
    """

    name: str
    cases: tuple[CaseChange, ...]
    repeated: bool
    then: Fraction | None
    now: Fraction | None
    fell: tuple[str, ...]
    rose: tuple[str, ...]
    test: PairedTest

    @property
    def drop(self) -> Fraction | None:
        """then - now; None without cases."""
        return None if self.then is None or self.now is None else self.then - self.now


RATES = ("correctness_rate", "pass_rate")


def rate_changes(current: Run, baseline: Run, pairing: Pairing, alpha: float, names: Sequence[str] = RATES) -> dict[str, RateChange]:
    """How ``correctness_rate`` and ``pass_rate``, or those of them that are named, changed.

    Repeats count where both runs have any: one attempt a case says less than all of them.
    """
    repeated = len(current.repetitions) > 0 and len(baseline.repetitions) > 0
    now, then = (_verdicts(run.repetitions) if repeated else {} for run in (current, baseline))
    return {name: _change(name, [_case(name, pair, now, then) for pair in pairing.decided], repeated, alpha) for name in names}


def _verdicts(repetitions: Sequence[Attempt]) -> _Repeats:
    found: dict[str, list[tuple[bool | None, bool]]] = {}
    for attempt in repetitions:
        if attempt.status.decided:
            found.setdefault(attempt.case_id, []).append((attempt.correct, attempt.status is Status.PASSED))
    return found


def _change(name: str, found: Sequence[CaseChange | None], repeated: bool, alpha: float) -> RateChange:
    cases = tuple(case for case in found if case is not None)
    tested = [case for case in cases if case.testable]
    return RateChange(
        name,
        cases,
        repeated,
        then=_mean([case.then for case in cases]),
        now=_mean([case.now for case in cases]),
        fell=tuple(case.case_id for case in cases if case.now < case.then),
        rose=tuple(case.case_id for case in cases if case.now > case.then),
        test=_sign_flip_test(tested, alpha) if repeated else _mcnemar_test(tested, alpha),
    )


def _mean(shares: Sequence[Fraction | int]) -> Fraction | None:
    return Fraction(sum(shares), len(shares)) if shares else None


def _case(name: str, pair: Pair, now: _Repeats, then: _Repeats) -> CaseChange | None:
    case_id = pair.now.case_id
    held_now, held_then = _held(name, pair.now, now.get(case_id, ())), _held(name, pair.then, then.get(case_id, ()))
    if not held_now or not held_then:
        return None
    return CaseChange(case_id, _share(held_then), _share(held_now), max(len(held_now), len(held_then)), not pair.changed)


def _held(name: str, outcome: Outcome, further: Sequence[tuple[bool | None, bool]]) -> list[bool]:
    """What each decided attempt says, the primary one first."""
    if name == "pass_rate":
        return [outcome.status is Status.PASSED, *(passed for _, passed in further)]
    return [correct for correct in (outcome.correct, *(correct for correct, _ in further)) if correct is not None]


def _share(held: Sequence[bool]) -> Fraction | int:
    return int(held[0]) if len(held) == 1 else Fraction(sum(held), len(held))


def _mcnemar_test(cases: Sequence[CaseChange], alpha: float) -> PairedTest:
    n = len(cases)
    fell, rose = _changes(cases)
    both = sum(1 for case in cases if case.now == case.then == 1)
    empty = PairedTest(MCNEMAR, n, fell, rose, alpha=alpha)
    if not n:
        return empty
    p = mcnemar_exact(fell, rose)
    statistic, chi_p = mcnemar_chi_square(fell, rose)
    difference, newcombe_low, newcombe_high = newcombe_paired(both, rose, fell, n - both - fell - rose)
    bootstrap = bootstrap_interval([-1.0] * fell + [1.0] * rose + [0.0] * (n - fell - rose))
    return replace(
        empty,
        difference=difference,
        p=p,
        mid_p=mcnemar_mid_p(fell, rose),
        chi_square=statistic,
        chi_square_p=chi_p,
        bootstrap_low=bootstrap and bootstrap[0],
        bootstrap_high=bootstrap and bootstrap[1],
        newcombe_low=newcombe_low,
        newcombe_high=newcombe_high,
        minimum_detectable_drop=minimum_detectable_drop(n, (fell + rose) / n, alpha),
        smallest_possible_drop=smallest_possible_drop(n, alpha),
        changed_share=(fell + rose) / n,
        warnings=_warnings(n, fell + rose, significant=p <= alpha),
    )


def _sign_flip_test(cases: Sequence[CaseChange], alpha: float) -> PairedTest:
    n = len(cases)
    fell, rose = _changes(cases)
    empty = PairedTest(SIGN_FLIP, n, fell, rose, alpha=alpha)
    if not n:
        return empty
    exact = [Fraction(case.now - case.then) for case in cases]
    differences = [float(difference) for difference in exact]
    flip, student, bootstrap = sign_flip(exact), paired_t(differences), bootstrap_interval(differences)
    smallest = smallest_possible_drop(n, alpha, step=1 / max(case.attempts for case in cases))
    return replace(
        empty,
        difference=float(sum(exact, Fraction(0)) / n),
        p=flip.p,
        t_p=student.p if student else None,
        bootstrap_low=bootstrap and bootstrap[0],
        bootstrap_high=bootstrap and bootstrap[1],
        minimum_detectable_drop=_detectable(student.se, alpha, smallest) if student and student.se and smallest else None,
        smallest_possible_drop=smallest,
        changed_share=(fell + rose) / n,
        warnings=(
            *_warnings(n, fell + rose, significant=flip.p <= alpha),
            *(() if flip.method == "exact" else (f"p is {flip.method}",)),
        ),
    )


def _detectable(se: float, alpha: float, smallest: float) -> float:
    """Miller (2024), arXiv:2411.00640, section 5, with the observed standard error; never below what could be significant at all."""
    return min(1.0, max(smallest, (normal_quantile(1 - alpha / 2) + normal_quantile(0.8)) * se))


def _changes(cases: Sequence[CaseChange]) -> tuple[int, int]:
    return sum(case.now < case.then for case in cases), sum(case.now > case.then for case in cases)


def _warnings(n: int, changed: int, *, significant: bool) -> tuple[str, ...]:
    found = []
    if 0 < changed < _FEW and not significant:
        found.append(f"only {of(changed, n, 'paired case')} changed: no p-value over so few is evidence of no change")
    if 0 < n < _FEW:
        found.append(f"only {count(n, 'paired case')}: the bootstrap interval can be too narrow")
    return tuple(found)


def interval_of(change: RateChange) -> tuple[float, float] | None:
    """95% interval of now - then: Newcombe's, with repeats Student's over the cases' means; None without one."""
    test = change.test
    if not change.repeated:
        return None if test.newcombe_low is None or test.newcombe_high is None else (test.newcombe_low, test.newcombe_high)
    student = paired_t([float(case.now - case.then) for case in change.cases if case.testable])
    if student is None:
        return None
    if student.low is None or student.high is None:
        return _of_equal_changes(student.mean, change.test.n_pairs)
    return max(-1.0, student.low), min(1.0, student.high)


def _of_equal_changes(mean: float, n: int) -> tuple[float, float]:
    """Where every case changed alike Student's interval has no width; Newcombe's of as many unchanged cases is honest about n."""
    _, low, high = newcombe_paired(n, 0, 0, 0)
    reach = max(-low, high)
    return max(-1.0, mean - reach), min(1.0, mean + reach)
