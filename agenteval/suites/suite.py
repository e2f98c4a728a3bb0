"""A suite as a value: named cases with everything they inherit already resolved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class EvaluatorSpec:
    """One entry of an ``evaluators`` list, not yet compiled. ``path`` locates it, e.g. ``cases[2].evaluators[0]``."""

    name: str
    params: Any = None
    """The mapping (or lone value) that the suite wrote under the name; None for a bare name."""
    required: bool = True
    negate: bool = False
    path: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation with its own checks. ``path`` locates it, e.g. ``cases[2].turns[0]``."""

    prompt: str
    expects: Mapping[str, Any] = field(default_factory=dict)
    evaluators: tuple[EvaluatorSpec, ...] = ()
    path: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """What a scripted user says once; with ``when`` (words) or ``when_matches`` (an expression), after an answer that holds it."""

    say: str
    when: str | None = None
    when_matches: str | None = None

    @property
    def waits(self) -> bool:
        """True where it is said only after an answer that asks for it."""
        return self.when is not None or self.when_matches is not None


@dataclass(frozen=True, slots=True)
class User:
    """A user who follows a script; ``max_turns`` None speaks as often as the script has lines. The first line waits for nothing."""

    script: tuple[Line, ...]
    max_turns: int | None = None
    stop_when: str | None = None


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Until (ISO date, exclusive) the case runs and is shown, but does not gate."""

    until: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One task. ``expects`` is as written (checked for known keys and types); ``path`` locates it, e.g. ``cases[2]``."""

    id: str
    prompt: str
    turns: tuple[Turn, ...] = ()
    user: User | None = None
    expects: Mapping[str, Any] = field(default_factory=dict)
    evaluators: tuple[EvaluatorSpec, ...] = ()
    expect_pass: bool = True
    turns_required: bool = True
    tags: tuple[str, ...] = ()
    source: str | None = None
    parent_id: str | None = None
    mutation_type: str | None = None
    review_status: str | None = None
    tools: tuple[Any, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    setup: str | None = None
    teardown: str | None = None
    final_state: str | None = None
    model: str | None = None
    timeout_s: float | None = None
    repeat: int | None = None
    critical: bool = False
    quarantine: Quarantine | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    definition: str = ""
    """Hash of everything that decides the case: prompt, turns or user, checks, context, tools; not tags, description or concurrency."""
    path: str = ""

    @property
    def candidate(self) -> bool:
        """True where the case awaits review and runs only on request."""
        return self.review_status == "candidate"


@dataclass(frozen=True, slots=True)
class Suite:
    """A named list of cases, in document order.

    ``locate(path)`` gives ``(order, file, line, column)`` of a path such as ``cases[0].expects.ground_truth``, or of the nearest
    enclosing node that has a position (datasets: the row).
    """

    name: str
    path: str
    hash: str
    cases: tuple[Case, ...]
    description: str = ""
    agent: str | None = None
    model: str | None = None
    repeat: int = 1
    concurrency: int | None = None
    timeout_s: float | None = None
    judge: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Any, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    locate: Callable[[str], tuple[int, str, int, int]] = field(default=lambda path: (0, "", 0, 0), compare=False, repr=False)
