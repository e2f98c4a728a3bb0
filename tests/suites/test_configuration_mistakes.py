"""Mistakes that earlier tools let through, crashed on or misread: each is refused where it stands, with the way out."""

from __future__ import annotations

import pytest

from tests.suites.conftest import ReadText

CASE = "- id: a\n  prompt: hi\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "- id: a\n  prompt: hi\n\texpects: {}\n",
            ["s.yaml:3:1: is not YAML: while scanning a plain scalar, found a tab character that violates indentation; indent with spaces"],
            id="tab",
        ),
        pytest.param(
            "- id: a\n  prompt: [hi\n- id: b\n",
            [
                "s.yaml:3:5: is not YAML: while parsing a flow sequence, did not find expected ',' or ']'; "
                "check indentation, quotes and brackets here and on the line above"
            ],
            id="syntax",
        ),
        pytest.param("- prompt: hi\n  expects: {ground_truth: x}\n", ["s.yaml:1:3: cases[0]: id is required; add it"], id="no id"),
        pytest.param(
            CASE + "  expects:\n    correctnes_type: numeric\n",
            ["s.yaml:4:5: cases[0].expects.correctnes_type: unknown key 'correctnes_type'; did you mean 'correctness_type'?"],
            id="misspelt key",
        ),
        pytest.param(
            CASE + "  expects:\n    must_call_tool: [sql]\n",
            ["s.yaml:4:5: cases[0].expects.must_call_tool: unknown key 'must_call_tool'; did you mean 'must_call_tools'?"],
            id="misspelt tools",
        ),
        pytest.param(
            CASE + "- id: a\n  prompt: other\n",
            ["s.yaml:3:3: cases[1].id: duplicate id 'a', first at s.yaml:1:3; give each case its own"],
            id="duplicate id",
        ),
        pytest.param(
            CASE + "  prompt: again\n",
            ["s.yaml:3:3: cases[0].prompt: duplicate key 'prompt', first on line 2; remove one of them"],
            id="duplicate key",
        ),
        pytest.param(
            CASE + "  expects: {must_call_tools: sql}\n",
            ["s.yaml:3:13: cases[0].expects.must_call_tools: must be a list, not the text 'sql'; write [sql]"],
            id="tools as text",
        ),
        pytest.param(
            CASE + "  tags: smoke\n", ["s.yaml:3:3: cases[0].tags: must be a list, not the text 'smoke'; write [smoke]"], id="tags as text"
        ),
        pytest.param(
            CASE + "  expects: {numeric_tolerance: lots}\n",
            ["s.yaml:3:13: cases[0].expects.numeric_tolerance: must be a number, not the text 'lots'"],
            id="tolerance as text",
        ),
        pytest.param(
            CASE + "  expects: {ground_truth: no}\n",
            ['s.yaml:3:13: cases[0].expects.ground_truth: YAML takes unquoted no for false; write false, or quote it: "no"'],
            id="truth no",
        ),
        pytest.param(
            "- id: a\n  prompt: [x, y]\n", ["s.yaml:2:3: cases[0].prompt: must be text, not a list; write one text"], id="prompt as list"
        ),
        pytest.param(
            CASE + '  expects: {must_not_hallucinate: "false"}\n',
            ["s.yaml:3:13: cases[0].expects.must_not_hallucinate: must be true or false, not the text 'false'; remove the quotes"],
            id="truth value as text",
        ),
    ],
)
def test_a_mistake_is_one_line_with_its_place(read_text: ReadText, text: str, expected: list[str]) -> None:
    assert read_text(text)[1] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("id: no", 'cases[0].id: must be text, but YAML takes unquoted no for false; quote it: "no"'),
        ("id: On", 'cases[0].id: must be text, but YAML takes unquoted On for true; quote it: "On"'),
        ("id: 2026-01-31", 'cases[0].id: must be text, but YAML takes unquoted 2026-01-31 for a date; quote it: "2026-01-31"'),
        ("id: 010", 'cases[0].id: must be text, but YAML takes unquoted 010 for an octal number; quote it: "010"'),
        ("id: 1:30", 'cases[0].id: must be text, but YAML takes unquoted 1:30 for a base-60 number; quote it: "1:30"'),
        ("id: 7", 'cases[0].id: must be text, not the number 7; quote it: "7"'),
        ("id: true", 'cases[0].id: must be text, not true; quote it: "true"'),
        ("id: 1_000", 'cases[0].id: must be text, but YAML takes unquoted 1_000 for a number; quote it: "1_000"'),
        ("id:", "cases[0].id: must be text, but is empty; write the text or remove the key"),
        ('id: ""', "cases[0].id: must not be empty"),
        ('id: "a\\u0007b"', "cases[0].id: holds a control or invisible character: 'a\\x07b'"),
        (f"id: {'x' * 201}", "cases[0].id: must have at most 200 characters, has 201"),
    ],
)
def test_ids_are_text_of_one_line(read_text: ReadText, line: str, expected: str) -> None:
    assert read_text(f"- {line}\n  prompt: hi\n")[1] == [f"s.yaml:1:3: {expected}"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("  tags: [no]", 'cases[0].tags[0]: must be text, but YAML takes unquoted no for false; quote it: "no"'),
        ("  tags: [2026-01-31]", 'cases[0].tags[0]: must be text, but YAML takes unquoted 2026-01-31 for a date; quote it: "2026-01-31"'),
        (
            "  timeout_s: 1:30",
            "cases[0].timeout_s: must be a number, not unquoted 1:30; YAML takes it for a base-60 number: write a plain decimal number",
        ),
        ("  timeout_s: 0", "cases[0].timeout_s: must be more than 0, not 0.0"),
        ("  timeout_s: .nan", "cases[0].timeout_s: must be a finite number, not nan"),
        ("  repeat: 0", "cases[0].repeat: must be at least 1, not 0"),
        ("  repeat: 2.5", "cases[0].repeat: must be a whole number, not the number 2.5"),
        ("  critical: 1", "cases[0].critical: must be true or false, not the number 1; write true or false"),
        ("  expects: {ground_truth: .inf}", 'cases[0].expects.ground_truth: must be a finite number; quote it: "inf"'),
        ("  expects: {ground_truth: 1e999}", 'cases[0].expects.ground_truth: must be a finite number; quote it: "inf"'),
        ("  expects: {retained_facts: [a, ' ']}", "cases[0].expects.retained_facts[1]: must not be empty"),
        (
            "  expects: [x]",
            "cases[0].expects: must be a mapping with keys such as correctness_type, ground_truth, "
            "numeric_tolerance, must_call_tools, not a list",
        ),
        ("  ground_truth: x", "cases[0].ground_truth: unknown key 'ground_truth'; write it under expects"),
        ("  quarantine: {until: soon}", "cases[0].quarantine.until: 'soon' is no date; write it as 2026-12-31"),
        ("  quarantine: true", "cases[0].quarantine: must be a mapping with until, reason, not true"),
        ("  setup: prepare", "cases[0].setup: 'prepare' must be of the form module:callable"),
        ("  turns: []", "cases[0].turns: must not be empty"),
        ("  turns: [{expects: {}}]", "cases[0].turns[0]: prompt is required; add it"),
        ("  tools: [{description: x}]", "cases[0].tools[0]: name is required; add it"),
        ("  evaluators: exact", "cases[0].evaluators: must be a list, not the text 'exact'; write [exact]"),
        (
            "  evaluators: [{a: 1, b: 2}]",
            "cases[0].evaluators[0]: names 2 evaluators: a, b; write one entry an evaluator, its parameters indented under its name",
        ),
        (
            "  evaluators: [{required: false}]",
            "cases[0].evaluators[0]: names no evaluator; write one entry an evaluator, its parameters indented under its name",
        ),
        (
            "  evaluators: [{exact: x, required: 'no'}]",
            "cases[0].evaluators[0].required: must be true or false, not the text 'no'; write true or false",
        ),
        ("  evaluators: [3]", "cases[0].evaluators[0]: must be the name of an evaluator, or name: parameters, not the number 3"),
    ],
)
def test_wrong_values_of_a_case(read_text: ReadText, lines: str, expected: str) -> None:
    found = read_text(f"{CASE}{lines}\n")[1]

    assert [problem.partition(": ")[2] for problem in found] == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "s.yaml:1:1: is empty; write at least one case"),
        ("# nothing yet\n", "s.yaml:1:1: is empty; write at least one case"),
        ("[]\n", "s.yaml:1:1: has no cases; write at least one"),
        ("cases: []\n", "s.yaml:1:1: cases: has no cases; write at least one"),
        ("cases:\n", "s.yaml:1:1: cases: must be a list of cases or the path of a dataset, but is empty"),
        ("name: x\n", "s.yaml:1:1: cases is required; add at least one case"),
        ("just text\n", "s.yaml:1:1: must be a list of cases, or a mapping with cases; see `agenteval schema suite`"),
        ("- a\n", "s.yaml:1:3: cases[0]: must be a case, not the text 'a'; write a mapping with id, prompt and expects"),
        ("- id: a\n", "s.yaml:1:3: cases[0]: prompt is required; add it, or the turns of a conversation"),
        ("- id: a\n  prompt: x\n---\n- id: b\n", "s.yaml:3:1: a second YAML document begins here; keep one document a file"),
        (
            "- id: a\n  prompt: !!python/object/apply:os.getcwd []\n",
            "s.yaml:2:11: cases[0].prompt: tag !!python/object/apply:os.getcwd is not allowed; remove it",
        ),
        ("- id: a\n  prompt: !secret x\n", "s.yaml:2:11: cases[0].prompt: tag !secret is not allowed; remove it"),
        (
            '- id: a\n  prompt: "\\ud83d"\n',
            "s.yaml:2:14: is not YAML: found invalid Unicode character escape code; write the character itself",
        ),
        ("version: 2\ncases: [{id: a, prompt: x}]\n", "s.yaml:1:1: version: must be 1, not 2"),
        ("concurency: 2\ncases: [{id: a, prompt: x}]\n", "s.yaml:1:1: concurency: unknown key 'concurency'; did you mean 'concurrency'?"),
        ("evaluators: [x]\ncases: [{id: a, prompt: x}]\n", "s.yaml:1:1: evaluators: unknown key 'evaluators'; write it under defaults"),
        ("defaults: {tag: [x]}\ncases: [{id: a, prompt: x}]\n", "s.yaml:1:12: defaults.tag: unknown key 'tag'; did you mean 'tags'?"),
        ("&a [*a]\n", "s.yaml:1:1: an alias contains itself; remove it"),
        ("- ? [x]\n  : y\n", "s.yaml:1:5: cases[0]: a key must be a text; quote it"),
    ],
)
def test_wrong_files(read_text: ReadText, text: str, expected: str) -> None:
    assert expected in read_text(text)[1]


def test_all_problems_come_at_once_in_document_order(read_text: ReadText) -> None:
    text = """
        defaults: {tags: smoke}
        cases:
          - id: 1
            prompt: hi
          - id: b
            promt: hi
            expects: {ground_truth: yes}
        """

    assert read_text(text)[1] == [
        "s.yaml:1:12: defaults.tags: must be a list, not the text 'smoke'; write [smoke]",
        's.yaml:3:5: cases[0].id: must be text, not the number 1; quote it: "1"',
        "s.yaml:5:5: cases[1]: prompt is required; add it, or the turns of a conversation",
        "s.yaml:6:5: cases[1].promt: unknown key 'promt'; did you mean 'prompt'?",
        's.yaml:7:15: cases[1].expects.ground_truth: YAML takes unquoted yes for true; write true, or quote it: "yes"',
    ]
