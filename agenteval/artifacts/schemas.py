"""The schema every file carries, which versions this program reads, and how older ones are upgraded in memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenteval.errors import InputError, Problem

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
_SCHEMA = re.compile(r"(agenteval\.[a-z_]+)/([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Schema:
    """A kind of file with its newest version; ``upgrades[n]`` turns a whole document of version n into one of n + 1."""

    kind: str
    version: int
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """As written into files, e.g. ``agenteval.run/1``."""
        return f"{self.kind}/{self.version}"

    def upgraded(self, document: dict[str, Any], path: Path) -> dict[str, Any]:
        """The document as this version writes it.

        Raises:
            InputError: Another kind of file, a newer version, or an older one that nothing upgrades.
        """
        version = check_version(str(document.get("schema")), self, path)
        while version < self.version:
            upgrade = self.upgrades.get(version)
            if upgrade is None:
                raise InputError(Problem(f"written with schema {version}, which this version no longer reads", file=str(path)))
            document = upgrade(document)
            version += 1
        return document


RUN = Schema("agenteval.run", 1)
FLAKINESS = Schema("agenteval.flakiness", 1)
HISTORY = Schema("agenteval.history", 1)
JOURNAL = Schema("agenteval.journal", 1)
CALIBRATION = Schema("agenteval.calibration", 1)


def check_version(schema: str, expected: Schema, path: Path) -> int:
    """The version that a file's schema text names.

    Raises:
        InputError: Another kind of file, or a version newer than this program reads.
    """
    match = _SCHEMA.fullmatch(schema)
    if match is None or match[1] != expected.kind:
        raise InputError(Problem(f"is no {expected.kind} file: its schema is {schema!r}", file=str(path)))
    version = int(match[2])
    if version > expected.version:
        raise InputError(
            Problem(f"written with schema {version}, this version reads up to {expected.version}", "upgrade agenteval", file=str(path))
        )
    return version
