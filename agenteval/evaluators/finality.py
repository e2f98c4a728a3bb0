"""Which of the quantities in an answer it gives as its final value."""

from __future__ import annotations

import re

from agenteval.evaluators.quantities import Quantity, Reading

_BOXED = re.compile(r"\\(?:boxed|fbox)\s{0,3}\{")
_MARKER = re.compile(
    r"(?:(?<![^\W_])(?:answer|antwort|final (?:result|value|total|count|number))(?![^\W_])(?:[ ](?:to|for)[ ][^.\n?!:=]{0,80}?)?[*_\s]{0,4}"
    r"(?:\b(?:is|ist|was|are|would be|equals|comes to|should be)\b|[:=]|→)[ ]?:?)|^####[ ]",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n")
_FILLER = re.compile(
    r"[\s*_`\"'“”$€£\\(\[{~≈=:<>]*(?:(?:about|around|approximately|approx\.?|roughly|exactly|just|only|a total of|therefore|thus|now|simply"
    r"|indeed|the number|equal to|is|at)[\s*_`\"'$€£\\(\[{~≈=:]*){0,4}",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"[ ]?(?:[+*/×÷−-]|\\times|\\div|\\cdot)[ ]?[$(]?\d")
_CLOSING = re.compile(r"(?:[ ]?[^\W\d_]+){0,3}[\s.!*_`\"')}\]$\\]*")
_EQUALS = re.compile(r"(?<![=<>!:])=(?![=>])|≈")
_EMPHASIS = re.compile(
    r"(?P<mark>\*\*|__)(?=\S)(?P<inside>[^\n]{1,80}?)(?<=\S)(?P=mark)|(?<![*\w])\*(?![*\s])(?P<single>[^*\n]{1,80})(?<!\s)\*(?![*\w])"
)


def counted(reading: Reading) -> tuple[tuple[Quantity, ...], bool]:
    """The quantities that an answer is judged by, and whether it marked them as final.

    The last of a box, ``the answer is`` and ``final answer:`` decides; else ``=`` at the end; else one single emphasised value; else
    every quantity that is stated counts.
    """
    quantities = tuple(found for found in reading.quantities if not found.negated)
    if len(quantities) > 1 or (quantities and quantities[0].soft):
        for rule in (_marked, _equated, _emphasised):
            final = rule(reading.text, quantities)
            if final:
                return final, True
    return reading.asserted, False


def _marked(text: str, quantities: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    places = [(found.end(), True) for found in _BOXED.finditer(text)] + [(found.end(), False) for found in _MARKER.finditer(text)]
    for start, boxed in sorted(places, reverse=True)[:200]:
        final = _in_box(text, start, quantities) if boxed else _in_sentence(text, start, quantities)
        if final:
            return final
    return ()


def _in_box(text: str, start: int, quantities: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    depth = 1
    for end in range(start, min(len(text), start + 400)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return tuple(found for found in _between(quantities, start, end))
    return ()


def _in_sentence(text: str, start: int, quantities: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    begin = start
    while text[begin : begin + 1].isspace():
        begin += 1
    end = _SENTENCE_END.search(text, begin)
    inside = _between(quantities, start, end.start() if end else len(text))
    if not inside:
        return ()
    first = inside[0]
    if _FILLER.fullmatch(text, start, first.start) is None:
        return tuple(found for found in inside if not found.soft)
    if _OPERATOR.match(text, first.end) is None:
        return (first,)
    equated = [found for found in inside if _EQUALS.search(text, inside[0].end, found.start)]
    return (equated[-1],) if equated else inside


def _between(quantities: tuple[Quantity, ...], start: int, end: int) -> tuple[Quantity, ...]:
    return tuple(found for found in quantities if found.start >= start and found.end <= end + 1 and found.start < end)


def _equated(text: str, quantities: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    last = quantities[-1]
    if _CLOSING.fullmatch(text, last.end) is None:
        return ()
    before = text[: last.start].rstrip(" *_`\"'$€£\\([{~")
    if not before.endswith(("=", "≈")) or before.endswith(("==", ">=", "<=", "!=")):
        return ()
    left = before[:-1].rstrip()
    listed = left[-1:].isalpha() and "=" in left  # a=1, b=2 names values, 3 + 4 = 7 ends in one
    return () if listed else (last,)


def _emphasised(text: str, quantities: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """The value of the only emphasis that holds one."""
    values: list[Quantity] = []
    at = 0
    for found in _EMPHASIS.finditer(text):
        start, end = found.span()
        while at < len(quantities) and quantities[at].start < start:
            at += 1
        inside = []
        while at < len(quantities) and quantities[at].end <= end:
            inside.append(quantities[at])
            at += 1
        values.extend(inside)
        if len(values) > 1:
            return ()
    return tuple(values)
