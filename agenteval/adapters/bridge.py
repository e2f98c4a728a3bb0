"""Calling a coroutine from code that is not async, also where an event loop runs already."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Coroutine
from typing import Any


def run_sync(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The coroutine's result, or what it raised. Under a running loop (a notebook, an async test) it gets a loop on a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    outcome: list[tuple[bool, Any]] = []

    def there() -> None:
        try:
            outcome.append((True, asyncio.run(coroutine)))
        except BaseException as error:  # raised again where it was asked for
            outcome.append((False, error))

    thread = threading.Thread(target=contextvars.copy_context().run, args=(there,), name="agenteval-bridge", daemon=True)
    thread.start()
    thread.join()
    succeeded, value = outcome[0]
    if succeeded:
        return value
    raise value
