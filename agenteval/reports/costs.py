"""Costs and variances in words, the same on a terminal and on a page."""

from __future__ import annotations

from agenteval import _format
from agenteval._text import plain
from agenteval.compare.costs import Attribution, RunCosts, by_tool
from agenteval.compare.variance import VarianceSplit

SHOWN_TOOLS = 12


def attributed_text(found: Attribution | RunCosts) -> str:
    """How much of a cost the steps account for, such as ``$0.0031 of $0.0042 attributed to 5 of 7 steps``; "" without steps."""
    whole = "run" if isinstance(found, RunCosts) else "attempt"
    steps = found.steps if isinstance(found, RunCosts) else len(found.steps)
    total = found.total_usd
    if not steps:
        return ""
    if not found.known:
        rest = f"the {whole} is unpriced too" if total is None else f"none of the {_format.usd(total)} is attributed"
        return f"no step tells a cost or tokens with a price, so {rest}" if total is not None else f"no step tells a cost, and {rest}"
    share = f"attributed to {_format.of(found.known, steps, 'step')}"
    spent = _format.usd(found.attributed_usd)
    if total is None:
        return f"{spent} {share}; the {whole} itself is unpriced"
    if found.attributed_usd > total * (1 + 1e-6):
        priced = isinstance(found, Attribution) and any(step.source == "priced" for step in found.steps)
        why = ": steps do not tell which tokens were cached" if priced else ""
        return f"{spent} {share}, more than the {_format.usd(total)} of the {whole}{why}"
    return f"{spent} of {_format.usd(total)} {share}"


def attributed_lines(found: Attribution) -> list[str]:
    """The sentence, and a line a tool, model or node whose cost is known; nothing where neither steps nor attempt tell a cost."""
    if not found.known and found.total_usd is None:
        return []
    text = attributed_text(found)
    lines = [f"  {text}"] if text else []
    tools = [tool for tool in by_tool([found]) if tool.steps]
    whole = max(found.total_usd or 0.0, found.attributed_usd)
    for tool in tools[:SHOWN_TOOLS]:
        share = f"   {_format.rate(tool.cost_usd / whole)}" if whole else ""
        name = " ".join(plain(f"{tool.kind} {tool.name}").split())
        lines.append(f"  {_format.usd(tool.cost_usd):>10}{share:<9}  {name} ({_format.count(tool.steps, 'step')})")
    if len(tools) > SHOWN_TOOLS:
        lines.append(f"  and {len(tools) - SHOWN_TOOLS} more")
    return lines


def variance_text(found: VarianceSplit) -> str:
    """Whose the spread of judged answers is, in one sentence with what it stands on."""
    n = f"{_format.count(found.cases, 'case')}, {_format.count(found.attempts, 'attempt')}, {_format.count(found.votes, 'vote')}"
    share = found.judge_share
    if share is None:
        return f"judged answers: every vote on every attempt agrees, so neither agent nor judge varies ({n})"
    beyond = "; the judge's votes differ more than the answers do" if found.truncated else ""
    return (
        f"variance of judged answers: agent {_variance(found.agent)} between attempts, judge {_variance(found.judge)} within "
        f"({_format.rate(share)} of both is the judge's; {n}){beyond}"
    )


def _variance(value: float) -> str:
    return "0" if value < 5e-7 else f"{value:.2g}"
