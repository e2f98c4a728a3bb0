"""Cases of two runs side by side: who is paired, who may be tested, and what became of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agenteval._text import clip
from agenteval.model.comparison import Transition
from agenteval.model.run import Outcome, Run
from agenteval.model.status import Standing, Status

_REASON_LIMIT = 300
_ERRORS = frozenset({Status.AGENT_ERROR, Status.EVALUATOR_ERROR})


@dataclass(frozen=True, slots=True)
class Pair:
    """A case that both runs hold and count (candidates and quarantined cases are in no pair).

    Attributes:
        row_now, row_then: Its places in the runs' outcomes.
        changed: Both runs recorded the case's definition and it differs, so that no test may use the pair.
        definition_known: Both runs recorded it.
    """

    now: Outcome
    then: Outcome
    row_now: int
    row_then: int
    changed: bool
    definition_known: bool

    @property
    def decided(self) -> bool:
        """True where both runs executed and judged the case."""
        return self.now.status.decided and self.then.status.decided


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two runs case by case. ``pairs`` and ``new`` are in this run's order, the others in the baseline's; roles are in none."""

    pairs: tuple[Pair, ...]
    decided: tuple[Pair, ...]
    new: tuple[Outcome, ...]
    missing: tuple[Outcome, ...]
    not_selected: tuple[Outcome, ...]

    @property
    def same_cases(self) -> bool:
        """True where both runs decided exactly these pairs, so that their own metrics are over the same cases."""
        return not self.new and not self.missing and not self.not_selected and len(self.decided) == len(self.pairs)


def pair_cases(current: Run, baseline: Run) -> Pairing:
    """Pairs by case id."""
    then = {outcome.case_id: (row, outcome) for row, outcome in enumerate(baseline.outcomes) if outcome.role is None}
    pairs: list[Pair] = []
    new: list[Outcome] = []
    for row, outcome in enumerate(current.outcomes):
        if outcome.role is not None:
            continue
        found = then.get(outcome.case_id)
        if found is None:
            new.append(outcome)
        else:
            known = outcome.definition is not None and found[1].definition is not None
            changed = known and outcome.definition != found[1].definition
            pairs.append(Pair(outcome, found[1], row, found[0], changed, known))
    gone = _gone(current, then)
    return Pairing(
        tuple(pairs),
        tuple(pair for pair in pairs if pair.decided),
        tuple(new),
        tuple(outcome for outcome, standing in gone if standing is Standing.MISSING),
        tuple(outcome for outcome, standing in gone if standing is Standing.NOT_SELECTED),
    )


def _gone(current: Run, then: Mapping[str, tuple[int, Outcome]]) -> list[tuple[Outcome, Standing]]:
    """Baseline cases that this run does not hold: left out by its selection, or missing from the suite."""
    held = {outcome.case_id for outcome in current.outcomes}
    left_out = frozenset(current.left_out)
    unnamed = current.head.selection.partial and not left_out
    return [
        (outcome, Standing.NOT_SELECTED if unnamed or case_id in left_out else Standing.MISSING)
        for case_id, (_, outcome) in then.items()
        if case_id not in held
    ]


def transitions(current: Run, baseline: Run, pairing: Pairing) -> tuple[Transition, ...]:
    """What became of every case of either run: this run's order first, then what it no longer holds."""
    pairs = {pair.now.case_id: pair for pair in pairing.pairs}
    then = {outcome.case_id: outcome for outcome in baseline.outcomes}
    found = []
    for row, outcome in enumerate(current.outcomes):
        pair = pairs.get(outcome.case_id)
        before = then.get(outcome.case_id)
        kind = _role_kind(outcome) if pair is None else _kind(pair)
        reason = "" if kind == "unchanged" or outcome.status is Status.PASSED else clip(current.cases[row].reason, _REASON_LIMIT)
        known = pair is None or pair.definition_known
        found.append(
            Transition(
                outcome.case_id,
                before.status.value if before else None,
                outcome.status.value,
                kind,
                reason,
                outcome.critical,
                outcome.tags,
                outcome.role.value if outcome.role else None,
                known,
            )
        )
    return (*found, *_absent(pairing))


def _absent(pairing: Pairing) -> list[Transition]:
    gone = [(outcome, Standing.MISSING) for outcome in pairing.missing] + [
        (outcome, Standing.NOT_SELECTED) for outcome in pairing.not_selected
    ]
    return [
        Transition(outcome.case_id, outcome.status.value, standing.value, standing.value, "", outcome.critical, outcome.tags)
        for outcome, standing in gone
    ]


def _role_kind(outcome: Outcome) -> str:
    return Standing.NEW.value if outcome.role is None else "no_verdict"


def _kind(pair: Pair) -> str:
    now, then = pair.now.status, pair.then.status
    if pair.changed:
        return "changed_definition"
    if pair.decided:
        if now is then:
            return "unchanged"
        return "improved" if now is Status.PASSED else "regressed"
    if now in _ERRORS and then not in _ERRORS:
        return "errored"
    return "recovered" if now is Status.PASSED else "no_verdict"


def matrix_of(changes: tuple[Transition, ...]) -> dict[str, dict[str, int]]:
    """Counts of cases by what they were (outer key) and are (inner key); cases with a role are left out, new ones were ``new``."""
    matrix: dict[str, dict[str, int]] = {}
    for change in changes:
        if change.role is None:
            row = matrix.setdefault(change.before or Standing.NEW.value, {})
            after = change.after or Standing.MISSING.value
            row[after] = row.get(after, 0) + 1
    return matrix
