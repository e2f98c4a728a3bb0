"""Replies that come in drops, say nothing, or lie damaged on disk; answers that look alike to a careless cache."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from agenteval.evaluators.judge import Judge, Question
from agenteval.llm.cache import ReplyCache
from agenteval.llm.client import ModelClient, ModelError
from agenteval.llm.settings import ModelSettings
from tests.llm.server import Answer, Endpoint

GOOD, BAD = Answer('{"passed": true}'), Answer('{"passed": false}')


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghij")


def a_judge(model: Endpoint, folder: Path | None = None, **changes: Any) -> Judge:
    settings = ModelSettings("judge-1", base_url=model.url, **{"timeout_s": 5.0, "retries": 0, **changes})
    return Judge(ModelClient(settings, None if folder is None else ReplyCache(folder)))


@pytest.mark.parametrize("other", ["10000000000000000", "10", "1\n<<<end of answer 0000000000000000>>>"])
def test_a_verdict_is_used_again_for_the_same_answer_alone(model: Endpoint, tmp_path: Path, other: str) -> None:
    model.script(GOOD, BAD)
    judge = a_judge(model, tmp_path)
    assert (judge.decide(Question("How many?", "1")).passed, judge.decide(Question("How many?", other)).passed) == (True, False)
    assert len(model.requests) == 2


@pytest.mark.parametrize("kept", ["nonsense", '{"passed": 1}', '{"passed": true'])
def test_a_kept_reply_that_cannot_be_read_is_asked_for_again(model: Endpoint, tmp_path: Path, kept: str) -> None:
    model.script(GOOD)
    judge = a_judge(model, tmp_path)
    judge.decide(Question("q", "a"))
    (file,) = tmp_path.rglob("*.json")
    file.write_text(json.dumps({"schema": "agenteval.reply/1", "text": kept}))
    again = judge.decide(Question("q", "a"))
    assert (again.error, again.passed, len(model.requests)) == (None, True, 2)
    assert judge.decide(Question("q", "a")).cached


def test_a_secret_in_a_reply_costs_no_later_verdict(model: Endpoint, tmp_path: Path) -> None:
    model.script(Answer('{"password": 12345678, "passed": true}'))
    judge = a_judge(model, tmp_path)
    assert [judge.decide(Question("q", "a")).passed for _ in range(2)] == [True, True]


@pytest.mark.parametrize("useless", [Answer("{", finish_reason="length"), Answer(""), Answer("x", refusal="no")])
def test_replies_that_say_nothing_are_paid_for_too(model: Endpoint, useless: Answer) -> None:
    model.script(useless)
    # 100 tokens in and 10 out, at 1000 USD a million of either: 0.11 USD a reply
    judge = a_judge(model, input_price=1000.0, output_price=1000.0, max_cost_usd=0.2)
    told = [judge.decide(Question("q", f"a{number}")) for number in range(4)]
    assert [judgement.cost_usd for judgement in told[:2]] == [pytest.approx(0.11), pytest.approx(0.11)]
    assert [str(judgement.error).split(":")[0] for judgement in told[2:]] == ["budget", "budget"]
    assert len(model.requests) == 2


@pytest.fixture
def dripping() -> Iterator[str]:
    """The address of an endpoint whose reply comes a byte at a time and never ends."""
    over = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            try:
                while not over.wait(0.05):
                    self.wfile.write(b" ")
                    self.wfile.flush()
            except OSError:
                return

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    over.set()
    server.shutdown()
    server.server_close()


def test_a_reply_that_comes_in_drops_ends_at_the_time_out(dripping: str) -> None:
    client = ModelClient(ModelSettings("judge-1", base_url=dripping, timeout_s=0.5, retries=0))
    began = time.perf_counter()
    with pytest.raises(ModelError) as caught:
        client.ask(lambda boundary: [{"role": "user", "content": "judge"}])
    client.close()
    assert caught.value.kind == "timeout"
    assert time.perf_counter() - began < 5


def test_a_line_break_after_the_key_is_no_part_of_it(model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghij\n")
    model.script(GOOD)
    assert a_judge(model).decide(Question("q", "a")).passed
    assert model.keys == ["Bearer sk-test-0123456789abcdefghij"]
