"""Golden sets are read as strictly as suites."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenteval.calibration.golden_set import GoldenItem, read_golden_set
from agenteval.errors import InputError
from agenteval.model.calibration import Kind
from tests.builders import shared_data


def read(tmp_path: Path, text: str, name: str = "set.yaml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_golden_set(path, name)


def refused(tmp_path: Path, text: str, name: str = "set.yaml") -> str:
    with pytest.raises(InputError) as refusal:
        read(tmp_path, text, name)
    return str(refusal.value)


def test_an_answer_with_the_verdict_of_a_person(tmp_path: Path) -> None:
    golden = read(
        tmp_path, "- id: n\n  prompt: How many churned?\n  ground_truth: 7\n  candidate_answer: 9 customers.\n  human_label: false\n"
    )

    assert golden.kind is Kind.BINARY
    assert golden.items == (GoldenItem("n", "How many churned?", "9 customers.", False, ground_truth="7"),)


def test_marks_and_pairs_are_kinds_of_their_own(tmp_path: Path) -> None:
    marks = read(tmp_path, '{"id": "a", "prompt": "p", "candidate_answer": "x", "human_label": 8}\n', "marks.jsonl")
    pairs = read(tmp_path, "- {id: a, prompt: p, candidate_answer: x, candidate_b: y, human_winner: tie}\n")

    assert (marks.kind, marks.items[0].human) == (Kind.MARKS, 8)
    assert (pairs.kind, pairs.items[0].human, pairs.items[0].other_answer) == (Kind.PAIRS, "tie", "y")


def test_everything_wrong_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    told = refused(
        tmp_path,
        "- id: a\n  prompt: 3\n  candidate_answer: x\n  human_label: maybe\n"
        "- id: b\n  prompt: p\n  candidate_answer: x\n  human_lable: true\n"
        "- id: c\n  prompt: p\n  candidate_answer: x\n  candidate_b: y\n"
        "- id: d\n  prompt: p\n  candidate_answer: x\n  human_label: true\n"
        "- id: d\n  prompt: p\n  candidate_answer: x\n  human_label: 7\n",
    )

    assert told.splitlines() == [
        'set.yaml:2:3: [0].prompt: must be text, not the number 3; quote it: "3"',
        "set.yaml:4:3: [0].human_label: must be true, false or a whole mark from 1 to 10, not the text 'maybe'; "
        "write the verdict, or leave the key out",
        "set.yaml:8:3: [1].human_lable: unknown key 'human_lable'; did you mean 'human_label'?",
        "set.yaml:9:3: [2]: two answers need candidate_b and human_winner, and no human_label",
        "set.yaml:17:3: [4].id: duplicate id 'd', first at [3]; rename one",
        "set.yaml:17:3: [4]: is an answer with a mark, but the set begins with an answer labelled true or false; keep them in two files",
    ]


@pytest.mark.parametrize("label", ["11", "0", "7.5", '"true"', "good"])
def test_a_label_is_true_false_or_a_mark(tmp_path: Path, label: str) -> None:
    assert "human_label: must be true, false or a whole mark from 1 to 10" in refused(
        tmp_path, f"- {{id: a, prompt: p, candidate_answer: x, human_label: {label}}}\n"
    )


def test_a_label_is_required(tmp_path: Path) -> None:
    assert "human_label is required" in refused(tmp_path, "- {id: a, prompt: p, candidate_answer: x}\n")


def test_a_suite_and_a_table_are_no_golden_sets(tmp_path: Path) -> None:
    assert "a suite is run, not calibrated with" in refused(tmp_path, "cases: []\n")
    assert "'.csv' is no kind of golden set" in refused(tmp_path, "id,prompt\n", "set.csv")
    assert "is empty" in refused(tmp_path, "")
    assert "holds no answer" in refused(tmp_path, "[]\n", "set.json")


def test_a_bad_line_of_json_lines_is_named(tmp_path: Path) -> None:
    told = refused(tmp_path, '{"id": "a", "prompt": "p", "candidate_answer": "x", "human_label": true}\n{"id": \n', "set.jsonl")

    assert told.startswith("set.jsonl:2:")


def test_secrets_are_replaced_before_a_judge_sees_them(tmp_path: Path) -> None:
    secret = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    golden = read(tmp_path, f"- {{id: a, prompt: p, ground_truth: {secret}, candidate_answer: it is {secret}, human_label: true}}\n")

    assert secret not in golden.items[0].answer
    assert golden.items[0].ground_truth in golden.items[0].answer


def test_the_hash_is_of_what_people_said_and_not_of_a_judge(tmp_path: Path) -> None:
    def hash_of(more: str) -> str:
        return read(tmp_path, f"- {{id: a, prompt: p, candidate_answer: x, {more}}}\n").hash

    assert hash_of("human_label: true") == hash_of("human_label: true, judge_label: false, judge_reason: why")
    assert hash_of("human_label: true") != hash_of("human_label: false")


def test_the_set_that_came_with_agenteval_03_reads(tmp_path: Path) -> None:
    golden = read_golden_set(shared_data("data", "predecessor", "golden", "calibration_example.yaml"))

    assert [item.human for item in golden.items] == [True, True, False, False, True, False]
    assert golden.items[0].ground_truth == "30"
