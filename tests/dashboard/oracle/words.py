"""How numbers are written on pages, said again from the docs' rules with decimal arithmetic; nothing of the product is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any


def decimal(number: float) -> Decimal:
    """The number that people mean: twelve significant digits, without a binary fraction's tail."""
    return Decimal(f"{number:.12g}")


def fixed(number: float | Decimal, digits: int) -> str:
    """So many digits behind the point, halves up, thousands parted."""
    exact = number if isinstance(number, Decimal) else decimal(number)
    return f"{exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,}"


def trimmed(number: float | Decimal, digits: int) -> str:
    text = fixed(number, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def significant(number: float, digits: int) -> str:
    """So many significant digits, zeros at the end left out."""
    exact = decimal(number)
    return "0" if not exact else trimmed(exact, max(0, digits - 1 - exact.adjusted()))


def signed(number: float, text: str, plus: bool = True) -> str:
    return f"−{text}" if number < 0 else f"+{text}" if number > 0 and plus else text


def rate(share: float | None) -> str:
    """Whole percents; a tenth near both ends; 0% and 100% of none and all only."""
    if share is None:
        return "n/a"
    percent = decimal(share) * 100
    if 0 < percent < Decimal("0.05"):
        return "<0.1%"
    if Decimal("99.95") <= percent < 100:
        return ">99.9%"
    near = 0 < percent < 1 or 99 < percent < 100
    return f"{fixed(percent, 1 if near else 0)}%"


def shares(low: float, high: float) -> str:
    """An interval of a rate: whole percents, tenths where both ends would look the same."""
    digits = 1 if low != high and fixed(low * 100, 0) == fixed(high * 100, 0) else 0
    return f"{fixed(low * 100, digits)}–{fixed(high * 100, digits)}%"


def ms(value: float | None) -> str:
    if value is None:
        return "n/a"
    if value < 999.5:
        return f"{significant(value, 2) if value < 9.95 else fixed(value, 0)} ms"
    if value < 59_950:
        return f"{fixed(decimal(value) / 1000, 1)} s"
    return f"{round(value / 1000) // 60} min {round(value / 1000) % 60} s"


def usd(value: float | None) -> str:
    """Cents from ten cents on, two significant digits below; at least two decimals."""
    if value is None:
        return "n/a"
    if value == 0:
        return "$0"
    whole, _, cents = (fixed(value, 2) if value >= 0.1 else significant(value, 2)).partition(".")
    return f"${whole}.{cents:0<2}"


def score(value: float | None) -> str:
    if value is None:
        return "n/a"
    text = fixed(value, 2)
    if 0 < value < 1 and text in ("0.00", "1.00"):
        return "<0.01" if text == "0.00" else ">0.99"
    return text


def value(number: float | None, unit: str) -> str:
    if number is None:
        return "n/a"
    write: Mapping[str, Any] = {"rate": rate, "ms": ms, "usd": usd, "score": score}
    return f"{round(number):,}" if unit == "tokens" else str(write[unit](number))


def points(change: float) -> str:
    if abs(change) < 1e-9:
        return "0 pts"
    size = abs(decimal(change)) * 100
    text = significant(float(size), 1) if size < Decimal("0.05") else trimmed(size, 1)
    return signed(change, f"{text} {'pt' if text == '1' else 'pts'}")


def points_interval(low: float, high: float) -> str:
    return "[{}, {}] pts".format(*(signed(end, trimmed(abs(end) * 100, 1)) for end in (low, high)))


def percent_change(ratio: float) -> str:
    if abs(ratio) < 1e-9:
        return "0%"
    size = abs(decimal(ratio)) * 100
    return signed(ratio, f"{significant(float(size), 1) if size < Decimal('0.95') else fixed(size, 0)}%")


def delta(change: float, unit: str, before: float | None) -> str:
    """Points for rates, percent for what has a known start, else the unit's own."""
    if unit == "rate":
        return points(change)
    if unit != "score" and before:
        return percent_change(change / before)
    return signed(change, value(abs(change), unit))


def p_value(p: float | None) -> str:
    """Two digits from .1 on, three below; a fourth where three would say .01, .05 or .1 of another number."""
    if p is None:
        return "p = n/a"
    if p < 0.001:
        return "p < .001"
    if p >= 0.995:
        return "p = 1"
    text = fixed(p, 2) if p >= 0.1 else trimmed(p, 3)
    if float(text) in (0.01, 0.05, 0.1) and abs(float(text) - p) > 1e-9 * p:
        text = trimmed(p, 4)
    return f"p = {text.removeprefix('0')}"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def of(part: int, whole: int, noun: str = "") -> str:
    return f"{part:,} of {count(whole, noun) if noun else f'{whole:,}'}"


def joined(names: Sequence[str], most: int = 3) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


_REASONS = {"not_applicable": "not applicable"}


def left_out(reasons: Mapping[str, int]) -> str:
    words = [count(number, "error") if name == "errors" else f"{number:,} {_REASONS.get(name, name)}" for name, number in reasons.items()]
    return f"{', '.join(words)} left out" if words else ""


def dotted(parts: Iterable[str]) -> str:
    return " · ".join(filter(None, parts))
