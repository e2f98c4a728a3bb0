"""How a model is asked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

DEFAULT_KEY = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """One model behind one endpoint.

    Attributes:
        base_url: The endpoint, as the ``openai`` client takes it; None: its own default.
        api_key_env: Name of the environment variable that holds the key; the key itself is never stored.
        temperature: None sends none (some models accept none).
        seed: Sent where given; vote number n gets ``seed + n``. The same question is then the same text, boundaries and all.
        max_tokens: Longest reply, in tokens.
        timeout_s: For one request; retries and waiting come on top.
        retries: Further requests after one that may succeed later (429, 5xx, time-outs, broken connections).
        votes: How often each question is asked; the majority decides.
        requests_per_minute: Pace over all threads; None: none.
        max_cost_usd: Once known costs reach it, nothing more is asked.
        input_price, output_price: USD a million tokens; None: unknown, so replies are unpriced.
        cache: Whether replies are kept on disk and used again.
    """

    model: str
    base_url: str | None = None
    api_key_env: str = DEFAULT_KEY
    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int = 800
    timeout_s: float = 60.0
    retries: int = 4
    votes: int = 1
    requests_per_minute: float | None = None
    max_cost_usd: float | None = None
    input_price: float | None = None
    output_price: float | None = None
    cache: bool = True

    @property
    def deadline_s(self) -> float:
        """Longest that all votes on one question may take: every request at its time-out, every wait at its longest."""
        return self.votes * ((self.retries + 1) * self.timeout_s + self.retries * LONGEST_WAIT_S)

    @property
    def identity(self) -> str:
        """Short hash of what decides replies; address of the endpoint, keys, prices and pace are not among it."""
        deciding = {name: value for name, value in asdict(self).items() if name in _DECIDING}
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()[:12]


_DECIDING = ("model", "temperature", "seed", "max_tokens", "votes")
LONGEST_WAIT_S = 60.0
"""Longest wait before a retry, whatever Retry-After asks for; a longer one ends the question with an error that says so."""
