"""Which flaky cases fail together, and what their failures share."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from agenteval._text import clip
from agenteval.compare.multiplicity import benjamini_hochberg
from agenteval.model.attempt import Attempt
from agenteval.model.run import Outcome
from agenteval.model.status import Status

FLIP_TOGETHER, SAME_ERROR = "flip together", "same error"

_ALPHA = 0.05
_FAILURES = frozenset({Status.FAILED, Status.AGENT_ERROR, Status.EVALUATOR_ERROR})
_VARYING = re.compile(r"0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d+(?:\.\d+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FlakeGroup:
    """Flaky cases with one likely cause.

    Attributes:
        basis: ``flip together``: they fail in the same repetitions or runs more often than chance has it; ``same error``: their failures
            carry one error.
        correlation: Mean phi of the pairs that were found to flip together; None for ``same error``.
        p: The largest adjusted p of these pairs; None for ``same error``.
        observations: Repetitions and runs that a pair shares at least.
        shared: What the failures of all these cases have in common: ``tool:…``, ``tag:…``, ``error:…``.
    """

    cases: tuple[str, ...]
    basis: str
    correlation: float | None
    p: float | None
    observations: int
    shared: tuple[str, ...]


def flake_groups(observations: Mapping[str, Sequence[Attempt]], history: Sequence[Iterable[Outcome]] = ()) -> list[FlakeGroup]:
    """Groups of flaky cases, the largest first.

    Two cases are linked where they fail in the same repetitions and runs: Fisher's exact one-sided test, adjusted by Benjamini and
    Hochberg over all pairs. Five repetitions alone can never show that; ten, or a history of runs, can.

    Args:
        observations: All attempts of repeated cases by id; those with one repetition number belong together.
        history: The outcomes of other runs of the same suite.
    """
    series = _series(observations, history)
    flaky = {case_id: found for case_id, found in series.items() if found.varies}
    labels = {case_id: _labels(observations.get(case_id, ())) for case_id in flaky}
    groups = _flipping(flaky, labels)
    linked = {frozenset(group.cases) for group in groups}
    groups += [group for group in _same_error(flaky, labels) if frozenset(group.cases) not in linked]
    return sorted(groups, key=lambda group: (-len(group.cases), group.basis, group.cases))


@dataclass(slots=True)
class _Series:
    """Bits by repetition and run: where the case was observed, and where it failed."""

    seen: int = 0
    failed: int = 0

    def add(self, place: int, status: Status) -> None:
        if status in _FAILURES or status is Status.PASSED:
            self.seen |= 1 << place
            self.failed |= (status in _FAILURES) << place

    @property
    def varies(self) -> bool:
        return self.failed not in (0, self.seen)


def _series(observations: Mapping[str, Sequence[Attempt]], history: Sequence[Iterable[Outcome]]) -> dict[str, _Series]:
    series: dict[str, _Series] = {}
    for case_id, attempts in observations.items():
        for attempt in attempts:
            series.setdefault(case_id, _Series()).add(len(history) + attempt.repetition, attempt.status)
    for place, outcomes in enumerate(history):
        for outcome in outcomes:
            series.setdefault(outcome.case_id, _Series()).add(place, outcome.status)
    return series


@dataclass(frozen=True, slots=True)
class _Pair:
    a: str
    b: str
    phi: float
    p: float
    n: int


def _flipping(flaky: Mapping[str, _Series], labels: Mapping[str, set[str]]) -> list[FlakeGroup]:
    pairs = [pair for a, b in combinations(flaky, 2) if (pair := _pair(a, b, flaky[a], flaky[b])) is not None]
    adjusted = benjamini_hochberg([pair.p for pair in pairs])
    links = [(pair, p) for pair, p in zip(pairs, adjusted, strict=True) if p <= _ALPHA]
    groups = []
    for cases in _components([(pair.a, pair.b) for pair, _ in links], list(flaky)):
        inside = [(pair, p) for pair, p in links if pair.a in cases]
        phi = math.fsum(pair.phi for pair, _ in inside) / len(inside)
        shared = _shared(cases, labels)
        groups.append(FlakeGroup(cases, FLIP_TOGETHER, phi, max(p for _, p in inside), min(pair.n for pair, _ in inside), shared))
    return groups


def _pair(a: str, b: str, first: _Series, second: _Series) -> _Pair | None:
    """The fourfold table of two cases over what they share; None where either does not vary in it."""
    seen = first.seen & second.seen
    n, fails_a, fails_b = seen.bit_count(), (first.failed & seen).bit_count(), (second.failed & seen).bit_count()
    if not 0 < fails_a < n or not 0 < fails_b < n:
        return None
    both = (first.failed & second.failed & seen).bit_count()
    phi = (n * both - fails_a * fails_b) / math.sqrt(fails_a * (n - fails_a) * fails_b * (n - fails_b))
    return _Pair(a, b, phi, _fisher(both, fails_a, fails_b, n), n)


@lru_cache(maxsize=10_000)
def _fisher(both: int, fails_a: int, fails_b: int, n: int) -> float:
    """Chance of at least this many common failures if the two cases fail independently (Fisher 1935)."""
    ways = sum(math.comb(fails_a, k) * math.comb(n - fails_a, fails_b - k) for k in range(both, min(fails_a, fails_b) + 1))
    return ways / math.comb(n, fails_b)


def _components(links: Sequence[tuple[str, str]], order: Sequence[str]) -> list[tuple[str, ...]]:
    """Cases connected by links, each group in the given order."""
    group_of: dict[str, set[str]] = {}
    for a, b in links:
        merged = group_of.get(a, {a}) | group_of.get(b, {b})
        group_of.update(dict.fromkeys(merged, merged))
    rank = {case_id: place for place, case_id in enumerate(order)}
    groups = {tuple(sorted(group, key=rank.__getitem__)) for group in group_of.values()}
    return sorted(groups, key=lambda cases: rank[cases[0]])


def _same_error(flaky: Mapping[str, _Series], labels: Mapping[str, set[str]]) -> list[FlakeGroup]:
    by_error: dict[str, list[str]] = {}
    for case_id in flaky:
        for label in sorted(labels[case_id]):
            if label.startswith("error:"):
                by_error.setdefault(label, []).append(case_id)
    found = {tuple(cases): _shared(cases, labels) for cases in by_error.values() if len(cases) > 1}
    return [
        FlakeGroup(cases, SAME_ERROR, None, None, min(flaky[case].seen.bit_count() for case in cases), shared)
        for cases, shared in found.items()
    ]


def _shared(cases: Sequence[str], labels: Mapping[str, set[str]]) -> tuple[str, ...]:
    return tuple(sorted(set.intersection(*(labels[case_id] for case_id in cases))))


def _labels(attempts: Sequence[Attempt]) -> set[str]:
    """What a case's failed attempts carry."""
    found: set[str] = set()
    for attempt in attempts:
        if attempt.status in _FAILURES:
            found.update(f"tag:{tag}" for tag in attempt.tags)
            found.update(f"tool:{call.name}" for call in attempt.tool_calls)
            found.update(f"error:{signature(call.error)}" for call in attempt.tool_calls if call.error)
            if attempt.error is not None:
                found.add(f"error:{signature(f'{attempt.error.type}: {attempt.error.message}')}")
    return found


def signature(message: str) -> str:
    """An error's text without the parts that differ each time.

    >>> signature("TimeoutError: request 4711 took 3.2 s")
    'TimeoutError: request # took # s'
    """
    return clip(_VARYING.sub("#", message), 120)
