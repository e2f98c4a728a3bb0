"""From the evidence of an attempt to its scores and its status; checks that ask a model are calls like an agent's."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from agenteval._redact import redact, redact_json
from agenteval.adapters.safe import Sanitizer
from agenteval.evaluators import Check, decide, observe, scores_of
from agenteval.evaluators.context import Context
from agenteval.evaluators.judging import is_ours
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from agenteval.model.status import Status
from agenteval.runner.dialogue import Call, Dialogue, Interrupted, Progress, Reply, Settings
from agenteval.runner.outcome import GIVEN_UP
from agenteval.runner.plan import PlannedCase, PlannedTurn


def judged_case(planned: PlannedCase, fields: dict[str, Any], settings: Settings, progress: Progress) -> Dialogue:
    """The attempt of a case whose evidence lies in ``fields``."""
    attempt, context = _unjudged(planned, fields, progress)
    if attempt.error is not None:
        return attempt
    attempt.scores = yield from _asked(planned.compiled.checks, context._replace(judge=settings.judge), settings)
    return _decided(planned, attempt, context, settings)


def judged_by_rules(planned: PlannedCase, fields: dict[str, Any], settings: Settings, progress: Progress) -> Attempt:
    """As ``judged_case``, of a case whose checks ask no model: nothing is waited for."""
    attempt, context = _unjudged(planned, fields, progress)
    if attempt.error is not None:
        return attempt
    attempt.scores = _scores(planned.compiled.checks, context, settings)
    return _decided(planned, attempt, context, settings)


def _unjudged(planned: PlannedCase, fields: dict[str, Any], progress: Progress) -> tuple[Attempt, Context]:
    """The attempt with its evidence alone, and what its checks see."""
    case = planned.case
    attempt = Attempt(case.id, Status.AGENT_ERROR if "error" in fields else Status.UNSCORED, **fields)
    progress.unjudged = attempt
    return attempt, Context(attempt, planned.asked, planned.expects, case.tools, case.context, case.metadata)


def _decided(planned: PlannedCase, attempt: Attempt, context: Context, settings: Settings) -> Attempt:
    """The attempt with the verdict that its scores and turns make."""
    if not settings.no_score:
        attempt.scores += observe(planned.compiled.checks, context)
    attempt.status, attempt.correct = decide(
        attempt.scores,
        expect_pass=planned.case.expect_pass,
        turn_statuses=[turn.status for turn in attempt.turns],
        turns_required=planned.case.turns_required,
    )
    if attempt.status is Status.EVALUATOR_ERROR and any(
        score.error == GIVEN_UP.message for part in (attempt, *attempt.turns) for score in part.scores
    ):
        attempt.error = GIVEN_UP
    return attempt


def judged_turn(
    planned: PlannedCase,
    turn: PlannedTurn,
    number: int,
    fields: dict[str, Any],
    started: str,
    settings: Settings,
    history: tuple[tuple[str, str], ...],
) -> Dialogue:
    """The attempt of one turn; ``history`` is what was said before it."""
    fields.update(prompt=turn.prompt, started_at=started, expects=turn.expects, evaluators=turn.evaluators)
    case_id = f"{planned.case.id}::turn{number}"
    if "error" in fields:
        return Attempt(case_id=case_id, status=Status.AGENT_ERROR, **fields)
    attempt = Attempt(case_id=case_id, status=Status.UNSCORED, **fields)
    case = planned.case
    context = Context(attempt, turn.prompt, turn.expects, case.tools, case.context, case.metadata, history, settings.judge)
    attempt.scores = yield from _asked(turn.checks, context, settings)
    if any(check.required for check in turn.checks):  # a turn that only observes decides nothing, and is no error
        attempt.status, attempt.correct = decide(attempt.scores, expect_pass=True)
    if not settings.no_score:
        attempt.scores += observe(turn.checks, context)
    return attempt


def _scores(checks: Sequence[Check], context: Context, settings: Settings) -> tuple[Score, ...]:
    scores = scores_of(checks, context, skip_judges=settings.skip_judges, no_score=settings.no_score)
    for check in checks:
        if not is_ours(type(check.evaluator)):
            return tuple(score if is_ours(type(check.evaluator)) else _safe(score) for check, score in zip(checks, scores, strict=True))
    return scores


def _asked(checks: Sequence[Check], context: Context, settings: Settings) -> Generator[Call, Reply, tuple[Score, ...]]:
    """As ``_scores``; a check that asks a model is a call like an agent's: it may wait, has a deadline, and holds no event loop."""
    scores: list[Score] = []
    for check in checks:
        alone = ((check,), context, settings)
        if settings.judge is None or settings.skip_judges or settings.no_score or not check.asks_a_model:
            scores += _scores(*alone)
            continue
        # Both orders of a comparison are asked within one check, hence twice.
        limit = 2 * settings.judge.settings.deadline_s
        reply = yield Call(_scores, alone, {}, limit, threaded=True)
        if reply.value is not None:
            scores += reply.value
            continue
        if isinstance(reply.error, Interrupted):
            why = GIVEN_UP.message
        else:
            why = f"no judgement within {limit:g} s" if reply.timed_out else f"{type(reply.error).__name__}: {reply.error}"
        scores.append(Score(check.name, reason="the evaluator failed", required=check.required, feeds=check.feeds, error=redact(why)))
    return tuple(scores)


def _safe(score: Score) -> Score:
    """What an evaluator from elsewhere says, made JSON-safe and redacted; our own say only what evidence and expectation say."""
    safe = Sanitizer()
    told = {name: redact_json(safe.value(getattr(score, name))) for name in ("reason", "evidence", "error")}
    return score._replace(**told)


def shared_fields(planned: PlannedCase, repetition: int) -> dict[str, Any]:
    """What every attempt of a case says about the case itself."""
    return planned.shared if repetition == 0 else {**planned.shared, "repetition": repetition}
