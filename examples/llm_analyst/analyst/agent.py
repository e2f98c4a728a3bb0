"""The agent: asks a model, runs the tools that it calls, and hands over the evidence of every round."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from openai import OpenAI, OpenAIError

from agenteval import AgentAdapter, AgentResponse, Step
from analyst.people import open_people
from analyst.prompts import PROMPTS
from analyst.tools import ToolError, Tools, as_functions

MAX_TOKENS = 100
DEFAULT_MODEL = "gpt-4o-mini"


class Analyst(AgentAdapter):
    """Answers through any OpenAI-compatible endpoint: ``OPENAI_BASE_URL``, and ``OPENAI_API_KEY`` where the endpoint wants one.

    Args:
        prompt: Which of ``PROMPTS`` it is told.
        temperature: 0 always takes the likeliest word.
        rounds: How often the model may call tools for one question; then it must answer with what it knows.
        queries: After so many queries that brought rows it must answer; small models never stop by themselves.
    """

    def __init__(self, prompt: str = "schema", temperature: float = 0.7, rounds: int = 3, queries: int = 3) -> None:
        self._prompt, self._temperature, self._rounds, self._queries = prompt, temperature, rounds, queries
        self._client = OpenAI(api_key=os.environ.get("OPENAI_API_KEY") or "none", max_retries=0)  # a retry would pass as a slow answer

    def run(
        self, prompt: str, *, model: str | None = None, seed: int | None = None, timeout_s: float | None = None, **_: Any
    ) -> AgentResponse:
        """The answer to one question. A failing endpoint is reported with the rounds before it, not raised."""
        ask = {
            "model": model or DEFAULT_MODEL,
            "temperature": self._temperature,
            "seed": seed,
            "max_tokens": MAX_TOKENS,
            "tools": as_functions(PROMPTS[self._prompt].tools),
        }
        conversation = Conversation(self._client, ask, PROMPTS[self._prompt].text, prompt, timeout_s)
        raw: dict[str, Any] = {"prompt": self._prompt, "temperature": self._temperature}
        answer = ""
        try:
            answer = conversation.answer(self._rounds, self._queries)
        except OpenAIError as problem:
            raw |= {"success": False, "error": f"{type(problem).__name__}: {problem}"}
        return conversation.response(answer, raw)


class Conversation:
    """One question on its way: the messages so far and what happened."""

    def __init__(self, client: OpenAI, ask: dict[str, Any], instructions: str, question: str, timeout_s: float | None) -> None:
        self._client, self._ask = client, {key: value for key, value in ask.items() if value is not None}
        self._tools = Tools(open_people())
        self._messages: list[dict[str, Any]] = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
        self._told = 0
        self._steps: list[Step] = []
        self._cached: list[int] = []
        self._model: str | None = None
        self._timeout_s = timeout_s
        self._began = time.perf_counter()

    def answer(self, rounds: int, queries: int) -> str:
        """The model's words: when it stops calling tools, or when a limit says that it must."""
        for _ in range(rounds):
            message = self._think()
            if not message.tool_calls:
                return message.content or ""
            self._messages.append(message.model_dump(include={"role", "content", "tool_calls"}))
            for call in message.tool_calls:
                queries -= self._use(call)
            if queries <= 0:
                break
        return self._think(tool_choice="none").content or ""

    def response(self, answer: str, raw: dict[str, Any]) -> AgentResponse:
        """The answer with its evidence; tokens are None where the endpoint counted none."""
        asked = [step for step in self._steps if step.kind == "model"]
        return AgentResponse(
            output=answer,
            prompt_tokens=_sum([step.prompt_tokens for step in asked]),
            completion_tokens=_sum([step.completion_tokens for step in asked]),
            cached_tokens=sum(self._cached) if self._cached else None,
            trace_steps=self._steps,
            model=self._model,
            raw=raw,
        )

    def _think(self, **choice: str) -> Any:
        """One call of the model; its step holds the messages that are new to it."""
        new, self._told = self._messages[self._told :], len(self._messages)
        began = self._now()
        try:
            create: Any = self._client.chat.completions.create  # its types want a literal for every argument
            reply = create(messages=self._messages, timeout=self._left_s(), **self._ask, **choice)
        except OpenAIError as problem:
            self._steps.append(Step("model", self._ask["model"], _shown(new), None, began, self._now() - began, error=str(problem)))
            raise
        message, usage = reply.choices[0].message, reply.usage
        self._model = reply.model
        details = usage.prompt_tokens_details if usage else None
        if details is not None and details.cached_tokens is not None:
            self._cached.append(details.cached_tokens)
        said = [{call.function.name: call.function.arguments} for call in message.tool_calls or ()] or message.content
        counts = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        self._steps.append(Step("model", reply.model, _shown(new), said, began, self._now() - began, *counts))
        return message

    def _use(self, call: Any) -> bool:
        """Run one tool and tell the model what came of it, be it a refusal; whether it was a query that brought rows."""
        began, name, arguments = self._now(), call.function.name, call.function.arguments
        result, refusal = None, None
        try:
            arguments = _arguments(arguments)
            result = self._tools.call(name, arguments)
        except ToolError as problem:
            refusal = str(problem)
        self._steps.append(Step("tool_call", name, arguments, result, began, self._now() - began, error=refusal, id=call.id))
        content = json.dumps({"error": refusal} if refusal is not None else result)
        self._messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
        return name == "run_sql" and bool(result and result["rows"])

    def _left_s(self) -> float | None:
        """Time until the attempt's deadline, so that no request outlives it."""
        return None if self._timeout_s is None else max(0.1, self._timeout_s - self._now() / 1000)

    def _now(self) -> float:
        return (time.perf_counter() - self._began) * 1000


def _arguments(text: str) -> dict[str, Any]:
    """A call's arguments; models write JSON that is none, too."""
    try:
        arguments = json.loads(text or "{}")
    except ValueError as problem:
        raise ToolError(f"arguments are not JSON: {problem}") from problem
    if not isinstance(arguments, dict):
        raise ToolError("arguments must be a JSON object")
    return arguments


def _shown(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """New messages by role; the model's own are in the step before, tool results in theirs."""
    return {message["role"]: message["content"] for message in messages if message["role"] in ("system", "user")}


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
