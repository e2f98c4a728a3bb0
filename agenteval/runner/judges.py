"""The judge of a run: whose settings hold, and where its replies are kept. The client is imported only where a judge is configured."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agenteval._redact import redact
from agenteval.adapters.prices import TABLE
from agenteval.errors import InputError, Problem
from agenteval.llm.settings import ModelSettings

if TYPE_CHECKING:
    from agenteval.evaluators.judge import Judge

CACHE_FOLDER = ".judge-cache"
"""Beside the agents' folders of runs; hidden, so that no listing takes it for runs."""
_ENVIRONMENT = {
    "AGENTEVAL_JUDGE_MODEL": "model",
    "AGENTEVAL_JUDGE_BASE_URL": "base_url",
    "AGENTEVAL_JUDGE_API_KEY_ENV": "api_key_env",
}
_SHAPES = {
    "base_url": (r"https?://\S+", "an address such as https://host/v1"),
    "api_key_env": (r"[A-Za-z_][A-Za-z0-9_]*", "the name of an environment variable, never a key"),
}


def judge_settings(*layers: Mapping[str, Any], environ: Mapping[str, str] | None = None) -> ModelSettings | None:
    """The judge's settings; None where no model is named.

    Args:
        layers: Checked mappings of ``judge:``, the stronger first; the environment goes before all.

    Raises:
        InputError: A budget for a model without a price, own or listed, could not be kept, or a variable holds something else than its
            name says.
    """
    named = _from(os.environ if environ is None else environ)
    keys: dict[str, Any] = {}
    for layer in reversed(layers):
        keys.update(layer)
    keys.update(named)
    if not keys.get("model"):
        return None
    price = keys.pop("price", None) or _listed(keys["model"])
    if keys.get("max_cost_usd") is not None and not price:
        raise InputError(
            Problem("needs the judge's price to be kept", "add judge.price: {input: ..., output: ...}", file="judge.max_cost_usd")
        )
    for name in ("base_url", "api_key_env"):
        if keys.get(name) is None:
            keys.pop(name, None)
    return ModelSettings(**keys, input_price=price.get("input"), output_price=price.get("output"))


def _listed(model: str) -> dict[str, float]:
    """The price of a model in the price table, as ``judge.price`` spells it."""
    price = TABLE.get(model)
    return {} if price is None else {"input": price.input, "output": price.output}


def _from(environ: Mapping[str, str]) -> dict[str, str]:
    """What the environment names, held to the rules of the keys; an empty variable names nothing."""
    named = {key: value for variable, key in _ENVIRONMENT.items() if (value := environ.get(variable, "").strip())}
    for variable, key in _ENVIRONMENT.items():
        if key in named and key in _SHAPES and not re.fullmatch(_SHAPES[key][0], named[key]):
            raise InputError(Problem(f"must be {_SHAPES[key][1]}", "change it or unset it", file=variable))  # it may hold a key: not shown
    return named


def make_judge(settings: ModelSettings | None, runs_dir: Path, votes: int | None = None) -> Judge | None:
    """The judge, with the replies kept below the folder of runs; None without settings."""
    if settings is None:
        return None
    from agenteval.evaluators.judge import Judge
    from agenteval.llm.cache import ReplyCache
    from agenteval.llm.client import ModelClient

    return Judge(ModelClient(settings, ReplyCache(runs_dir / CACHE_FOLDER)), votes)


def judge_provenance(settings: ModelSettings | None, votes: int | None = None) -> dict[str, Any] | None:
    """What a run records of its judge: enough to know whether another run asked the same one; no key, no price."""
    if settings is None:
        return None
    from agenteval.evaluators.questions import VERSION

    return {
        "model": settings.model,
        "base_url": None if settings.base_url is None else redact(settings.base_url),
        "prompt_version": VERSION,
        "settings": settings.identity,
        "temperature": settings.temperature,
        "votes": votes or settings.votes,
    }
