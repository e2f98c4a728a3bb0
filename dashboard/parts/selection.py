"""What a view shows, as one frozen value that reads, checks and writes the URL.

Only what someone chose stands in the URL; what does not is the default (newest agent, its latest run, the pinned baseline). Links on
pages always carry the whole selection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agenteval._links import query
from agenteval._text import clip, nearest

LATEST = "latest"
PINNED = "baseline"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Selection:
    """Agent, run, baseline, case and attempt; None is the default. ``baseline`` is a run id, ``baseline`` (pinned) or ``none``."""

    agent: str | None = None
    run: str | None = None
    baseline: str | None = None
    case: str | None = None
    attempt: int | None = None

    @classmethod
    def read(cls, parameters: Mapping[str, str]) -> Selection:
        """What a URL's parameters hold; empty and default words count as not given, as does an attempt that is no number."""
        attempt = parameters.get("attempt", "")
        run = parameters.get("run") or None
        return cls(
            agent=parameters.get("agent") or None,
            run=None if run == LATEST else run,
            baseline=parameters.get("baseline") or None,
            case=parameters.get("case") or None,
            attempt=int(attempt) if attempt.isascii() and attempt.isdigit() and len(attempt) < 6 else None,
        )

    def query(self) -> dict[str, str]:
        """The URL's parameters."""
        return query(agent=self.agent, run=self.run, baseline=self.baseline, case=self.case, attempt=self.attempt)

    def of_case(self, case: str, attempt: int | None = None) -> Selection:
        """The same runs, opened at a case."""
        return replace(self, case=case, attempt=attempt)

    def without_case(self) -> Selection:
        """The same runs, no case."""
        return replace(self, case=None, attempt=None)


@dataclass(frozen=True, slots=True)
class Unknown:
    """An id in the URL that is not stored: what it was, and the nearest that is."""

    kind: str
    name: str
    nearest: str | None

    def __str__(self) -> str:
        return f"There is no {self.kind} {clip(self.name, 120)!r} here."


def choose(wanted: str, options: Sequence[str], kind: str, *, prefix: bool = False) -> str | Unknown:
    """The option that a URL names: itself, or (``prefix``) the only one that begins so; else the nearest is offered."""
    if wanted in options:
        return wanted
    if prefix:
        begun = [option for option in options if option.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            return Unknown(kind, wanted, begun[-1])
    return Unknown(kind, wanted, nearest(wanted, options) or (options[-1] if options else None))
