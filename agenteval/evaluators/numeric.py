"""``numeric``: the answer states the right number."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal

from agenteval.evaluators import numerals
from agenteval.evaluators.context import Context
from agenteval.evaluators.finality import counted
from agenteval.evaluators.quantities import Quantity, Reading, read
from agenteval.model.score import Score
from agenteval.suites.shape import Range

Unit = Literal["percent", "rate"]
_SHOWN = 8


@dataclass(frozen=True)
class Numeric:
    """The answer states this number.

    If the answer marks a final value, only that counts; else any quantity that it states. Dates, times, identifiers, versions, phone
    numbers, list markers, ends of ranges and denied values are no quantities.

    Attributes:
        value: The right number.
        tolerance: Largest absolute difference that still counts as right.
        unit: percent where the right number is given in percent, rate where it is a share and "12%" means 0.12; without a unit the
            number that is written counts.
        locale: How the answer writes numbers, e.g. de for 1.234,56.
    """

    value: Any
    tolerance: Annotated[float, Range(ge=0)] = 0.01
    unit: Unit | None = None
    locale: str = "en"
    truth: Decimal = field(init=False, repr=False, compare=False)
    allowed: Decimal = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "truth", truth_of(self.value, self.locale, self.unit))
        object.__setattr__(self, "allowed", decimal(self.tolerance))

    def evaluate(self, context: Context) -> Score:
        """1 where a counted quantity lies within the tolerance."""
        reading = read(context.output, self.locale)
        quantities, marked = counted(reading)
        evidence = evidence_of(quantities, marked, reading)
        for found in quantities:
            if abs(in_unit(found, self.unit) - self.truth) <= self.allowed:
                evidence["value"], evidence["span"] = plain(found.value), [found.start, found.end]
                return Score("numeric", 1.0, True, f"states {plain(found.value)}", evidence)
        return Score("numeric", 0.0, False, self._why(quantities, marked), evidence)

    def _why(self, quantities: tuple[Quantity, ...], marked: bool) -> str:
        wanted = f"expected {plain(self.truth)}" + (f" ± {plain(self.allowed)}" if self.allowed else "")
        if not quantities:
            return f"{wanted}, the answer states no number"
        values = list(dict.fromkeys(str(plain(found.value)) for found in quantities))
        more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
        return f"{wanted}, the answer {'gives as final value' if marked else 'states'} {', '.join(values[:_SHOWN])}{more}"


def truth_of(value: Any, locale: str = "en", unit: str | None = None) -> Decimal:
    """The one number of a ground truth: a number, or text that states exactly one.

    Raises:
        ValueError: It is neither; the text says so.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        found = decimal(value)
        if found.is_finite():
            return found
    elif isinstance(value, str):
        quantities = read(value, locale).asserted
        if len(quantities) == 1:
            return in_unit(quantities[0], unit)
        raise ValueError(f"a numeric truth must be one number; {value!r} states {len(quantities) or 'none'}")
    raise ValueError(f"a numeric truth must be a number, not {value!r}")


def decimal(value: float | int) -> Decimal:
    """A number as it is written, rounded to 15 significant digits."""
    return numerals.PRECISION.create_decimal(repr(value) if isinstance(value, float) else value)


def in_unit(found: Quantity, unit: str | None) -> Decimal:
    """The value of a quantity in the unit of the truth."""
    return found.rate if unit == "rate" else found.value


def plain(value: Decimal) -> int | float:
    """A decimal as JSON writes it."""
    return int(value) if value == value.to_integral_value() and abs(value) < 10**15 else float(value)


def evidence_of(quantities: tuple[Quantity, ...], marked: bool, reading: Reading) -> dict[str, Any]:
    """What was read: the single value, all candidates, whether they were marked as final."""
    values = list(dict.fromkeys(plain(found.value) for found in quantities))
    evidence: dict[str, Any] = {"value": values[0] if len(values) == 1 else None, "candidates": values[:_SHOWN]}
    if len(values) == 1:
        evidence["span"] = [quantities[0].start, quantities[0].end]
    if marked:
        evidence["final"] = True
    if reading.cut:
        evidence["note"] = "only the beginning and the end of the answer were read"
    return evidence
