"""Which names of keys and variables say that the value is secret."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_SECRET_WORDS = (
    "password passwd passphrase passcode secret secrets token credential credentials authorization apikey authtoken accesstoken"
    " refreshtoken sessiontoken clientsecret secretkey accesskey privatekey bearer jwt cookie pwd dbpassword userpassword"
)
_KEY_OF_WORDS = "api access secret private account encryption signing auth service master license subscription storage shared deploy ssh"
# Beside one of these, "token" is a piece of text or a count, and "secret" is what the setting is about.
_HARMLESS_WORDS = (
    "tokens count counts max min num number total limit type types usage completion prompt input output cached reasoning audio tokenizer"
    " tokenizers length len budget per price cost rate name names path file policy hint field required enabled expiry expires expired ttl"
    " next page continuation cursor stop eos bos pad unk sep cls logprob logprobs text ids index position used remaining average avg mean"
    " sock socket manager endpoint provider dir directory parallelism reset forgot strength length valid url uri version"
)
_SECRET, _KEY_OF, _HARMLESS = (frozenset(words.split()) for words in (_SECRET_WORDS, _KEY_OF_WORDS, _HARMLESS_WORDS))


@lru_cache(maxsize=4096)
def is_secret_name(name: str, *, environment: bool = False) -> bool:
    """Whether a key (``environment``: a variable) of that name holds a secret.

    >>> [is_secret_name(name) for name in ("api_key", "X-Api-Key", "clientSecret", "AWS_SECRET_ACCESS_KEY", "password2")]
    [True, True, True, True, True]
    >>> [is_secret_name(name) for name in ("completion_tokens", "max_tokens", "token_count", "debug", "key", "next_page_token", "monkey")]
    [False, False, False, False, False, False, False]
    """
    words = [word.lower() for word in _WORD.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    if environment and words in (["pwd"], ["oldpwd"]):
        return False
    if not words or any(word in _HARMLESS for word in words):
        return False
    if any(word in _SECRET for word in words):
        return True
    if words[-1] in ("key", "keys"):
        return environment or any(word in _KEY_OF for word in words[:-1])
    return environment and words[-1] in ("pass", "auth", "webhook", "dsn")
