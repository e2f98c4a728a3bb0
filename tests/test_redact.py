from __future__ import annotations

import doctest
import json
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenteval import _redact, _secret_names
from agenteval._redact import redact, redact_json
from tests.builders import planted_secrets, shared_data

PLANTED = planted_secrets()
CLEAN = (
    "order 1234567890",
    "latency 1234567.8901",
    "completion_token: 3",
    "max_tokens=500, prompt tokens: 412",
    "debug: the planner chose the second branch",
    "order id 4111111111111112",
    "started 1732999999999 ms after the epoch",
    "id 94111111111111111111111111",
    "0.4111111111111111",
    "call +1 (212) 555-0100 or write to ann@example.com",
    "risk-based-approach-to-planning-of-2024-work",
    "a basic understanding of bearer instruments",
    "the secret: patience and time",
    "api_key = os.environ['OPENAI_API_KEY']",
    "def answer(token: str, api_key: Optional[str] = None)",
    "PWD: /home/ann",
    "secretary: Jane1",
    "The key: value is 7",
    "https://example.com/a/b?page=2&sort=asc",
    "commit 3f2a1185c0b04f6f9d6c8f0f2a2f1c9b5d7e8a90",
    "[redacted:key:0123abcd]",
)


@pytest.fixture(autouse=True)
def _no_secrets_around(monkeypatch):
    for name in list(_redact.os.environ):
        if _secret_names.is_secret_name(name, environment=True):
            monkeypatch.delenv(name)
    _redact.refresh_environment()
    yield
    monkeypatch.undo()
    _redact.refresh_environment()


@pytest.mark.parametrize("module", [_redact, _secret_names])
def test_examples_in_the_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(("text", "secret"), PLANTED.items(), ids=range(len(PLANTED)))
def test_secret_vanishes(text, secret):
    cleaned = redact(text)

    assert secret not in cleaned
    assert re.search(_redact.MARKER, cleaned)


@pytest.mark.parametrize("text", CLEAN)
def test_what_is_no_secret_stays_the_same_object(text):
    assert redact(text) is text


def test_equal_secrets_have_equal_markers_wherever_they_stand():
    key = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8"

    marker = redact(key)

    assert re.fullmatch(r"\[redacted:key:[0-9a-f]{8}\]", marker)
    assert redact(f"api_key={key}, again {key}") == f"api_key={marker}, again {marker}"
    assert redact_json({"api_key": key, "said": key}) == {"api_key": marker, "said": marker}


def test_guessable_secrets_show_eight_bits_of_their_hash():
    assert redact("card 4111111111111111") == "card [redacted:card:9b]"
    assert redact("password=hunter2") == "password=[redacted:password:f5]"


def test_a_card_is_the_same_with_and_without_separators():
    assert redact("4111-1111-1111-1111") == redact("4111111111111111")


def test_surroundings_of_a_secret_stay():
    assert redact("GET https://u:pw1@h/x?apikey=zz81kd02&q=1") == (
        "GET https://u:[redacted:password:c5]@h/x?apikey=[redacted:secret:ee]&q=1"
    )


@pytest.mark.parametrize("key", ["api_key", "X-API-Key", "clientSecret", "Authorization", "db_password", "AWS_SECRET_ACCESS_KEY"])
def test_what_stands_under_a_secret_name_vanishes_whatever_it_is(key):
    cleaned = redact_json({"outer": [{key: "abc", "n": 1}]})

    assert "abc" not in json.dumps(cleaned)
    assert cleaned["outer"][0]["n"] == 1


def test_everything_below_a_secret_name_vanishes():
    assert "abc" not in json.dumps(redact_json({"credentials": {"user": ["abc"], "n": "abc"}}))


@pytest.mark.parametrize(
    "value",
    [
        {"completion_tokens": 12, "max_tokens": 5, "token_count": 3, "debug": "on", "key": "name", "tokens": ["a", "b"]},
        {"token": "Hello", "logprob": -0.1},
        {"password": None, "has_password": True, "secret": ""},
        [1, 2.5, None, True, "plain", {"a": ("b",)}],
        {"order": 1234567890123, "t": 1732999999999},
    ],
)
def test_clean_value_stays_the_same_object(value):
    assert redact_json(value) is value


def test_card_given_as_a_number_vanishes():
    assert redact_json({"card": 4111111111111111}) == {"card": "[redacted:card:9b]"}


def test_secret_as_a_key_vanishes():
    assert redact_json({"gh" + "p_a1B2c3D4e5F6g7H8i9J0": 1}) != {"gh" + "p_a1B2c3D4e5F6g7H8i9J0": 1}


def test_value_of_a_variable_named_like_a_secret_vanishes(monkeypatch):
    monkeypatch.setenv("ACME_API_KEY", "correct-horse")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "falsefalse")
    monkeypatch.setenv("SHORT_TOKEN", "abc")
    _redact.refresh_environment()

    assert redact("said correct-horse, falsefalse, abc") == "said [redacted:secret:9d], falsefalse, abc"


def test_personal_data_is_left_unless_asked_for():
    text = "write to ann@example.com or call +44 20 7946 0958"

    assert redact(text) is text
    assert "ann@example.com" not in redact(text, personal=True)
    assert "7946" not in redact(text, personal=True)


def test_social_security_numbers_vanish():
    assert redact("SSN 460-89-9847.") == "SSN [redacted:ssn:47]."


@pytest.mark.parametrize(
    "text",
    [
        "://aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY;@",
        "https://user:[redacted:password:ab]@host",
        "https://tok:[redacted:password:ab]realsecret9@host",
    ],
    ids=["a marker beside what ends an address's user", "a marker for a password", "a marker before a password"],
)
def test_a_marker_inside_an_address_stays_whole(text):
    once = redact(text)

    assert redact(once) is once
    assert "wJalr" not in once and "realsecret9" not in once


pieces = st.sampled_from(
    [*PLANTED, *CLEAN, "password=", '"token": "', "://", "@", "[redacted:", ":", "]", "\\", '"', " ", "bearer ", "4111"]
)


@given(st.lists(st.one_of(pieces, st.text(string.printable, max_size=12)), max_size=6))
def test_redacting_twice_changes_nothing(parts):
    once = redact("".join(parts))

    assert redact(once) is once


@given(
    st.recursive(
        st.one_of(st.text(), st.integers(), st.none(), st.booleans()), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_any_value_is_taken(value):
    json.dumps(redact_json(value))


def test_depth_does_not_end_in_an_error():
    value = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8"
    for _ in range(5000):
        value = [value]

    assert "a1B2" not in str(redact_json(value))


@pytest.mark.data
def test_cards_of_13_to_19_digits_in_real_sentences_are_found_and_nothing_else_is_called_a_card():
    samples = json.loads(shared_data("data/raw/presidio-research/data/synth_dataset_v2.json").read_text(encoding="utf-8"))
    cards = [
        (sample["full_text"], span["entity_value"])
        for sample in samples
        for span in sample["spans"]
        if span["entity_type"] == "CREDIT_CARD"
    ]
    long_enough = [(text, card) for text, card in cards if len(re.sub(r"\D", "", card)) >= 13]

    missed = [card for text, card in long_enough if card in redact(text)]
    markers = sum(len(re.findall(r"\[redacted:card:", redact(sample["full_text"]))) for sample in samples)

    assert (len(cards), len(long_enough), missed, markers) == (136, 126, [], 126)
