"""The keys of ``judge:``, in a suite and in ``agents.yaml`` alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from agenteval.suites.custom import Keys
from agenteval.suites.price_keys import PriceKeys
from agenteval.suites.shape import Pattern, Range, Word


@dataclass(frozen=True)
class JudgeKeys:
    """The model that judges, behind any OpenAI-compatible endpoint.

    Attributes:
        model: Name of the model.
        base_url: Address of the endpoint, e.g. http://localhost:11434/v1; the client's own default where not given.
        api_key_env: Name of the environment variable that holds the key; OPENAI_API_KEY where not given.
        temperature: Sampling temperature; 0 where not given, null sends none.
        seed: Seed of the sampling; vote number n gets seed + n.
        votes: How often each question is asked; more than half decide, so odd numbers are best.
        max_tokens: Longest reply, in tokens; 800 where not given.
        timeout_s: Deadline of one request, in seconds; 60 where not given.
        retries: Further requests after time-outs, broken connections, 429 and 5xx; 4 where not given.
        requests_per_minute: Pace over all attempts.
        max_cost_usd: Ask nothing more once known costs reach it; needs price.
        price: USD a million tokens.
        cache: false asks again what was asked before.
    """

    model: Word | None = None
    base_url: Annotated[str, Pattern(r"https?://\S+", "an address such as https://host/v1")] | None = None
    api_key_env: Annotated[str, Pattern(r"[A-Za-z_][A-Za-z0-9_]*", "the name of an environment variable, never a key")] | None = None
    temperature: Annotated[float, Range(ge=0)] | None = None
    seed: Annotated[int, Range(ge=0)] | None = None
    votes: Annotated[int, Range(ge=1)] = 1
    max_tokens: Annotated[int, Range(ge=1)] = 800
    timeout_s: Annotated[float, Range(gt=0)] = 60.0
    retries: Annotated[int, Range(ge=0)] = 4
    requests_per_minute: Annotated[float, Range(gt=0)] | None = None
    max_cost_usd: Annotated[float, Range(gt=0)] | None = None
    price: Annotated[Mapping[str, Any], Keys(PriceKeys)] = field(default_factory=dict)
    cache: bool = True
