"""What steps and tools cost, as tables and as one figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.layout import calm, literal
from agenteval.charts.palette import ACCENT, GREY
from agenteval.compare.costs import Attribution, RunCosts, ToolCost
from agenteval.compare.variance import VarianceSplit

if TYPE_CHECKING:
    import pandas as pd

MOST_BARS = 12
REST = "not attributed to a step"


def cost_rows(found: Attribution) -> pd.DataFrame:
    """One row a step, in order.

    Returns:
        Columns ``step`` (int from 1), ``kind``, ``name``, ``counts_for`` (str, the tool that holds it, else itself), ``cost_usd`` (float,
        NaN where unknown; without the steps inside it), ``source`` (str, ``reported``, ``priced`` or "").
    """
    import pandas as pd

    rows = [(step.place, step.kind, step.name, step.owner[1], step.cost_usd, step.source or "") for step in found.steps]
    frame = pd.DataFrame(rows, columns=["step", "kind", "name", "counts_for", "cost_usd", "source"])
    frame["cost_usd"] = frame["cost_usd"].astype("float64")
    return frame


def tool_rows(tools: Sequence[ToolCost], total_usd: float | None) -> pd.DataFrame:
    """One row a tool, model or node, the dearest first.

    Args:
        total_usd: What all costs; None where it is not known.

    Returns:
        Columns ``kind``, ``name`` (str), ``cost_usd`` (float, NaN where no step has a cost), ``share`` (float in [0, 1] of the total or of
        what steps tell, whichever is more; NaN without one), ``steps``, ``unknown`` (int, steps with and without a cost).
    """
    import pandas as pd

    whole = _whole(tools, total_usd)
    rows = [
        (
            tool.kind,
            tool.name,
            tool.cost_usd if tool.steps else None,
            tool.cost_usd / whole if tool.steps and whole else None,
            tool.steps,
            tool.unknown,
        )
        for tool in tools
    ]
    frame = pd.DataFrame(rows, columns=["kind", "name", "cost_usd", "share", "steps", "unknown"])
    return frame.astype({"cost_usd": "float64", "share": "float64"})


def tool_pareto(found: RunCosts) -> go.Figure:
    """What each tool, model and node costs, the dearest on top, with its share of the whole; what no step tells is the last bar, in grey.

    Of more than fit the dearest are drawn, the others in one line of text without a bar.

    Args:
        found: With at least one tool whose cost is known.
    """
    tools = [tool for tool in found.tools if tool.steps]
    whole = _whole(tools, found.total_usd)
    top, others = tools[:MOST_BARS], tools[MOST_BARS:]
    bars = [(_label(tool), tool.cost_usd, ACCENT, _told(tool)) for tool in top]
    if others:
        together = sum(tool.cost_usd for tool in others)
        names = _format.count(len(others), "other tool or model", "other tools and models")
        bars.append((names, together, GREY, f"{names}: {_format.usd(together)} together"))
    rest = (found.total_usd or 0.0) - found.attributed_usd
    if rest > 1e-9 * whole:
        bars.append((REST, rest, GREY, f"{_format.usd(rest)} of {_format.usd(found.total_usd)} that no step tells"))
    figure = go.Figure(
        go.Bar(
            x=[cost for _, cost, _, _ in bars],
            y=list(range(len(bars))),
            orientation="h",
            marker={"color": [colour for _, _, colour, _ in bars]},
            text=[f"{_format.usd(cost)}{f' · {_format.rate(cost / whole)}' if whole else ''}" for _, cost, _, _ in bars],
            textposition="outside",
            cliponaxis=False,
            hovertext=[words for *_, words in bars],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    calm(figure, height=56 + 26 * len(bars))
    most = max(cost for _, cost, _, _ in bars) or 1.0
    figure.update_yaxes(tickvals=list(range(len(bars))), ticktext=[name for name, *_ in bars], autorange="reversed", showgrid=False)
    figure.update_xaxes(range=[0, most * 1.45], showticklabels=False, showgrid=False)
    return figure


def variance_rows(found: VarianceSplit) -> pd.DataFrame:
    """One row: ``agent``, ``judge`` (float, squared score units), ``judge_share`` (float in [0, 1]), ``cases``, ``attempts``, ``votes``,
    ``truncated`` (bool: the agent's estimate was below 0).
    """
    import pandas as pd

    return pd.DataFrame([{**asdict(found), "judge_share": found.judge_share}])


def _whole(tools: Sequence[ToolCost], total_usd: float | None) -> float:
    return max(total_usd or 0.0, sum(tool.cost_usd for tool in tools))


def _label(tool: ToolCost) -> str:
    kind = {"tool_call": "tool"}.get(tool.kind, tool.kind)
    return literal(f"{clip(kind, 14)} {_format.short_id(tool.name, 26)}")


def _told(tool: ToolCost) -> str:
    words = f"{literal(clip(tool.name, 80))}<br>{_format.usd(tool.cost_usd)} in {_format.count(tool.steps, 'step')}"
    return f"{words}<br>{_format.count(tool.unknown, 'step')} without a known cost" if tool.unknown else words
