"""How steady repeated cases are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import plotly.graph_objects as go

from agenteval._format import of, percent_interval, rate, short_id
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import ACCENT, GREY, look
from agenteval.compare.curves import CurvePoint
from agenteval.model.flakiness import CaseFlakiness

if TYPE_CHECKING:
    import pandas as pd

CLASS_LOOKS = {
    "stable": ("#009e73", "circle"),
    "flaky": ("#d99000", "diamond"),
    "unstable": ("#d55e00", "x"),
    "no evidence": (GREY, "circle-open"),
}
"""Colour and marker of each class."""
_MOST_LABELS = 3
QUADRANTS = {"reliable": (1.03, 1.0), "steadily wrong": (-0.03, 1.0), "mostly right": (1.03, 0.5), "mostly wrong": (-0.03, 0.5)}


def flakiness_rows(cases: Sequence[CaseFlakiness]) -> pd.DataFrame:
    """Repeated cases, the least consistent first.

    Returns:
        Columns ``case_id``, ``classification`` (str), ``consistency``, ``pass_rate`` (float in [0, 1], NaN without decided attempts),
        ``passed``, ``total``, ``errors``, ``answers`` (int; ``answers``: kinds of answers), ``basis`` (str).
    """
    import pandas as pd

    rows = [
        {
            "case_id": case.case_id,
            "classification": case.classification,
            "consistency": case.consistency,
            "pass_rate": case.passed / case.total if case.total else None,
            "passed": case.passed,
            "total": case.total,
            "errors": case.errors,
            "answers": len(case.answers),
            "basis": "verdict" if case.basis == "verdict" else "verdict and numbers",
        }
        for case in cases
    ]
    columns = ["case_id", "classification", "consistency", "pass_rate", "passed", "total", "errors", "answers", "basis"]
    frame = pd.DataFrame(rows, columns=columns)
    for column in ("consistency", "pass_rate"):
        frame[column] = frame[column].astype("float64")
    return frame.sort_values(["consistency", "case_id"], ignore_index=True)


def answer_rows(cases: Sequence[CaseFlakiness]) -> pd.DataFrame:
    """One row a kind of answer, the most frequent of a case first.

    Returns:
        Columns ``case_id`` (str), ``answers`` (int: attempts that say this), ``decided`` (int: of so many), ``share`` (float in [0, 1]),
        ``attempts`` (str, separated by spaces), ``representative`` (str).
    """
    import pandas as pd

    return pd.DataFrame(
        [
            (case.case_id, len(g.members), case.total, len(g.members) / case.total, " ".join(map(str, g.members)), g.representative)
            for case in cases
            for g in case.answers
            if case.total
        ],
        columns=["case_id", "answers", "decided", "share", "attempts", "representative"],
    )


def steadiness(rows: pd.DataFrame) -> go.Figure:
    """Pass rate (across) and consistency (up), a mark a case, the four corners named; equal cases share a mark that counts them.

    A mark's ``customdata`` holds its cases.

    Args:
        rows: As of ``flakiness_rows``.
    """
    figure = go.Figure()
    decided = rows[rows["total"] > 0]
    for key, group in decided.groupby(["pass_rate", "consistency", "classification"], sort=True):
        passes, steady, kind = cast("tuple[float, float, str]", key)
        colour, marker = CLASS_LOOKS.get(str(kind), (GREY, "circle"))
        cases = list(group["case_id"])
        shown = "<br>".join(literal(case) for case in cases[:12]) + (f"<br>and {len(cases) - 12} more" if len(cases) > 12 else "")
        figure.add_scatter(
            x=[passes],
            y=[steady],
            mode="markers+text",
            marker={"size": 12 + 2 * min(len(cases), 10), "color": colour, "symbol": marker, "opacity": 0.9},
            text=[f"{len(cases)} cases" if len(cases) > 1 else literal(short_id(cases[0], 24))],
            # Consistency by verdict is max(p, 1 - p): marks lie on a V, and beside them there is room.
            textposition="middle left" if passes > 0.84 else "middle right",
            cliponaxis=False,
            customdata=[cases],
            hovertext=[f"{shown}<br>passes {rate(passes)}, consistency {rate(steady)}, {kind}"],
            hovertemplate="%{hovertext}<extra></extra>",
            name=str(kind),
        )
    for words, (x, y) in QUADRANTS.items():
        figure.add_annotation(
            x=x,
            y=y,
            text=words,
            showarrow=False,
            font={"color": GREY, "size": 12},
            xanchor="right" if x > 0.5 else "left",
            yshift=32 if y == 1 else -16,
        )
    figure.add_vline(x=0.5, line={"color": GREY, "width": 1, "dash": "dot"})
    figure.add_hline(y=0.8, line={"color": GREY, "width": 1, "dash": "dot"})
    calm(figure, height=380)
    figure.update_xaxes(title="pass rate", tickformat=".0%", range=[-0.08, 1.08])
    # Below one half only numbers can bring a case: verdicts agree in at least half of the attempts.
    lowest = min([0.5, *decided["consistency"]])
    ticks = [tick / 10 for tick in range(int(lowest * 10), 11)]
    figure.update_yaxes(title="consistency", tickformat=".0%", range=[lowest - 0.1, 1.15], tickvals=ticks)
    return figure


def curve_rows(hat: Sequence[CurvePoint], at: Sequence[CurvePoint]) -> pd.DataFrame:
    """Both curves, a row a point.

    Returns:
        Columns ``figure`` (``pass^k`` or ``pass@k``), ``k`` (int), ``value``, ``low``, ``high`` (float in [0, 1], NaN without an interval),
        ``cases``, ``short`` (int).
    """
    import pandas as pd

    rows = [(name, *point) for name, points in (("pass^k", hat), ("pass@k", at)) for point in points]
    frame = pd.DataFrame(rows, columns=["figure", "k", "value", "low", "high", "cases", "short"])
    return frame.astype({"value": "float64", "low": "float64", "high": "float64"})


def pass_curves(hat: Sequence[CurvePoint], at: Sequence[CurvePoint]) -> go.Figure:
    """pass^k (all k attempts pass) and pass@k (at least one does) over k, each point with its 95% interval and the cases behind it.

    Points of one k stand a little apart, so that both intervals can be read.
    """
    figure = go.Figure()
    for name, points, colour, dash, place, shift in (
        ("pass@k", at, look("passed").colour, "dot", "top left", 0.035),
        ("pass^k", hat, ACCENT, "solid", "bottom left", -0.035),
    ):
        figure.add_scatter(
            x=[point.k + shift for point in points],
            y=[point.value for point in points],
            mode="lines+markers+text",
            line={"color": colour, "width": 2, "dash": dash},
            marker={"size": 8},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [0.0 if point.high is None else point.high - point.value for point in points],
                "arrayminus": [0.0 if point.low is None else point.value - point.low for point in points],
                "color": colour,
                "thickness": 1.2,
                "width": 3,
            },
            text=_labels(name, points),
            textposition=place,
            hovertext=[
                f"{name}, k {point.k}: {rate(point.value)} · {percent_interval(point.low, point.high)} · "
                f"{of(point.cases, point.cases + point.short, 'case')}"
                for point in points
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    calm(figure, height=300)
    last = max((point.k for point in (*hat, *at)), default=1)
    figure.update_xaxes(title="k attempts", dtick=1 if last <= 12 else None, range=[0.3, last + 0.5])
    figure.update_yaxes(tickformat=".0%", range=[-0.05, 1.2], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    return figure


def _labels(name: str, points: Sequence[CurvePoint]) -> list[str]:
    """What stands at the points: the last one carries the curve's name; the first, which both share, speaks once; of many only the last."""
    words = [rate(point.value) if len(points) <= _MOST_LABELS else "" for point in points]
    if name == "pass@k" and len(words) > 1:
        words[0] = ""
    return [*words[:-1], f"{name} {rate(points[-1].value)}"] if points else []
