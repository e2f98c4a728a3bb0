"""One run in figures: every check of its worst cases, and how its latencies are spread."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.layout import calm, drawn_once, literal, log_ticks, room_for, value_ticks
from agenteval.charts.palette import ACCENT, GREY, look
from agenteval.compare.breakdown import Latencies
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score

if TYPE_CHECKING:
    import pandas as pd

VERDICT = "verdict"
_WORST_FIRST = ("evaluator_error", "failed", "skipped", "passed", "observed", "not_applicable")
_CELLS = {
    "passed": ("#8fd3bf", "#0b3d2e"),
    "failed": (look("failed").colour, "#ffffff"),
    "agent_error": (look("agent_error").colour, "#ffffff"),
    "evaluator_error": (look("evaluator_error").colour, "#ffffff"),
    "skipped": ("#d9dce1", "#3b3f45"),
    "unscored": ("#cfe6f5", "#123a52"),
    "observed": ("#e7e9ec", "#3b3f45"),
    "not_applicable": ("rgba(0,0,0,0)", GREY),
}
"""Fill and ink of a cell, dark on light and white on strong, in either theme."""
_KINDS = tuple(_CELLS)
_MOST_MARKS = 12
_WIDE = 10
"""A slowest call of so many times the median takes a logarithmic axis."""
_MOST_STEPS = 300
_COLUMNS = 15
_REASON_COLUMNS = 5


def score_grid(attempts: Iterable[Attempt]) -> pd.DataFrame:
    """Every check of these attempts in long form, the verdict of the case before its checks.

    A check that a case makes several times (a list, the turns of a conversation) is one row, the worst of them.

    Returns:
        Columns ``case_id``, ``check`` (str; ``verdict`` is the case's own), ``status`` (a status, ``observed`` or ``not_applicable``),
        ``value`` (float in [0, 1], NaN where there is none), ``required`` (bool), ``reason``, ``role`` (str, "" for none).
    """
    import pandas as pd

    rows: list[tuple[str, str, str, float | None, bool, str, str]] = []
    for attempt in attempts:
        role = attempt.role.value if attempt.role else ""
        rows.append((attempt.case_id, VERDICT, attempt.status.value, None, True, attempt.reason, role))
        worst: dict[str, tuple[str, Score]] = {}
        for score in (*attempt.scores, *(score for turn in attempt.turns for score in turn.scores)):
            status = _status(score)
            known = worst.get(score.name)
            if known is None or _WORST_FIRST.index(status) < _WORST_FIRST.index(known[0]):
                worst[score.name] = (status, score)
        rows += [
            (attempt.case_id, name, status, score.value, score.required, score.error or score.reason, role)
            for name, (status, score) in worst.items()
        ]
    frame = pd.DataFrame(rows, columns=["case_id", "check", "status", "value", "required", "reason", "role"])
    frame["value"] = frame["value"].astype("float64")
    return frame


def _status(score: Score) -> str:
    if score.error is not None:
        return "evaluator_error"
    if score.skipped:
        return "skipped"
    if score.passed is not None:
        return "passed" if score.passed else "failed"
    return "not_applicable" if score.value is None else "observed"


def score_heatmap(grid: pd.DataFrame, run_id: str) -> go.Figure:
    """Cases by checks: a cell holds its symbol and, where a score is neither 0 nor 1, the number; its colour repeats the symbol.

    Where checks leave room, why a case did not pass stands beside it. Of more checks than fit, those that fail most are drawn.

    Args:
        grid: As of ``score_grid``.
        run_id: Goes with the case into every mark, for clicks.
    """
    cases = list(dict.fromkeys(grid["case_id"]))
    checks = [VERDICT, *_checks(grid, _COLUMNS - 1)]
    row_of = {case: place for place, case in enumerate(cases)}
    column_of = {check: place for place, check in enumerate(checks)}
    drawn = grid[grid["check"].isin(checks)]
    fills: list[list[int | None]] = [[None] * len(checks) for _ in cases]
    for case, check, status in zip(drawn["case_id"], drawn["check"], drawn["status"], strict=True):
        fills[row_of[case]][column_of[check]] = _KINDS.index(status)
    figure = go.Figure(
        go.Heatmap(
            z=fills, colorscale=_steps(), zmin=-0.5, zmax=len(_KINDS) - 0.5, showscale=False, xgap=3, ygap=3, hoverinfo="skip", name="fill"
        )
    )
    for status, group in drawn.groupby("status", sort=False):
        cells = group.to_dict("records")
        figure.add_scatter(
            x=[column_of[cell["check"]] for cell in cells],
            y=[row_of[cell["case_id"]] for cell in cells],
            mode="markers+text",
            marker={"symbol": "square", "size": 18, "opacity": 0},
            text=[_mark(cell) for cell in cells],
            textfont={"color": _CELLS[str(status)][1], "size": 11},
            customdata=[[cell["case_id"], run_id] for cell in cells],
            hovertext=[_told(cell) for cell in cells],
            hovertemplate="%{hovertext}<extra></extra>",
            name=str(status),
        )
    titles = [_format.short_id(check, 20) for check in checks]
    top = round(0.75 * room_for(titles))
    calm(figure, height=top + 8 + 24 * len(cases))
    roles = {case: look(role).symbol for case, role in zip(drawn["case_id"], drawn["role"], strict=True) if role}
    names = [f"{roles.get(case, '')} {_format.short_id(case, 30)}".lstrip() for case in cases]
    figure.update_layout(margin={"l": room_for(names), "t": top})
    figure.update_xaxes(
        tickvals=list(range(len(checks))),
        ticktext=[literal(title) for title in titles],
        tickangle=45,  # Titles of columns 20 pixels wide, as on a phone, do not touch.
        ticks="",
        side="top",
        showgrid=False,
        automargin=False,
        range=[-0.5, _COLUMNS - 0.5],
    )
    if len(checks) <= _COLUMNS - _REASON_COLUMNS:
        _reasons(figure, drawn, row_of, len(checks))
    figure.update_yaxes(
        tickvals=list(range(len(cases))),
        ticktext=[literal(name) for name in names],
        ticks="",
        showgrid=False,
        range=[len(cases) - 0.5, -0.5],
        automargin=False,
    )
    return drawn_once(figure)


def _reasons(figure: go.Figure, drawn: pd.DataFrame, row_of: Mapping[str, int], column: int) -> None:
    told = drawn[(drawn["check"] == VERDICT) & (drawn["reason"] != "")]
    figure.add_scatter(
        x=[column - 0.4] * len(told),
        y=[row_of[case] for case in told["case_id"]],
        mode="text",
        text=[literal(clip(reason, 10 * (_COLUMNS - column))) for reason in told["reason"]],
        textposition="middle right",
        textfont={"size": 11, "color": GREY},
        hoverinfo="skip",
        name="reason",
    )


def _steps() -> list[list[float | str]]:
    """A colour scale of flat steps, one a kind of cell."""
    share = 1 / len(_KINDS)
    fills = [_CELLS[kind][0] for kind in _KINDS]
    return [[end * share, fill] for place, fill in enumerate(fills) for end in (place, place + 1)]


def _checks(grid: pd.DataFrame, most: int) -> list[str]:
    """The checks in the order in which cases make them; where there are more than ``most``, those that fail most."""
    found = [check for check in dict.fromkeys(grid["check"]) if check != VERDICT]
    if len(found) <= most:
        return found
    failed = grid[grid["status"].isin(["failed", "evaluator_error"])]["check"].value_counts()
    kept = sorted(found, key=lambda check: -int(failed.get(check, 0)))[:most]
    return [check for check in found if check in kept]


def _mark(cell: Mapping[Any, Any]) -> str:
    value, status = cell["value"], cell["status"]
    if value == value and value not in (0.0, 1.0):
        return _format.score(value).lstrip("0")
    if status == "observed":
        return _format.score(value)[:1]
    return "·" if status == "not_applicable" else look(status).symbol


def _told(cell: Mapping[Any, Any]) -> str:
    word = cell["status"].replace("_", " ") if cell["status"] in ("observed", "not_applicable") else look(cell["status"]).word
    number = f", score {_format.score(cell['value'])}" if cell["value"] == cell["value"] else ""
    optional = "" if cell["required"] else ", not required"
    reason = f"<br>{literal(clip(cell['reason'], 110))}" if cell["reason"] else ""
    role = f" ({look(cell['role']).word}, in no rate)" if cell["role"] else ""
    return f"{literal(clip(cell['case_id'], 80))}{role}<br>{literal(clip(cell['check'], 60))}: {word}{number}{optional}{reason}"


def latency_curve(found: Latencies, run_id: str) -> go.Figure:
    """The share of finished calls (up) that took at most so long (across), with p50 and p95; the slowest carry a mark.

    Args:
        found: At least one latency.
    """
    values = [value for _, value in found.cases]
    n = len(values)
    kept = _steps_kept(values, (found.p50, found.p95))
    figure = go.Figure(
        go.Scatter(
            x=[values[0], *(values[place] for place in kept)],
            y=[0.0, *((place + 1) / n for place in kept)],
            mode="lines",
            line={"color": ACCENT, "width": 2, "shape": "hv"},
            hoverinfo="skip",
            name="share",
        )
    )
    slowest = found.cases[-_MOST_MARKS:]
    first = n - len(slowest)
    figure.add_scatter(
        x=[value for _, value in slowest],
        y=[(first + place + 1) / n for place in range(len(slowest))],
        mode="markers",
        marker={"color": ACCENT, "size": 8},
        customdata=[[case, run_id] for case, _ in slowest],
        hovertext=[f"{literal(clip(case, 80))}<br>{_format.ms(value)}" for case, value in slowest],
        hovertemplate="%{hovertext}<extra></extra>",
        name="slowest",
    )
    calm(figure, height=300)
    # One call that timed out would press all others against the edge of an even axis.
    wide = values[0] > 0 and values[-1] > _WIDE * values[n // 2]
    if wide:
        low, high = values[0] / 1.2, values[-1] * 1.2
        figure.update_xaxes(type="log", range=[math.log10(low), math.log10(high)], **log_ticks(low, high, "ms"))
    else:
        figure.update_xaxes(**value_ticks(values, "ms"))
    figure.update_layout(margin={"l": room_for(["100%"]), "r": 26, "b": 26})
    figure.update_xaxes(tickangle=0, automargin=False)
    figure.update_yaxes(tickformat=".0%", range=[-0.03, 1.14], tickvals=[0, 0.25, 0.5, 0.75, 1], automargin=False)
    for name, value, place, anchor in (("p50", found.p50, 0.02, "left"), ("p95", found.p95, 1.07, "right")):
        if value is not None:
            figure.add_vline(x=value, line={"color": GREY, "width": 1, "dash": "dot"}, name=name)
            figure.add_annotation(
                x=math.log10(value) if wide else value,
                y=place,
                text=f"{name} {_format.ms(value)}",
                showarrow=False,
                xanchor=anchor,
                xshift=8 if anchor == "left" else -8,
            )
    return drawn_once(figure)


def _steps_kept(values: Sequence[float], exact: Iterable[float | None]) -> list[int]:
    """Places of the steps that a curve of sorted values draws, at most about ``_MOST_STEPS``.

    Equal values make one step. Of more steps, shares stay exact at what is drawn: both ends, the steps around ``exact``, the slowest (they
    carry marks), and steps evenly spread between, so that no share is drawn lower than it is by a pixel.
    """
    n = len(values)
    steps = [place for place in range(n) if place == n - 1 or values[place] < values[place + 1]]
    if len(steps) <= _MOST_STEPS:
        return steps
    spread = _MOST_STEPS - _MOST_MARKS - 5
    kept = {steps[0], *steps[-_MOST_MARKS:], *(steps[round(place * (len(steps) - 1) / spread)] for place in range(spread + 1))}
    for value in exact:
        if value is not None:
            above = next(place for place, step in enumerate(steps) if values[step] >= value)
            kept.update(steps[max(0, above - 1) : above + 1])
    return sorted(kept)
