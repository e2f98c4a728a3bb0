"""How an agent stands adversarial cases: which broke it, by how they were made and by the case that they were made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agenteval.compare.measures import measures
from agenteval.model.attempt import Attempt
from agenteval.model.facts import ADVERSARIAL_SOURCES, facts_of
from agenteval.model.run import Measure, Outcome, Run, RunHead
from agenteval.model.status import Role, Status

NO_STRATEGY = "(not named)"
NO_PARENT = "(no parent)"


@dataclass(frozen=True, slots=True)
class Mutant:
    """An adversarial case of a run beside the case that it was made from.

    Attributes:
        strategy, parent_id: None where the suite names none.
        parent_status: None where the run did not hold the parent.
        reason: Why it did not pass, "" for a pass.
        role: Candidates and quarantined cases count in no rate.
    """

    case_id: str
    strategy: str | None
    parent_id: str | None
    status: Status
    parent_status: Status | None
    reason: str
    role: Role | None = None

    @property
    def broken(self) -> bool:
        """Whether it failed; an error is no break."""
        return self.status is Status.FAILED

    @property
    def by_mutation(self) -> bool:
        """Whether it failed where its parent passed."""
        return self.broken and self.parent_status is Status.PASSED


@dataclass(frozen=True, slots=True)
class BreakRate:
    """The share of a group's decided cases that failed; ``cases`` counts the group's cases that count in rates, decided or not."""

    name: str
    cases: int
    measure: Measure


@dataclass(frozen=True, slots=True)
class Robustness:
    """A run's adversarial cases.

    Attributes:
        total: As the run's own break rate; ``left_out`` says why adversarial cases were not decided.
        mutants: Those broken by the mutation first, then other broken ones, undecided ones, and those that held; else in suite order.
        strategies, parents: The highest break rate first, groups without a decided case last.
    """

    total: Measure
    mutants: tuple[Mutant, ...]
    strategies: tuple[BreakRate, ...]
    parents: tuple[BreakRate, ...]


def holds_adversarial(head: RunHead) -> bool:
    """Whether a run holds adversarial cases that count, by its head alone; undecided ones are enough."""
    measure = head.metrics.get("break_rate")
    return measure is not None and (measure.n > 0 or any(number for why, number in measure.left_out.items() if why != "not_applicable"))


def robustness(run: Run) -> Robustness:
    """The run's adversarial cases; every case is read, once.

    Raises:
        InputError: A case can't be read.
    """
    attempts = [attempt for attempt in run.cases if attempt.source in ADVERSARIAL_SOURCES]
    statuses = {outcome.case_id: outcome.status for outcome in run.outcomes}
    mutants = [_mutant(attempt, statuses) for attempt in attempts]
    return Robustness(
        _rate(attempts),
        tuple(sorted(mutants, key=_urgency)),
        _grouped(attempts, lambda attempt: _strategy(attempt) or NO_STRATEGY),
        _grouped(attempts, lambda attempt: attempt.parent_id or NO_PARENT),
    )


def changed(mutants: Iterable[Mutant], before: Iterable[Outcome]) -> tuple[list[Mutant], list[Mutant]]:
    """Adversarial cases that count and passed before but break the agent now, and those that broke it before but pass now."""
    then = {outcome.case_id: outcome.status for outcome in before}
    counted = [mutant for mutant in mutants if mutant.role is None]
    return (
        [mutant for mutant in counted if mutant.broken and then.get(mutant.case_id) is Status.PASSED],
        [mutant for mutant in counted if mutant.status is Status.PASSED and then.get(mutant.case_id) is Status.FAILED],
    )


def _mutant(attempt: Attempt, statuses: Mapping[str, Status]) -> Mutant:
    parent = attempt.parent_id
    return Mutant(
        attempt.case_id,
        _strategy(attempt),
        parent,
        attempt.status,
        statuses.get(parent) if parent else None,
        attempt.reason,
        attempt.role,
    )


def _strategy(attempt: Attempt) -> str | None:
    named = attempt.mutation_type or attempt.metadata.get("strategy")
    return named if isinstance(named, str) and named else None


def _urgency(mutant: Mutant) -> int:
    if mutant.broken:
        return 0 if mutant.by_mutation else 1
    return 3 if mutant.status is Status.PASSED else 2


def _grouped(attempts: Sequence[Attempt], name: Callable[[Attempt], str]) -> tuple[BreakRate, ...]:
    groups: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.role is None:
            groups.setdefault(name(attempt), []).append(attempt)
    found = [BreakRate(key, len(group), _rate(group)) for key, group in groups.items()]
    return tuple(sorted(found, key=lambda item: 1.0 if item.measure.value is None else -item.measure.value))


def _rate(attempts: Iterable[Attempt]) -> Measure:
    return measures(map(facts_of, attempts))["break_rate"]
