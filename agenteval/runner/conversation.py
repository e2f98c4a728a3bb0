"""A conversation as calls: the user's turns as declared, or said by a script, one to each answer of the agent."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agenteval._redact import redact
from agenteval._time import iso_now
from agenteval.model.attempt import Attempt
from agenteval.model.response import Usage
from agenteval.runner.dialogue import Call, Reply, Settings
from agenteval.runner.outcome import outcome_of, with_raw
from agenteval.runner.plan import PlannedCase, PlannedTurn
from agenteval.runner.scoring import judged_turn
from agenteval.suites.suite import Turn

if TYPE_CHECKING:
    from agenteval.runner.scripted_user import PlannedUser


def conversation(planned: PlannedCase, kwargs: Mapping[str, Any], settings: Settings) -> Generator[Call, Reply, dict[str, Any]]:
    """The fields of an attempt that holds a conversation. ``undecided`` among them is a failure of the script, not of the agent."""
    keeps_state = "session" in settings.agent.accepts
    started = iso_now()
    transcript: list[tuple[str, str]] = []
    turns: list[Attempt] = []
    user = _Declared(planned.turns) if planned.user is None else _Scripted(planned.user)
    turn = user.turn(None)
    while turn is not None:
        prompt = turn.turn.prompt if keeps_state or not transcript else _with_history(transcript, turn.turn.prompt)
        turn_started = iso_now()
        reply = yield Call(settings.agent.call, (prompt,), kwargs, planned.timeout_s)
        fields = outcome_of(reply, settings)
        judged = yield from judged_turn(planned, turn, len(turns), fields, turn_started, settings, tuple(transcript))
        turns.append(judged)
        if judged.error is not None:
            break
        transcript.append((turn.turn.prompt, judged.output))
        turn = user.turn(judged.output)
    fields = _joined(turns)
    fields["started_at"] = started
    if "seed" in kwargs:
        fields["seed"] = kwargs["seed"]
    user.tell(fields)
    return fields


def as_said(planned: PlannedCase, turns: tuple[Attempt, ...]) -> PlannedCase:
    """The case with what the user really said as its prompt; where turns are declared that is the case itself."""
    return planned if planned.user is None else replace(planned, asked="\n".join(turn.prompt for turn in turns))


def spoken(prompt: str, *, safe: bool = False) -> PlannedTurn:
    """A turn that expects nothing of its own. ``safe`` says that the prompt is redacted already."""
    return PlannedTurn(Turn(prompt), prompt if safe else redact(prompt), {}, (), ())


class _Declared:
    """The turns of a case, whatever the agent answers."""

    def __init__(self, turns: tuple[PlannedTurn, ...]) -> None:
        self._turns: Iterator[PlannedTurn] = iter(turns)

    def turn(self, answer: str | None) -> PlannedTurn | None:
        return next(self._turns, None)

    def tell(self, fields: dict[str, Any]) -> None:
        """Every turn was said, or the agent failed: there is nothing to add."""


class _Scripted:
    """A script that answers the agent."""

    def __init__(self, planned: PlannedUser) -> None:
        from agenteval.runner.scripted_user import ScriptedUser

        self._user = ScriptedUser(planned)

    def turn(self, answer: str | None) -> PlannedTurn | None:
        said = self._user.says(answer)
        return None if said is None else spoken(said)

    def tell(self, fields: dict[str, Any]) -> None:
        """Say why the conversation ended, and what was not said."""
        ended: dict[str, Any] = {"stopped": self._user.stopped or "agent_error"}
        if self._user.unsaid:
            ended["unsaid"] = [redact(words) for words in self._user.unsaid]
        with_raw(fields, "conversation", ended)
        if self._user.failure is not None:
            fields["undecided"] = self._user.failure


def _with_history(transcript: list[tuple[str, str]], prompt: str) -> str:
    """The conversation so far as text, for agents that keep no state of their own."""
    said = "\n".join(f"User: {asked}\nAssistant: {answered}" for asked, answered in transcript)
    return f"{said}\n\nUser: {prompt}"


def _joined(turns: list[Attempt]) -> dict[str, Any]:
    """The case-level evidence of a conversation: the agent's words a turn a paragraph, everything else joined or summed."""
    last = turns[-1]
    fields: dict[str, Any] = {
        "output": "\n\n".join(turn.output for turn in turns if turn.error is None),
        "latency_ms": _sum([turn.latency_ms for turn in turns]),
        "claimed_latency_ms": _sum([turn.claimed_latency_ms for turn in turns]),
        "usage": Usage(
            _whole([turn.usage.prompt_tokens for turn in turns]),
            _whole([turn.usage.completion_tokens for turn in turns]),
            _whole([turn.usage.total_tokens for turn in turns]),
            _whole([turn.usage.cached_tokens for turn in turns]),
        ),
        "cost_usd": _sum([turn.cost_usd for turn in turns]),
        "cost_source": next((turn.cost_source for turn in turns if turn.cost_source == "unpriced"), last.cost_source),
        "model": last.model,
        "tool_calls": tuple(call for turn in turns for call in turn.tool_calls),
        "nodes_fired": tuple(node for turn in turns for node in turn.nodes_fired),
        "retrieved_context": tuple(item for turn in turns for item in turn.retrieved_context),
        "citations": tuple(item for turn in turns for item in turn.citations),
        "raw": last.raw,
        "turns": tuple(turns),
    }
    if last.error is not None:
        fields["error"] = last.error
    return fields


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(math.fsum(known), 10) if len(known) == len(values) else None


def _whole(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
