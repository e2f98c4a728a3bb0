"""Steps beside each other: expected against actual, and one attempt's against another's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.compare.alignment import Alignment, align
from agenteval.model.attempt import Attempt
from agenteval.model.score import Feeds, Score
from parts.words import as_text, escaped

if TYPE_CHECKING:
    from agenteval.compare.trajectories import DiffEntry, TrajectoryDiff

_MOST_ROWS = 60
_FEW = 4
"""Unchanged steps in a row that are still listed one by one."""
_SHORT = 12
"""Lines of a trajectory that is listed in full."""

MARKS = {
    "matched": ":green[✓\u00a0matched]",
    "missing": ":red[∅\u00a0missing]",
    "extra": ":orange[\\+\u00a0extra]",
    "moved": ":violet[⇄\u00a0out\u00a0of\u00a0order]",
}
_DIFF_SIGNS = {"removed": "−", "added": "+", "changed": "~", "unchanged": "="}
_DIFF_COLOURS = {"removed": "red", "added": "green", "changed": "orange", "unchanged": "gray"}


class Row(NamedTuple):
    """One line of an alignment: labels where there are any, the mark, and where an out-of-order step stands on the other side."""

    expected: str | None
    actual: str | None
    mark: str
    other: int | None = None


def trajectory(shown: Attempt) -> None:
    """Expected and actual steps, aligned; nothing where none were expected."""
    expected, actual = _sequences(shown, shown.score(Feeds.TRAJECTORY))
    if not expected:
        return
    found = align(expected, actual)
    moved = len(found.moved)
    word = "exact" if found.exact else "in order, with extra steps" if found.in_order else "not as expected"
    counts = [f"{len(found.pairs)} matched", f"{len(found.missing) - moved} missing", f"{len(found.extra) - moved} extra"]
    if moved:
        counts.append(f"{moved} out of order")
    st.markdown("##### Trajectory")
    st.caption(escaped(f"{word} · {', '.join(counts)} · F1 {_format.score(found.f1)}"))
    rows = list(aligned(found))
    lines = [_line(["expected", "actual", ""]), _line(["---"] * 3)]
    lines += _marked_lines(rows)
    st.markdown("\n".join(lines[: _MOST_ROWS + 2]))
    if len(lines) > _MOST_ROWS + 2:
        st.caption(f"and {len(lines) - _MOST_ROWS - 2:,} more lines; the counts above are of all")


def _marked_lines(rows: Sequence[Row]) -> Iterator[str]:
    """A line a row; many matched ones in a row are one line."""
    for mark, group in groupby(rows, key=lambda row: row.mark):
        items = list(group)
        if mark == "matched" and len(items) > _FEW and len(rows) > _SHORT:
            yield _line([f":gray[… {len(items):,} steps …]", "", MARKS[mark]])
            continue
        for row in items:
            side = "came" if row.expected else "expected"
            where = "" if row.other is None else f" :gray[{side} as {row.other + 1}\\.]"
            yield _line([_cell(row.expected), _cell(row.actual), MARKS[mark] + where])


def aligned(found: Alignment) -> Iterator[Row]:
    """The lines of an alignment, in the order of both sequences."""
    came = dict(found.moved)
    wanted = {j: i for i, j in found.moved}
    ends = (len(found.expected), len(found.actual))
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *found.pairs, ends]):
        for place in range(i + 1, next_i):
            yield Row(found.expected[place], None, "moved" if place in came else "missing", came.get(place))
        for place in range(j + 1, next_j):
            yield Row(None, found.actual[place], "moved" if place in wanted else "extra", wanted.get(place))
        if (next_i, next_j) != ends:
            yield Row(found.expected[next_i], found.actual[next_j], "matched")


def _unbroken(words: str) -> str:
    """Words that a narrow column does not part."""
    return escaped(words).replace(" ", "\u00a0")


def _cell(label: str | None) -> str:
    return escaped(clip(label, 60)) if label else ""


def _sequences(shown: Attempt, score: Score | None) -> tuple[list[str], list[str]]:
    evidence: Mapping[str, Any] = score.evidence if score else {}
    expected, actual = evidence.get("expected"), evidence.get("actual")
    if not isinstance(expected, (list, tuple)):
        declared = shown.expects.get("expected_trajectory")
        expected = declared if isinstance(declared, (list, tuple)) else ()
    if not isinstance(actual, (list, tuple)):
        actual = [call.name for call in shown.tool_calls]
    return [str(label) for label in expected], [str(label) for label in actual]


def steps_difference(then: Attempt, now: Attempt, names: tuple[str, str] = ("then", "now")) -> None:
    """What one attempt did and the other did not; runs of unchanged steps are one line. Nothing where neither has steps."""
    found = _diff(then, now)
    if not found.entries:
        return
    st.markdown("**Steps**")
    words = {"removed": f"only {names[0]}", "added": f"only {names[1]}", "changed": "changed", "unchanged": "the same"}
    counts = [f"{found.count(kind)} {word}" for kind, word in words.items() if found.count(kind)]
    st.caption(escaped(f"{', '.join(counts)} · similarity {_format.score(found.similarity)}"))
    if found.identical:
        return
    marks = {kind: f":{_DIFF_COLOURS[kind]}[{_unbroken(f'{_DIFF_SIGNS[kind]} {word}')}]" for kind, word in words.items()}
    lines = list(_entry_lines(found, marks))
    st.markdown("\n".join([_line(["", "step, input, output"]), _line(["---"] * 2), *lines[:_MOST_ROWS]]))
    if len(lines) > _MOST_ROWS:
        st.caption(f"and {len(lines) - _MOST_ROWS:,} more lines; the counts above are of all")


def _diff(then: Attempt, now: Attempt) -> TrajectoryDiff:
    from agenteval.compare.trajectories import Trajectory, diff_trajectories, steps_of
    from agenteval.model.record import to_record

    def steps(attempt: Attempt) -> Trajectory:
        # Only what holds steps: an answer of megabytes need not become a record.
        bare = replace(attempt, prompt="", output="", raw={}, retrieved_context=(), scores=())
        found = steps_of(to_record(bare))
        return found if found.steps else steps_of([call.name for call in attempt.tool_calls])

    return diff_trajectories(steps(then), steps(now))


def _entry_lines(found: TrajectoryDiff, marks: Mapping[str, str]) -> Iterator[str]:
    for kind, group in groupby(found.entries, key=lambda entry: entry.kind):
        items = list(group)
        if kind == "unchanged" and len(items) > _FEW:
            yield _line([marks[kind], f":gray[… {len(items):,} steps …]"])
            continue
        for entry in items:
            detail = escaped(clip(_detail(found, entry), 240))
            yield _line([marks[kind], f"**{_cell(entry.step_a or entry.step_b)}** {detail}"])


def _detail(found: TrajectoryDiff, entry: DiffEntry) -> str:
    """What changed in a step of both; what went in and out of a step of one alone; nothing of the same step."""
    if entry.detail or entry.kind == "unchanged":
        return entry.detail or ""
    step = found.a.steps[entry.index_a] if entry.index_a is not None else found.b.steps[entry.index_b or 0]
    return "; ".join(f"{name}: {clip(as_text(value), 120)}" for name, value in step.facets.items())


def _line(cells: Sequence[str]) -> str:
    """A row of a Markdown table; every cell is escaped already."""
    return f"| {' | '.join(cells)} |"
