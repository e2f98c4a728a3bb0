"""Binding numbers to the labels they belong to, in tables and in prose."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from agenteval.evaluators.folding import folded
from agenteval.evaluators.quantities import Quantity, Reading

_RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")
_STOP = re.compile(r"[.!?;](?=\s|$)")


class _Place(NamedTuple):
    label: str
    start: int
    end: int


def bound_values(reading: Reading, labels: Sequence[str]) -> dict[str, tuple[Quantity, ...] | None]:
    """The quantities that belong to each label; None where the label does not occur."""
    found: dict[str, list[Quantity] | None] = dict.fromkeys(labels)
    stated = [quantity for quantity in reading.quantities if not quantity.negated]
    starts = [quantity.start for quantity in stated]
    pattern = _pattern(labels)
    names = {folded(label): label for label in labels}
    header: list[str | None] = []
    pending: _Place | None = None
    for begin, line in _lines(reading.text):
        end = begin + len(line)
        inside = stated[bisect_left(starts, begin) : bisect_left(starts, end)]
        places = [_Place(names[folded(match[0])], *_span(match, begin)) for match in pattern.finditer(line) if folded(match[0]) in names]
        if "|" in line:
            header = _row(line, begin, places, inside, header, found)
            pending = None
            continue
        header = []
        if not places and pending is not None and inside:
            _add(found, pending.label, inside)
        if places:
            for place, values in _bind(reading.text, places, inside, begin, end):
                _add(found, place.label, values)
        if line.strip():
            pending = places[-1] if places and not inside else None
    return {label: None if values is None else tuple(values) for label, values in found.items()}


def _add(found: dict[str, list[Quantity] | None], label: str, values: Iterable[Quantity]) -> None:
    found[label] = [*(found[label] or ()), *values]


def _span(match: re.Match[str], begin: int) -> tuple[int, int]:
    return begin + match.start(), begin + match.end()


def _pattern(labels: Sequence[str]) -> re.Pattern[str]:
    """Any label as whole words, the longest first, whatever its case and white space."""
    words = sorted({label.strip() for label in labels}, key=len, reverse=True)
    return re.compile("|".join(r"(?<!\w)" + r"\s+".join(map(re.escape, word.split())) + r"(?!\w)" for word in words), re.IGNORECASE)


def _lines(text: str) -> Iterable[tuple[int, str]]:
    begin = 0
    for line in text.split("\n"):
        yield begin, line
        begin += len(line) + 1


def _row(
    line: str,
    begin: int,
    places: Sequence[_Place],
    inside: Sequence[Quantity],
    header: list[str | None],
    found: dict[str, list[Quantity] | None],
) -> list[str | None]:
    """Bind one row of a table by its own label, else by the header's; returns the header for the next row."""
    if _RULE.fullmatch(line):
        return header
    columns = _columns(line, begin)
    own: list[str | None] = [next((place.label for place in places if start <= place.start < end), None) for start, end in columns]
    if any(own):
        for place in places:
            _add(found, place.label, ())
        if not inside:
            return own
        last: str | None = None
        for (start, end), label in zip(columns, own, strict=True):
            last = label or last
            if last is not None:
                taken = next((place.end for place in places if start <= place.start < end), start)
                _add(found, last, (value for value in inside if taken <= value.start < end))
        return header
    for (start, end), label in zip(columns, header, strict=False):
        if label is not None:
            _add(found, label, (value for value in inside if start <= value.start < end))
    return header


def _columns(line: str, begin: int) -> list[tuple[int, int]]:
    edges = [begin - 1, *(begin + at for at, char in enumerate(line) if char == "|"), begin + len(line)]
    spans = [(left + 1, right) for left, right in pairwise(edges)]
    if line.lstrip().startswith("|"):
        spans = spans[1:]
    return spans


def _bind(text: str, places: Sequence[_Place], inside: Sequence[Quantity], begin: int, end: int) -> Iterable[tuple[_Place, list[Quantity]]]:
    """Numbers between a label and the next; before their label where nothing follows the last one and something leads the first."""
    after = any(value.start >= places[-1].end for value in inside)
    leads = any(value.end <= places[0].start for value in inside)
    forward = after or not leads
    for index, place in enumerate(places):
        if forward:
            limit = places[index + 1].start if index + 1 < len(places) else _sentence(text, place.end, end)
            yield place, [value for value in inside if place.end <= value.start and value.end <= limit + 1 and value.start < limit]
        else:
            floor = places[index - 1].end if index else begin
            yield place, [value for value in inside if floor <= value.start and value.end <= place.start]


def _sentence(text: str, start: int, end: int) -> int:
    stop = _STOP.search(text, start, end)
    return stop.start() if stop else end
