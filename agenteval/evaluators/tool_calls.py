"""``tool_calls``: the right calls with the right arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from agenteval.errors import Problem
from agenteval.evaluators import arguments
from agenteval.evaluators.arguments import Matcher, Mode
from agenteval.evaluators.assignment import Pairs, best_ordered_pairing, best_pairing
from agenteval.evaluators.context import Context
from agenteval.model.response import ToolCall
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Range, Size, Word, build, check_of

_SHOWN = 50


@dataclass(frozen=True)
class ExpectedCall:
    """One expected call.

    Attributes:
        name: Name of the tool.
        arguments: The expected arguments.
        match: How single arguments are compared: exact, contains, regex, any (there, whatever it is), ignore, or {tolerance: 0.5}.
        mode: Which arguments count for this call, where it differs from the evaluator's.
    """

    name: Word
    arguments: dict[str, Any] = field(default_factory=dict)
    match: dict[str, Matcher] = field(default_factory=dict)
    mode: Mode | None = None


class _Call:
    """An expected call, or the name of a tool alone, whose arguments then do not matter."""

    def check(self, value: Any, path: str, problems: list[Problem]) -> Any:
        """The call."""
        if isinstance(value, Mapping):
            call, found = build(ExpectedCall, value, path)
            problems.extend(found)
            return call
        name = check_of(Word)(value, path, problems)
        return ExpectedCall(name, mode="ignore") if isinstance(name, str) else None

    def schema(self) -> dict[str, Any]:
        """Either of the two."""
        from agenteval.suites.shape import json_schema

        return {"anyOf": [{"type": "string", "minLength": 1}, json_schema(ExpectedCall)]}


@dataclass(frozen=True)
class ToolCalls:
    """The expected calls were made, with their arguments, and no others.

    Calls are paired so that their total credit is largest; a pair's credit is the share of its arguments that are right. The value is
    the credit over the number of expected calls. An empty list means that no tool may be called.

    Attributes:
        expected: The calls, each a name or {name, arguments, match, mode}.
        arguments: exact; superset (the call may have more); subset (it may leave some out); ignore.
        ordered: Whether the calls must come in this order.
        only: The tools that count; calls of others are left out on both sides.
        allow_extra: Whether further calls may be made.
        min_score: Least value that passes.
    """

    feeds: ClassVar[Feeds] = Feeds.TOOLS

    expected: list[Annotated[Any, _Call()]]
    arguments: Mode = "exact"
    ordered: bool = False
    only: Annotated[list[Word], Size(1)] | None = None
    allow_extra: bool = False
    min_score: Annotated[float, Range(gt=0, le=1)] = 1.0

    def evaluate(self, context: Context) -> Score:
        """Credit over expected calls; 1 or 0 where none is expected."""
        calls: Sequence[ToolCall] = context.attempt.tool_calls
        expected: Sequence[ExpectedCall] = self.expected
        if self.only is not None:
            calls = [call for call in calls if call.name in self.only]
            expected = [call for call in expected if call.name in self.only]
        findings: list[str] = []
        given = [_arguments(index, call, findings) for index, call in enumerate(calls)]
        names = [call.name for call in calls]
        pairs = _paired(expected, names, lambda i, j: self._credit(expected[i], given[j]), self.ordered)
        return self._score(expected, names, pairs, findings)

    def _credit(self, expected: ExpectedCall, given: Mapping[str, Any] | None) -> float:
        return arguments.credit(expected.arguments, given, expected.mode or self.arguments, expected.match)

    def _score(
        self, expected: Sequence[ExpectedCall], names: Sequence[str], pairs: list[tuple[int, int, float]], findings: list[str]
    ) -> Score:
        total = sum(credit for _, _, credit in pairs)
        missing = [expected[index].name for index in sorted({*range(len(expected))} - {i for i, _, _ in pairs})]
        extra = [names[index] for index in sorted({*range(len(names))} - {j for _, j, _ in pairs})]
        if expected:
            value = total / len(expected)
            passed = value >= self.min_score - 1e-12 and (self.allow_extra or not extra)
        else:
            passed = self.allow_extra or not names
            value = float(passed)
        evidence: dict[str, Any] = {
            "precision": total / len(names) if names else (None if expected else 1.0),
            "recall": value if expected else (None if names else 1.0),
            "pairs": [[i, j, round(credit, 6)] for i, j, credit in pairs[:_SHOWN]],
        }
        lists = {"missing": missing[:_SHOWN], "extra": extra[:_SHOWN], "findings": findings[:_SHOWN]}
        evidence.update({name: entries for name, entries in lists.items() if entries})
        return Score("tool_calls", value, passed, _why(expected, missing, extra, pairs, findings), evidence)


def _arguments(index: int, call: ToolCall, findings: list[str]) -> Mapping[str, Any] | None:
    given, problem = arguments.parsed(call.arguments)
    if problem:
        findings.append(f"call {index + 1} ({call.name}): {problem}")
    return given


def _paired(
    expected: Sequence[ExpectedCall], names: Sequence[str], credit: Callable[[int, int], float], ordered: bool
) -> list[tuple[int, int, float]]:
    """(expected, actual, credit) of the best pairing; only calls of one tool can be paired, so each tool is paired on its own."""
    groups = [(range(len(expected)), range(len(names)))] if ordered else _by_name(expected, names)
    found: list[tuple[int, int, float]] = []
    for rows, columns in groups:
        matrix = [[credit(i, j) if expected[i].name == names[j] else 0.0 for j in columns] for i in rows]
        pairs: Pairs = best_ordered_pairing(matrix) if ordered else best_pairing(matrix)
        found.extend((rows[i], columns[j], matrix[i][j]) for i, j in pairs)
    return sorted(found)


def _by_name(expected: Sequence[ExpectedCall], names: Sequence[str]) -> list[tuple[Sequence[int], Sequence[int]]]:
    return [
        ([i for i, call in enumerate(expected) if call.name == name], [j for j, other in enumerate(names) if other == name])
        for name in dict.fromkeys(call.name for call in expected)
    ]


def _why(
    expected: Sequence[ExpectedCall],
    missing: Sequence[str],
    extra: Sequence[str],
    pairs: Sequence[tuple[int, int, float]],
    findings: Sequence[str],
) -> str:
    partial = [f"{expected[i].name} ({credit:.0%} of its arguments)" for i, _, credit in pairs if credit < 1]
    told = []
    if missing:
        told.append(f"missing: {', '.join(missing[:5])}")
    if partial:
        told.append(f"partly right: {', '.join(partial[:5])}")
    if extra:
        told.append(f"unexpected: {', '.join(extra[:5])}")
    told.extend(findings[:3])
    return "; ".join(told) or (f"{len(pairs)} of {len(expected)} expected calls were made" if expected else "no tool was called")
