"""``numeric_table``: every label of a table has its right number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any

from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.numeric import Unit, decimal, in_unit, plain, truth_of
from agenteval.evaluators.quantities import Quantity, read
from agenteval.evaluators.tables import bound_values
from agenteval.model.score import Score
from agenteval.suites.shape import Range


@dataclass(frozen=True)
class NumericTable:
    """Each label has its right number, in a Markdown table, a list, JSON or a sentence.

    A number belongs to a label by standing in its row or column of a table, or between this label and the next one.

    Attributes:
        cells: Label and right number.
        tolerance: Largest absolute difference that still counts as right.
        unit: percent or rate, as in numeric.
        locale: How the answer writes numbers, as in numeric.
    """

    cells: dict[str, Any]
    tolerance: Annotated[float, Range(ge=0)] = 0.01
    unit: Unit | None = None
    locale: str = "en"
    truths: Mapping[str, Decimal] = field(init=False, repr=False, compare=False)
    allowed: Decimal = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.cells, Mapping) or not self.cells:
            raise ValueError("numeric_table needs a mapping of labels to numbers, for example {North: 10, South: 20}")
        truths = {}
        for label, value in self.cells.items():
            if not isinstance(label, str) or not label.strip():
                raise ValueError(f"a label of numeric_table must be text, not {label!r}")
            try:
                truths[label] = truth_of(value, self.locale, self.unit)
            except ValueError as error:
                raise ValueError(f"{label}: {error}") from None
        object.__setattr__(self, "truths", truths)
        object.__setattr__(self, "allowed", decimal(self.tolerance))

    def evaluate(self, context: Context) -> Score:
        """The share of right cells; passed where all are."""
        reading = read(context.output, self.locale)
        bound = bound_values(reading, list(self.truths))
        cells = {label: self._cell(truth, bound[label]) for label, truth in self.truths.items()}
        wrong = [label for label, cell in cells.items() if not cell["right"]]
        evidence: dict[str, Any] = {"cells": cells} | ({"wrong_cells": wrong} if wrong else {})
        if reading.cut:
            evidence["note"] = "only the beginning and the end of the answer were read"
        share = 1 - len(wrong) / len(cells)
        return Score("numeric_table", share, not wrong, _why(wrong, cells), evidence)

    def _cell(self, truth: Decimal, values: tuple[Quantity, ...] | None) -> dict[str, Any]:
        stated = [in_unit(found, self.unit) for found in values or ()]
        right = any(abs(value - truth) <= self.allowed for value in stated)
        read_values: list[int | float] | None = None if values is None else [plain(value) for value in stated[:8]]
        return {"expected": plain(truth), "read": read_values, "right": right}


def _why(wrong: list[str], cells: Mapping[str, Mapping[str, Any]]) -> str:
    if not wrong:
        return f"{len(cells)} of {len(cells)} cells are right" if len(cells) > 1 else "the cell is right"
    told = []
    for label in wrong[:5]:
        values = cells[label]["read"]
        given = "label missing" if values is None else f"states {', '.join(map(str, values))}" if values else "no number"
        told.append(f"{clip(label, 40)}: expected {cells[label]['expected']}, {given}")
    more = f"; and {len(wrong) - 5} more" if len(wrong) > 5 else ""
    return "; ".join(told) + more
