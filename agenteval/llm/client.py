"""Asking a model: one question, one reply or one error with its kind; never a guess."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agenteval._redact import redact
from agenteval.llm.cache import ReplyCache
from agenteval.llm.fence import FIXED, Prompt, boundary
from agenteval.llm.pacing import Budget, Pace
from agenteval.llm.settings import LONGEST_WAIT_S, ModelSettings
from agenteval.model.response import Usage

_LATER = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses after which the same request may succeed."""


class ModelError(Exception):
    """No reply. ``kind``: no_key, timeout, connection, rate_limit, http, refusal, empty, cut_off, unreadable, budget.

    ``replied`` is whether the endpoint sent one that says nothing; ``cost_usd`` is what that cost, None where it has no price.
    """

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.replied = False
        self.cost_usd: float | None = None
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply.

    Attributes:
        cost_usd: None where the model has no price; 0 from the cache.
        cached: Whether it was on disk, so that nothing was asked.
        requests: How many requests it took.
        waited_s: Seconds between them, by order of the endpoint or of the pace.
        key: Its name in the cache.
    """

    text: str
    usage: Usage
    model: str
    cost_usd: float | None
    cached: bool = False
    requests: int = 1
    waited_s: float = 0.0
    elapsed_s: float = 0.0
    key: str = ""


class ModelClient:
    """Asks one model from any thread. Nothing is imported or opened before the first question that the cache cannot answer."""

    def __init__(self, settings: ModelSettings, cache: ReplyCache | None = None) -> None:
        self.settings = settings
        self.budget = Budget(settings.max_cost_usd)
        self._cache = cache if settings.cache else None
        self._pace = Pace(settings.requests_per_minute)
        self._lock = threading.Lock()
        self._client: Any = None
        self._structured = True

    def ask(
        self, prompt: Prompt, *, schema: Mapping[str, Any] | None = None, name: str = "reply", vote: int = 0, anew: bool = False
    ) -> Completion:
        """The reply to a prompt.

        Args:
            schema: JSON Schema of the reply; endpoints that know structured output are held to it.
            vote: Asking again with another number is another question to the cache.
            anew: Pass over what the cache holds.

        Raises:
            ModelError: No reply came; the message names the reason and never a key.
        """
        key = self._key(prompt(FIXED), schema, vote)
        known = self._cache.get(key) if self._cache is not None and not anew else None
        if known is not None:
            return Completion(known["text"], _usage(known.get("usage")), str(known.get("model", "")), 0.0, cached=True, requests=0, key=key)
        if self.budget.used_up:
            raise ModelError("budget", f"the judge's budget of ${self.settings.max_cost_usd:g} is used up")
        return self._asked(prompt(boundary(self.settings.seed, prompt, vote)), schema, name, vote, key)

    def close(self) -> None:
        """Close its connections; asking again opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def keep(self, completion: Completion) -> None:
        """Put a reply into the cache: for whoever has read it and found it good."""
        if self._cache is not None and not completion.cached:
            usage = {name: value for name, value in vars_of(completion.usage).items() if value is not None}
            self._cache.put(completion.key, {"text": redact(completion.text), "usage": usage, "model": completion.model})

    def _key(self, messages: list[dict[str, str]], schema: Mapping[str, Any] | None, vote: int) -> str:
        if self._cache is None:
            return ""
        settings = self.settings
        return self._cache.key(
            {
                "base_url": _endpoint(settings) or "",
                "model": settings.model,
                "temperature": settings.temperature,
                "seed": settings.seed,
                "max_tokens": settings.max_tokens,
                "messages": messages,
                "schema": schema,
                "vote": vote,
            }
        )

    def _asked(self, messages: list[dict[str, str]], schema: Mapping[str, Any] | None, name: str, vote: int, key: str) -> Completion:
        client = self._opened()
        began, waited, requests = time.perf_counter(), 0.0, 0
        plain = False  # whether this question has to be asked without structured output
        while True:
            structured = schema is not None and self._structured and not plain
            before = time.perf_counter()
            self._pace.turn()
            waited += time.perf_counter() - before
            requests += 1
            try:
                answer = client.chat.completions.create(**self._request(messages, schema if structured else None, name, vote))
                usage = _usage_of(getattr(answer, "usage", None))
                cost = self._cost(usage)
                self.budget.spend(cost)  # a reply is paid for whatever it says
                completion = self._read(answer, usage, cost)
            except ModelError as error:
                error.replied, error.cost_usd = True, cost
                if error.kind != "unreadable" or requests > self.settings.retries:
                    raise
                pause = _pause(requests, None)
            except Exception as error:  # the client's own classes, imported only where a request was made
                status = getattr(error, "status_code", None)
                if structured and status in (400, 404, 415, 422, 501):
                    plain = True  # if that was not the reason, the next error says so
                    requests -= 1
                    continue
                pause = self._pause_after(error, status, requests)
            else:
                if plain:
                    self._structured = False  # that was the reason: no question is asked with it from now on
                elapsed = time.perf_counter() - began - waited
                return Completion(
                    completion.text, completion.usage, completion.model, completion.cost_usd, False, requests, waited, elapsed, key
                )
            time.sleep(pause)
            waited += pause

    def _opened(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = _open(self.settings)
            return self._client

    def _request(self, messages: list[dict[str, str]], schema: Mapping[str, Any] | None, name: str, vote: int) -> dict[str, Any]:
        settings = self.settings
        request: dict[str, Any] = {"model": settings.model, "messages": messages, "max_tokens": settings.max_tokens}
        if settings.temperature is not None:
            request["temperature"] = settings.temperature
        if settings.seed is not None:
            request["seed"] = settings.seed + vote
        if schema is not None:
            request["response_format"] = {"type": "json_schema", "json_schema": {"name": name, "schema": dict(schema), "strict": True}}
        return request

    def _read(self, answer: Any, usage: Usage, cost_usd: float | None) -> Completion:
        """The text of an answer.

        Raises:
            ModelError: There is none.
        """
        choices = getattr(answer, "choices", None)
        if not isinstance(choices, list):
            raise ModelError("unreadable", "the endpoint's reply is no chat completion")
        if not choices:
            raise ModelError("empty", "the reply holds no choice")
        message = getattr(choices[0], "message", None)
        refusal = getattr(message, "refusal", None)
        if refusal:
            raise ModelError("refusal", f"the model refused: {redact(str(refusal))[:300]}")
        if getattr(choices[0], "finish_reason", None) == "content_filter":
            raise ModelError("refusal", "the endpoint's content filter stopped the reply")
        text = getattr(message, "content", None)
        if getattr(choices[0], "finish_reason", None) == "length":
            raise ModelError("cut_off", f"the reply is cut off at max_tokens {self.settings.max_tokens}; raise it")
        if not isinstance(text, str) or not text.strip():
            raise ModelError("empty", "the reply is empty")
        return Completion(text, usage, str(getattr(answer, "model", "") or self.settings.model), cost_usd)

    def _cost(self, usage: Usage) -> float | None:
        settings = self.settings
        if settings.input_price is None or settings.output_price is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return round((usage.prompt_tokens * settings.input_price + usage.completion_tokens * settings.output_price) / 1e6, 10)

    def _pause_after(self, error: Exception, status: int | None, requests: int) -> float:
        """Seconds until the next try.

        Raises:
            ModelError: There is none.
        """
        kind, message = _told(error, status)
        asked_for = _retry_after(error)
        may_succeed = kind in ("timeout", "connection", "unreadable") or status in _LATER
        if not may_succeed or requests > self.settings.retries:
            tries = f" after {requests} requests" if requests > 1 else ""
            raise ModelError(kind, f"{message}{tries}") from error
        if asked_for is not None and asked_for > LONGEST_WAIT_S:
            raise ModelError(kind, f"{message}; it asks to wait {asked_for:.0f} s, longer than {LONGEST_WAIT_S:.0f} s") from error
        return _pause(requests, asked_for)


def vars_of(usage: Usage) -> dict[str, int | None]:
    """The counts of a usage by name."""
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
        "cached_tokens": usage.cached_tokens,
    }


def _endpoint(settings: ModelSettings) -> str | None:
    """Where the client will ask; None: its own default. It reads the variable itself where no address is given."""
    return settings.base_url or os.environ.get("OPENAI_BASE_URL") or None


def _open(settings: ModelSettings) -> Any:
    key = os.environ.get(settings.api_key_env, "").strip()  # a line break from a file makes no header
    if not key:
        if _endpoint(settings) is None:
            raise ModelError("no_key", f"the environment variable {settings.api_key_env} is not set")
        key = "none"  # a server of one's own often asks for no key, and the client demands one
    try:
        from openai import DefaultHttpxClient, OpenAI
        from openai.types.chat import ChatCompletion
    except ImportError as error:
        raise ModelError("no_key", "the package openai is not installed: pip install openai") from error
    from agenteval.llm.deadline import bounded

    transport = DefaultHttpxClient(timeout=settings.timeout_s, event_hooks={"response": [bounded(settings.timeout_s)]})
    client = OpenAI(api_key=key, base_url=settings.base_url, timeout=settings.timeout_s, max_retries=0, http_client=transport)
    # The package imports its parts and builds its models when they are first used: done here, one thread alone does it.
    client.chat.completions.create  # noqa: B018 - looked at, so that it is there
    ChatCompletion.model_rebuild()
    return client


def _told(error: Exception, status: int | None) -> tuple[str, str]:
    name = type(error).__name__
    if status == 429:
        return "rate_limit", f"HTTP 429: {_detail(error)}"
    if status is not None:
        return "http", f"HTTP {status}: {_detail(error)}"
    if "Timeout" in name:
        return "timeout", "no reply within the time-out"
    if "Connection" in name:
        return "connection", "the endpoint cannot be reached"
    if isinstance(error, json.JSONDecodeError) or "Validation" in name or "Decod" in name or "Protocol" in name or "Read" in name:
        return "unreadable", "the endpoint's reply is broken off or no JSON"
    return "http", f"{name}: {redact(str(error))[:300]}"


def _detail(error: Exception) -> str:
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, Mapping) else None
    return redact(" ".join(str(message or error).split()))[:300]


def _retry_after(error: Exception) -> float | None:
    """Seconds that the endpoint asks to wait, or None."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if not value:
            continue
        try:
            return max(0.0, float(value) / unit)
        except ValueError:
            pass
        import email.utils

        try:
            return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
        except (ValueError, TypeError):
            continue
    return None


def _pause(requests: int, asked_for: float | None) -> float:
    if asked_for is not None:
        return asked_for
    import random

    return float(min(0.5 * 2 ** (requests - 1), 8.0) * random.uniform(0.75, 1.25))


def _usage_of(usage: Any) -> Usage:
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage(
        _count(getattr(usage, "prompt_tokens", None)),
        _count(getattr(usage, "completion_tokens", None)),
        _count(getattr(usage, "total_tokens", None)),
        _count(getattr(details, "cached_tokens", None)),
    )


def _usage(stored: Any) -> Usage:
    return Usage(**{name: _count(stored.get(name)) for name in vars_of(Usage())}) if isinstance(stored, Mapping) else Usage()


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
