"""A user who follows a script: what is said next, given the agent's last answer, and why nothing more is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agenteval._redact import redact
from agenteval.evaluators.bounded_search import SearchTimeoutError, search
from agenteval.evaluators.folding import Phrase, folded
from agenteval.model.attempt import Failure
from agenteval.model.status import ErrorKind
from agenteval.suites.suite import Line, User


@dataclass(frozen=True, slots=True)
class _PlannedLine:
    line: Line
    words: Phrase | None
    pattern: re.Pattern[str] | None

    def asked_for_in(self, answer: str) -> bool:
        if self.words is not None:
            return self.words.denied_in(folded(answer))  # "I lack your order number" asks for it too
        return self.pattern is not None and search(self.pattern, answer) is not None


@dataclass(frozen=True, slots=True)
class PlannedUser:
    """A script with its words and expressions compiled; shared by the attempts of a case."""

    lines: tuple[_PlannedLine, ...]
    max_turns: int
    stop_when: Phrase | None


def planned_user(user: User) -> PlannedUser:
    """The user of a case, ready to speak."""
    lines = tuple(
        _PlannedLine(
            line,
            None if line.when is None else Phrase(line.when),
            None if line.when_matches is None else re.compile(line.when_matches),
        )
        for line in user.script
    )
    return PlannedUser(lines, user.max_turns or len(lines), None if user.stop_when is None else Phrase(user.stop_when))


class ScriptedUser:
    """One conversation's user.

    Attributes:
        stopped: Why nothing more is said, None while the conversation goes on: ``stop_when``, ``script_exhausted``, ``max_turns`` or
            ``pattern_error``.
        failure: Why the script could not be followed, None where it could.
    """

    def __init__(self, planned: PlannedUser) -> None:
        self.stopped: str | None = None
        self.failure: Failure | None = None
        self._planned = planned
        self._left = list(planned.lines)

    def says(self, answer: str | None) -> str | None:
        """The next words, None where there are none: first a line that the answer asks for, else the next one that waits for nothing.

        Args:
            answer: The agent's last one; None opens the conversation.
        """
        try:
            return self._says(answer)
        except SearchTimeoutError as error:
            self.stopped = "pattern_error"
            self.failure = Failure(ErrorKind.TIMEOUT, "SearchTimeoutError", f"user.script: {redact(str(error))}")
            return None

    def _says(self, answer: str | None) -> str | None:
        planned = self._planned
        if answer is not None and planned.stop_when is not None and planned.stop_when.denied_in(folded(answer)):
            self.stopped = "stop_when"
            return None
        found = self._asked_for(answer) if answer is not None else None
        found = found or next((line for line in self._left if not line.line.waits), None)
        if found is None:
            self.stopped = "script_exhausted"
        elif len(planned.lines) - len(self._left) >= planned.max_turns:
            self.stopped = "max_turns"
        else:
            self._left.remove(found)
            return found.line.say
        return None

    def _asked_for(self, answer: str) -> _PlannedLine | None:
        return next((line for line in self._left if line.line.waits and line.asked_for_in(answer)), None)

    @property
    def unsaid(self) -> list[str]:
        """The lines that were not said, in the script's order."""
        return [line.line.say for line in self._left]
