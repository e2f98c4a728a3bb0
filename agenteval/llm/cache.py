"""Replies kept on disk, one file each, by everything that decides them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from agenteval._files import atomic_file, dumps, loads
from agenteval.errors import AgentEvalError

SCHEMA = "agenteval.reply/1"


class ReplyCache:
    """A folder of replies; what can't be read counts as absent, what can't be written is not kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def key(self, request: Mapping[str, Any]) -> str:
        """The name of a request: the hash of all of it."""
        return hashlib.sha256(dumps(_sorted(request))).hexdigest()

    def get(self, key: str) -> dict[str, Any] | None:
        """The reply kept under a key, or None."""
        try:
            found = loads(self._path(key).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) and found.get("schema") == SCHEMA and isinstance(found.get("text"), str) else None

    def put(self, key: str, reply: Mapping[str, Any]) -> None:
        """Keep a reply."""
        with suppress(OSError, AgentEvalError), atomic_file(self._path(key)) as file:
            file.write(dumps({"schema": SCHEMA, **reply}))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _sorted(value[name]) for name in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_sorted(item) for item in value]
    return value
