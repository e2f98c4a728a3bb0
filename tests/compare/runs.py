"""Pairs of runs for tests of comparison: one character a case."""

from __future__ import annotations

from typing import Any

from agenteval.compare import compare_runs
from agenteval.compare.measures import measures
from agenteval.model.attempt import Attempt
from agenteval.model.comparison import Comparison
from agenteval.model.facts import facts_of
from agenteval.model.gates import GateLimits, GateOutcome, GateResult
from agenteval.model.run import Run
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Role, Status
from tests.builders import a_run, an_attempt

_STATUS = {
    "1": Status.PASSED,
    "0": Status.FAILED,
    "e": Status.AGENT_ERROR,
    "v": Status.EVALUATOR_ERROR,
    "s": Status.SKIPPED,
    "u": Status.UNSCORED,
}


def case(case_id: str, letter: str = "1", **fields: Any) -> Attempt:
    """An attempt: 1 passed, 0 failed, e agent error, v evaluator error, s skipped, u unscored."""
    status = _STATUS[letter]
    passed = status is Status.PASSED if status.decided else None
    return an_attempt(case_id, passed, **{"status": status, **fields})


def run(letters: str = "", *attempts: Attempt, repetitions: list[Attempt] | None = None, **head: Any) -> Run:
    """A run of cases c0, c1, … by letter, then the given attempts, with its metrics in the head as the harness writes them."""
    every = [*(case(f"c{i}", letter) for i, letter in enumerate(letters)), *attempts]
    metrics = measures(map(facts_of, every))
    return a_run(every, repetitions, **{"metrics": metrics, **head})


def repeated(shares: list[str], **head: Any) -> Run:
    """A run whose case c<i> has one attempt a letter of ``shares[i]``."""
    repetitions = [case(f"c{i}", letter, repetition=k) for i, letters in enumerate(shares) for k, letter in enumerate(letters) if k]
    return run("".join(letters[0] for letters in shares), repetitions=repetitions, **head)


def compared(now: Run | str, then: Run | str | None, **limits: Any) -> Comparison:
    """The comparison under these limits, every given one counted as written."""
    current = run(now) if isinstance(now, str) else now
    baseline = run(then, run_id="20261129T120000Z-abc1234-000001") if isinstance(then, str) else then
    return compare_runs(current, baseline, GateLimits(**{"written": frozenset(limits), **limits}))


def gate(comparison: Comparison, name: str) -> GateResult | None:
    """The result of one gate, or None where it does not apply."""
    return next((result for result in comparison.verdict.gates if result.gate == name), None)


def outcome(comparison: Comparison, name: str) -> str | None:
    """What became of one gate."""
    result = gate(comparison, name)
    return None if result is None else result.outcome.value


def scored(case_id: str, feeds: Feeds, **fields: Any) -> Attempt:
    """A passed attempt with one more score that feeds a metric."""
    attempt = an_attempt(case_id)
    return an_attempt(case_id, scores=(*attempt.scores, Score("extra", feeds=feeds, required=False, **fields)))


__all__ = ["GateOutcome", "Role", "case", "compared", "gate", "outcome", "repeated", "run", "scored"]
