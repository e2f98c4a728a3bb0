"""The client against an endpoint that also misbehaves."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from agenteval.llm import client as client_module
from agenteval.llm.cache import ReplyCache
from agenteval.llm.client import ModelClient, ModelError
from agenteval.llm.settings import ModelSettings
from tests.llm.server import Answer, Endpoint, said

SCHEMA = {"type": "object", "properties": {"passed": {"type": "boolean"}}, "required": ["passed"], "additionalProperties": False}
GOOD = Answer('{"passed": true}')


def prompt(boundary: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"judge this {boundary}"}]


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Own pauses shrink; what the endpoint asks for is kept."""
    monkeypatch.setattr(client_module, "_pause", lambda requests, asked_for: asked_for if asked_for is not None else 0.01)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghij")


def a_client(model: Endpoint, **changes: Any) -> ModelClient:
    return ModelClient(ModelSettings("judge-1", base_url=model.url, **{"timeout_s": 5.0, **changes}))


def test_a_reply_comes_with_its_tokens_and_its_price(model: Endpoint) -> None:
    model.script(GOOD)
    found = a_client(model, input_price=1.0, output_price=2.0).ask(prompt)
    assert (found.text, found.usage.prompt_tokens, found.usage.completion_tokens) == ('{"passed": true}', 100, 10)
    assert found.cost_usd == pytest.approx((100 * 1 + 10 * 2) / 1e6)


def test_without_a_price_the_cost_is_unknown(model: Endpoint) -> None:
    assert a_client(model).ask(prompt).cost_usd is None


def test_429_is_asked_again_after_the_time_it_names(model: Endpoint) -> None:
    model.script(Answer(status=429, headers={"Retry-After": "0.3"}), GOOD)
    began = time.perf_counter()
    found = a_client(model).ask(prompt)
    assert time.perf_counter() - began >= 0.3
    assert (found.requests, round(found.waited_s, 1)) == (2, 0.3)
    assert found.elapsed_s < 0.3


def test_a_wait_longer_than_the_longest_ends_with_its_reason(model: Endpoint) -> None:
    model.script(Answer(status=429, headers={"Retry-After": "3600"}))
    with pytest.raises(ModelError, match="it asks to wait 3600 s") as caught:
        a_client(model).ask(prompt)
    assert (caught.value.kind, len(model.requests)) == ("rate_limit", 1)


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_a_server_error_is_asked_again(model: Endpoint, status: int) -> None:
    model.script(Answer(status=status), Answer(status=status), GOOD)
    assert a_client(model).ask(prompt).requests == 3


def test_retries_end(model: Endpoint) -> None:
    model.script(Answer(status=500))
    with pytest.raises(ModelError, match=r"HTTP 500.* after 3 requests") as caught:
        a_client(model, retries=2).ask(prompt)
    assert (caught.value.kind, len(model.requests)) == ("http", 3)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_can_never_succeed_is_asked_once(model: Endpoint, status: int) -> None:
    model.script(Answer("no such thing", status=status))
    with pytest.raises(ModelError, match=f"HTTP {status}: no such thing"):
        a_client(model).ask(prompt)
    assert len(model.requests) == 1


def test_a_time_out_is_asked_again_and_then_told(model: Endpoint) -> None:
    model.script(Answer('{"passed": true}', delay_s=2.0))
    with pytest.raises(ModelError, match="no reply within the time-out") as caught:
        a_client(model, timeout_s=0.2, retries=1).ask(prompt)
    assert (caught.value.kind, len(model.requests)) == ("timeout", 2)


def test_a_broken_off_body_is_asked_again(model: Endpoint) -> None:
    model.script(Answer('{"passed": true}', cut_at=40), GOOD)
    assert a_client(model).ask(prompt).requests == 2


def test_a_body_that_is_no_json_is_asked_again(model: Endpoint) -> None:
    model.script(Answer(body=b'{"choices": [{"mess'), GOOD)
    assert a_client(model).ask(prompt).requests == 2


def test_an_endpoint_that_is_not_there_is_told(model: Endpoint) -> None:
    client = ModelClient(ModelSettings("judge-1", base_url="http://127.0.0.1:9/v1", retries=1))
    with pytest.raises(ModelError, match="cannot be reached after 2 requests") as caught:
        client.ask(prompt)
    assert caught.value.kind == "connection"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Answer(choices=[]), "empty", "holds no choice"),
        (Answer(""), "empty", "is empty"),
        (Answer(None), "empty", "is empty"),
        (Answer(None, refusal="I can't help with that"), "refusal", "I can't help with that"),
        (Answer("x", finish_reason="content_filter"), "refusal", "content filter"),
        (Answer('{"passed": tr', finish_reason="length"), "cut_off", "max_tokens 800"),
    ],
)
def test_a_reply_without_a_usable_text_is_an_error_of_its_kind(model: Endpoint, answer: Answer, kind: str, words: str) -> None:
    model.script(answer)
    with pytest.raises(ModelError, match=words) as caught:
        a_client(model).ask(prompt)
    assert caught.value.kind == kind


def test_an_endpoint_without_structured_output_is_asked_without_from_then_on(model: Endpoint) -> None:
    def reply(request: dict[str, Any], number: int) -> Answer:
        return Answer("response_format is not supported", status=400) if "response_format" in request else GOOD

    model.reply = reply
    client = a_client(model)
    client.ask(prompt, schema=SCHEMA)
    client.ask(prompt, schema=SCHEMA)
    assert ["response_format" in request for request in model.requests] == [True, False, False]


def test_one_refused_question_switches_structured_output_off_for_no_other(model: Endpoint) -> None:
    def reply(request: dict[str, Any], number: int) -> Answer:
        return Answer("the prompt is too long", status=400) if "much" in said(request) else GOOD

    model.reply = reply
    client = a_client(model)
    with pytest.raises(ModelError, match="too long"):
        client.ask(lambda boundary: [{"role": "user", "content": "much"}], schema=SCHEMA)
    client.ask(prompt, schema=SCHEMA)
    assert ["response_format" in request for request in model.requests] == [True, False, True]


def test_a_schema_is_sent_as_a_strict_one(model: Endpoint) -> None:
    a_client(model).ask(prompt, schema=SCHEMA, name="judgement")
    assert model.requests[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "judgement", "schema": SCHEMA, "strict": True},
    }


def test_the_boundary_differs_from_request_to_request(model: Endpoint) -> None:
    client = a_client(model)
    client.ask(prompt)
    client.ask(prompt)
    assert model.requests[0]["messages"] != model.requests[1]["messages"]


def test_with_a_seed_the_same_question_is_the_same_text_and_another_one_has_another_boundary(model: Endpoint) -> None:
    client = a_client(model, seed=7)
    for asked in ("one", "one", "two"):
        client.ask(lambda boundary, asked=asked: [{"role": "user", "content": f"{boundary} {asked}"}])  # type: ignore[misc]
    first, again, other = (request["messages"][0]["content"].split()[0] for request in model.requests)
    assert first == again != other
    assert len(first) == 16


def test_a_kept_reply_answers_the_same_question_for_nothing(model: Endpoint, tmp_path: Path) -> None:
    settings = ModelSettings("judge-1", base_url=model.url, input_price=1.0, output_price=1.0)
    first = ModelClient(settings, ReplyCache(tmp_path))
    first.keep(first.ask(prompt))
    again = ModelClient(settings, ReplyCache(tmp_path)).ask(prompt)
    assert (again.text, again.cached, again.cost_usd, len(model.requests)) == ('{"passed": true, "reason": "fine"}', True, 0.0, 1)


@pytest.mark.parametrize("change", [{"model": "judge-2"}, {"temperature": 0.5}, {"seed": 3}, {"max_tokens": 10}])
def test_whatever_decides_a_reply_is_part_of_its_key(model: Endpoint, tmp_path: Path, change: dict[str, Any]) -> None:
    plain = {"model": "judge-1", "base_url": model.url}
    first = ModelClient(ModelSettings(**plain), ReplyCache(tmp_path))
    first.keep(first.ask(prompt))
    other = ModelClient(ModelSettings(**{**plain, **change}), ReplyCache(tmp_path))
    assert not other.ask(prompt).cached


def test_another_vote_is_another_question(model: Endpoint, tmp_path: Path) -> None:
    client = ModelClient(ModelSettings("judge-1", base_url=model.url, seed=7), ReplyCache(tmp_path))
    client.keep(client.ask(prompt, vote=0))
    assert not client.ask(prompt, vote=1).cached
    assert [request["seed"] for request in model.requests] == [7, 8]


def test_what_was_not_kept_is_asked_again(model: Endpoint, tmp_path: Path) -> None:
    client = ModelClient(ModelSettings("judge-1", base_url=model.url), ReplyCache(tmp_path))
    client.ask(prompt)
    client.ask(prompt)
    assert len(model.requests) == 2


def test_a_damaged_file_of_the_cache_counts_as_absent(model: Endpoint, tmp_path: Path) -> None:
    client = ModelClient(ModelSettings("judge-1", base_url=model.url), ReplyCache(tmp_path))
    client.keep(client.ask(prompt))
    (file,) = tmp_path.rglob("*.json")
    file.write_text('{"schema": "agenteval.reply/1", "te')
    assert not client.ask(prompt).cached


def test_a_spent_budget_asks_nothing_more(model: Endpoint) -> None:
    client = a_client(model, input_price=1000.0, output_price=0.0, max_cost_usd=0.15)
    client.ask(prompt)
    client.ask(prompt)
    with pytest.raises(ModelError, match=r"budget of \$0.15 is used up") as caught:
        client.ask(prompt)
    assert (caught.value.kind, len(model.requests)) == ("budget", 2)


def test_a_pace_is_kept_over_threads(model: Endpoint) -> None:
    client = a_client(model, requests_per_minute=600)
    began = time.perf_counter()
    threads = [threading.Thread(target=client.ask, args=(prompt,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.perf_counter() - began >= 0.3


def test_a_missing_key_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(ModelError, match="NO_SUCH_KEY is not set") as caught:
        ModelClient(ModelSettings("judge-1", api_key_env="NO_SUCH_KEY")).ask(prompt)
    assert caught.value.kind == "no_key"


def test_a_server_of_ones_own_needs_no_key(model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert a_client(model).ask(prompt).text


def test_a_server_named_in_the_environment_needs_no_key_either(model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    assert ModelClient(ModelSettings("judge-1")).ask(prompt).text


def test_a_reply_of_one_server_is_not_taken_for_that_of_another(model: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = ModelClient(ModelSettings("judge-1"), ReplyCache(tmp_path))
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    client.keep(client.ask(prompt))
    assert client.ask(prompt).cached

    monkeypatch.setenv("OPENAI_BASE_URL", f"{model.url}/")

    assert not client.ask(prompt).cached


def test_no_key_is_in_any_error_or_file(model: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-live-abcdefghijklmnopqrstuvwx"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    model.script(Answer(f"bad key {key}", status=401), Answer(json.dumps({"passed": True, "reason": f"the key is {key}"})))
    client = ModelClient(ModelSettings("judge-1", base_url=model.url), ReplyCache(tmp_path))
    with pytest.raises(ModelError) as caught:
        client.ask(prompt)
    client.keep(client.ask(prompt))
    assert key not in str(caught.value)
    assert all(key not in file.read_text() for file in tmp_path.rglob("*.json"))
    assert model.keys[0] == f"Bearer {key}"
