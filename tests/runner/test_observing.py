"""What a run measures of retrieval and tools without being asked, and that it decides nothing."""

from __future__ import annotations

import json
from typing import Any

from agenteval.artifacts.reading import load_run
from agenteval.artifacts.verify import verify
from agenteval.compare.measures import measures
from agenteval.model.facts import facts_of
from agenteval.model.response import AgentResponse
from tests.runner.project import Project, statuses


def retriever(prompt: str) -> Any:
    """Right about rooms, wrong about the fee, silent in one turn, and it looks twice."""
    if prompt == "hello":
        return "hello"
    look = {"kind": "tool_call", "name": "look", "input": {"q": prompt}}
    return AgentResponse(
        output="There are 30 rooms. The fee is $9.",
        retrieved_context=[{"id": "d1", "text": "There are 30 rooms. The fee is $5."}, "no name"],
        citations=["d1", "d9"],
        trace_steps=[look, look],
    )


AGENT = "tests.runner.test_observing:retriever"
EXPECTS = {
    "correctness_type": "contains",
    "ground_truth": "30 rooms",
    "relevant_context_ids": ["d1", "d2"],
    "expected_citations": ["d1"],
    "must_call_tools": ["look"],
}


def written(project: Project, *cases: dict[str, Any]) -> None:
    (project.root / "suite.yaml").write_text(json.dumps({"cases": list(cases)}))


def test_a_case_with_retrieved_context_is_measured_and_still_passes(project: Project) -> None:
    written(
        project,
        {"id": "rooms", "prompt": "How many rooms?", "expects": EXPECTS},
        {"id": "hi", "prompt": "hello", "expects": {"ground_truth": "hello"}},
    )

    result = project.run(agent=AGENT)

    stored = load_run(result.run.path)
    assert statuses(stored) == {"rooms": "passed", "hi": "passed"}
    found = {score.name: (score.value, score.passed, score.required) for score in stored.cases[0].scores if not score.required}
    assert found == {
        "context_relevance": (1.0, None, False),
        "faithfulness": (0.5, None, False),
        "unsupported_claim_rate": (0.5, None, False),
        "retrieval_f1": (0.5, None, False),
        "citation_f1": (2 / 3, None, False),
        "tool_efficiency": (0.5, None, False),
    }
    assert [score.name for score in stored.cases[1].scores] == ["exact"]
    metric = stored.head.metrics["faithfulness_avg"]
    assert (metric.value, metric.n, metric.left_out) == (0.5, 1, {"not_applicable": 1})
    assert verify(result.run.path, lambda attempts: measures(facts_of(attempt) for attempt in attempts)) == []


def test_each_turn_is_measured_by_what_it_retrieved(project: Project) -> None:
    turns = [
        {"prompt": "hello", "expects": {"ground_truth": "hello"}},
        {
            "prompt": "How many rooms?",
            "expects": {"correctness_type": "contains", "ground_truth": "30 rooms", "relevant_context_ids": ["d1"]},
        },
        {"prompt": "And the fee?", "expects": {"relevant_context_ids": ["d1"]}},
    ]
    written(project, {"id": "talk", "turns": turns, "expects": {"correctness_type": "contains", "ground_truth": "rooms"}})

    result = project.run(agent=AGENT)

    attempt = result.run.cases[0]
    assert [turn.status for turn in attempt.turns] == ["passed", "passed", "unscored"]
    assert statuses(result.run) == {"talk": "passed"}
    assert [score.name for score in attempt.scores] == ["contains"]
    assert [{score.name for score in turn.scores} >= {"faithfulness", "retrieval_f1"} for turn in attempt.turns] == [False, True, True]
    metric = result.run.head.metrics["retrieval_f1_avg"]
    assert (metric.value, metric.n) == (2 / 3, 1)


def test_a_turn_that_only_observes_is_no_error(project: Project) -> None:
    turns = [{"prompt": "hello", "expects": {"ground_truth": "hello"}}, {"prompt": "hello", "expects": {"expected_trajectory": ["plan"]}}]
    written(project, {"id": "talk", "turns": turns})

    assert statuses(project.run(agent=AGENT).run) == {"talk": "passed"}


def test_a_listed_measure_decides_its_case(project: Project) -> None:
    written(project, {"id": "rooms", "prompt": "How many rooms?", "evaluators": [{"faithfulness": {"min": 0.8}}]})

    result = project.run(agent=AGENT)

    assert statuses(result.run) == {"rooms": "failed"}
    assert result.run.cases[0].reason == (
        "faithfulness: 1 of 2 sentences supported by the context; not “The fee is $9.”: the context does not state $9"
    )
    assert sum(score.name == "faithfulness" for score in result.run.cases[0].scores) == 1


def test_without_scoring_nothing_is_observed(project: Project) -> None:
    written(project, {"id": "rooms", "prompt": "How many rooms?", "expects": EXPECTS})

    assert all(score.skipped for score in project.run(agent=AGENT, no_score=True).run.cases[0].scores)
