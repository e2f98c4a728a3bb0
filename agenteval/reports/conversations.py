"""Why a conversation with a scripted user ended, in words."""

from __future__ import annotations

from collections.abc import Mapping

from agenteval import _format
from agenteval._text import clip, plain
from agenteval.model.attempt import Attempt

_STOPPED = {
    "stop_when": "the agent said what ends the conversation",
    "max_turns": "the user had said as much as max_turns allows",
    "script_exhausted": "the script held no line that fitted",
    "agent_error": "the agent failed",
    "pattern_error": "a when_matches could not be decided",
}
_MOST = 5


def ended_text(attempt: Attempt) -> str:
    """Why it ended, after how many turns, and how many lines were not said; "" where no script was played."""
    ended = _ended(attempt)
    if ended is None:
        return ""
    stopped = str(ended.get("stopped"))
    why = f"because {_STOPPED[stopped]}" if stopped in _STOPPED else "for another reason"
    words = f"it ended {why} ({stopped}), after {_format.count(len(attempt.turns), 'turn')}"
    unsaid = _unsaid(ended)
    return f"{words}; {_format.count(len(unsaid), 'line')} of the script not said" if unsaid else words


def ended_lines(attempt: Attempt) -> list[str]:
    """The same as lines, with the first lines that were not said."""
    text = ended_text(attempt)
    if not text:
        return []
    unsaid = _unsaid(_ended(attempt) or {})
    lines = [f"  not said: {' '.join(plain(clip(line, 140)).split())}" for line in unsaid[:_MOST]]
    return [f"  {' '.join(plain(text).split())}", *lines, *([f"  and {len(unsaid) - _MOST} more"] if len(unsaid) > _MOST else [])]


def _ended(attempt: Attempt) -> Mapping[str, object] | None:
    ended = attempt.raw.get("conversation") if attempt.turns else None
    return ended if isinstance(ended, Mapping) and "stopped" in ended else None


def _unsaid(ended: Mapping[str, object]) -> list[str]:
    unsaid = ended.get("unsaid")
    return [str(line) for line in unsaid] if isinstance(unsaid, (list, tuple)) else []
