"""What a case takes now against then: time, money and tokens of the cases that two runs both measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from agenteval.compare.distributions import t_quantile
from agenteval.compare.pairing import Pair, pair_cases
from agenteval.model.run import Outcome, Run
from agenteval.model.status import Status


class CaseRatio(NamedTuple):
    """One case's value in both runs, both above zero."""

    case_id: str
    then: float
    now: float
    status_then: Status
    status_now: Status

    @property
    def ratio(self) -> float:
        """now / then."""
        return self.now / self.then


@dataclass(frozen=True, slots=True)
class Ratios:
    """One quantity over paired cases.

    Attributes:
        cases: Every case that has a point, in suite order.
        left_out: How many have none, by reason; zeros are left out.
        typical: Geometric mean of now / then; None without cases.
        low, high: Its 95% interval (t on the logarithms); None below two cases.
    """

    cases: tuple[CaseRatio, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    typical: float | None = None
    low: float | None = None
    high: float | None = None


def case_ratios(current: Run, baseline: Run, quantity: str) -> Ratios:
    """Paired values of ``latency_ms``, ``cost_usd`` or ``tokens``, of each case's own attempt.

    A case is left out where a run lacks it, did not decide it, changed its definition, or did not measure it; a zero has no ratio.
    """
    pairing = pair_cases(current, baseline)
    reasons = {
        "in one run only": len(pairing.new) + len(pairing.missing) + len(pairing.not_selected),
        "not decided in both": 0,
        "definition changed": 0,
        "not measured in both": 0,
        "zero": 0,
    }
    cases = []
    for pair in pairing.pairs:
        then, now = _value(pair.then, quantity), _value(pair.now, quantity)
        reason = _reason(pair, then, now)
        if reason is not None:
            reasons[reason] += 1
        elif then is not None and now is not None:
            cases.append(CaseRatio(pair.now.case_id, then, now, pair.then.status, pair.now.status))
    return Ratios(tuple(cases), {name: number for name, number in reasons.items() if number}, *typical_ratio(cases))


def typical_ratio(cases: Sequence[CaseRatio]) -> tuple[float | None, float | None, float | None]:
    """Geometric mean of the ratios with its 95% interval."""
    if not cases:
        return None, None, None
    logs = [math.log(case.ratio) for case in cases]
    number = len(logs)
    mean = math.fsum(logs) / number
    if number < 2:
        return math.exp(mean), None, None
    spread = math.sqrt(math.fsum((log - mean) ** 2 for log in logs) / (number - 1) / number)
    reach = t_quantile(0.975, number - 1) * spread
    return math.exp(mean), math.exp(mean - reach), math.exp(mean + reach)


def _value(outcome: Outcome, quantity: str) -> float | None:
    value: float | None = getattr(outcome, quantity)
    return value


def _reason(pair: Pair, then: float | None, now: float | None) -> str | None:
    if not pair.decided:
        return "not decided in both"
    if pair.changed:
        return "definition changed"
    if then is None or now is None:
        return "not measured in both"
    return "zero" if then <= 0 or now <= 0 else None
