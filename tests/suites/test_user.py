"""A scripted user and a final state as a suite writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenteval.suites import read
from agenteval.suites.json_schema import schema
from agenteval.suites.suite import Line, User
from tests.suites.test_docs import blocks

HEAD = "- id: a\n  expects: {ground_truth: ok}\n"


def problems(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "s.yaml").write_text(text, encoding="utf-8")
    return [str(problem) for problem in read(tmp_path / "s.yaml", shown="s.yaml")[1]]


def test_a_script_is_read_and_names_the_case(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(
        HEAD + "  user:\n    script: [{say: hello}, {when: order number, say: '4821'}]\n    max_turns: 3\n    stop_when: bye\n"
    )

    suite, found = read(tmp_path / "s.yaml")

    assert found == []
    (case,) = suite.cases
    assert case.prompt == "hello"
    assert case.user == User((Line("hello"), Line("4821", when="order number")), 3, "bye")


@pytest.mark.parametrize(
    ("user", "said"),
    [
        ("{}", "s.yaml:3:3: cases[0].user: script is required; add it"),
        ("{script: []}", "s.yaml:3:10: cases[0].user.script: must not be empty"),
        ("{script: [{say: hi, wen: x}]}", "s.yaml:3:29: cases[0].user.script[0].wen: unknown key 'wen'; did you mean 'when'?"),
        ("{script: [{say: hi}], max_turns: 0}", "s.yaml:3:31: cases[0].user.max_turns: must be at least 1, not 0"),
        (
            "{script: [{say: hi}, {when_matches: '(', say: x}]}",
            "s.yaml:3:31: cases[0].user.script[1].when_matches: '(' is no regular expression: "
            "missing ), unterminated subpattern at position 0",
        ),
        (
            "{script: [{say: hi}, {when: a, when_matches: b, say: x}]}",
            "s.yaml:3:30: cases[0].user.script[1]: has both when and when_matches; remove one",
        ),
        (
            "{script: [{when: a, say: hi}]}",
            "s.yaml:3:3: cases[0].user: the first line of the script opens the conversation, so it can wait for no answer; remove its when",
        ),
    ],
)
def test_a_mistake_in_a_script_is_placed(tmp_path: Path, user: str, said: str) -> None:
    assert problems(tmp_path, f"{HEAD}  user: {user}\n") == [said]


def test_turns_and_a_script_exclude_each_other(tmp_path: Path) -> None:
    text = HEAD + "  turns: [{prompt: hi}]\n  user: {script: [{say: hi}]}\n"

    assert problems(tmp_path, text) == [
        "s.yaml:4:3: cases[0].user: has both turns and user; remove one: a user who follows a script says its own lines"
    ]


def test_a_case_needs_a_prompt_turns_or_a_user(tmp_path: Path) -> None:
    assert problems(tmp_path, HEAD) == ["s.yaml:1:3: cases[0]: prompt is required; add it, or the turns of a conversation"]


def test_another_script_or_state_is_another_definition(tmp_path: Path) -> None:
    def definition(more: str) -> str:
        (tmp_path / "s.yaml").write_text(f"{HEAD}  prompt: hello\n{more}")
        return read(tmp_path / "s.yaml")[0].cases[0].definition

    plain, script, other = definition(""), definition("  user: {script: [{say: a}]}\n"), definition("  user: {script: [{say: b}]}\n")

    assert len({plain, script, other, definition("  final_state: m:f\n")}) == 4


def test_the_defaults_name_a_final_state_for_all(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("defaults: {final_state: 'm:f'}\ncases:\n- {id: a, prompt: a, expects: {ground_truth: a}}\n")

    assert read(tmp_path / "s.yaml")[0].cases[0].final_state == "m:f"


def test_editors_know_the_keys() -> None:
    case = schema({})["$defs"]["case"]

    assert {"required": ["user"]} in case["anyOf"]
    line = case["properties"]["user"]["anyOf"][0]["properties"]["script"]["items"]
    assert (line["required"], sorted(line["properties"])) == (["say"], ["say", "when", "when_matches"])


@pytest.mark.parametrize("text", blocks("conversations.md", "yaml"))
def test_every_suite_of_the_page_is_read(text: str, tmp_path: Path) -> None:
    assert problems(tmp_path, text) == []
