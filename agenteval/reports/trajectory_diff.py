"""Two trajectories set against each other, as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from agenteval._text import plain
from agenteval.compare.trajectories import DiffEntry, TrajectoryDiff


def trajectory_diff_text(diff: TrajectoryDiff, *, verbose: bool = False) -> str:
    """One line a step: ``-`` removed, ``+`` added, ``~`` changed, with the indices in both; then the summary.

    Runs of unchanged steps are one line unless ``verbose``.
    """
    lines = list(_entry_lines(diff, verbose))
    lines.append("Summary: " + ", ".join(f"{diff.count(kind)} {kind}" for kind in ("added", "removed", "changed", "unchanged")))
    lines.append(f"similarity (LCS F1): {diff.similarity:.2f}")
    if diff.score_delta is not None:
        lines.append(f"score delta: {diff.score_delta:+.2f} (a={diff.a.score:.2f} -> b={diff.b.score:.2f})")
    return "\n".join(lines)


def _entry_lines(diff: TrajectoryDiff, verbose: bool) -> Iterator[str]:
    for kind, entries in groupby(diff.entries, key=lambda entry: entry.kind):
        found = list(entries)
        if kind == "unchanged" and not verbose:
            yield f"= {len(found)} step(s) unchanged"
        else:
            for entry in found:
                yield from _lines_of(entry)


def _lines_of(entry: DiffEntry) -> Iterator[str]:
    mark = {"removed": "-", "added": "+", "changed": "~"}.get(entry.kind, "=")
    first, second = ("-" if index is None else index for index in (entry.index_a, entry.index_b))
    step = entry.step_a if entry.step_a is not None else entry.step_b
    yield f"{mark} [{first}/{second}] {_line(step or '')}"
    if entry.detail:
        yield f"    {_line(entry.detail)}"


def _line(text: str) -> str:
    return " ".join(plain(text).split())
