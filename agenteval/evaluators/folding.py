"""Text as evaluators compare it: without the differences that carry no meaning."""

# ruff: noqa: RUF001 (the typographic characters that answers hold)

from __future__ import annotations

import re
import unicodedata

_FOLDS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
        **{char: f"^{digit}" for digit, char in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},  # NFKC alone would make 24 of 2⁴
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    }
)
_LEADING = "\"'*_`¡¿ "
_TRAILING = "\"'*_`.,;:!?…。！？、 "


def folded(text: str) -> str:
    """Text without differences of case, width, Unicode form, quotes, dashes and white space.

    >>> folded("Don\\u2019t\\n STOP")
    "don't stop"
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").lower().split())
    return " ".join(unicodedata.normalize("NFKC", text.translate(_FOLDS)).casefold().translate(_FOLDS).split())


def trimmed(text: str) -> str:
    """Folded text without quotes and emphasis around it and punctuation behind it; what is nothing else stays.

    >>> trimmed('"paris".')
    'paris'
    """
    return text.lstrip(_LEADING).rstrip(_TRAILING) or text


_NEGATION = re.compile(
    r"(?:\b(?:not|never|no|cannot|without|isn't|nor|neither|nicht|kein|keine|rather than|instead of|other than)|n't|\bnon-)"
    r"[\s*_\"'(]*(?:(?:the|a|an|in|at|any|to|be|really|actually|exactly|simply|called|named|yet|equal to|=)[\s*_\"'(]+){0,3}$"
)
_DENIAL = re.compile(r"[*_\"')~]*\s+(?:is|was|are|were|would be)\s+(?:wrong|incorrect|false|not (?:right|correct|true|it|the answer))\b")
_REACH = 48


def is_negated(text: str, start: int, end: int) -> bool:
    """Whether folded text denies the words at ``[start, end)``: ``not Paris``, ``Paris is wrong``."""
    before = text[max(0, start - _REACH) : start]
    return _NEGATION.search(before) is not None or _DENIAL.match(text[end : end + _REACH]) is not None


class Phrase:
    """Words to find in folded text as whole words."""

    __slots__ = ("_pattern", "words")

    def __init__(self, text: str) -> None:
        self.words = trimmed(folded(text))
        left = r"(?<![^\W_])" if _is_word(self.words[:1]) else ""
        right = r"(?![^\W_]|'t\b)" if _is_word(self.words[-1:]) else ""
        if self.words[:1].isdigit():
            left = r"(?<![^\W_])(?<!\d[.,:/])(?<!(?<![^\W_])-)(?<!\.)"
        if self.words[-1:].isdigit():
            right = r"(?![^\W_]|[.,:/]\d)"
        self._pattern = re.compile(left + re.escape(self.words) + right)

    def found_in(self, text: str) -> tuple[int, int] | None:
        """The first place in folded text where the words stand and are not denied, or None."""
        if self.words not in text:
            return None
        for found in self._pattern.finditer(text):
            if not is_negated(text, *found.span()):
                return found.span()
        return None

    def denied_in(self, text: str) -> bool:
        """Whether the words stand in folded text at all, if only denied."""
        return self._pattern.search(text) is not None


def _is_word(char: str) -> bool:
    """Whether a character belongs to a script that parts its words; Chinese, Japanese and Thai ones do not."""
    return char.isalnum() and not (
        "\u0e00" <= char <= "\u0e7f" or ("\u2e80" <= char <= "\ud7ff" and not char >= "\uac00") or char >= "\U00020000"
    )
