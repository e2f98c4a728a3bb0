"""What measures over runs say, in sentences; every text from outside is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agenteval import _format
from agenteval.charts.palette import metric_title
from agenteval.compare.changepoints import Change
from agenteval.compare.movement import Movement
from agenteval.compare.out_of_line import OutOfLine
from agenteval.compare.provenance_changes import METADATA, SUITE, ProvenanceChange
from agenteval.compare.trend import Direction
from agenteval.model.run import RunHead
from parts.words import code, escaped

LETTERS = {"suite": "S", "model": "M", "metadata": "+"}
_WORDS = {Direction.STEADY: "no trend"}
"""A few runs that fall at the end have no trend yet; calling that steady beside a falling line would not be believed."""
_COLOURS = {Direction.IMPROVING: "green", Direction.WORSENING: "red", Direction.UNSTEADY: "orange"}


def headline(found: Mapping[str, Movement], units: Mapping[str, str], labels: Sequence[str]) -> str:
    """The page's first sentence, in Markdown: what got worse, then what got better.

    Args:
        units: Of every metric.
        labels: What each run is called.
    """
    runs = len(labels)
    if not found:
        return "No measure was recorded yet."
    if all(movement.trend.direction is Direction.TOO_FEW for movement in found.values()):
        return f"Too few runs for a trend: {_format.count(runs, 'run')} so far, five are needed."
    worse = [*_late(found, units, False), *_changed(found, units, labels, False), *_drifting(found, Direction.WORSENING, "worse")]
    better = [*_late(found, units, True), *_changed(found, units, labels, True), *_drifting(found, Direction.IMPROVING, "better")]
    said = [*worse[:3], *better[: max(1, 3 - len(worse))]]
    if not said:
        return f"Nothing moves: over {_format.count(runs, 'run')} no measure changed its level or drifts in one direction."
    text = ". ".join(f"{clause[0].upper()}{clause[1:]}" for clause in said)
    return f"{text}." if len(said) == len(worse) + len(better) else f"{text}, and more below."


def _late(found: Mapping[str, Movement], units: Mapping[str, str], better: bool) -> list[str]:
    """The measures whose newest runs are out of line: one clause for one, another for two of them."""
    clauses = []
    for runs in (2, 1):
        late = {name: item.late for name, item in found.items() if item.late and item.late.better is better and item.late.runs == runs}
        if late:
            (name, first), *others = late.items()
            who = "the last run is" if runs == 1 else "the last two runs are"
            also = f" ({_names(list(map(_first, others)))} too)" if others else ""
            clauses.append(f"{who} out of line: {_inside(name)} {escaped(late_words(first, units[name]))}{also}")
    return clauses


def _changed(found: Mapping[str, Movement], units: Mapping[str, str], labels: Sequence[str], better: bool) -> list[str]:
    """The measures whose last change of level went this way, those of one run together, the newest first."""
    groups: list[list[tuple[str, Change]]] = []
    last = {name: movement.changes[-1] for name, movement in found.items() if movement.changes}
    for name, change in sorted(last.items(), key=lambda item: -item[1].at):
        if change.better is not better:
            continue
        # One cause often shows in neighbouring runs: the median of a measure moves a run earlier or later than its tail.
        if groups and groups[-1][0][1].at - change.at <= 1:
            groups[-1].append((name, change))
        else:
            groups.append([(name, change)])
    clauses = []
    for (name, change), *others in groups:
        also = f", {_names(list(map(_first, others)))} with it" if others else ""
        word = "better" if better else "worse"
        clauses.append(f"{_inside(name)} is {word} since {escaped(labels[change.at])}: {escaped(levels(change, units[name]))}{also}")
    return clauses


def _drifting(found: Mapping[str, Movement], direction: Direction, word: str) -> list[str]:
    names = [name for name, item in found.items() if item.trend.direction is direction and not item.changes and not item.late]
    return [f"slowly {word}: {_names(names)}"] if names else []


def _first(item: tuple[str, object]) -> str:
    return item[0]


def _names(names: list[str]) -> str:
    return escaped(_format.joined([metric_title(name)[:1].lower() + metric_title(name)[1:] for name in names], 4))


def _inside(name: str) -> str:
    """A metric's name inside a sentence: ``trajectory F1``."""
    return _names([name])


def levels(change: Change, unit: str) -> str:
    """``94% → 88%``."""
    return f"{_format.value(change.before, unit)} → {_format.value(change.after, unit)}"


def late_words(late: OutOfLine, unit: str) -> str:
    """``71% after 92–96% in 11 runs``."""
    before = _format.value(late.low, unit) if late.low == late.high else _format.interval(late.low, late.high, unit)
    return f"{_format.value(late.value, unit)} after {before} in {_format.count(late.before, 'run')}"


def state(movement: Movement, labels: Sequence[str]) -> str:
    """A panel's word, in colour, in Markdown: late runs before changes before the trend."""
    if movement.late:
        better = movement.late.better
        return _coloured("last run out of line" if movement.late.runs == 1 else "last two runs out of line", better)
    if movement.changes:
        change = movement.changes[-1]
        return _coloured(f"{'better' if change.better else 'worse'} since {labels[change.at]}", change.better)
    direction = movement.trend.direction
    word = _WORDS.get(direction, direction.value)
    return f":{_COLOURS[direction]}[**{word}**]" if direction in _COLOURS else f":gray[{word}]"


def _coloured(text: str, better: bool) -> str:
    return f":{'green' if better else 'red'}[**{'▲' if better else '▼'} {escaped(text)}**]"


def evidence(movement: Movement, unit: str, heads: Sequence[RunHead], labels: Sequence[str], origins: Sequence[ProvenanceChange]) -> str:
    """A panel's caption: newest runs out of line, then changes of level, the newest first, with what changed there. Markdown."""
    parts = []
    if movement.late:
        parts.append(f"{escaped(late_words(movement.late, unit))} ({_format.p_value(movement.late.p)})")
    for change in reversed(movement.changes):
        runs = f"{_format.count(change.runs_before, 'run')}, then {change.runs_after}; {_format.p_value(change.p)}"
        word = "better" if change.better else "worse"
        why = first_at(change.at, heads, origins)
        parts.append(f"since {escaped(labels[change.at])} {word}: {escaped(levels(change, unit))} ({escaped(runs)}{why})")
    return " · ".join(parts)


def first_at(at: int, heads: Sequence[RunHead], origins: Sequence[ProvenanceChange]) -> str:
    """``; first at commit `a1b2c3d`, where the model changed``, in Markdown; "" where nothing is known."""
    commit = str(heads[at].git.get("commit") or "")[:7]
    changed = [origin_words(origin) for origin in origins if origin.at == at]
    text = f"; first at commit {code(commit)}" if commit else ""
    return f"{text}; there: {escaped(_format.joined(changed))}" if changed else text


def origin_words(origin: ProvenanceChange) -> str:
    """``model small → large``; a suite's hashes say nothing to a reader."""
    if origin.kind == SUITE:
        return "the suite changed"
    name = origin.name if origin.kind == METADATA else origin.kind
    return f"{name} {_format.short_id(origin.before, 24)} → {_format.short_id(origin.now, 24)}"


def origin_marks(origins: Sequence[ProvenanceChange], heads: Sequence[RunHead]) -> dict[int, tuple[str, str]]:
    """Letters and words of what changed, by the place of the run. Plain text."""
    marks: dict[int, tuple[str, str]] = {}
    for origin in origins:
        letters, words = marks.get(origin.at, ("", ""))
        letter = LETTERS[origin.kind]
        said = f"{words}; {origin_words(origin)}" if words else origin_words(origin)
        marks[origin.at] = (letters if letter in letters else letters + letter, said)
    for at, (letters, words) in marks.items():
        commit = str(heads[at].git.get("commit") or "")[:7]
        marks[at] = (letters, f"{words}; commit {commit}" if commit else words)
    return marks
