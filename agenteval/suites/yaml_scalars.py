"""What an unquoted YAML scalar means."""

from __future__ import annotations

import re
from typing import Any

from agenteval.suites.rules import Unquoted

_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
for _truth, _names in {True: ("yes", "on"), False: ("no", "off")}.items():
    for _name in _names:
        for _spelling in (_name, _name.title(), _name.upper()):
            _WORDS[_spelling] = Unquoted(_spelling, str(_truth).lower(), _truth)
for _truth in (True, False):
    for _spelling in (str(_truth), str(_truth).lower(), str(_truth).upper()):
        _WORDS[_spelling] = _truth

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,400})")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_OTHER_NUMBERS = (
    (re.compile(r"[-+]?0[0-7_]+"), "an octal number"),
    (re.compile(r"[-+]?0x[0-9a-fA-F_]+"), "a hexadecimal number"),
    (re.compile(r"[-+]?0b[01_]+"), "a binary number"),
    (re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"), "a base-60 number"),
    (re.compile(r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?"), "a number"),
    (re.compile(r"\d{4}-\d{2}-\d{2}"), "a date"),
    (re.compile(r"\d{4}-\d{1,2}-\d{1,2}([Tt]|[ \t]+)\d{1,2}:\d{2}:\d{2}(\.\d*)?[ \t]*(Z|[-+]\d{1,2}(:?\d{2})?)?"), "a time"),
)


def scalar(text: str) -> Any:
    """What an unquoted scalar means; ``Unquoted`` where YAML 1.1 and people differ."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    for pattern, meaning in _OTHER_NUMBERS:
        if pattern.fullmatch(text):
            return Unquoted(text, meaning)
    return text
