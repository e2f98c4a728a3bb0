from __future__ import annotations

from agenteval.model.attempt import Failure
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.score import Feeds, Score
from agenteval.reports.trace import trace_text
from tests.builders import an_attempt


def aligned(expected, actual, pairs, value):
    return Score(
        "trajectory", value, None, evidence={"expected": expected, "actual": actual, "pairs": pairs}, required=False, feeds=Feeds.TRAJECTORY
    )


def test_only_the_step_that_the_alignment_left_over_is_marked_though_others_bear_its_name():
    steps = tuple(Step("tool_call", name) for name in ("search", "search", "write"))
    attempt = an_attempt(steps=steps, scores=(aligned(["search", "write"], ["search", "search", "write"], [[0, 0], [1, 2]], 0.8),))

    lines = trace_text(attempt, run_id="r").splitlines()

    assert lines[lines.index("steps") + 1 : lines.index("steps") + 4] == [
        "  =   0 tool_call search",
        "  +   1 tool_call search",
        "  =   2 tool_call write",
    ]
    assert lines[lines.index("trajectory") + 1 : lines.index("trajectory") + 5] == [
        "  = search",
        "  + search   not expected",
        "  = write",
        "  LCS F1 0.80",
    ]


def test_a_trace_says_what_was_asked_answered_done_and_judged():
    attempt = an_attempt(
        "refund",
        False,
        prompt="May I return it?",
        output="approved",
        latency_ms=1900.0,
        cost_usd=0.014,
        usage=Usage(total_tokens=1144),
        tool_calls=(ToolCall("lookup", {"order": 4821}, "found"),),
        scores=(Score("contains", 0.0, False, 'found "approved"'),),
        notes=("answer cut",),
    )

    assert trace_text(attempt, run_id="r1") == (
        "case refund   failed   latency 1.9 s · cost $0.014 · 1,144 tokens\n"
        "run r1\n\n"
        "prompt  May I return it?\n"
        "answer  approved\n\n"
        "tool calls\n"
        '      0 lookup {"order": 4821} -> found\n\n'
        "scores\n"
        '  ✕ contains   0.00   found "approved"\n\n'
        "notes\n"
        "  answer cut"
    )


def test_an_error_is_shown_with_its_kind_and_escapes_are_defused():
    attempt = an_attempt(passed=None, error=Failure("timeout", "TimeoutError", "30 s\x1b[0m"), latency_ms=None)

    text = trace_text(attempt, run_id="r")

    assert "error   timeout: TimeoutError: 30 s\\x1b[0m" in text
    assert "latency n/a · cost n/a · tokens n/a" in text
