"""What a cost comes from: of one attempt by step, of one run by tool."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from agenteval import _format
from agenteval.adapters.prices import run_pricing
from agenteval.compare.costs import Attribution, RunCosts, attribution, by_tool, run_costs
from agenteval.model.attempt import Attempt
from agenteval.model.run import Run
from agenteval.reports.costs import attributed_text
from parts import stored
from parts.downloads import offer
from parts.stored import Fingerprint, fingerprint
from parts.view import View
from parts.words import escaped

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 8
_WIDTHS = {"step": 50, "kind": 84, "name": 134, "cost": 76, "share": 60, "steps": 54, "unknown": 66, "source": 76}
_TITLES = {"unknown": "no cost"}


def step_costs(run: Run, shown: Attempt) -> Attribution:
    """What the steps of an attempt cost, by their own word or by the prices that the run records."""
    return attribution(shown, run_pricing(run.provenance))


def cost_of_steps(found: Attribution) -> None:
    """How much of the attempt's cost its steps account for, and the dearest; nothing where there is no cost or no step."""
    if not found.steps or (not found.known and found.total_usd is None):
        return
    st.markdown("##### What it cost, by tool and step")
    text = attributed_text(found)
    st.markdown(escaped(f"{text[:1].upper()}{text[1:]}."))
    if not found.known:
        st.caption("A step tells its cost as `cost_usd`, or its tokens as `prompt_tokens` and `completion_tokens`.")
        return
    from agenteval.charts.costs import cost_rows, tool_rows

    tools = [tool for tool in by_tool([found]) if tool.steps]
    left, right = st.columns([7, 6], gap="large")
    with left:
        _table(tool_rows(tools[:_SHOWN], max(found.total_usd or 0.0, found.attributed_usd)), "What the attempt's tools and models cost")
        _further(len(tools), "tool or model", "tools and models")
    with right:
        steps = cost_rows(found).dropna(subset="cost_usd").sort_values("cost_usd", ascending=False, kind="stable")
        _table(steps.drop(columns="counts_for").head(_SHOWN), "The dearest steps")
        _further(len(steps), "step", "steps")


def _further(n: int, one: str, many: str) -> None:
    if n > _SHOWN:
        st.caption(f"the {_SHOWN} dearest of {_format.count(n, one, many)}; the download has every step")


def cost_by_tool(view: View) -> None:
    """The run's cost by tool, folded: every case is read for it when it is opened."""
    with st.expander("What it cost, by tool and model", on_change="rerun", key="bytool") as fold:
        if fold.open:
            _by_tool(view)


def _by_tool(view: View) -> None:
    identity = fingerprint(view.path)
    figure, found = _drawn(view.path, identity)
    text = attributed_text(found)
    if not text:
        st.markdown("No case of this run has steps, so its cost is not told apart. An agent hands them over as `trace_steps`.")
        return
    st.markdown(escaped(f"{text[:1].upper()}{text[1:]}."))
    words = [f"n {_format.count(found.attempts, 'case')} with a known cost"]
    if found.unpriced:
        words.append(f"{_format.count(found.unpriced, 'case')} unpriced")
    words.append("what runs inside a tool call counts for the tool; steps cost what they report, else their tokens times the run's prices")
    st.caption(escaped("; ".join(words) + "."))
    if figure is None:
        return
    from agenteval.charts.layout import config

    st.plotly_chart(figure, config=config("cost-by-tool"), key=f"tool-costs-{view.head.run_id}", alt=f"Cost by tool and model: {text}")
    offer(f"{view.head.run_id}-cost", {"by tool": partial(_rows, view.path, identity)})


@st.cache_resource(max_entries=16, show_spinner=False)
def _drawn(path: Path, identity: Fingerprint) -> tuple[Any, RunCosts]:
    """The figure, None where no step has a known cost, and the costs."""
    from agenteval.charts.costs import tool_pareto

    run = stored.run_at(path)
    found = run_costs(_attempts(run), run_pricing(run.provenance))
    return tool_pareto(found) if found.known else None, found


def _rows(path: Path, identity: Fingerprint) -> pd.DataFrame:
    from agenteval.charts.costs import tool_rows

    _, found = _drawn(path, identity)
    return tool_rows(found.tools, found.total_usd)


def _attempts(run: Run) -> Iterator[Attempt]:
    """Every case of a run; of those without steps only what the table of outcomes says, for parsing them costs more than all else."""
    raw = getattr(run.cases, "raw", None)
    if raw is None:
        yield from run.cases
        return
    for row, (outcome, line) in enumerate(zip(run.outcomes, raw(), strict=True)):
        has_steps = b'"steps"' in line
        yield run.cases[row] if has_steps else Attempt(outcome.case_id, outcome.status, cost_usd=outcome.cost_usd, role=outcome.role)


def _table(rows: pd.DataFrame, alt: str) -> None:
    """Costs and shares written as everywhere; columns that say nothing are left out."""
    shown = rows.rename(columns={"cost_usd": "cost"})
    shown["cost"] = [_format.usd(None if cost != cost else cost) for cost in rows["cost_usd"]]
    if "share" in rows:
        shown["share"] = [_format.rate(None if share != share else share) for share in rows["share"]]
    if "unknown" in rows and not rows["unknown"].any():
        shown = shown.drop(columns="unknown")
    columns = {name: st.column_config.Column(_TITLES.get(name, name), width=width) for name, width in _WIDTHS.items()}
    st.dataframe(shown, hide_index=True, height="content", width="content", column_config=columns, alt=alt)
