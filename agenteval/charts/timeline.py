"""The steps of one attempt as a table: where each stands in time, how deep it is nested, and what is folded into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agenteval import _format
from agenteval._text import clip
from agenteval.model.response import Step

if TYPE_CHECKING:
    import pandas as pd


def step_rows(steps: Sequence[Step]) -> pd.DataFrame:
    """Steps on a time line; a step without a start follows the one before.

    Returns:
        Columns ``place`` (int, from 1), ``label``, ``kind``, ``error`` (str), ``start_ms``, ``duration_ms`` (float, 0 where unknown),
        ``timed`` (bool), ``depth`` (int), ``inside`` (int, steps nested in it at any depth), ``errors_inside`` (int, those of them with
        an error), ``text`` (str: kind, time, tokens, cost).
    """
    import pandas as pd

    rows = []
    clock = 0.0
    depths: list[int] = []
    inside, errors = _nested(steps)
    for place, step in enumerate(steps):
        parent = _parent(steps, place)
        depths.append(0 if parent is None else depths[parent] + 1)
        start = clock if step.timestamp_ms is None else step.timestamp_ms
        duration = step.duration_ms or 0.0
        clock = max(clock, start + duration)
        parts = [step.kind, _format.ms(step.duration_ms)]
        tokens = sum(part for part in (step.prompt_tokens, step.completion_tokens) if part is not None)
        if step.prompt_tokens is not None or step.completion_tokens is not None:
            parts.append(_format.tokens(tokens))
        if step.cost_usd is not None:
            parts.append(_format.usd(step.cost_usd))
        rows.append(
            {
                "place": place + 1,
                "label": clip(step.name or step.kind, 40),
                "kind": step.kind,
                "error": step.error or "",
                "start_ms": start,
                "duration_ms": duration,
                "timed": step.duration_ms is not None,
                "depth": depths[-1],
                "inside": inside[place],
                "errors_inside": errors[place],
                "text": " · ".join(parts),
            }
        )
    columns = ["place", "label", "kind", "error", "start_ms", "duration_ms", "timed", "depth", "inside", "errors_inside", "text"]
    return pd.DataFrame(rows, columns=columns)


def _parent(steps: Sequence[Step], place: int) -> int | None:
    """The enclosing step's index; a parent that is no earlier step is none."""
    parent = steps[place].parent
    return parent if parent is not None and 0 <= parent < place else None


def _nested(steps: Sequence[Step]) -> tuple[list[int], list[int]]:
    """How many steps, and how many with an error, each encloses. Parents come first, so one pass from the end sums them up."""
    inside, errors = [0] * len(steps), [0] * len(steps)
    for place in range(len(steps) - 1, -1, -1):
        parent = _parent(steps, place)
        if parent is not None:
            inside[parent] += 1 + inside[place]
            errors[parent] += errors[place] + (steps[place].error is not None)
    return inside, errors


def levels_that_fit(rows: pd.DataFrame, most: int) -> int:
    """How many levels of nesting can be drawn in at most ``most`` bars; at least 1."""
    sizes = rows["depth"].value_counts().sort_index().cumsum()
    return max(1, int((sizes <= most).sum()))


def folded(rows: pd.DataFrame, levels: int) -> pd.DataFrame:
    """The outermost ``levels`` levels; a step that hides others says how many, and whether any of them failed."""
    kept = rows[rows["depth"] < levels].copy()
    edge = (kept["depth"] == levels - 1) & (kept["inside"] > 0)
    kept.loc[edge, "text"] = [
        f"{text} · {_format.count(inside, 'step')} inside" + (f", {_format.count(errors, 'error')}" if errors else "")
        for text, inside, errors in zip(kept.loc[edge, "text"], kept.loc[edge, "inside"], kept.loc[edge, "errors_inside"], strict=True)
    ]
    return kept


def conversation_steps(turns: Sequence[Sequence[Step]]) -> list[Step]:
    """The steps of a conversation's turns as one list, each turn's clock going on where the turn before ended."""
    found: list[Step] = []
    clock = 0.0
    for steps in turns:
        first, end = len(found), clock
        for step in steps:
            start = None if step.timestamp_ms is None else clock + step.timestamp_ms
            end = max(end, (end if start is None else start) + (step.duration_ms or 0.0))
            found.append(replace(step, timestamp_ms=start, parent=None if step.parent is None else first + step.parent))
        clock = end
    return found
