"""The same work for every tool: N cases whose agent gives the prompt back, at once or after some milliseconds."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    """``cases`` cases at ``concurrency`` at once, each taking ``sleep_s``."""

    cases: int
    concurrency: int
    sleep_s: float

    @classmethod
    def from_arguments(cls) -> Workload:
        """From the command line: cases, concurrency, milliseconds a case."""
        cases, concurrency, sleep_ms = sys.argv[1:4]
        return cls(int(cases), int(concurrency), float(sleep_ms) / 1000)

    async def agent(self, prompt: str) -> str:
        """The agent under test."""
        if self.sleep_s:
            await asyncio.sleep(self.sleep_s)
        return prompt


def report(seconds: float, bytes_per_case: float | None) -> None:
    """Print the result as the last line, where the caller reads it."""
    print("\n" + json.dumps({"seconds": seconds, "bytes_per_case": bytes_per_case}))
