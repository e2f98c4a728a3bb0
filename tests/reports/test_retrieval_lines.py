"""Measures of retrieval on the console and as JSON: told where they were made, silent where not."""

from __future__ import annotations

import json

from agenteval.model.score import MEANS, Feeds
from agenteval.reports.console import comparison_text, metric_lines, metric_name
from agenteval.reports.jsonout import comparison_json
from tests.compare.runs import case, compared, run, scored

THEN = "20261129T120000Z-abc1234-000001"


def test_a_run_without_retrieval_has_no_line_about_it() -> None:
    lines = "\n".join(metric_lines(run("11").head.metrics, ()))

    assert [metric_name(f"{feeds.value}_avg") for feeds in MEANS if metric_name(f"{feeds.value}_avg") in lines] == []


def test_a_change_of_grounding_is_told_with_its_counts_and_direction() -> None:
    now = run("", scored("a", Feeds.FAITHFULNESS, value=0.5), scored("b", Feeds.UNSUPPORTED_CLAIMS, value=0.5), case("c"))
    then = run("", scored("a", Feeds.FAITHFULNESS, value=0.75), scored("b", Feeds.UNSUPPORTED_CLAIMS, value=0.0), case("c"), run_id=THEN)

    lines = [line.strip() for line in comparison_text(compared(now, then)).splitlines()]

    assert "faithfulness       0.50 · n 1 · 2 not applicable left out   −0.25 (within noise) from 0.75" in lines
    assert "unsupported claims 0.50 · n 1 · 2 not applicable left out   +0.50 (within noise) from 0.00" in lines


def test_the_json_of_a_comparison_holds_value_count_and_change() -> None:
    now, then = run("", scored("a", Feeds.RETRIEVAL, value=0.5)), run("", scored("a", Feeds.RETRIEVAL, value=1.0), run_id=THEN)

    metrics = {metric["name"]: metric for metric in json.loads(comparison_json(compared(now, then)))["metrics"]}

    assert metrics["retrieval_f1_avg"]["delta"] == -0.5
    assert (metrics["retrieval_f1_avg"]["current"]["value"], metrics["retrieval_f1_avg"]["current"]["n"]) == (0.5, 1)
    assert metrics["faithfulness_avg"]["current"]["value"] is None
