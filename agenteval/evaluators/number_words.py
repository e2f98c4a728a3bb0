"""Numbers written as words, for texts that hold no digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

_UNITS = {
    word: value
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
            *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        )
    )
}
_TENS = {word: 10 * value for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)}
_POWERS = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_WORD = "|".join((*_UNITS, *_TENS, *_POWERS, "dozen"))
_PHRASE = re.compile(
    rf"(?<![\w-])(?:(?:minus|negative) )?(?:a (?={'|'.join(_POWERS)}|dozen))?"
    rf"(?:{_WORD})(?:(?:[ -]| and )(?:{_WORD}))*(?: percent\b)?(?![\w-])",
    re.IGNORECASE,
)
_NO_NUMBER = re.compile(r"(?:(?<!\w)(?:no|any|every|some|this|that|which|each|only|the)[ -])$", re.IGNORECASE)
_NO_NUMBER_AFTER = re.compile(r"[ ](?:of (?:the|these|those|them|your|my|our)|another|can|could|should|may|more|day)\b", re.IGNORECASE)


def read_words(text: str) -> Iterator[tuple[Decimal, int, int, bool]]:
    """Value, start, end and whether it is a percentage, of every number in words; ``two hundred and five`` is one.

    ``one`` that stands for a thing (``no one``, ``one of the``) is none.
    """
    for found in _PHRASE.finditer(text):
        words = re.split(r"[ -]", found[0].lower())
        percent = words[-1] == "percent"
        negative = words[0] in ("minus", "negative")
        value = _value([word for word in words if word not in ("and", "a", "percent", "minus", "negative")])
        if value is None or (value == 1 and _is_pronoun(text, found)):
            continue
        yield Decimal(-value if negative else value), *found.span(), percent


def _is_pronoun(text: str, found: re.Match[str]) -> bool:
    before, after = text[max(0, found.start() - 8) : found.start()], text[found.end() : found.end() + 16]
    return _NO_NUMBER.search(before) is not None or _NO_NUMBER_AFTER.match(after) is not None


def _value(words: list[str]) -> int | None:
    total = current = 0
    for word in words:
        if word in _POWERS:
            power = _POWERS[word]
            current = max(current, 1) * power
            if power > 100:
                total, current = total + current, 0
        elif word == "dozen":
            current = max(current, 1) * 12
        elif (small := _UNITS.get(word, _TENS.get(word))) is not None:
            if current % 10 or (current % 100 and small >= 10):
                return None
            current += small
    return total + current
