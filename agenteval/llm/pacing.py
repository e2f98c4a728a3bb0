"""How fast and for how much a model may be asked, over all threads."""

from __future__ import annotations

import threading
import time


class Pace:
    """Requests a minute; None: as many as there are."""

    def __init__(self, requests_per_minute: float | None) -> None:
        self._gap_s = 60.0 / requests_per_minute if requests_per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def turn(self) -> None:
        """Wait until the next request is due."""
        if not self._gap_s:
            return
        with self._lock:
            due = max(self._next, time.monotonic())
            self._next = due + self._gap_s
        time.sleep(max(0.0, due - time.monotonic()))


class Budget:
    """USD that may be spent. What is in flight when it is used up still counts, so it can be passed by as much."""

    def __init__(self, max_usd: float | None) -> None:
        self.max_usd = max_usd
        self.spent_usd = 0.0
        self._lock = threading.Lock()

    def spend(self, usd: float | None) -> None:
        """Count a known cost."""
        if usd:
            with self._lock:
                self.spent_usd += usd

    @property
    def used_up(self) -> bool:
        """Whether nothing more may be asked."""
        return self.max_usd is not None and self.spent_usd >= self.max_usd
