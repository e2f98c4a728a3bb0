"""How a status, a direction and a series look everywhere: a colour that colour-blind readers can part, a symbol and a word."""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """A status's colour (hex), symbol, word, and Streamlit's name for the nearest colour."""

    colour: str
    symbol: str
    word: str
    streamlit: str


GREY = "#8a8f98"
GRID = "rgba(138, 143, 152, 0.22)"
BAND = "rgba(138, 143, 152, 0.18)"
ACCENT = "#0072b2"

_LOOKS = {
    "passed": Look("#009e73", "✓", "passed", "green"),
    "failed": Look("#d55e00", "✕", "failed", "red"),
    "agent_error": Look("#b5589b", "!", "agent error", "violet"),
    "evaluator_error": Look("#d99000", "?", "evaluator error", "orange"),
    "skipped": Look("#8a8f98", "–", "skipped", "gray"),
    "unscored": Look("#4aa3df", "○", "unscored", "blue"),
    "candidate": Look("#b7bcc4", "◇", "candidate", "gray"),
    "quarantined": Look("#b7bcc4", "‖", "quarantined", "gray"),
    "missing": Look("#d55e00", "∅", "missing", "red"),
    "new": Look("#0072b2", "+", "new", "blue"),
    "not_selected": Look("#8a8f98", "·", "not selected", "gray"),
    "pass": Look("#009e73", "✓", "PASS", "green"),
    "fail": Look("#d55e00", "✕", "FAIL", "red"),
    "inconclusive": Look("#d99000", "?", "INCONCLUSIVE", "orange"),
    "not_evaluated": Look("#8a8f98", "–", "NOT EVALUATED", "gray"),
}
_UNKNOWN = Look(GREY, "·", "unknown", "gray")

DIRECTION_COLOURS = {"better": "#009e73", "worse": "#d55e00", "same": GREY, "unknown": GREY}

STATUSES = ("passed", "failed", "agent_error", "evaluator_error", "skipped", "unscored")
"""In the order in which they are stacked."""

_METRICS = {
    "correctness_rate": "Correctness",
    "pass_rate": "Pass rate",
    "hallucination_rate": "Hallucination",
    "tool_call_accuracy": "Tool accuracy",
    "trajectory_f1_avg": "Trajectory F1",
    "latency_p50_ms": "Latency p50",
    "latency_p95_ms": "Latency p95",
    "total_cost_usd": "Cost / run",
    "total_tokens": "Tokens / run",
    "judge_cost_usd": "Judge cost / run",
    "judged_pass_rate_corrected": "Judged pass rate, corrected",
    "break_rate": "Break rate",
    "context_retention_rate": "Context retention",
    "tool_efficiency_avg": "Tool efficiency",
    "context_relevance_avg": "Context relevance",
    "faithfulness_avg": "Faithfulness",
    "unsupported_claim_rate_avg": "Unsupported claims",
    "citation_f1_avg": "Citation F1",
    "retrieval_f1_avg": "Retrieval F1",
}


def look(status: str | None) -> Look:
    """How a status, role, standing or gate outcome is shown.

    >>> look("passed").symbol, look("agent_error").word, look(None).word
    ('✓', 'agent error', 'unknown')
    """
    if status is None:
        return _UNKNOWN
    return _LOOKS.get(status) or _UNKNOWN._replace(word=status.replace("_", " "))


def metric_title(name: str) -> str:
    """A metric's name as readers say it.

    >>> metric_title("latency_p95_ms"), metric_title("words_avg")
    ('Latency p95', 'Words avg')
    """
    return _METRICS.get(name) or name.replace("_", " ").capitalize()
