"""What gates judge by: the run, its baseline, the pairs, and the words in which a gate tells what it found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from agenteval._format import joined, value
from agenteval.compare.drops import RateChange
from agenteval.compare.pairing import Pairing
from agenteval.model.attempt import Attempt
from agenteval.model.facts import Facts, facts_of
from agenteval.model.gates import GateLimits, GateOutcome, GateResult
from agenteval.model.run import Measure, Outcome, Run
from agenteval.model.status import Status

_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Evidence:
    """A run to be judged. ``baseline`` and ``pairing`` are None, and ``changes`` empty, for a run judged alone.

    ``metrics`` are the run's own; ``changes`` holds ``correctness_rate`` and ``pass_rate`` against the baseline.
    """

    current: Run
    baseline: Run | None
    limits: GateLimits
    metrics: Mapping[str, Measure]
    pairing: Pairing | None
    changes: Mapping[str, RateChange]

    @cached_property
    def counted(self) -> tuple[Outcome, ...]:
        """Outcomes of the cases that count: no candidates, nothing quarantined."""
        return tuple(outcome for outcome in self.current.outcomes if outcome.role is None)

    @cached_property
    def decided(self) -> int:
        """How many of these passed or failed."""
        return sum(outcome.status.decided for outcome in self.counted)

    @cached_property
    def unscored_by_request(self) -> bool:
        """Nothing was decided, and that was asked for."""
        return not self.decided and any(outcome.status is Status.UNSCORED for outcome in self.counted)

    @cached_property
    def observations(self) -> dict[str, list[Attempt]]:
        """All attempts of the repeated cases that count."""
        counted = {outcome.case_id for outcome in self.counted}
        return {case_id: attempts for case_id, attempts in self.current.observations().items() if case_id in counted}

    def of_status(self, *statuses: Status) -> list[str]:
        """Ids of counted cases that ended so."""
        return [outcome.case_id for outcome in self.counted if outcome.status in statuses]

    def facts(self) -> Iterator[Facts]:
        """Facts of the counted cases, read one by one."""
        return (
            facts_of(attempt) for outcome, attempt in zip(self.current.outcomes, self.current.cases, strict=True) if outcome.role is None
        )

    def must_have(self, gate: str) -> bool:
        """Whether someone wrote this gate, so that it fails without its evidence; a gate that is off by default was always written."""
        return gate in self.limits.written or gate not in DEFAULT_GATES


DEFAULT_GATES = frozenset({"max_correctness_drop", "max_hallucination_rate", "min_tool_accuracy"})
"""Metric gates that hold where nobody wrote any."""


def exact(number: float) -> Fraction:
    """A number as it is written: .05 is one twentieth."""
    return Fraction(str(number))


def hits_of(measure: Measure) -> Fraction | None:
    """A rate as the fraction of counts that it is; None where it is none."""
    if measure.value is None or measure.unit != "rate" or measure.estimated or not measure.n:
        return None
    hits = round(measure.value * measure.n)
    return Fraction(hits, measure.n) if abs(hits - measure.value * measure.n) < _TOLERANCE * measure.n else None


def beyond(measure: Measure, limit: float, *, lowest: bool) -> bool:
    """Whether a measured value breaks its limit, in exact fractions where it is one."""
    assert measure.value is not None
    fraction = hits_of(measure)
    if fraction is not None:
        return fraction < exact(limit) if lowest else fraction > exact(limit)
    slack = _TOLERANCE * max(1.0, abs(limit))
    return measure.value < limit - slack if lowest else measure.value > limit + slack


def beside(number: float, limit: float, unit: str) -> str:
    """A rate or score as it stands beside its limit: with more digits where it would look like a limit that it misses.

    >>> beside(0.8958, 0.9, "score"), beside(0.9, 0.9, "score"), beside(0.1034, 0.1, "rate"), beside(0.12, 0.1, "rate")
    ('0.896', '0.90', '10.3%', '12%')
    """
    text = value(number, unit)
    if unit not in ("rate", "score") or text != value(limit, unit) or abs(number - limit) < _TOLERANCE:
        return text
    factor, sign, fewest = (100, "%", 1) if unit == "rate" else (1, "", 3)
    writings = ((f"{number * factor:.{digits}f}", f"{limit * factor:.{digits}f}") for digits in range(fewest, 12))
    return next(f"{mine}{sign}" for mine, its in writings if mine != its)


def told(
    gate: str,
    outcome: GateOutcome,
    *parts: str,
    tail: str = "",
    value: float | None = None,
    limit: float | None = None,
    baseline: float | None = None,
    p: float | None = None,
    cases: tuple[str, ...] = (),
) -> GateResult:
    """A gate's result with the message ``gate: part, part, …; tail``."""
    message = f"{gate}: {', '.join(part for part in parts if part)}"
    return GateResult(gate, outcome, f"{message}; {tail}" if tail else message, value, limit, baseline, p, cases)


def by_cases(gate: str, failing: Sequence[str], total: int, what: str) -> GateResult:
    """A gate that no case may break: passes with none."""
    outcome = GateOutcome.FAIL if failing else GateOutcome.PASS
    names = f": {joined(list(failing), 5)}" if failing else ""
    found = f"{len(failing):,} of {total:,} {what}{names}"
    return told(gate, outcome, found, value=float(len(failing)), limit=0.0, cases=tuple(failing))


def without_evidence(gate: str, why: str, outcome: GateOutcome = GateOutcome.FAIL) -> GateResult:
    """A gate that could not be judged."""
    return told(gate, outcome, f"no evidence: {why}")
