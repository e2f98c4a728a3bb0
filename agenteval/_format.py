"""Numbers as text: the one place, so that a rate looks the same in a terminal, a pull request and on a page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

ABSENT = "n/a"

_LEFT_OUT = {"errors": "error", "skipped": "skipped", "unscored": "unscored", "not_applicable": "not applicable", "unpriced": "unpriced"}


class MeasureLike(Protocol):
    """What is read of a measure: see ``agenteval.model.run.Measure``."""

    @property
    def value(self) -> float | None: ...
    @property
    def n(self) -> int: ...
    @property
    def left_out(self) -> Mapping[str, int]: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def unit(self) -> str: ...
    @property
    def estimated(self) -> bool: ...


def rate(share: float | None) -> str:
    """A share in [0, 1] as a percentage; 0% and 100% are said only of none and all.

    >>> rate(0.88), rate(0.998), rate(0.99999), rate(0.0001), rate(1.0), rate(None)
    ('88%', '99.8%', '>99.9%', '<0.1%', '100%', 'n/a')
    """
    if share is None:
        return ABSENT
    percent = _clean(share * 100)
    if 0 < percent < 0.05:
        return "<0.1%"
    if 99.95 <= percent < 100:
        return ">99.9%"
    if 0 < percent < 1 or 99 < percent < 100:
        return f"{_fixed(percent, 1)}%"
    return f"{_fixed(percent, 0)}%"


def percent_interval(low: float | None, high: float | None) -> str:
    """An interval of shares.

    >>> percent_interval(0.762, 0.944), percent_interval(0.991, 0.994), percent_interval(None, None)
    ('76–94%', '99.1–99.4%', 'n/a')
    """
    if low is None or high is None:
        return ABSENT
    digits = 0 if _fixed(low * 100, 0) != _fixed(high * 100, 0) or low == high else 1
    return f"{_fixed(low * 100, digits)}–{_fixed(high * 100, digits)}%"


def measure(measured: MeasureLike) -> str:
    """A measure with its denominator, and its interval where it is a rate.

    >>> from agenteval.model.run import Measure
    >>> measure(Measure(0.88, 50, "rate", "higher", low=0.762, high=0.944))
    '88% · 44 of 50 · 76–94%'
    >>> measure(Measure(1900.0, 50, "ms", "lower", left_out={"errors": 2}))
    '1.9 s · n 50 · 2 errors left out'
    """
    return " · ".join(part for part in (value(measured.value, measured.unit), evidence(measured), left_out(measured.left_out)) if part)


def evidence(measured: MeasureLike) -> str:
    """What a measure stands on: ``44 of 50 · 76–94%`` for a rate that counts cases, ``n 50`` for everything else.

    >>> from agenteval.model.run import Measure
    >>> evidence(Measure(0.97, 31, "score", "higher"))
    'n 31'
    >>> evidence(Measure(0.5, 10, "rate", "higher", estimated=True))
    'n 10'
    """
    parts = [f"n {_grouped(measured.n)}"]
    if measured.unit == "rate" and not measured.estimated and measured.value is not None and measured.n:
        hits = measured.value * measured.n
        if abs(hits - round(hits)) < 1e-6 * max(1.0, hits):
            parts = [f"{_grouped(round(hits))} of {_grouped(measured.n)}"]
    if measured.low is not None and measured.high is not None:
        parts.append(interval(measured.low, measured.high, measured.unit))
    return " · ".join(parts)


def left_out(reasons: Mapping[str, int]) -> str:
    """Why cases are not in a measure's n; "" where all are.

    >>> left_out({"errors": 1, "not_applicable": 8, "skipped": 0})
    '1 error, 8 not applicable left out'
    """
    parts = []
    for reason, number in reasons.items():
        if number:
            word = _LEFT_OUT.get(reason, reason.replace("_", " "))
            parts.append(count(number, word) if word == "error" else f"{_grouped(number)} {word}")
    return f"{', '.join(parts)} left out" if parts else ""


def value(number: float | None, unit: str) -> str:
    """A number of a measure's unit: ``rate``, ``ms``, ``usd``, ``tokens`` or ``score``.

    >>> value(0.88, "rate"), value(1900, "ms"), value(0.014, "usd"), value(1144, "tokens"), value(0.97, "score")
    ('88%', '1.9 s', '$0.014', '1,144', '0.97')
    """
    if number is None:
        return ABSENT
    if unit == "rate":
        return rate(number)
    if unit == "ms":
        return ms(number)
    if unit == "usd":
        return usd(number)
    if unit == "tokens":
        return _grouped(round(number))
    return score(number)


def delta(change: float | None, unit: str, before: float | None = None) -> str:
    """A change of a measure: points for rates, percent for costs, times and tokens where ``before`` is known, else in the unit.

    >>> delta(-0.06, "rate"), delta(228, "ms", 1900), delta(0.02, "score"), delta(0, "ms", 1900), delta(5, "tokens", 0)
    ('−6 pts', '+12%', '+0.02', '0%', '+5')
    """
    if change is None:
        return ABSENT
    if unit == "rate":
        return points(change)
    if unit != "score" and before:
        return percent_change(change / before)
    return signed(change, value(abs(change), unit))


def points(change: float | None) -> str:
    """A difference of two rates in percentage points.

    >>> points(-0.06), points(0.024), points(-0.2857), points(0.01), points(0.0), points(-0.0003), points(None)
    ('−6 pts', '+2.4 pts', '−28.6 pts', '+1 pt', '0 pts', '−0.03 pts', 'n/a')
    """
    if change is None:
        return ABSENT
    if abs(change) < 1e-9:
        change = 0.0  # the last bits of a difference of fractions
    percent = _clean(abs(change) * 100)
    text = _significant(percent, 1) if 0 < percent < 0.05 else _trimmed(percent, 1)
    return signed(change, f"{text} {'pt' if text == '1' else 'pts'}")


def points_interval(low: float | None, high: float | None) -> str:
    """An interval of a difference of rates.

    >>> points_interval(-0.15, 0.03)
    '[−15, +3] pts'
    """
    if low is None or high is None:
        return ABSENT
    return "[{}, {}] pts".format(*(signed(end, _trimmed(abs(end) * 100, 1)) for end in (low, high)))


def interval(low: float | None, high: float | None, unit: str) -> str:
    """An interval of values of a unit.

    >>> interval(0.762, 0.944, "rate"), interval(412, 1900, "ms")
    ('76–94%', '412 ms–1.9 s')
    >>> interval(-0.27, 0.33, "score")
    '−0.27 to 0.33'
    """
    if low is None or high is None:
        return ABSENT
    if unit == "score" and low < 0:
        return f"{value(low, unit)} to {value(high, unit)}"
    return percent_interval(low, high) if unit == "rate" else f"{value(low, unit)}–{value(high, unit)}"


def percent_change(ratio: float | None) -> str:
    """A relative change.

    >>> percent_change(0.12), percent_change(-0.081), percent_change(0.004), percent_change(12.5), percent_change(0.0), percent_change(None)
    ('+12%', '−8%', '+0.4%', '+1,250%', '0%', 'n/a')
    """
    if ratio is None:
        return ABSENT
    if abs(ratio) < 1e-9:
        ratio = 0.0
    percent = _clean(abs(ratio) * 100)
    text = _significant(percent, 1) if 0 < percent < 0.95 else _fixed(percent, 0)
    return signed(ratio, f"{text}%")


def ms(milliseconds: float | None) -> str:
    """A duration.

    >>> ms(412), ms(1900), ms(0.42), ms(999.7), ms(65_000), ms(3_725_000), ms(0), ms(-228), ms(None)
    ('412 ms', '1.9 s', '0.42 ms', '1.0 s', '1 min 5 s', '1 h 2 min', '0 ms', '−228 ms', 'n/a')
    """
    if milliseconds is None:
        return ABSENT
    size = abs(milliseconds)
    if size < 999.5:
        text = f"{_significant(size, 2) if size < 9.95 else _fixed(size, 0)} ms"
    elif size < 59_950:
        text = f"{_fixed(size / 1000, 1)} s"
    else:
        seconds = round(size / 1000)
        hours, minutes = divmod(seconds // 60, 60)
        text = f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds % 60} s"
    return signed(milliseconds, text, plus=False)


def seconds(duration_s: float | None) -> str:
    """A duration given in seconds.

    >>> seconds(1.9)
    '1.9 s'
    """
    return ms(None if duration_s is None else duration_s * 1000)


def usd(dollars: float | None) -> str:
    """An amount of US dollars: cents from one dollar on, two significant digits below.

    >>> usd(1.23), usd(0.014), usd(0.5), usd(0.00061), usd(1234.5), usd(0), usd(-0.02), usd(None)
    ('$1.23', '$0.014', '$0.50', '$0.00061', '$1,234.50', '$0', '−$0.02', 'n/a')
    """
    if dollars is None:
        return ABSENT
    size = abs(dollars)
    if size == 0:
        return "$0"
    text = _fixed(size, 2) if size >= 0.1 else _significant(size, 2)
    whole, _, cents = text.partition(".")
    return signed(dollars, f"${whole}.{cents:0<2}", plus=False)


def tokens(number: float | None) -> str:
    """A number of tokens.

    >>> tokens(1144), tokens(1), tokens(None)
    ('1,144 tokens', '1 token', 'n/a')
    """
    return ABSENT if number is None else count(round(number), "token")


def score(number: float | None) -> str:
    """A mean in [0, 1], or a kappa in [-1, 1]; 0.00 and 1.00 are said only of exactly these.

    >>> score(0.97), score(0.9999), score(1.0), score(0.0004), score(-0.27), score(None)
    ('0.97', '>0.99', '1.00', '<0.01', '−0.27', 'n/a')
    """
    if number is None:
        return ABSENT
    if number < 0:
        return signed(number, score(-number))
    text = _fixed(number, 2)
    if 0 < number < 1 and text in ("1.00", "0.00"):
        return ">0.99" if number > 0.5 else "<0.01"
    return text


def kappa(value: float | None) -> str:
    """Agreement beyond chance, in [-1, 1].

    >>> kappa(-0.19), kappa(0.6), kappa(None)
    ('−0.19', '0.60', 'n/a')
    """
    return ABSENT if value is None else signed(value, score(abs(value)), plus=False)


def p_value(p: float | None) -> str:
    """A p-value, never rounded onto a usual threshold that it misses.

    >>> p_value(0.25), p_value(0.0004), p_value(0.0390625), p_value(0.03), p_value(0.0501), p_value(1.0), p_value(None)
    ('p = .25', 'p < .001', 'p = .039', 'p = .03', 'p = .0501', 'p = 1', 'p = n/a')
    """
    if p is None:
        return f"p = {ABSENT}"
    if p < 0.001:
        return "p < .001"
    if p >= 0.995:
        return "p = 1"
    text = _fixed(p, 2) if p >= 0.1 else _trimmed(p, 3)
    if float(text) in (0.01, 0.05, 0.1) and not math.isclose(float(text), p, rel_tol=1e-9):
        text = _trimmed(p, 4)
    return f"p = {text.removeprefix('0')}"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things.

    >>> count(1, "case"), count(1200, "case"), count(0, "query", "queries")
    ('1 case', '1,200 cases', '0 queries')
    """
    return f"{_grouped(number)} {noun if number == 1 else plural or noun + 's'}"


def of(part: int, whole: int, noun: str = "", plural: str | None = None) -> str:
    """A part of a number of things.

    >>> of(3, 50, "case"), of(3, 50)
    ('3 of 50 cases', '3 of 50')
    """
    return f"{_grouped(part)} of {count(whole, noun, plural) if noun else _grouped(whole)}"


def joined(words: list[str], limit: int = 3) -> str:
    """Names in a sentence, the first few and how many more.

    >>> joined(["a", "b"]), joined(["a", "b", "c", "d", "e"])
    ('a, b', 'a, b, c and 2 more')
    """
    rest = len(words) - limit
    return f"{', '.join(words[:limit])} and {rest} more" if rest > 0 else ", ".join(words)


def signed(number: float, text: str, *, plus: bool = True) -> str:
    """``text`` (of the absolute value) with the number's sign; zero has none.

    >>> signed(-2.0, "2"), signed(2.0, "2"), signed(0.0, "0"), signed(2.0, "2", plus=False)
    ('−2', '+2', '0', '2')
    """
    if number < 0:
        return f"−{text}"
    return f"+{text}" if plus and number > 0 else text


def date(moment: datetime) -> str:
    """A moment to the minute, UTC.

    >>> from datetime import UTC
    >>> date(datetime(2026, 11, 30, 22, 28, 2, tzinfo=UTC))
    '2026-11-30 22:28 UTC'
    """
    from datetime import UTC

    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def age(moment: datetime, now: datetime) -> str:
    """How long ago, in the largest unit.

    >>> from datetime import UTC, timedelta
    >>> now = datetime(2026, 11, 30, tzinfo=UTC)
    >>> [age(now - timedelta(seconds=ago), now) for ago in (5, 300, 7200, 90000, 3 * 86400, 70 * 86400, 800 * 86400)]
    ['just now', '5 min ago', '2 h ago', '1 day ago', '3 days ago', '2 months ago', '2 years ago']
    >>> age(now + timedelta(days=2), now)
    'in 2 days'
    """
    elapsed = (now - moment).total_seconds()
    size = abs(elapsed)
    if size < 60:
        return "just now"
    if size < 3600:
        text = f"{int(size // 60)} min"
    elif size < 86400:
        text = f"{int(size // 3600)} h"
    elif size < 60 * 86400:
        text = count(int(size // 86400), "day")
    elif size < 730 * 86400:
        text = count(int(size // (30.44 * 86400)), "month")
    else:
        text = count(int(size // (365.25 * 86400)), "year")
    return f"in {text}" if elapsed < 0 else f"{text} ago"


def short_id(name: str, limit: int = 28) -> str:
    """An id cut in the middle, where its beginning and end both tell.

    >>> short_id("20261130T222802Z-ff60109-3f2a11", 20)
    '20261130T…109-3f2a11'
    """
    if len(name) <= limit:
        return name
    tail = limit // 2
    return f"{name[: limit - tail - 1]}…{name[-tail:]}" if limit > 2 else name[:limit]


def _fixed(number: float, digits: int) -> str:
    """Rounded half up as people do by hand, thousands grouped; never "-0"."""
    factor = 10**digits
    rounded = math.floor(_clean(number * factor) + 0.5) / factor
    return f"{rounded + 0.0:,.{digits}f}"


def _trimmed(number: float, digits: int) -> str:
    text = _fixed(number, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _significant(number: float, digits: int) -> str:
    if number == 0:
        return "0"
    return _trimmed(number, max(0, digits - 1 - math.floor(math.log10(number))))


def _clean(number: float) -> float:
    """Without the last bits that binary fractions leave (0.285 * 100 is 28.499999999999996)."""
    return float(f"{number:.12g}")


def _grouped(number: int) -> str:
    return f"{number:,}"
