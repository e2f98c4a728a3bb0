"""Trajectory diffs: kinds, details, accepted shapes, and refusals that say what to give."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenteval.compare.trajectories import Trajectory, TrajectoryStep, diff_to_record, diff_trajectories, steps_of
from agenteval.errors import InputError
from agenteval.model.record import to_record
from agenteval.model.response import Step
from tests.builders import an_attempt, shared_data


def labels(trajectory: Trajectory) -> list[str]:
    return [step.label for step in trajectory.steps]


def test_a_replaced_step_is_one_removal_and_one_addition() -> None:
    a = steps_of({"trajectory": {"actual": ["route:sql", "agent:sql", "tool:summarize"], "score": 1.0}})
    b = steps_of({"actual": ["route:sql", "agent:ml", "tool:summarize", "tool:report"], "score": 0.85})

    found = diff_trajectories(a, b)

    assert [(e.kind, e.index_a, e.index_b, e.step_a, e.step_b) for e in found.entries] == [
        ("unchanged", 0, 0, "route:sql", "route:sql"),
        ("removed", 1, None, "agent:sql", None),
        ("added", None, 1, None, "agent:ml"),
        ("unchanged", 2, 2, "tool:summarize", "tool:summarize"),
        ("added", None, 3, None, "tool:report"),
    ]
    assert found.similarity == pytest.approx(0.5714285714285715)
    assert found.score_delta == pytest.approx(-0.15)
    assert not found.identical


def test_a_diff_has_the_predecessors_json_shape() -> None:
    sample = json.loads(shared_data("data", "predecessor", "samples", "trajectory-diff.json").read_text())
    a = steps_of({"trajectory": {"actual": sample["steps_a"], "score": sample["summary"]["score_a"]}})
    b = steps_of({"trajectory": {"actual": sample["steps_b"], "score": sample["summary"]["score_b"]}})

    found = diff_to_record(diff_trajectories(a, b))

    assert found.pop("summary") == pytest.approx(sample.pop("summary"))
    assert {"path_a": "traj_a.json", "path_b": "traj_b.json", **found} == sample


def test_a_step_with_other_input_is_changed_and_says_how() -> None:
    a = steps_of([{"kind": "tool_call", "name": "search", "input": {"q": "x"}, "output": "Paris"}])
    b = steps_of([{"kind": "tool_call", "name": "search", "input": {"q": "y"}, "output": "Paris"}])

    (entry,) = diff_trajectories(a, b).entries

    assert (entry.kind, entry.step_a, entry.detail) == ("changed", "tool_call:search", 'input: {"q": "x"} → {"q": "y"}')


def test_a_bare_name_says_nothing_of_inputs_and_outputs() -> None:
    assert diff_trajectories(steps_of(["search"]), steps_of([{"name": "search", "output": "Paris"}])).identical


def test_two_empty_trajectories_are_identical() -> None:
    found = diff_trajectories(steps_of([]), steps_of({"nodes_fired": []}))

    assert found.identical
    assert found.similarity == 1.0
    assert found.score_delta is None


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(["a", "b"], id="list of names"),
        pytest.param([{"name": "a"}, {"label": "b"}], id="list of mappings"),
        pytest.param({"steps": ["a", "b"], "nodes_fired": ["x"]}, id="steps first"),
        pytest.param({"trace_steps": [{"name": "a"}, {"name": "b"}], "actual": ["x"]}, id="trace steps next"),
        pytest.param({"trace_steps": [], "trajectory": {"actual": ["a", "b"]}}, id="an empty list is no trajectory while another is there"),
        pytest.param({"nodes_fired": ["a", "b"]}, id="nodes fired last"),
        pytest.param({"case_results": [{"case_id": "one", "nodes_fired": ["a", "b"]}]}, id="a run with one case"),
        pytest.param({"cases": [{"case_id": "one", "turns": [{"nodes_fired": ["a"]}, {"nodes_fired": ["b"]}]}]}, id="a conversation"),
    ],
)
def test_accepted_shapes(document: Any) -> None:
    assert labels(steps_of(document)) == ["a", "b"]


def test_a_case_of_our_own_run_file_is_read() -> None:
    attempt = an_attempt("one", steps=(Step("tool_call", "search", input={"q": "x"}),))

    found = steps_of({"schema": "agenteval.run/1", "cases": [to_record(attempt), to_record(an_attempt("two"))]}, "one")

    assert found.steps == (TrajectoryStep("tool_call:search", {"input": {"q": "x"}}),)


def test_a_turn_is_named_by_its_own_id() -> None:
    run = {
        "cases": [{"case_id": "x", "turns": [{"case_id": "x::turn0", "nodes_fired": ["a"]}, {"case_id": "x::turn1", "nodes_fired": ["b"]}]}]
    }

    assert labels(steps_of(run, "x::turn1")) == ["b"]


def test_a_predecessors_run_is_read_by_case() -> None:
    document = json.loads(shared_data("data", "predecessor", "samples", "run-report.json").read_text())

    found = steps_of(document, "trace")

    assert labels(found) == ["reasoning:plan", "tool_call:search", "tool_call:search", "tool_call:search"]
    assert found.score == 0.75


@pytest.mark.parametrize(
    ("document", "case_id", "message"),
    [
        pytest.param(
            {"answer": 1},
            None,
            "a.json: no trajectory in this document; "
            "give a list of steps, a mapping with steps, trace_steps, actual or nodes_fired, or a run file",
            id="no shape",
        ),
        pytest.param([3], None, "a.json: steps[0]: 3 is not a step; give a name, or a mapping with name or label", id="no step"),
        pytest.param({"cases": [{"case_id": "a"}, {"case_id": "b"}]}, None, "a.json: holds 2 cases; choose one with --case-id", id="which"),
        pytest.param({"cases": [{"case_id": "refund"}]}, "refnud", "a.json: no case 'refnud'; did you mean 'refund'?", id="unknown"),
    ],
)
def test_refusals(document: Any, case_id: str | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        steps_of(document, case_id, shown="a.json")

    assert str(caught.value) == message


def test_the_nodes_of_an_attempt_in_memory_are_read_like_those_of_its_file() -> None:
    assert [step.label for step in steps_of({"case_id": "add", "nodes_fired": ("parse", "answer")}).steps] == ["parse", "answer"]


def test_steps_of_turns_tell_more_than_the_names_of_nodes_that_a_conversation_holds_beside() -> None:
    def conversation(colour: str) -> dict[str, object]:
        steps = [{"kind": "tool_call", "name": "reserve", "input": {"colour": colour}}]
        return {
            "case_id": "x",
            "nodes_fired": ["understand", "reserve"],
            "turns": [{"nodes_fired": ["understand", "reserve"], "steps": steps}],
        }

    found = diff_trajectories(steps_of(conversation("blue")), steps_of(conversation("red")))

    assert (found.count("changed"), found.count("unchanged"), found.identical) == (1, 0, False)
