"""What an agent must be: ``run(prompt, **context) -> AgentResponse``, or any callable that returns text or a response."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from agenteval.model.response import AgentResponse

CONTEXT_KEYS = ("case_id", "repetition", "seed", "session", "model", "context", "timeout_s")
"""What a call can be told beside the prompt; only what the signature takes is passed."""


class AgentAdapter(ABC):
    """Base class of adapters; subclassing is optional, the method is what counts. ``run`` may be a coroutine.

    Two further methods are called where they exist: ``end_session(session)`` when the attempt behind a session is over, and
    ``close()`` when the run is. Both must return at once; what they raise changes nothing any more.
    """

    @abstractmethod
    def run(self, prompt: str, **context: Any) -> AgentResponse | str:
        """The agent's answer to one prompt.

        ``context`` holds ``case_id`` (str), ``repetition`` (int from 0), ``seed`` (int, the same for the same case and repetition),
        ``session`` (str, one a conversation), ``model`` (str or None), ``context`` (mapping declared by the case) and
        ``timeout_s`` (float). Taking ``session`` tells that the agent keeps its own conversation state.
        """


class AgentFailure(Exception):  # noqa: N818 - a report about the agent, not a fault of ours
    """Raised by an adapter that already knows how its agent failed.

    Args:
        kind: An ``ErrorKind`` value.
        type_name: The failure's type as shown, e.g. ``RateLimitError``.
    """

    def __init__(self, kind: str, type_name: str, message: str) -> None:
        self.kind = kind
        self.type_name = type_name
        super().__init__(message)
