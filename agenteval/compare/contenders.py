"""Several agents on one suite: every two against each other over the cases that both decided, and who is best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from agenteval.compare.curves import CurvePoint, pass_curve
from agenteval.compare.drops import interval_of, rate_changes
from agenteval.compare.front import Mean, mean_cost
from agenteval.compare.multiplicity import holm
from agenteval.compare.pairing import pair_cases
from agenteval.model.comparison import PairedTest
from agenteval.model.flakiness import CaseFlakiness
from agenteval.model.run import Measure, Outcome, Run, RunHead

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Contender:
    """One agent, or one model of it, with its run.

    Attributes:
        name: What it is called among the others.
        hat: pass^k at the largest k that a case has attempts for, None without repeats.
        cost: Mean cost of a priced case in USD, None where none was priced.
    """

    name: str
    head: RunHead
    hat: CurvePoint | None
    cost: Mean | None

    def measure(self, metric: str) -> Measure | None:
        """A metric that the run measured, else None."""
        found = self.head.metrics.get(metric)
        return found if found is not None and found.value is not None else None

    @property
    def undecided(self) -> int:
        """Cases that count and that the run did not decide."""
        return sum(self.head.counts.get(status, 0) for status in ("agent_error", "evaluator_error", "skipped", "unscored"))


def contender(name: str, head: RunHead, outcomes: Sequence[Outcome], repeated: Sequence[CaseFlakiness]) -> Contender:
    """A contender of its stored run; candidates and quarantined cases count in nothing."""
    counted = [outcome for outcome in outcomes if outcome.role is None]
    ids = {outcome.case_id for outcome in counted}
    curve = pass_curve({case.case_id: (case.total, case.passed) for case in repeated if case.case_id in ids}, every=True)
    costs = [outcome.cost_usd for outcome in counted if outcome.cost_usd is not None]
    return Contender(name, head, curve[-1] if curve else None, mean_cost(costs))


@dataclass(frozen=True, slots=True)
class Duel:
    """Two agents over the cases that both decided.

    Attributes:
        first, second: Their names; ``first`` has the higher correctness over these cases, or the earlier name.
        test: The paired test; in it ``regressed`` counts cases that ``first`` does worse than ``second``, ``improved`` better.
        cases: Cases that both decided.
        first_rate, second_rate: Correctness over them (with repeats on both sides, mean over cases); None without cases.
        difference: first - second, in [0, 1]; None without cases.
        low, high: Its 95% interval.
        p_adjusted: Holm's p over all pairs that were tested; None without a test.
        edited: Cases left out of the test because their definition differs.
    """

    first: str
    second: str
    test: PairedTest
    cases: int
    first_rate: float | None
    second_rate: float | None
    difference: float | None
    low: float | None
    high: float | None
    edited: int
    p_adjusted: float | None = None

    @property
    def told_apart(self) -> bool:
        """Whether the difference is more than chance would make of it."""
        return self.p_adjusted is not None and self.p_adjusted <= ALPHA


@dataclass(frozen=True, slots=True)
class Leader:
    """The agent with the highest correctness, and the duels that do not tell it apart from another one."""

    name: str
    undecided: tuple[Duel, ...]


def duels(runs: Mapping[str, Run]) -> list[Duel]:
    """Every pair of runs of one suite by exact McNemar (with repeats on both sides sign-flip over cases), Holm-adjusted over the pairs."""
    found = [_duel(one, other, runs) for one, other in combinations(runs, 2)]
    tested = [place for place, duel in enumerate(found) if duel.test.p is not None]
    for place, p in zip(tested, holm([_p(found[place]) for place in tested]), strict=True):
        found[place] = replace(found[place], p_adjusted=p)
    return found


def leader(rates: Mapping[str, tuple[float, int]], found: list[Duel]) -> Leader | None:
    """Who is best, None where nobody was measured. Of equal rates the one that decided more cases leads, then the earlier name.

    Args:
        rates: Correctness and the cases it stands on, by name.
    """
    if not rates:
        return None
    best = min(rates, key=lambda name: (-rates[name][0], -rates[name][1], name))
    against = [duel for duel in found if best in (duel.first, duel.second)]
    return Leader(best, tuple(duel for duel in against if not duel.told_apart or duel.first != best))


def _p(duel: Duel) -> float:
    assert duel.test.p is not None
    return duel.test.p


def _duel(one: str, other: str, runs: Mapping[str, Run]) -> Duel:
    duel = _against(one, other, runs)
    return duel if duel.difference is None or duel.difference >= 0 else _against(other, one, runs)


def _against(first: str, second: str, runs: Mapping[str, Run]) -> Duel:
    pairing = pair_cases(runs[first], runs[second])
    change = rate_changes(runs[first], runs[second], pairing, ALPHA, ["correctness_rate"])["correctness_rate"]
    low, high = interval_of(change) or (None, None)
    now, then = change.now, change.then
    return Duel(
        first,
        second,
        change.test,
        len(change.cases),
        None if now is None else float(now),
        None if then is None else float(then),
        None if now is None or then is None else float(now - then),
        low,
        high,
        sum(not case.testable for case in change.cases),
    )
