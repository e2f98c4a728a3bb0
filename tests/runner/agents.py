"""Agents that behave badly in one case each, named after what they do; imported by name in runs of the real command."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from typing import Any

from agenteval.model.response import AgentResponse


def echo(prompt: str) -> str:
    return prompt


async def echo_async(prompt: str) -> str:
    return prompt


def by_seed(prompt: str, *, seed: int) -> str:
    """Right in about two of three attempts, the same ones every time."""
    return prompt if seed % 3 else "wrong"


def slow_echo(prompt: str, *, case_id: str) -> str:
    time.sleep(0.02)
    return prompt


class Unserialisable:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Exploding:
    """Any attribute raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("boom")


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {"a": 1}
    value["self"] = value
    return value


def hostile(prompt: str) -> Any:
    """Behaves well unless the prompt names a vice."""
    if prompt == "raise":
        raise ValueError("the tool broke")
    if prompt == "exit":
        sys.exit(3)
    if prompt == "interrupt":
        raise KeyboardInterrupt
    if prompt == "chdir":
        os.chdir("/")
    if prompt == "close stdout":
        sys.stdout.close()
    if prompt == "close descriptor":
        os.close(1)
    if prompt == "close descriptors":
        os.closerange(3, 256)
    if prompt == "empty import path":
        sys.path.clear()
    if prompt == "print":
        print("noise from the agent")
    if prompt == "cyclic":
        return AgentResponse(output=prompt, raw=cyclic())
    if prompt == "unserialisable":
        return AgentResponse(output=prompt, raw={"lock": threading.Lock(), "thing": Unserialisable(), "set": {1}, "bytes": b"x"})
    if prompt == "surrogate":
        return "surrogate\ud800"
    if prompt == "nan":
        return AgentResponse(output=prompt, latency_ms=float("nan"), cost_usd=float("inf"), raw={"value": float("nan")})
    if prompt == "huge":
        return "x" * 10_000_000
    if prompt == "none":
        return None
    if prompt == "exploding":
        return Exploding()
    if prompt == "hang":
        time.sleep(3600)
    if prompt == "deep":
        value: Any = 1
        for _ in range(100_000):
            value = [value]
        return AgentResponse(output=prompt, raw={"deep": value})
    return prompt


async def hostile_async(prompt: str) -> Any:
    if prompt == "hang":
        await asyncio.sleep(3600)
    if prompt == "refuse cancellation":
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                continue
    if prompt == "block":
        time.sleep(3600)
    if prompt == "wait":
        await asyncio.sleep(0.05)
        return prompt
    return hostile(prompt)


def last_line(prompt: str) -> str:
    """Echoes what was said last in a transcript."""
    return prompt.rpartition("\nUser: ")[2] if "\nUser: " in prompt else prompt


def priced(prompt: str) -> AgentResponse:
    """Says how many tokens it took, of a model with a price."""
    return AgentResponse(output=prompt, prompt_tokens=1000, completion_tokens=100, raw={"_llm_usage": {"model": "m"}})
