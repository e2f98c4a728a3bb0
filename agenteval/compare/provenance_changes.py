"""Between which runs the suite, the model, the metadata or the commit changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agenteval.model.run import RunHead

SUITE, MODEL, METADATA, COMMIT = "suite", "model", "metadata", "commit"


@dataclass(frozen=True, slots=True)
class ProvenanceChange:
    """Something is not what it was.

    Attributes:
        at: Place of the first run with ``now``.
        kind: ``suite``, ``model``, ``metadata`` or ``commit``.
        name: Key of the metadata; the kind itself for the others.
        before: As last recorded.
    """

    at: int
    kind: str
    name: str
    before: str
    now: str


def provenance_changes(heads: Sequence[RunHead]) -> list[ProvenanceChange]:
    """Every change over runs, oldest first. A run that does not record something is passed over: the next that does is compared."""
    known: dict[tuple[str, str], str] = {}
    found = []
    for place, head in enumerate(heads):
        for (kind, name), now in recorded(head).items():
            before = known.get((kind, name))
            if before is not None and before != now:
                found.append(ProvenanceChange(place, kind, name, before, now))
            known[kind, name] = now
    return found


def telling(changes: Sequence[ProvenanceChange], runs: int) -> list[ProvenanceChange]:
    """The changes worth a mark: no commits, and nothing else that changes with most runs (a build number)."""
    times = Counter((change.kind, change.name) for change in changes)
    return [change for change in changes if change.kind != COMMIT and times[change.kind, change.name] * 2 <= max(runs - 1, 2)]


def recorded(head: RunHead) -> dict[tuple[str, str], str]:
    """What a run records of where it comes from, by kind and name."""
    found = {
        (SUITE, SUITE): str(head.suite.hash or ""),
        (MODEL, MODEL): str(head.parameters.get("model") or ""),
        **{(METADATA, key): str(value) for key, value in head.meta.items()},
        (COMMIT, COMMIT): str(head.git.get("commit") or ""),
    }
    return {name: text for name, text in found.items() if text}
