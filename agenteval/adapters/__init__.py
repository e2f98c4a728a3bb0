"""Reaching agents: loading, calling, and turning whatever they return into evidence."""

from __future__ import annotations

from typing import Any

_ADAPTERS = {"AgentAdapter": "base", "AgentResponse": "base", "Replay": "replay"}


def __getattr__(name: str) -> Any:
    """An adapter, imported when it is first asked for."""
    module = _ADAPTERS.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_ADAPTERS])
