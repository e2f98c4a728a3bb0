"""The keys of ``user``: what a scripted user says, when, and for how long."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from agenteval._text import clip
from agenteval.suites.rules import Range, Size, Word


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression of Python."""

    def problem(self, value: str) -> str | None:
        """What is wrong with the expression, or None."""
        try:
            re.compile(value)
        except (re.error, RecursionError, OverflowError) as error:
            return f"{clip(value, 60)!r} is no regular expression: {error}"
        return None


@dataclass(frozen=True)
class LineKeys:
    """One thing that the user says, once.

    Attributes:
        say: The user's words.
        when: Words that the agent's last answer must hold; the line waits for them.
        when_matches: The same as a regular expression, found anywhere in the answer.
    """

    say: Word
    when: Word | None = None
    when_matches: Annotated[str, Size(1), Expression()] | None = None

    def __post_init__(self) -> None:
        if self.when is not None and self.when_matches is not None:
            raise ValueError("has both when and when_matches; remove one")


@dataclass(frozen=True)
class UserKeys:
    """A user who follows a script, instead of turns.

    Attributes:
        script: What the user says, in order; a line with when waits until the agent asks for it.
        max_turns: How often the user speaks at most; as often as the script has lines where not given.
        stop_when: Words of an answer that end the conversation.
    """

    script: Annotated[list[LineKeys], Size(1)]
    max_turns: Annotated[int, Range(ge=1)] | None = None
    stop_when: Word | None = None

    def __post_init__(self) -> None:
        if self.script[0].when is not None or self.script[0].when_matches is not None:
            raise ValueError("the first line of the script opens the conversation, so it can wait for no answer; remove its when")
