"""What happens inside one call of an agent, noted as it happens."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

from agenteval.model.response import AgentResponse, Step


class StepLog:
    """The steps and tokens of one call. Any thread may write; times are ms since the log was made.

    A step is begun and ended by its index, so parallel calls of one tool keep their identity; ``parent`` is the index of the step
    around it.
    """

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._lock = threading.Lock()
        self._steps: list[Step] = []
        self._tokens: dict[str, int] = {}
        self.model: str | None = None

    def begin(self, kind: str, name: str, value: Any = None, *, parent: int | None = None, id: str | None = None) -> int:  # noqa: A002 - the field's name
        """Note that something starts. Returns its index."""
        with self._lock:
            self._steps.append(Step(kind, name, value, timestamp_ms=self._now(), parent=parent, id=id))
            return len(self._steps) - 1

    def end(self, index: int, output: Any = None, *, error: str | None = None, **known: Any) -> None:
        """Note what came of it. ``known`` are further fields of ``Step``: tokens, cost, a better name."""
        with self._lock:
            step = self._steps[index]
            duration = None if step.timestamp_ms is None else round(self._now() - step.timestamp_ms, 3)
            self._steps[index] = replace(step, output=output, error=error, **{"duration_ms": duration, **known})

    def add(self, kind: str, name: str, value: Any = None, output: Any = None, **known: Any) -> int:
        """Note something whose start nobody saw: it has no duration unless ``known`` says one. Returns its index."""
        with self._lock:
            self._steps.append(Step(kind, name, value, output, **{"timestamp_ms": self._now(), **known}))
            return len(self._steps) - 1

    def used(
        self, *, prompt: int | None = None, completion: int | None = None, total: int | None = None, cached: int | None = None
    ) -> None:
        """Add the tokens of one model call; what is None stays unknown."""
        counts = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total, "cached_tokens": cached}
        with self._lock:
            for name, count in counts.items():
                if count is not None:
                    self._tokens[name] = self._tokens.get(name, 0) + count

    def open_step(self, id: str) -> int | None:  # noqa: A002 - the field's name
        """Index of the newest step with this id that has not ended, or None."""
        with self._lock:
            for index in range(len(self._steps) - 1, -1, -1):
                step = self._steps[index]
                if step.id == id and step.duration_ms is None:
                    return index
        return None

    @property
    def steps(self) -> tuple[Step, ...]:
        """What was noted so far, in order of beginning."""
        with self._lock:
            return tuple(self._steps)

    def response(self, output: Any, **fields: Any) -> AgentResponse:
        """The answer with everything that was noted; ``fields`` are further fields of ``AgentResponse`` and go before the log's own."""
        with self._lock:
            noted: dict[str, Any] = {"trace_steps": tuple(self._steps), "model": self.model, **self._tokens}
        return AgentResponse(output=output, **{**noted, **fields})

    def _now(self) -> float:
        return round((time.perf_counter() - self._began) * 1000, 3)
