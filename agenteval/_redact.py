"""Secrets out of text and values, in one place, before anything is stored or shown.

A secret becomes ``[redacted:<kind>:<hex>]``. The hex digits are the beginning of the secret's SHA-256, so that equal secrets get equal
markers: 8 digits for machine-made tokens, which nobody can guess; 2 for what people choose or what has few possible values (passwords,
cards), where more digits would let a reader try all candidates.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from agenteval._secret_names import is_secret_name

MARKER: Final = r"\[redacted:[a-z]+:[0-9a-f]{2,8}\]"

_TOO_DEEP = 200
_ALPHABET = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
_TOKEN_CHARACTERS = bytes(97 if byte in _ALPHABET else 32 for byte in range(256))
_DIGITS = bytes(48 if 48 <= byte <= 57 else byte for byte in range(256))
_LONG_WORD = "a" * 16
_CARD_LENGTH = "0" * 13
_HINTS = ("key", "secret", "token", "passw", "pwd", "passphrase", "credential", "authorization", "cookie", "sig=", "signature=", "://")

# Each token format: a literal that any text holding one contains, its kind, and its pattern. The look-behind stands after the literal, so
# that the search can leap from literal to literal, and a token never begins inside a longer word.
_TOKENS: Final = (
    (
        "sk-",
        "key",
        r"sk-(?<![A-Za-z0-9]sk-)(?:(?:proj|ant|svcacct|admin|or|lf|live|test)-[\w-]{8,}|[A-Za-z0-9]{20,}[\w-]*|(?=[A-Za-z_-]{0,64}[0-9])[\w-]{16,})",
    ),
    ("k_", "key", r"[rsp]k_(?<![A-Za-z0-9][rsp]k_)(?:live|test)_\w{10,}"),
    ("gh", "token", r"gh[pousr]_(?<![A-Za-z0-9_]gh[pousr]_)[A-Za-z0-9]{20,}"),
    ("github_pat_", "token", r"github_pat_(?<![A-Za-z0-9_]github_pat_)\w{20,}"),
    ("glpat-", "token", r"glpat-(?<![A-Za-z0-9_]glpat-)[\w-]{16,}"),
    ("AIza", "key", r"AIza(?<![A-Za-z0-9_]AIza)[\w-]{30,}"),
    ("gsk_", "key", r"gsk_(?<![A-Za-z0-9_]gsk_)[A-Za-z0-9]{20,}"),
    ("hf_", "token", r"hf_(?<![A-Za-z0-9_]hf_)[A-Za-z0-9]{20,}"),
    ("npm_", "token", r"npm_(?<![A-Za-z0-9_]npm_)[A-Za-z0-9]{30,}"),
    ("pypi-", "token", r"pypi-(?<![A-Za-z0-9_]pypi-)[\w-]{40,}"),
    ("ya29.", "token", r"ya29\.(?<![A-Za-z0-9_]ya29\.)[\w-]{20,}"),
    ("SG.", "key", r"SG\.(?<![A-Za-z0-9_]SG\.)[\w-]{16,}\.[\w-]{16,}"),
    ("xox", "token", r"xox[abeoprs](?<![A-Za-z0-9_]xox[abeoprs])-[A-Za-z0-9-]{10,}"),
    ("xapp-", "token", r"xapp-(?<![A-Za-z0-9_]xapp-)[A-Za-z0-9-]{10,}"),
    ("AKIA", "key", r"AKIA(?<![A-Za-z0-9_]AKIA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("ASIA", "key", r"ASIA(?<![A-Za-z0-9_]ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("eyJ", "token", r"eyJ(?<![A-Za-z0-9_-]eyJ)[\w-]{8,}(?:\.[\w-]*){2,4}"),
    ("hooks.slack.com/", "webhook", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/-]{8,}"),
    ("/api/webhooks/", "webhook", r"(?<=/api/webhooks/)\d{5,}/[\w-]{16,}"),
)

_PRIVATE_KEY = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{20,}+)*+)"
)
# Plain, or in the groups that are printed on cards: 4-4-4-4(-3), 4-6-5, 4-6-4.
_CARD = (
    r"(?<![0-9A-Za-z])(?<!\d[.,])"
    r"(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5})"
    r"(?![0-9A-Za-z])(?![.,]\d)"
)
_SSN = r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])"
_URL_USER = r"(?<=://)(?:([^\s/:@\"'<>]{0,128}):([^\s/\"'<>]{1,256})@|([^\s/:@\"'<>]{16,256})@)"
_QUERY = rf"([?&;](?:x-amz-(?:signature|credential)|signature|sig|key|auth|code)=)(?!{MARKER})([^\s&#\"'<>;]{{8,}})"
_BEARER = rf"\b(bearer\s+)(?!{MARKER})([A-Za-z0-9._~+/=-]{{8,}})"
_BASIC = r"\b(basic\s+)([A-Za-z0-9+/]{8,4096}={0,2})(?![A-Za-z0-9+/=])"
_EMAIL = r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
_PHONE = (
    r"(?<![\w.])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,4}[ .-])\d{2,4}[ .-]\d{2,4}(?:[ .-]\d{2,4})?(?!\w)"
    r"|(?<![\w.])\+\d{8,15}(?!\d)"
)

_SECRET_WORD = (
    r"api[_-]?key|passw|pwd|passphrase|secret|token|credential|authorization|cookie"
    r"|(?:private|access|account|signing|master)[_-]?key"
)
_ASSIGNED = (
    r"(?P<rest>[\w-]{0,40})(?P<close>\\{0,8}[\"']?\]?)(?P<operator>\s{0,4}(?:=>|:=|=|:)\s{0,4})"
    rf"(?P<scheme>(?:(?i:bearer|basic|token|digest)\s+)?)"
    rf"(?:(?P<marker>{MARKER})(?![^\s\"'`,;&)\]}}<>\\])|(?P<quote>\\{{0,8}}[\"'])(?P<quoted>[^\"'\\\n]{{1,8192}})|(?P<plain>[^\s\"'`,;&)\]}}<>\\]+))"
)
_NAME_BACKWARDS = re.compile(r"[\w.-]*")
_NO_VALUE = (
    " none null nil true false undefined required optional string str text bytes int number bool any secretstr object yes no empty missing"
    " unset hidden redacted "
)
_ELSEWHERE = ("${", "$(", "{{", "os.environ", "os.getenv", "process.env", "***", "//")


def redact(text: str, *, personal: bool = False) -> str:
    """The text with every secret replaced by its marker; the same object where there is none. Redacting twice changes nothing.

    Args:
        personal: Also e-mail addresses and telephone numbers.
    """
    if not (_suspicious(text) or personal):
        return text
    for _ in range(4):
        cleaned = _redact_once(text, personal)
        if cleaned == text:
            return text
        text = cleaned
    return text


def redact_json(value: Any, *, personal: bool = False) -> Any:
    """A JSON-like value with every secret replaced, in texts, in keys, and whatever stands under a key named like a secret.

    Returns the same object where nothing changed, so that a clean value costs no copy.
    """
    return _redact_value(value, personal, 0)


def refresh_environment() -> None:
    """Read again which values of the environment are secret."""
    _environment_values.cache_clear()


def marker(kind: str, secret: str) -> str:
    """The stable marker of a secret.

    >>> marker("card", "4111111111111111")
    '[redacted:card:9b]'
    """
    from hashlib import sha256

    digest = sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    guessable = kind in ("card", "ssn", "password", "email", "phone") or not _machine_made(secret)
    return f"[redacted:{kind}:{digest[: 2 if guessable else 8]}]"


def _machine_made(secret: str) -> bool:
    return len(secret) >= 20 and " " not in secret and any(char.isdigit() for char in secret) and any(char.isalpha() for char in secret)


def _suspicious(text: str) -> bool:
    """Whether the text could hold a secret: a few searches at the speed of C, since nearly all texts hold none."""
    data = text.encode("utf-8", "surrogatepass")
    # Searching in str is several times as fast as in bytes.
    if _LONG_WORD in data.translate(_TOKEN_CHARACTERS).decode("latin-1"):
        return True
    digits = data.translate(_DIGITS).decode("latin-1")
    if "000" in digits and ("000-00-0000" in digits or _CARD_LENGTH in digits.replace(" ", "").replace("-", "")):
        return True
    lowered = text.lower()
    if ":" in text or "=" in text:
        for hint in _HINTS:
            if hint in lowered:
                return True
    if "bearer" in lowered or "basic" in lowered:
        return True
    for value in _environment_values():  # noqa: SIM110 - a generator costs more than the rest of the function
        if value in text:
            return True
    return False


def _redact_once(text: str, personal: bool) -> str:
    text = _redact_environment(text)
    if "PRIVATE KEY" in text:
        text = _regex(_PRIVATE_KEY).sub(lambda found: marker("privatekey", found[0]), text)
    for literal, kind, pattern in _TOKENS:
        if literal in text:
            text = _regex(pattern, re.ASCII).sub(lambda found, kind=kind: marker(kind, found[0]), text)  # type: ignore[misc]
    text = _redact_urls(text)
    text = _redact_headers(text)
    text = _redact_assignments(text)
    text = _regex(_CARD, re.ASCII).sub(_card, text)
    text = _regex(_SSN, re.ASCII).sub(lambda found: marker("ssn", found[0]), text)
    if personal:
        text = _regex(_EMAIL).sub(lambda found: marker("email", found[0].lower()), text)
        text = _regex(_PHONE, re.ASCII).sub(_phone, text)
    return text


@cache
def _regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compiled when first needed: most processes never meet a secret."""
    return re.compile(pattern, flags)


# --- the environment


@cache
def _environment_values() -> tuple[str, ...]:
    """Values of variables named like secrets, longest first; paths that exist and words that everybody uses are none."""
    found = set()
    for name, value in os.environ.items():
        if len(value) >= 8 and is_secret_name(name, environment=True) and f" {value.lower()} " not in _EVERYDAY and not _is_path(value):
            found.add(value)
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


_EVERYDAY = " password postgres changeme disabled required optional localhost development production undefined "


def _is_path(value: str) -> bool:
    try:
        return value[0] in "/~." and Path(value).exists()
    except (OSError, ValueError):
        return False


def _redact_environment(text: str) -> str:
    for value in _environment_values():
        if value in text:
            inside = r"(?<!\d){}(?!\d)" if value.isdigit() else "{}"
            text = _outside_markers(inside.format(re.escape(value)), text, lambda found: marker("secret", found[0]))
    return text


def _outside_markers(pattern: str, text: str, replace: Callable[[re.Match[str]], str]) -> str:
    """Replace matches that are no part of a marker."""
    return _regex(f"{MARKER}|{pattern}").sub(lambda found: found[0] if found[0].startswith("[redacted:") else replace(found), text)


# --- URLs and headers


def _redact_urls(text: str) -> str:
    if "://" in text and "@" in text:
        text = _regex(_URL_USER).sub(_url_user, text)
    if "=" in text:
        text = _regex(_QUERY, re.IGNORECASE).sub(lambda found: found[1] + marker("secret", found[2]), text)
    return text


def _url_user(found: re.Match[str]) -> str:
    user, password, alone = found.groups()
    whole = found[0].removesuffix("@")
    unmarked = _regex(MARKER).sub("", whole)
    if unmarked != whole and _is_hidden(whole.removeprefix(unmarked.partition(":")[0] + ":") if ":" in unmarked else whole):
        return found[0]
    if alone is not None:
        return f"{marker('token', alone)}@" if any(char.isdigit() for char in alone) and not _is_hidden(alone) else found[0]
    return found[0] if _is_hidden(password) else f"{user}:{marker('password', password)}@"


def _redact_headers(text: str) -> str:
    lowered = text.lower()
    if "bearer" in lowered:
        text = _regex(_BEARER, re.IGNORECASE).sub(_bearer, text)
    if "basic" in lowered:
        text = _regex(_BASIC, re.IGNORECASE).sub(_basic, text)
    return text


def _bearer(found: re.Match[str]) -> str:
    credential = found[2].rstrip(".")
    if not any(char.isdigit() for char in credential) and len(credential) < 24:
        return found[0]
    return found[1] + marker("token", credential) + found[2][len(credential) :]


def _basic(found: re.Match[str]) -> str:
    """Only what decodes to ``user:password`` is a credential; "basic understanding" is not."""
    from base64 import b64decode

    try:
        decoded = b64decode(found[2] + "=" * (-len(found[2]) % 4))
    except ValueError:
        return found[0]
    return found[1] + marker("password", found[2]) if b":" in decoded and decoded.isascii() else found[0]


# --- name = value


def _redact_assignments(text: str) -> str:
    if ":" not in text and "=" not in text:
        return text
    parts: list[str] = []
    done = 0
    tail = _regex(_ASSIGNED)
    for word in _regex(_SECRET_WORD, re.IGNORECASE | re.ASCII).finditer(text):
        if word.start() < done or text.startswith("[redacted:", max(0, word.start() - 10)):
            continue
        found = tail.match(text, word.end())
        if found is None or found["marker"] is not None:
            continue
        before = _NAME_BACKWARDS.match(text[max(done, word.start() - 60) : word.start()][::-1])
        name = (before[0][::-1] if before else "") + word[0] + found["rest"]
        group = "quoted" if found["quoted"] is not None else "plain"
        if _is_hidden(found[group]) or not _is_assignment(text, name, found, group):
            continue
        start, end = found.span(group)
        if group == "plain":
            end -= len(found[group]) - len(found[group].rstrip(".:")) if ":" in found["operator"] else 0
        parts += (text[done:start], marker(_kind(name), text[start:end]))
        done = end
    return "".join((*parts, text[done:])) if parts else text


def _is_assignment(text: str, name: str, found: re.Match[str], group: str) -> bool:
    """Whether this name holds a secret value, and is not prose, source code or a count."""
    value = found[group]
    if not is_secret_name(name.rpartition(".")[2] or name):
        return False
    lowered = value.lower().rstrip(".")
    if f" {lowered.partition('[')[0]} " in _NO_VALUE or value.startswith(_ELSEWHERE):
        return False
    if "token" in name.lower() and lowered.isdigit() and len(value) < 8:
        return False
    if name.lower().endswith("pwd") and value.startswith(("/", "~")):
        return False
    if group == "quoted" or "=" in found["operator"] or found["scheme"]:
        return not (group == "plain" and re.fullmatch(r"[A-Za-z_][\w.]*\(.*", value))
    # "Password: hunter2" is a password, "the secret: patience and time" is prose.
    return not lowered.isalpha() or text[found.end(group) : found.end(group) + 1] in ("", "\n", "\r")


def _kind(name: str) -> str:
    lowered = name.lower()
    return "password" if "passw" in lowered or "pwd" in lowered or "passphrase" in lowered else "secret"


def _is_marked(value: str) -> bool:
    return _regex(MARKER).fullmatch(value) is not None


def _is_hidden(value: str) -> bool:
    """Whether a marker, perhaps cut by what the rule takes for a value's end, is all that a value holds but for a few signs."""
    rest = _regex(rf"{MARKER}|\[redacted:[a-z]+:[0-9a-f]{{2,8}}$").sub("", value)
    return rest != value and sum(char.isalnum() for char in rest.rpartition("=")[2]) < _TELLING


_TELLING = 4
"""Letters and digits that could still tell something of a secret."""


# --- numbers


def _card(found: re.Match[str]) -> str:
    digits = re.sub(r"[ -]", "", found[0])
    return marker("card", digits) if is_card(digits) else found[0]


def is_card(digits: str) -> bool:
    """Whether digits are a payment card's number: an issuer's beginning and length, and the Luhn check.

    >>> is_card("4111111111111111"), is_card("4111111111111112"), is_card("1732999999999")
    (True, False, False)
    """
    return _issued(digits) and _luhn(digits)


def _issued(digits: str) -> bool:
    length, two, four = len(digits), int(digits[:2]), int(digits[:4])
    if digits[0] == "4":
        return length in (13, 16, 19)
    if two in (34, 37) or four in (1800, 2131):
        return length == 15
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return length == 16
    if two in (30, 36, 38, 39):
        return length in (14, 16)
    return (two in (35, 50, 60, 62, 64, 65) or 56 <= two <= 69) and 13 <= length <= 19


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def _phone(found: re.Match[str]) -> str:
    digits = [char for char in found[0] if char.isdigit()]
    return marker("phone", "".join(digits)) if 8 <= len(digits) <= 15 else found[0]


# --- values


def _redact_value(value: Any, personal: bool, depth: int) -> Any:
    if isinstance(value, str):
        return redact(value, personal=personal)
    if isinstance(value, bool) or value is None or isinstance(value, float):
        return value
    if isinstance(value, int):
        return marker("card", str(value)) if 10**12 <= value < 10**16 and is_card(str(value)) else value
    if depth > _TOO_DEEP:
        return "[left out: nested too deeply to be checked for secrets]"
    if isinstance(value, Mapping):
        return _redact_mapping(value, personal, depth)
    if isinstance(value, list | tuple):
        items = [_redact_value(item, personal, depth + 1) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return items if isinstance(value, list) else tuple(items)
    return value


def _redact_mapping(value: Mapping[Any, Any], personal: bool, depth: int) -> Mapping[Any, Any]:
    changed = False
    cleaned: dict[Any, Any] = {}
    for key, item in value.items():
        new_key = redact(key, personal=personal) if isinstance(key, str) else key
        if isinstance(key, str) and _named_secret(key) and not (key == "token" and "logprob" in value):
            new = _hide(item, _kind(key), depth)
        else:
            new = _redact_value(item, personal, depth + 1)
        changed = changed or new is not item or new_key is not key
        cleaned[new_key] = new
    return cleaned if changed else value


@lru_cache(maxsize=4096)
def _named_secret(key: str) -> bool:
    return is_secret_name(key)


def _hide(value: Any, kind: str, depth: int) -> Any:
    """Every text and number below a key that is named like a secret; flags, counts, null and empty text say nothing and stay."""
    if isinstance(value, str):
        if not value or _is_marked(value):
            return value
        cleaned = redact(value)
        return cleaned if _is_marked(cleaned) else marker(kind, value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return marker(kind, str(value)) if kind == "password" or abs(value) >= 100_000 else value
    if depth > _TOO_DEEP:
        return "[left out: nested too deeply to be checked for secrets]"
    if isinstance(value, Mapping):
        hidden = {key: _hide(item, kind, depth + 1) for key, item in value.items()}
        return hidden if any(hidden[key] is not value[key] for key in value) else value
    if isinstance(value, list | tuple):
        items = [_hide(item, kind, depth + 1) for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value
