"""Reading the quantities that a text states."""

# ruff: noqa: RUF001 (the typographic characters that answers hold)

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, Overflow
from functools import cache, lru_cache
from typing import NamedTuple

from agenteval.evaluators import numerals
from agenteval.evaluators.distractors import PATTERNS, SOFT, list_markers
from agenteval.evaluators.number_words import read_words

READ_LIMIT = 100_000
"""Characters of an answer that are read for numbers; of a longer one its beginning and its end."""


class Quantity(NamedTuple):
    """A number that a text states. ``[start, end)`` holds sign, currency and percent sign too."""

    value: Decimal
    start: int
    end: int
    percent: bool = False
    currency: bool = False
    negated: bool = False
    soft: bool = False
    """A label's number (``page 12``) or a citation's: counts only where nothing else does."""

    @property
    def rate(self) -> Decimal:
        """The value as a share: 12 % is 0.12."""
        return self.value.scaleb(-2) if self.percent else self.value


@dataclass(frozen=True, slots=True)
class Reading:
    """The quantities of a text, in order, and what was left unread."""

    text: str
    quantities: tuple[Quantity, ...]
    cut: bool = False

    @property
    def asserted(self) -> tuple[Quantity, ...]:
        """The quantities that are stated, not denied; labels only where there is nothing else."""
        stated = tuple(found for found in self.quantities if not found.negated)
        return tuple(found for found in stated if not found.soft) or stated


def read(text: str, locale: str = "en") -> Reading:
    """The quantities of a text: no dates, times, identifiers, versions, phone numbers, list and step markers or ends of ranges.

    Number words count where there are no digits. Time grows linearly with the text, and a very long one is cut in the middle.

    >>> [str(found.value) for found in read("v1.2.3 of 2026-11-30 costs about $1.2M").quantities]
    ['1200000.0']
    """
    if len(text) <= 20_000:
        return _cached(text, locale)
    if len(text) <= READ_LIMIT:
        return _read(text, locale)
    half = READ_LIMIT // 2
    found = _read(f"{text[:half]}\n{text[-half:]}", locale)
    return Reading(found.text, found.quantities, cut=True)


@lru_cache(maxsize=64)
def _cached(text: str, locale: str) -> Reading:
    return _read(text, locale)


def _read(text: str, locale: str) -> Reading:
    if not any(map(str.isdigit, text)) and not _FRACTION.search(text):
        words = (
            Quantity(value, start, end, percent, negated=is_denied(text, start, end)) for value, start, end, percent in read_words(text)
        )
        return Reading(text, tuple(words))
    return Reading(text, tuple(_Scan(text, locale).run()))


_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_FRACTION = re.compile(f"[{_VULGAR}]")
_SHARES = dict(
    zip(
        _VULGAR,
        (
            Decimal(a) / b
            for a, b in (
                (1, 2),
                (1, 3),
                (2, 3),
                (1, 4),
                (3, 4),
                (1, 5),
                (2, 5),
                (3, 5),
                (4, 5),
                (1, 6),
                (5, 6),
                (1, 8),
                (3, 8),
                (5, 8),
                (7, 8),
            )
        ),
        strict=True,
    )
)


@cache
def _scanner(locale: str) -> re.Pattern[str]:
    """Everything that holds digits: what is read over, labels before numbers, fractions, numbers."""
    number = numerals.style(locale).pattern
    return re.compile(
        rf"(?P<soft>(?-x:{SOFT}))|(?P<skip>{PATTERNS})"
        rf"|\\[dt]?frac\{{(?P<over>-?\d{{1,12}})\}}\{{(?P<under>\d{{1,12}})\}}|(?P<vulgar>[{_VULGAR}])|(?P<number>(?-x:{number}))",
        re.VERBOSE,
    )


_SIGNS = frozenset("-−–‒﹣－+")
_SYMBOLS = frozenset("$€£¥₹₩₽¢")
_CODE = re.compile(r"(?<![^\W_])(?:USD|EUR|GBP|JPY|CHF|INR|CAD|AUD|NZD|SEK|NOK|DKK|CNY|Rs\.?)[ \u00a0]?$")
_DOLLARS = re.compile(r"(?<![^\W_])(?:US|CA|AU|NZ|HK|R|C|A|S)$")
_MINUS_WORD = re.compile(r"(?<![^\W_])(?:minus|negative)[ ]$", re.IGNORECASE)
_DENIED_BEFORE = re.compile(
    r"(?:(?<![^\W_])(?:not|never|isn['’]t|wasn['’]t|aren['’]t|cannot be|can['’]t be|rather than|instead of|other than"
    r"|no longer|nicht|kein(?:e[rnms]?)?)"
    r"|n['’]t|≠|!=|\\neq?)[\s*_\"'`(\\]*(?:(?:exactly|really|actually|the|a|an|equals?|to|be|been|at|about|around|approximately|simply|in|=)"
    r"[\s*_\"'`(]+){0,4}$",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[*_\"'`)~%]*\s+(?:is|was|are|were|would be|ist)\s+(?:[*_]*)(?:wrong|incorrect|false|falsch"
    r"|not (?:right|correct|true|it|the answer)|n['’]t (?:right|correct))\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[^\W\d_]{1,12}")
_RANGE = re.compile(
    r"(?:(?:[-–—~]|[ ][–—~][ ]|\.\.\.?)[ ]?(?:[$€£¥]|\\\$)?(?=\d|\.\d))"
    r"|[ ]-[ ](?=[$€£¥]?\d[\d.,]*[%kKM]?(?![\d.,]*[ ]*=))|(?:[ ](?:to|bis|through)[ ](?:[$€£¥]|\\\$|about[ ])?(?=\d))"
)
_CHANGE = re.compile(
    r"(?<![^\W_])(?:rose|risen|rises|grew|grown|grows|increas\w+|fell|fallen|dropp?\w*|decreas\w+|declin\w+|went|chang\w+|improv\w+|moved|climb\w*"
    r"|jump\w*|reduc\w+|up|down|cut|updat\w+|corrected|rais\w+|lower\w*)(?![^\W_])[^.\n]*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?<![^\W_])(?:between|zwischen|entre)[ ](?:about[ ]|\*\*)?(?:[$€£¥]|\\\$)?$", re.IGNORECASE)
_AND = re.compile(r"[^.\n]{0,20}?[ ](?:and|und|et)[ ]")
_GLUED = re.compile(r"[\w-]*")
_POWER = re.compile(r"(?:\^[ ]?\{?|\*\*(?=\d))(?P<plain>[-−]?\d{1,3})\}?|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3})")
_RATIO = re.compile(r"/(\d{1,9}(?:\.\d{1,9})?)(?![\d/.]\d|\d|[^\W_])")
_MIXED = re.compile(r"[ ](\d{1,2})/(\d{1,2})(?![\d/.])")


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether a text denies the number at ``[start, end)``: ``not 72``, ``7 is wrong``, struck through."""
    before = text[max(0, start - 64) : start]
    if before.endswith("~~") and text.startswith("~~", end):
        return True
    return _DENIED_BEFORE.search(before) is not None or _DENIED_AFTER.match(text, end, end + 64) is not None


class _Scan:
    """One pass over a text."""

    def __init__(self, text: str, locale: str) -> None:
        self.text = text
        self.mark = numerals.style(locale).decimal
        self.pattern = _scanner(locale)
        self.markers, self.single_marker = list_markers(text)
        self.range_end = False

    def run(self) -> list[Quantity]:
        """All quantities in order."""
        found: list[Quantity] = []
        position, label = 0, -1
        search, text = self.pattern.search, self.text
        while match := search(text, position):
            position = match.end()
            kind = match.lastgroup
            if match["soft"] is not None:
                label = position
                continue
            if match["skip"] is not None:
                continue
            if kind == "number":
                position = self._number(match.start(), position, label == match.start(), found)
            elif kind == "vulgar":
                found.append(self._placed(_SHARES[match[0]], match.start(), position))
            elif kind == "under" and int(match["under"]):
                value = numerals.PRECISION.divide(Decimal(match["over"]), Decimal(match["under"]))
                found.append(self._placed(value, match.start(), position))
        return found

    def _number(self, start: int, end: int, soft: bool, found: list[Quantity]) -> int:
        """Add the quantity at ``[start, end)``, if it is one; where to read on."""
        text = self.text
        before = text[max(0, start - 80) : start]
        begin, sign, currency = self._prefix(start, before)
        if begin < 0:
            return self._past_word(end)
        value = numerals.number(text[start:end], self.mark)
        if value is None or _is_code(text[start:end]):
            return self._past_word(end)
        value, stop, percent, whole = self._suffix(value, start, end, currency)
        if not whole:
            return self._past_word(stop)
        if start in self.markers:
            if not self.single_marker:
                return stop
            soft = True
        if self._is_range(stop, before):
            return stop
        opened = begin > 0 and text[begin - 1] == "(" and text[stop : stop + 1] == ")"
        if opened and sign == 0 and (currency or text[begin - 2 : begin - 1] in _SYMBOLS or self._is_alone(begin - 1, stop + 1)):
            sign, begin, stop = -1, begin - 1, stop + 1
        if sign == 0 and _MINUS_WORD.search(before[: len(before) - (start - begin)]) and not (found and begin - found[-1].end <= 7):
            sign = -1
        found.append(self._placed(-value if sign < 0 else value, begin, stop, percent, currency, soft))
        return stop

    def _placed(self, value: Decimal, start: int, end: int, percent: bool = False, currency: bool = False, soft: bool = False) -> Quantity:
        return Quantity(value, start, end, percent, currency, is_denied(self.text, start, end), soft)

    def _prefix(self, start: int, before: str) -> tuple[int, int, bool]:
        """Where sign and currency begin, the sign (0 where there is none), whether there is a currency; -1 where letters are attached."""
        text, at, sign, currency = self.text, start, 0, False
        for _ in range(2):
            if at and text[at - 1] in _SIGNS and sign == 0 and self._signs(at - 1):
                at -= 1
                sign = 1 if text[at] == "+" else -1
            elif at and text[at - 1] in _SYMBOLS and not currency:
                at -= 2 if at > 1 and text[at - 2] == "\\" else 1
                currency = True
            elif at > 1 and text[at - 1] == " " and text[at - 2] in _SYMBOLS and not currency:
                at -= 2
                currency = True
        left = before[: len(before) - (start - at)]
        code = _CODE.search(left) or (_DOLLARS.search(left) if currency else None)
        if code:
            return at - len(code[0]), sign, True
        previous = text[at - 1 : at]
        if previous and (previous == "_" or (previous.isalnum() and previous < "\u2e80")) and not previous.isdigit():
            return -1, 0, False
        if previous == "/" and not text[max(0, at - 2) : at - 1].strip(" )").isdigit():
            return (-1, 0, False) if at > 1 and not text[at - 2].isspace() else (at, sign, currency)
        return at, sign, currency

    def _signs(self, at: int) -> bool:
        """Whether the dash at a place is a sign: nothing that could be subtracted from stands directly before it."""
        previous = self.text[at - 1 : at]
        return not previous or not (previous.isalnum() or previous in ")]}%_.") or (previous >= "\u2e80" and not previous.isdigit())

    def _suffix(self, value: Decimal, start: int, end: int, currency: bool) -> tuple[Decimal, int, bool, bool]:
        """The value with magnitude and power, its end, whether it is a percentage, and whether it is a quantity at all."""
        text = self.text
        following = text[end : end + 1]
        if not following or following in ".,;:!?)\n\"'|]":
            return value, end, False, True
        if following in "^*" or following > "¡":
            power = _POWER.match(text, end)
            if power and (power["plain"] or value == 10):
                value, end = _raised(value, power), power.end()
        elif following == "/" and (ratio := _RATIO.match(text, end)) and self._is_alone(start, ratio.end()) and Decimal(ratio[1]):
            return numerals.PRECISION.divide(value, Decimal(ratio[1])), ratio.end(), False, True
        elif (
            following == " "
            and value == value.to_integral_value()
            and (mixed := _MIXED.match(text, end))
            and 0 < int(mixed[1]) < int(mixed[2])
        ):
            return value + Decimal(mixed[1]) / Decimal(mixed[2]), mixed.end(), False, True
        if following in _SHARES and end < len(text) and text[end] == following:
            value, end = value + _SHARES[following], end + 1
        factor, end = numerals.magnitude(text, end, currency=currency or text[end + 1 : end + 2] in _SYMBOLS)
        if factor != 1:
            value = _times(value, factor)
        percent_end = numerals.percent(text, end)
        if percent_end is not None:
            return value, percent_end, True, True
        unit = _UNIT.match(text, end)
        if unit and unit[0][0] < "\u2e80" and text[unit.end() : unit.end() + 1].isalnum():
            return value, end, False, False
        if text[end : end + 1] in ("_", "@"):
            return value, end, False, False
        return value, end, False, True

    def _is_range(self, stop: int, before: str) -> bool:
        """Whether the number that ends here is an end of a range."""
        if self.range_end:
            self.range_end = False
            return True
        found = _RANGE.match(self.text, stop, stop + 24)
        if found is None:
            if _BETWEEN.search(before) and _AND.match(self.text, stop, stop + 32):
                self.range_end = True
                return True
            return False
        if found[0].strip() in ("to", "bis", "through", "to $") and _CHANGE.search(before):
            return False
        self.range_end = True
        return True

    def _is_alone(self, start: int, end: int) -> bool:
        """Whether nothing else stands on the line, or in the table's cell."""
        left = self.text[max(0, start - 8) : start].rpartition("\n")[2].rpartition("|")[2]
        right = self.text[end : end + 8].partition("\n")[0].partition("|")[0]
        return not left.strip(" *_`\t\"'$") and not right.strip(" *_`\t.\"'$")

    def _past_word(self, end: int) -> int:
        """The end of what is glued to a number that is no quantity."""
        glued = _GLUED.match(self.text, end, end + 256)
        return glued.end() if glued else end


def _is_code(written: str) -> bool:
    """Whether digits are padded like an identifier: 007, 00123."""
    return len(written) > 2 and written[0] == "0" and written.isdigit()


def _times(value: Decimal, factor: Decimal) -> Decimal:
    try:
        return numerals.PRECISION.multiply(value, factor)
    except Overflow:
        return value


def _raised(value: Decimal, power: re.Match[str]) -> Decimal:
    written = power["plain"] or power["raised"]
    exponent = int(
        "".join(
            str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(char)) if char in "⁰¹²³⁴⁵⁶⁷⁸⁹" else "-" if char in "⁻−" else char for char in written if char not in "⁺+"
        )
    )
    try:
        return numerals.PRECISION.power(value, exponent)
    except ArithmeticError:
        return value
