"""Which flaky cases fail together, and what their failures share."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from agenteval._text import clip
from agenteval.compare.flips import same_definition
from agenteval.compare.multiplicity import benjamini_hochberg
from agenteval.model.attempt import Attempt
from agenteval.model.run import Outcome
from agenteval.model.status import Status

FLIP_TOGETHER, SAME_ERROR = "flip together", "same error"

_ALPHA = 0.05
_FAILURES = frozenset({Status.FAILED, Status.AGENT_ERROR, Status.EVALUATOR_ERROR})
_OBSERVED = _FAILURES | {Status.PASSED}
_MOST = 200
"""Flaky cases that are paired: 19,900 pairs, a third of a second."""
_VARYING = re.compile(r"0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d+(?:\.\d+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FlakeGroup:
    """Flaky cases with one likely cause.

    Attributes:
        basis: ``flip together``: they fail in the same repetitions, or flip in the same runs, more often than chance has it; ``same
            error``: their failures carry one error.
        correlation: Mean phi of the pairs that were found to flip together; None for ``same error``.
        p: The largest adjusted p of these pairs; None for ``same error``.
        observations: Repetitions, and transitions from run to run, that a pair shares at least.
        shared: What the failures of all these cases have in common: ``tool:…``, ``tag:…``, ``error:…``; the most telling first.
        elsewhere: For each of ``shared``, how many of the ``others`` (flaky cases outside the group) carry it too.
    """

    cases: tuple[str, ...]
    basis: str
    correlation: float | None
    p: float | None
    observations: int
    shared: tuple[str, ...]
    elsewhere: tuple[int, ...] = ()
    others: int = 0


def flake_groups(
    observations: Mapping[str, Sequence[Attempt]],
    history: Sequence[Iterable[Outcome]] = (),
    failures: Mapping[str, Sequence[Attempt]] | None = None,
) -> list[FlakeGroup]:
    """Groups of flaky cases, the largest first; of more than 200 flaky cases the 200 that vary most are paired.

    Two cases are linked where they fail in the same repetitions, or flip in the same runs: Fisher's exact one-sided test over both tables
    together, adjusted by Benjamini and Hochberg over all pairs. Five repetitions alone can never show that; ten, or a history of runs,
    can. Over runs it is flips that count, not failures: two cases that one change broke for good share a single event, which never links
    them, not a run each.

    Args:
        observations: All attempts of repeated cases by id; those with one repetition number belong together.
        history: The outcomes of other runs of the same suite, oldest first.
        failures: Failed attempts of those runs by case id, for what they carry.
    """
    series = _series(observations, history)
    varying = sorted((case_id for case_id, found in series.items() if found.varies), key=lambda case_id: -series[case_id].events)
    flaky = {case_id: series[case_id] for case_id in series if case_id in set(varying[:_MOST])}
    labels = {case_id: _labels([*observations.get(case_id, ()), *(failures or {}).get(case_id, ())]) for case_id in flaky}
    groups = _flipping(flaky, labels)
    linked = {frozenset(group.cases) for group in groups}
    groups += [group for group in _same_error(flaky, labels) if frozenset(group.cases) not in linked]
    return sorted(groups, key=lambda group: (-len(group.cases), group.basis, group.cases))


@dataclass(slots=True)
class _Bits:
    """Where a case was observed, and where the event (a failure, a flip) happened: one bit a repetition or run."""

    seen: int = 0
    event: int = 0

    def add(self, place: int, *, event: bool) -> None:
        self.seen |= 1 << place
        self.event |= event << place


class _Series:
    """A case's failures by repetition and its flips by run: two tables, since what is common in one may be rare in the other."""

    def __init__(self) -> None:
        self.failures = _Bits()
        self.flips = _Bits()
        self._before: Outcome | None = None

    def repeat(self, attempt: Attempt) -> None:
        if attempt.status in _OBSERVED:
            self.failures.add(attempt.repetition, event=attempt.status in _FAILURES)

    def follow(self, place: int, outcome: Outcome) -> None:
        if outcome.status not in _OBSERVED:
            return
        before = self._before
        self._before = outcome
        if before is not None and same_definition(before, outcome):
            self.flips.add(place, event=(before.status in _FAILURES) != (outcome.status in _FAILURES))

    @property
    def tables(self) -> tuple[_Bits, _Bits]:
        return self.failures, self.flips

    @property
    def varies(self) -> bool:
        return any(bits.event not in (0, bits.seen) for bits in self.tables) or self.flips.event > 0

    @property
    def events(self) -> int:
        return sum(bits.event.bit_count() for bits in self.tables)

    @property
    def observations(self) -> int:
        return sum(bits.seen.bit_count() for bits in self.tables)


def _series(observations: Mapping[str, Sequence[Attempt]], history: Sequence[Iterable[Outcome]]) -> dict[str, _Series]:
    series: dict[str, _Series] = {}
    for case_id, attempts in observations.items():
        for attempt in attempts:
            series.setdefault(case_id, _Series()).repeat(attempt)
    for place, outcomes in enumerate(history):
        for outcome in outcomes:
            series.setdefault(outcome.case_id, _Series()).follow(place, outcome)
    return series


@dataclass(frozen=True, slots=True)
class _Pair:
    a: str
    b: str
    both: int
    phi: float
    p: float
    n: int


def _flipping(flaky: Mapping[str, _Series], labels: Mapping[str, set[str]]) -> list[FlakeGroup]:
    pairs = [pair for a, b in combinations(flaky, 2) if (pair := _pair(a, b, flaky[a], flaky[b])) is not None]
    adjusted = benjamini_hochberg([pair.p for pair in pairs])
    links = [(pair, p) for pair, p in zip(pairs, adjusted, strict=True) if p <= _ALPHA and pair.both > 1]
    groups = []
    for cases in _components([(pair.a, pair.b) for pair, _ in links], list(flaky)):
        inside = [(pair, p) for pair, p in links if pair.a in cases]
        phi = math.fsum(pair.phi for pair, _ in inside) / len(inside)
        n, p = min(pair.n for pair, _ in inside), max(p for _, p in inside)
        groups.append(FlakeGroup(cases, FLIP_TOGETHER, phi, p, n, *_shared(cases, labels)))
    return groups


def _pair(a: str, b: str, first: _Series, second: _Series) -> _Pair | None:
    """The fourfold tables of two cases over what they share; None where either varies in none of them."""
    counts = [_counts(*tables) for tables in zip(first.tables, second.tables, strict=True)]
    used = [(both, x, y, n) for both, x, y, n in counts if 0 < x < n and 0 < y < n]
    if not used:
        return None
    covariance = math.fsum((n * both - x * y) / n for both, x, y, n in used)
    spread_a = math.fsum(x * (n - x) / n for _, x, _, n in used)
    spread_b = math.fsum(y * (n - y) / n for _, _, y, n in used)
    common = sum(both for both, *_ in used)
    return _Pair(a, b, common, covariance / math.sqrt(spread_a * spread_b), _fisher(tuple(used)), sum(n for *_, n in used))


def _counts(a: _Bits, b: _Bits) -> tuple[int, int, int, int]:
    """Events of both, of the one and of the other, among what both were observed in."""
    seen = a.seen & b.seen
    return (a.event & b.event & seen).bit_count(), (a.event & seen).bit_count(), (b.event & seen).bit_count(), seen.bit_count()


@lru_cache(maxsize=10_000)
def _fisher(tables: tuple[tuple[int, int, int, int], ...]) -> float:
    """Chance of at least this many common events if the two cases fail independently, over one table or two.

    Source: Fisher (1935); over several tables the sum of their hypergeometric counts, as in Mehta, Patel and Gray (1985), Journal of the
    American Statistical Association 80.
    """
    chances, observed = [1.0], 0
    for both, x, y, n in tables:
        ways = math.comb(n, y)
        table = [math.comb(x, k) * math.comb(n - x, y - k) / ways for k in range(min(x, y) + 1)]
        chances = [
            math.fsum(chances[i] * table[k - i] for i in range(max(0, k - len(table) + 1), min(k, len(chances) - 1) + 1))
            for k in range(len(chances) + len(table) - 1)
        ]
        observed += both
    return min(1.0, math.fsum(chances[observed:]))


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
        FlakeGroup(cases, SAME_ERROR, None, None, min(flaky[case].observations for case in cases), *shared)
        for cases, shared in found.items()
    ]


def _shared(cases: Sequence[str], labels: Mapping[str, set[str]]) -> tuple[tuple[str, ...], tuple[int, ...], int]:
    """What all these cases carry, how many other flaky cases carry each of it too, and how many others there are; the rarest first."""
    others = [carried for case_id, carried in labels.items() if case_id not in cases]
    common = set.intersection(*(labels[case_id] for case_id in cases))
    ranked = sorted((sum(label in carried for carried in others), label) for label in common)
    return tuple(label for _, label in ranked), tuple(number for number, _ in ranked), len(others)


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
