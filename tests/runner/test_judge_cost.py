"""What the judge of a run costs, and how its votes and the agent's attempts differ, in real runs against a scripted endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenteval.artifacts.reading import load_run
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from agenteval.reports.console import metric_lines, run_text
from agenteval.reports.jsonout import variance_document
from agenteval.runner.judge_measures import judge_cost
from tests.builders import an_attempt
from tests.llm.server import Answer, Endpoint, endpoint, said
from tests.runner.project import Project

POLITE = {"llm_judge": {"criteria": "polite"}}
PRICE = {"input": 1.0, "output": 10.0}
# A reply of the endpoint takes 100 tokens in and 10 out: 100 x 1 + 10 x 10 = 200, a million.
REPLY_USD = 0.0002


@pytest.fixture
def model() -> Iterator[Endpoint]:
    with endpoint() as served:
        yield served


@pytest.fixture
def judged(project: Project, model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdefghij")
    votes = iter([True, False] * 1000)

    def reply(request: dict[str, Any], number: int) -> Answer:
        passed = next(votes) if "wavering" in said(request) else "bad" not in said(request)
        return Answer(json.dumps({"passed": passed, "reason": "so it is"}))

    model.reply = reply
    return project


def write(project: Project, model: Endpoint, *cases: dict[str, Any], **judge: Any) -> None:
    settings = {"model": "judge-1", "base_url": model.url, "retries": 0, "price": PRICE, **judge}
    settings = {name: value for name, value in settings.items() if value is not None}
    (project.root / "suite.yaml").write_text(json.dumps({"judge": settings, "cases": list(cases)}))


def a_case(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "prompt": name, "evaluators": [POLITE], **more}


def test_a_run_adds_up_its_judge(judged: Project, model: Endpoint) -> None:
    plain = {"id": "plain", "prompt": "plain", "expects": {"ground_truth": "plain"}}
    talk = {"id": "talk", "turns": [{"prompt": "good", "evaluators": [POLITE]}, {"prompt": "bye", "evaluators": [POLITE]}]}
    waiting = a_case("waiting", quarantine={"until": "2999-01-01", "reason": "known"})
    write(judged, model, a_case("fine"), plain, talk, waiting)

    result = judged.run(judge_repeat=3)

    measure = load_run(judged.stored()[0]).head.metrics["judge_cost_usd"]
    # fine: 3 votes; talk: 2 turns of 3 votes; the quarantined case is in no sum
    assert (measure.value, measure.n, measure.unit, measure.better, measure.left_out) == (
        pytest.approx(9 * REPLY_USD),
        2,
        "usd",
        "lower",
        {},
    )
    assert "judge cost         $0.0018 · n 2" in "\n".join(metric_lines(result.run.head.metrics, []))


def test_replies_out_of_the_cache_cost_nothing(judged: Project, model: Endpoint) -> None:
    write(judged, model, a_case("fine"))
    judged.run()

    again = judged.run()

    measure = again.run.head.metrics["judge_cost_usd"]
    assert (measure.value, measure.n) == (0.0, 1)


def test_a_judge_without_a_price_is_unpriced_and_not_free(judged: Project, model: Endpoint) -> None:
    write(judged, model, a_case("fine"), price=None)

    measure = judged.run().run.head.metrics["judge_cost_usd"]

    assert (measure.value, measure.n, measure.left_out) == (None, 0, {"unpriced": 1})


def test_where_nothing_was_judged_there_is_no_such_measure(judged: Project, model: Endpoint) -> None:
    write(judged, model, {"id": "plain", "prompt": "plain", "expects": {"ground_truth": "plain"}})
    without = judged.run().run
    write(judged, model, a_case("fine"))
    skipped = judged.run(skip_judges=True).run

    assert "judge_cost_usd" not in {**without.head.metrics, **skipped.head.metrics}


def test_costs_of_both_orders_count_and_one_unknown_leaves_a_case_out() -> None:
    def attempt(*costs: float | None) -> Attempt:
        evidence = dict(zip(("judge", "judge_swapped"), ({"cost_usd": cost} for cost in costs), strict=False))
        return an_attempt(scores=(Score("preferred_to", 1.0, True, evidence=evidence),))

    found = judge_cost([attempt(0.1, 0.2), attempt(0.4, None), attempt(), attempt(0.0)])

    measure = found["judge_cost_usd"]
    assert (measure.value, measure.n, measure.left_out) == (pytest.approx(0.3), 2, {"unpriced": 1})


def test_a_run_of_repeats_and_votes_splits_its_variance(judged: Project, model: Endpoint, tmp_path: Path) -> None:
    write(judged, model, a_case("wavering"), cache=False)

    result = judged.run(repeat=2, repeat_all=True, judge_repeat=2, concurrency=1)

    # Each attempt is judged true and false: means .5 and .5, so MSB = 0 and MSW = (.5 + .5) / 2.
    assert result.variance is not None
    assert (result.variance.agent, result.variance.judge, result.variance.truncated) == (0.0, 0.5, True)
    line = next(line for line in run_text(result.run, result.comparison, variance=result.variance).splitlines() if "variance" in line)
    assert line.startswith(
        "  variance of judged answers: agent 0 between attempts, judge 0.5 within (100% of both is the judge's; 1 case, 2"
    )
    assert variance_document(result.variance)["judged_variance"]["judge_share"] == 1.0


@pytest.mark.parametrize("options", [{"judge_repeat": 3}, {"repeat": 2, "repeat_all": True}])
def test_without_repeats_or_votes_nothing_is_split(judged: Project, model: Endpoint, options: dict[str, Any]) -> None:
    write(judged, model, a_case("fine"), cache=False)

    result = judged.run(**options)

    assert result.variance is None
    assert variance_document(result.variance) == {}
