"""A comparison as Markdown for a pull request: the verdict first, then why, then the evidence; hostile text stays text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from agenteval import _format
from agenteval._text import clip, plain
from agenteval.model.comparison import Comparison, MetricDelta, Transition
from agenteval.model.gates import GateOutcome, GateResult
from agenteval.model.run import Measure
from agenteval.reports.console import WORDS, metric_name, tested_text

LIMIT = 60_000
"""Characters; a pull request's comment takes 65,536."""
_ROWS = 100
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>~$])")
_KINDS = (
    ("regressed", "✕ regressed"),
    ("errored", "! errored"),
    ("missing", "missing"),
    ("new", "new"),
    ("improved", "✓ improved"),
    ("recovered", "✓ recovered"),
    ("changed_definition", "definition changed"),
    ("no_verdict", "no verdict"),
)


def comparison_markdown(comparison: Comparison) -> str:
    """The comparison as Markdown, at most ``LIMIT`` characters, the most important first."""
    verdict = comparison.verdict
    baseline = f"against `{_code(comparison.baseline.run_id)}`" if comparison.baseline else "without a baseline"
    blocks = [
        f"## {WORDS[verdict.outcome]}: {_text(verdict.sentence)}",
        f"{_text(comparison.current.suite.name)} · {_text(comparison.current.agent)} · run `{_code(comparison.current.run_id)}` {baseline}",
        _section(
            "Gates that did not pass", _gates(verdict.gates, lambda gate: gate.outcome in (GateOutcome.FAIL, GateOutcome.INCONCLUSIVE))
        ),
        _section("Changed cases", _cases(comparison.transitions)),
        _section("Metrics", _metrics(comparison)),
        _section("Test", tested_text(comparison.test)),
        _folded("All gates", _gates(verdict.gates, lambda gate: True)),
        _folded("Notes", "\n".join(f"- {_text(note)}" for note in comparison.notes)),
    ]
    return _capped([block for block in blocks if block])


def _capped(blocks: Sequence[str]) -> str:
    kept: list[str] = []
    room = LIMIT
    for block in blocks:
        if len(block) + 2 > room:
            kept.append("*cut here: the rest is in the stored run*")
            break
        kept.append(block)
        room -= len(block) + 2
    return "\n\n".join(kept) + "\n"


def _section(title: str, body: str) -> str:
    return f"### {title}\n\n{body}" if body else ""


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>" if body else ""


def _gates(gates: Iterable[GateResult], shown: Callable[[GateResult], bool]) -> str:
    return "\n".join(f"- **{WORDS.get(gate.outcome, 'not evaluated').lower()}** {_text(gate.message)}" for gate in gates if shown(gate))


def _cases(transitions: Sequence[Transition]) -> str:
    rows = [
        (word, case)
        for kind, word in _KINDS
        for case in transitions
        if case.kind == kind and (case.before != case.after or kind == "changed_definition")
    ]
    if not rows:
        return ""
    lines = ["| case | change | then | now | reason |", "|---|---|---|---|---|"]
    for word, case in rows[:_ROWS]:
        then, now = (_text((status or "–").replace("_", " ")) for status in (case.before, case.after))
        critical = " **critical**" if case.critical else ""
        lines.append(f"| {_text(clip(case.case_id, 120))}{critical} | {word} | {then} | {now} | {_text(clip(case.reason, 200))} |")
    if len(rows) > _ROWS:
        lines.append(f"\nand {len(rows) - _ROWS:,} more")
    return "\n".join(lines)


def _metrics(comparison: Comparison) -> str:
    if not comparison.metrics:
        measured = [(name, measure) for name, measure in comparison.current.metrics.items() if measure.value is not None]
        lines = ["| metric | now |", "|---|---|", *(f"| {metric_name(name)} | {_format.measure(measure)} |" for name, measure in measured)]
        return "\n".join(lines) if measured else ""
    lines = ["| metric | then | now | change | 95% interval | p | |", "|---|---|---|---|---|---|---|"]
    lines.extend(_metric(delta) for delta in comparison.metrics if _shown(delta))
    return "\n".join(lines)


def _shown(delta: MetricDelta) -> bool:
    return any(measure is not None and measure.value is not None for measure in (delta.baseline, delta.current))


def _metric(delta: MetricDelta) -> str:
    unit = (delta.current or delta.baseline or Measure(None, 0, "score", "higher")).unit
    before = delta.baseline.value if delta.baseline else None
    now = _format.measure(delta.current) if delta.current else "n/a"
    then = _format.measure(delta.baseline) if delta.baseline else "n/a"
    change = _format.delta(delta.delta, unit, before) if delta.delta is not None else _text(delta.note)
    interval = _format.points_interval(delta.low, delta.high) if delta.low is not None else ""
    p = delta.p_adjusted if delta.p_adjusted is not None else delta.p
    word = "" if delta.direction in ("same", "unknown") else delta.direction
    return f"| {metric_name(delta.name)} | {then} | {now} | {change} | {interval} | {'' if p is None else _format.p_value(p)} | {word} |"


def _text(text: str) -> str:
    """Text that no Markdown renderer obeys: one line, markup and mentions defused, HTML impossible."""
    line = " ".join(plain(text).split())
    escaped = _MARKUP.sub(r"\\\1", line.replace("&", "&amp;")).replace("\\<", "&lt;").replace("\\>", "&gt;")
    return escaped.replace("@", "@\u200b").replace("://", ":\u200b//")


def _code(text: str) -> str:
    """Text for an inline code span."""
    return " ".join(plain(text).split()).replace("`", "'")
