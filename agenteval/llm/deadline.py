"""An end to replies that come in drops: the time-out of the HTTP client is one of each read, not of the reply."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any


def bounded(seconds: float) -> Callable[[Any], None]:
    """A hook for responses: reading the body ends in the client's own ReadTimeout so long after its head came."""

    def hook(response: Any) -> None:
        http = sys.modules[type(response).__module__.partition(".")[0]]  # httpx or httpx2, whichever the client is built on
        stream, deadline = response.stream, time.monotonic() + seconds

        def parts(_: object) -> Iterator[bytes]:
            for part in stream:
                if time.monotonic() > deadline:
                    raise http.ReadTimeout("the reply did not end within the time-out")
                yield part

        methods = {"__iter__": parts, "close": lambda _: stream.close()}
        response.stream = type("Bounded", (http.SyncByteStream,), methods)()

    return hook
