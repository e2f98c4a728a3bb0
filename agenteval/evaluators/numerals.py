"""How a number is written: separators of a locale, magnitudes, percent signs, powers of ten."""

# ruff: noqa: RUF001 (the typographic characters that answers hold)

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from functools import cache

_SPACES = " \u00a0\u2007\u2009\u202f"
_GROUPS = r"(?:%s|\{,\}|\\[,!]|['’_\u00a0\u2007\u2009\u202f])"
_EXPONENT = r"(?:[eE][+\-−]?\d{1,3}(?![\w.]\d|[^\W_]))?"

PRECISION = Context(prec=15)
"""Numbers are compared in decimal after rounding to 15 significant digits, so that binary noise decides nothing."""

DIGITS_LIMIT = 60
"""A longer run of digits is no quantity."""

_DECIMAL_COMMA = re.compile("de|es|it|pt|nl|id|tr|fr|sv|nb|no|da|pl|cs|sk|ru|uk|fi|el|hu|ro|bg|hr|sl|lt|lv|et|vi")
_SWISS = frozenset(("de-ch", "fr-ch", "it-ch"))


@dataclass(frozen=True, slots=True)
class Style:
    """Decimal mark and thousands separators."""

    decimal: str
    pattern: str
    ascii_spaces: bool


@cache
def style(locale: str) -> Style:
    """The style of a locale such as ``de``, ``de-DE`` or ``en_US``; every unknown one writes 1,234.56."""
    code = locale.lower().replace("_", "-")
    comma = _DECIMAL_COMMA.fullmatch(code.partition("-")[0]) is not None and code not in _SWISS
    mark, other = (",", ".") if comma else (".", ",")
    grouping = _GROUPS % (rf"[{re.escape(other)} ]" if comma else re.escape(other))
    whole = rf"\d{{1,3}}(?:{grouping}\d{{3}})+(?!\d)|\d{{1,2}}(?:,\d\d)+,\d{{3}}(?!\d)|\d{{1,3}}(?: 000)+(?![\d ]\d|\d)|\d+"
    marks = "[.,]" if comma else r"\."
    return Style(mark, rf"(?:(?:{whole})(?:{marks}\d+)?|(?<![\w.]){re.escape(mark)}\d+){_EXPONENT}", comma)


def number(written: str, mark: str) -> Decimal | None:
    """The value of digits that ``Style.pattern`` matched; None where they are too long to be a quantity."""
    if len(written) > DIGITS_LIMIT:
        return None
    text = written.replace("−", "-").replace("{,}", "").replace("\\,", "").replace("\\!", "")
    if mark == ",":
        text = text.replace(",", "\0") if "," in text else _english_point(text)
        text = text.replace(".", "").replace("\0", ".")
    else:
        text = text.replace(",", "")
    for separator in ("'", "’", "_", *_SPACES):
        if separator in text:
            text = text.replace(separator, "")
    try:
        return PRECISION.create_decimal(text)
    except InvalidOperation:
        return None


def _english_point(text: str) -> str:
    """``1.5`` where a comma is the decimal mark: a point that parts no thousands can only be a decimal point."""
    whole, point, fraction = text.partition(".")
    if point and "." not in fraction and (len(fraction) != 3 or len(whole) > 3):
        return f"{whole}\0{fraction}"
    return text


_WORDS = {
    "hundred": 100,
    "thousand": 10**3,
    "tausend": 10**3,
    "lakh": 10**5,
    "million": 10**6,
    "millionen": 10**6,
    "mio": 10**6,
    "mln": 10**6,
    "mn": 10**6,
    "mm": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "milliarde": 10**9,
    "milliarden": 10**9,
    "milliard": 10**9,
    "mrd": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
    "tn": 10**12,
    "dozen": 12,
    "万": 10**4,
    "萬": 10**4,
    "億": 10**8,
    "亿": 10**8,
}
_LETTERS = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12, "m": 10**6, "b": 10**9}

_SUFFIX = re.compile(
    r"""(?P<power>[ ]?(?:[×x*·⋅]|\\times|\\cdot)[ ]?10(?:\^[ ]?\{?\(?(?P<caret>[+\-−]?\d{1,3})\)?\}?|\*\*[ ]?(?P<stars>[+-]?\d{1,3})
                |(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3})))
      |(?P<word>(?:[ \u00a0-]|\\text\{[ ]?)?(?:hundred|thousand|tausend|lakh|million(?:en)?|mio|mln|mn|crore|billion|milliarden?|mrd|bn
                |trillion|tn|dozen)s?(?![^\W_])\.?)
      |(?P<cjk>[ ]?[万萬億亿])
      |(?P<letter>[kKMBT]|MM|mm|[mb])(?![^\W_]|/\d)
      |(?P<spaced>[ \u00a0](?:[kKMB]))(?![^\W_])""",
    re.VERBOSE | re.IGNORECASE,
)
_PERCENT = re.compile(
    r"[ \u00a0\u202f]?\\?[%％٪]|[ \u00a0-]?(?:percent(?:age[ ]points?)?|per[ ]cent|pct|prozent|pour[ ]cent)\b", re.IGNORECASE
)
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")


def magnitude(text: str, end: int, *, currency: bool) -> tuple[Decimal, int]:
    """What a number ending at ``end`` is multiplied with (``1.2M``, ``3 × 10^4``), and where that ends."""
    found = _SUFFIX.match(text, end, end + 24)
    if found is None:
        return Decimal(1), end
    kind = found.lastgroup
    if found["power"]:
        raised = found["caret"] or found["stars"] or (found["raised"] or "").translate(_RAISED)
        return Decimal(10) ** int(raised.replace("−", "-")), found.end()
    if kind == "word":
        word = found["word"].lower().removeprefix("\\text{").strip(" \u00a0-.")
        return Decimal(_WORDS.get(word) or _WORDS[word.removesuffix("s")]), found.end()
    if kind == "cjk":
        return Decimal(_WORDS[found["cjk"].strip()]), found.end()
    letter = found[0].strip()
    if letter.lower() == "mm":
        return (Decimal(10**6), found.end()) if currency else (Decimal(1), end)
    if ((kind == "spaced" or letter in "mbt") and not currency) or letter == "t":
        return Decimal(1), end
    return Decimal(_LETTERS[letter]), found.end()


def percent(text: str, end: int) -> int | None:
    """Where the percent sign behind a number ends, or None where there is none."""
    found = _PERCENT.match(text, end, end + 24)
    return found.end() if found else None
