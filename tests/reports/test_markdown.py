from __future__ import annotations

from dataclasses import replace

import pytest

from agenteval.compare import compare_runs
from agenteval.model.comparison import Transition
from agenteval.reports.markdown import comparison_markdown
from tests.builders import a_run, an_attempt


def compared(*case_ids: str):
    before = a_run([an_attempt(case_id) for case_id in case_ids], run_id="20261129T120000Z-abc1234-000001")
    after = a_run([an_attempt(case_id, False) for case_id in case_ids], run_id="20261130T120000Z-abc1234-000002")
    return compare_runs(after, before)


def test_the_verdict_comes_first_then_why_then_the_cases():
    text = comparison_markdown(compared("a", "b"))

    first, sections = text.splitlines()[0], [line for line in text.splitlines() if line.startswith("### ")]
    assert first.startswith("## FAIL: ")
    assert sections[:3] == ["### Gates that did not pass", "### Changed cases", "### Metrics"]


@pytest.mark.parametrize(
    "hostile",
    [
        "a|b",
        "`x`",
        "line\n# Injected heading",
        "<img src=x onerror=alert(1)>",
        "@everyone",
        "[x](https://evil.test)",
        "![i](http://e.test/p)",
        "</details>",
    ],
)
def test_hostile_ids_and_reasons_stay_text(hostile):
    comparison = compared("a")
    comparison = replace(comparison, transitions=(Transition(hostile, "passed", "failed", "regressed", reason=hostile),))

    text = comparison_markdown(comparison)

    row = next(line for line in text.splitlines() if "regressed" in line and line.startswith("|"))
    assert row.replace("\\|", "").count("|") == 6
    for live in ("<img", "</details>\n</details>", "\n# Injected", "@everyone", "](http", " `x`"):
        assert live not in row and (live == "</details>\n</details>" or live not in text)


def test_four_hundred_long_failures_fit_a_comment_and_the_verdict_is_still_first():
    comparison = compared("a")
    many = tuple(Transition(f"case_{n}", "passed", "failed", "regressed", reason="reason " * 300) for n in range(400))

    text = comparison_markdown(replace(comparison, transitions=many))

    assert len(text) < 60_000
    assert text.startswith("## FAIL")
    assert "and 300 more" in text
