"""``must_not_hallucinate``: no figure without support."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, ClassVar

from agenteval.evaluators import numerals
from agenteval.evaluators.context import Context
from agenteval.evaluators.numeric import decimal, plain
from agenteval.evaluators.quantities import READ_LIMIT, Quantity, read
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Range

FLOOR = 0.01
"""Least tolerance; it only decides what is supported, never what is correct."""

_SHOWN = 20
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR_BEFORE = re.compile(
    r"(?<![^\W_])(?:in|since|by|from|until|till|of|during|through|to|year|FY|before|after|early|late|mid|between|and|©)[ -]$", re.IGNORECASE
)


_OUTSIDE = frozenset({"tool_call", "tool", "retrieval", "retriever"})
"""Kinds of steps whose output comes from outside the agent."""


@dataclass(frozen=True)
class MustNotHallucinate:
    """The answer states no figure that neither the right answer, the prompt, a tool's result nor the retrieved context supports.

    Figures are the quantities of the answer: no dates, times, identifiers, versions and list markers, no denied values, no years
    1900–2100 that are named as such, no number words. How many entries a list or
    mapping has is supported too. An answer without figures, such as a refusal, invents nothing.

    Attributes:
        supported: Further figures or texts with figures that may be stated.
        tolerance: Largest absolute difference to a supporting figure; 0.01 where it is less.
        locale: How the answer writes numbers, as in numeric.
    """

    feeds: ClassVar[Feeds] = Feeds.HALLUCINATION

    supported: list[Any] = field(default_factory=list)
    tolerance: Annotated[float, Range(ge=0)] = FLOOR
    locale: str = "en"

    def evaluate(self, context: Context) -> Score:
        """1 where every figure is supported, else 0."""
        reading = read(context.output, self.locale)
        has_digits = any(map(str.isdigit, reading.text))
        figures = [found for found in reading.asserted if not found.soft and not _is_year(found, reading.text)] if has_digits else []
        if not figures:
            return Score("must_not_hallucinate", 1.0, True, "the answer states no figure")
        known = Support(self._sources(context), self.locale, max(decimal(self.tolerance), decimal(FLOOR)))
        invented = list(dict.fromkeys(reading.text[found.start : found.end].strip() for found in figures if not known.supports(found)))
        evidence: dict[str, Any] = {"figures": [plain(found.value) for found in figures[:_SHOWN]]}
        if not invented:
            return Score("must_not_hallucinate", 1.0, True, f"{len(figures)} of {len(figures)} figures supported", evidence)
        evidence["unsupported"] = invented[:_SHOWN]
        reason = f"without support in ground truth, prompt, tool results or context: {', '.join(invented[:5])}"
        return Score("must_not_hallucinate", 0.0, False, reason, evidence)

    def _sources(self, context: Context) -> Iterator[Any]:
        attempt = context.attempt
        yield from self.supported
        yield context.prompt
        yield context.expects.get("ground_truth")
        yield context.expects.get("retained_facts")
        yield context.expects.get("reference_context")
        for call in attempt.tool_calls:
            yield call.result
        for part in (attempt, *attempt.turns):
            for step in part.steps:
                if step.kind in _OUTSIDE:  # what the agent says itself, in a model step or in arguments, supports nothing
                    yield step.output
        yield from attempt.retrieved_context
        yield context.context


def _is_year(found: Quantity, text: str) -> bool:
    """Whether a figure is a year named as such: ``in 2024``."""
    written = text[found.start : found.end]
    if not (len(written) == 4 and written.isdigit() and 1900 <= int(written) <= 2100):
        return False
    return _YEAR_BEFORE.search(text[max(0, found.start - 12) : found.start]) is not None


class Support:
    """The figures that may be stated: every number in the sources, whatever it stands for there."""

    def __init__(self, sources: Iterable[Any], locale: str, tolerance: Decimal) -> None:
        self._values: set[Decimal] = set()
        self._locale = locale
        self._tolerance = tolerance
        for source in sources:
            self._take(source)
        self._sorted: list[Decimal] | None = None

    def _take(self, source: Any, depth: int = 0) -> None:
        if source is None or isinstance(source, bool) or depth > 50:
            return
        if isinstance(source, (int, float)):
            try:
                self._values.add(numerals.PRECISION.create_decimal(repr(source)))
            except InvalidOperation:
                return
        elif isinstance(source, str):
            self._read(source)
        elif isinstance(source, Mapping):
            self._values.add(Decimal(len(source)))
            for key, value in source.items():
                self._take(key, depth + 1)
                self._take(value, depth + 1)
        elif isinstance(source, (list, tuple)):
            self._values.add(Decimal(len(source)))
            for value in source:
                self._take(value, depth + 1)

    def _read(self, text: str) -> None:
        for locale in {self._locale, "en"}:
            for found in read(text, locale).quantities:
                self._values.add(found.value)
                if found.percent:
                    self._values.add(found.rate)
        for digits in _DIGITS.findall(text[:READ_LIMIT]):
            for part in {digits, digits.replace(",", "")}:
                try:
                    self._values.add(numerals.PRECISION.create_decimal(part))
                except InvalidOperation:
                    continue

    def supports(self, figure: Quantity) -> bool:
        """Whether a figure is one of them, also as a share where it is a percentage, or without its sign."""
        wanted = {figure.value, figure.rate} if figure.percent else {figure.value}
        return any(self._near(value) or self._near(-value) for value in wanted)

    def _near(self, value: Decimal) -> bool:
        if value in self._values:
            return True
        if self._sorted is None:
            self._sorted = sorted(number for number in self._values if number.is_finite())
        at = bisect_left(self._sorted, value - self._tolerance)
        return at < len(self._sorted) and self._sorted[at] <= value + self._tolerance
