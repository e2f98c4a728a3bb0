"""An OpenAI-compatible endpoint on loopback that answers as scripted, and misbehaves as scripted."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from agenteval.llm.client import ModelClient

Request = dict[str, Any]


@dataclass
class Answer:
    """One HTTP response: a status with a body, or text that becomes a chat completion."""

    text: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    choices: list[dict[str, Any]] | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    delay_s: float = 0.0
    cut_at: int | None = None
    """Close the connection after so many bytes of the body, whatever Content-Length says."""
    usage: Mapping[str, Any] = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110})

    def payload(self, model: str) -> bytes:
        """The body as sent."""
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": self.text or "scripted failure"}}).encode()
        message = {"role": "assistant", "content": self.text, "refusal": self.refusal}
        choices = [{"index": 0, "message": message, "finish_reason": self.finish_reason}] if self.choices is None else self.choices
        reply = {"id": "r", "object": "chat.completion", "created": 1, "model": model, "choices": choices, "usage": dict(self.usage)}
        return json.dumps(reply).encode()


@dataclass
class Endpoint:
    """Where it listens, what it was asked, and how it answers."""

    url: str = ""
    requests: list[Request] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    reply: Callable[[Request, int], Answer] = lambda request, number: Answer('{"passed": true, "reason": "fine"}')

    def script(self, *answers: Answer) -> None:
        """These answers in order; the last one for ever."""
        self.reply = lambda request, number: answers[min(number, len(answers) - 1)]


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """A served endpoint; its URL ends in /v1."""
    state = Endpoint()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(state.requests)
                state.requests.append(request)
                state.keys.append(self.headers.get("Authorization", ""))
            answer = state.reply(request, number)
            time.sleep(answer.delay_s)
            payload = answer.payload(request["model"])
            try:
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload[: answer.cut_at])
                self.wfile.flush()
                if answer.cut_at is not None:
                    self.close_connection = True
            except OSError:
                return

        def log_message(self, *_: Any) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        with opened():
            yield state
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def opened() -> Iterator[None]:
    """Closes every client that was made inside."""
    made: list[ModelClient] = []
    init = ModelClient.__init__

    def noted(client: ModelClient, *arguments: Any, **options: Any) -> None:
        init(client, *arguments, **options)
        made.append(client)

    ModelClient.__init__ = noted  # type: ignore[method-assign]
    try:
        yield
    finally:
        ModelClient.__init__ = init  # type: ignore[method-assign]
        for client in made:
            client.close()


def said(request: Request) -> str:
    """Every word of a request's messages, without the boundaries: a random one spells words too."""
    words = "\n".join(message["content"] for message in request["messages"])
    return re.sub(r"(?<=<<<)((?:end of )?\w+) [0-9a-f]{16}(?=>>>)", r"\1 BOUNDARY", words)
