"""Golden sets: answers with the verdict of people, read as strictly as suites."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from agenteval._files import dumps
from agenteval._redact import redact_json
from agenteval._text import clip
from agenteval.errors import InputError, Problem
from agenteval.evaluators.judge import text_of
from agenteval.model.calibration import Kind, Label
from agenteval.suites import shape
from agenteval.suites.documents import Document, load
from agenteval.suites.leaves import describe
from agenteval.suites.rules import Unquoted
from agenteval.suites.shape import Word

Winner = Literal["A", "B", "tie"]
_SUFFIXES = (".yaml", ".yml", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict as it is written: true or false, a whole mark from 1 to 10 and, of ``winners``, A, B or tie."""

    winners: bool = False

    def check(self, value: Any, path: str, problems: list[Problem]) -> Any:
        """The verdict."""
        meant = value.value if isinstance(value, Unquoted) else value
        if isinstance(meant, bool) or (isinstance(meant, int) and 1 <= meant <= 10) or (self.winners and meant in get_args(Winner)):
            return meant
        words = "true, false, a whole mark from 1 to 10, A, B or tie" if self.winners else "true, false or a whole mark from 1 to 10"
        fix = "remove the quotes" if meant in ("true", "false", *map(str, range(1, 11))) else "write the verdict, or leave the key out"
        problems.append(Problem(f"must be {words}, not {describe(value)}", fix, path))
        return value


@dataclass(frozen=True, kw_only=True)
class ItemKeys:
    """One answer, or two, with the verdict of people.

    Attributes:
        id: Name of the item, once in the set.
        prompt: What was asked.
        candidate_answer: The answer that is judged.
        ground_truth: The expected answer.
        criteria: What a good answer does.
        human_label: true or false for good or not, or whole marks from 1 to 10; the same kind in the whole set.
        candidate_b: A second answer; candidate_answer is then A.
        human_winner: Which of the two people found better.
        judge_label: A verdict that a judge gave earlier, for --recorded: as human_label, or the winner.
        judge_label_swapped: The winner with B shown first, for --recorded.
        judge_reason: The reason of that verdict.
    """

    id: Word
    prompt: Word
    candidate_answer: str
    ground_truth: Any = None
    criteria: Any = None
    human_label: Annotated[Label | None, Verdict()] = None
    candidate_b: str | None = None
    human_winner: Winner | None = None
    judge_label: Annotated[Label | None, Verdict(winners=True)] = None
    judge_label_swapped: Winner | None = None
    judge_reason: str | None = None

    def __post_init__(self) -> None:
        if self.candidate_b is None and self.human_winner is None:
            if self.human_label is None:
                raise ValueError("human_label is required; say what people found: true, false, or a mark from 1 to 10")
            if isinstance(self.judge_label, str) or self.judge_label_swapped is not None:
                raise ValueError("judge_label names a winner, but there is one answer; write true, false, or a mark from 1 to 10")
        elif self.candidate_b is None or self.human_winner is None or self.human_label is not None:
            raise ValueError("two answers need candidate_b and human_winner, and no human_label")
        elif not isinstance(self.judge_label, str | None):
            raise ValueError("judge_label must be A, B or tie, because there are two answers")


@dataclass(frozen=True, slots=True)
class GoldenItem:
    """One item, its secrets replaced; ``other_answer`` is B of a pair. ``recorded`` are verdicts that stood in the file."""

    id: str
    prompt: str
    answer: str
    human: Label
    ground_truth: str | None = None
    criteria: str | None = None
    other_answer: str | None = None
    recorded: Label | None = None
    recorded_swapped: str | None = None
    recorded_reason: str = ""


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """The items of a file, all of one kind. ``hash`` is of what a judge is asked and what people said."""

    shown: str
    kind: Kind
    items: tuple[GoldenItem, ...]
    hash: str


def read_golden_set(path: Path, shown: str | None = None) -> GoldenSet:
    """The golden set in a YAML, JSON or JSON lines file.

    Raises:
        InputError: Everything wrong with it, in document order, each with line and column.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(
            Problem(
                f"{path.suffix or 'no suffix'!r} is no kind of golden set", f"write one of {', '.join(_SUFFIXES)}", file=str(shown or path)
            )
        )
    document = load(path, shown or str(path))
    problems = list(document.problems)
    items = _items(document, problems) if document.value is not None else []
    if problems:
        raise InputError(_placed(document, problem) for problem in problems)
    asked = [{name: value for name, value in asdict(item).items() if not name.startswith("recorded")} for item in items]
    return GoldenSet(document.shown, _kind(items[0].human), tuple(items), hashlib.sha256(dumps(asked)).hexdigest())


def _placed(document: Document, problem: Problem) -> Problem:
    if problem.file:
        return problem
    line, column = document.locate(problem.path)
    return replace(problem, file=document.shown, line=line, column=column)


def _items(document: Document, problems: list[Problem]) -> list[GoldenItem]:
    raw = document.value
    if not isinstance(raw, list):
        fix = "a suite is run, not calibrated with" if isinstance(raw, Mapping) and "cases" in raw else "write `- id: …`"
        problems.append(Problem("must be a list of answers with the verdict of people", fix))
        return []
    items: list[GoldenItem] = []
    places: dict[str, str] = {}
    for index, entry in enumerate(raw):
        path = f"[{index}]"
        if not isinstance(entry, Mapping):
            problems.append(Problem("must be a mapping with id, prompt, candidate_answer and human_label", path=path))
            continue
        keys, found = shape.build(ItemKeys, entry, path)
        problems.extend(found)
        if keys is None:
            continue
        item = _item(keys)
        if item.id in places:
            problems.append(Problem(f"duplicate id {clip(item.id, 60)!r}, first at {places[item.id]}", "rename one", f"{path}.id"))
        places.setdefault(item.id, path)
        if items and _kind(item.human) is not _kind(items[0].human):
            problems.append(
                Problem(
                    f"is {_WORDS[_kind(item.human)]}, but the set begins with {_WORDS[_kind(items[0].human)]}",
                    "keep them in two files",
                    path,
                )
            )
        items.append(item)
    if not raw:
        problems.append(Problem("holds no answer", "write at least one"))
    return items


_WORDS = {Kind.BINARY: "an answer labelled true or false", Kind.MARKS: "an answer with a mark", Kind.PAIRS: "a pair of answers"}


def _kind(label: Label) -> Kind:
    return Kind.BINARY if isinstance(label, bool) else Kind.MARKS if isinstance(label, int) else Kind.PAIRS


def _item(keys: ItemKeys) -> GoldenItem:
    """As it is judged and stored: secrets replaced in answer and expectation alike, as in a run."""
    safe: Any = redact_json({name: getattr(keys, name) for name in ItemKeys.__dataclass_fields__})
    human = keys.human_winner if keys.human_label is None else keys.human_label
    assert human is not None
    return GoldenItem(
        id=keys.id,
        prompt=safe["prompt"],
        answer=safe["candidate_answer"],
        human=human,
        ground_truth=text_of(safe["ground_truth"]),
        criteria=text_of(safe["criteria"]),
        other_answer=safe["candidate_b"],
        recorded=keys.judge_label,
        recorded_swapped=keys.judge_label_swapped,
        recorded_reason=safe["judge_reason"] or "",
    )
