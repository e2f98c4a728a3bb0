"""Good suites become what they say; files beside them are read with positions of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenteval.suites import read
from agenteval.suites.suite import Case, EvaluatorSpec, Quarantine, Turn
from tests.builders import shared_data
from tests.suites.conftest import ReadText, Write

FULL = """
    version: 1
    name: support
    description: Refunds.
    agent: bot
    model: m1
    repeat: 2
    concurrency: 3
    timeout_s: 30
    imports: [my.checks]
    judge: {model: j}
    tools: [search]
    context: {plant: A, shift: 1}
    metadata: {owner: qa}
    defaults:
      tags: [all]
      expects: {must_not_hallucinate: true, numeric_tolerance: 0.5}
      evaluators: [no_error, {max_steps: 8}]
    cases:
      - id: refund
        prompt: "Refund?"
        expects: {ground_truth: "yes", numeric_tolerance: 0}
        evaluators:
          - max_steps: 3
          - contains: sorry
            not: true
            required: false
        tags: [ci, all]
        context: {shift: 2}
        critical: true
        quarantine: {until: 2026-12-31, reason: known}
      - id: talk
        turns:
          - prompt: one
          - prompt: two
            expects: {retained_facts: ["48291"]}
            evaluators: [polite]
        expect_pass: false
        review_status: candidate
    """


def test_every_key_of_a_suite_is_read(read_text: ReadText) -> None:
    suite, problems = read_text(FULL)

    assert problems == []
    assert (suite.name, suite.description, suite.agent, suite.model, suite.repeat, suite.concurrency, suite.timeout_s) == (
        "support",
        "Refunds.",
        "bot",
        "m1",
        2,
        3,
        30.0,
    )
    assert (suite.imports, suite.judge, suite.tools, suite.metadata) == (("my.checks",), {"model": "j"}, ("search",), {"owner": "qa"})
    refund, talk = suite.cases
    assert refund == Case(
        id="refund",
        prompt="Refund?",
        expects={"must_not_hallucinate": True, "numeric_tolerance": 0.0, "ground_truth": "yes"},
        evaluators=(
            EvaluatorSpec("no_error", path="defaults.evaluators[0]"),
            EvaluatorSpec("max_steps", 3, path="cases[0].evaluators[0]"),
            EvaluatorSpec("contains", "sorry", required=False, negate=True, path="cases[0].evaluators[1]"),
        ),
        tags=("all", "ci"),
        tools=("search",),
        context={"plant": "A", "shift": 2},
        critical=True,
        quarantine=Quarantine("2026-12-31", "known"),
        definition=refund.definition,
        path="cases[0]",
    )
    assert talk.prompt == "one"
    assert talk.turns == (
        Turn("one", path="cases[1].turns[0]"),
        Turn("two", {"retained_facts": ["48291"]}, (EvaluatorSpec("polite", path="cases[1].turns[1].evaluators[0]"),), "cases[1].turns[1]"),
    )
    assert (talk.expect_pass, talk.candidate) == (False, True)


def test_paths_lead_back_to_the_file(read_text: ReadText) -> None:
    suite, _ = read_text("- id: a\n  prompt: x\n  expects:\n    ground_truth: 1\n- id: b\n  prompt: y\n")

    assert suite.locate("cases[0].expects.ground_truth") == (0, "s.yaml", 4, 5)
    assert suite.locate("cases[0].expects.numeric_tolerance") == (0, "s.yaml", 3, 3)
    assert suite.locate("cases[1]") == (0, "s.yaml", 5, 3)
    assert suite.locate("cases[9]") == (0, "s.yaml", 1, 1)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("7", 7),
        ("7.50", 7.5),
        ("1e-3", 0.001),
        ("-.5", -0.5),
        ("true", True),
        ("y", "y"),
        ("1.2.3", "1.2.3"),
        ("=", "="),
        ("'no'", "no"),
        ('"2026-01-31"', "2026-01-31"),
        ("|\n      two\n      lines", "two\nlines\n"),
        ("!!str 5", "5"),
        ("{2024: 5, Q1: 3}", {"2024": 5, "Q1": 3}),
        ("[1, two]", [1, "two"]),
    ],
)
def test_values_mean_what_they_say(read_text: ReadText, line: str, value: object) -> None:
    suite, problems = read_text(f"- id: a\n  prompt: x\n  expects:\n    ground_truth: {line}\n")

    assert problems == []
    assert suite.cases[0].expects["ground_truth"] == value


def test_yes_is_a_truth_value_where_one_is_due(read_text: ReadText) -> None:
    assert read_text("- {id: a, prompt: x, critical: yes}\n")[0].cases[0].critical is True


def test_merge_keys_and_anchors_keep_positions(read_text: ReadText) -> None:
    suite, problems = read_text("""
        - &base
          id: a
          prompt: x
          expects: &e {must_call_tools: [sql], nonsense: 1}
        - <<: *base
          id: b
          expects: {<<: *e, must_call_tools: [api]}
        """)

    assert problems == [
        f"s.yaml:4:40: cases[{index}].expects.nonsense: unknown key 'nonsense'; known keys: correctness_type, ground_truth, "
        "numeric_tolerance, must_call_tools, must_not_hallucinate, expected_trajectory, relevant_context_ids, expected_citations, "
        "reference_context, retained_facts, evaluator, unit, locale, match"
        for index in (0, 1)
    ]
    assert suite.cases == ()


def test_aliases_cannot_explode(read_text: ReadText) -> None:
    levels = "".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 9))

    assert read_text(f"metadata:\n  l0: &l0 [x]\n{levels}cases: []\n")[1] == [
        "s.yaml:1:1: aliases expand 13 values to 234,567,914; write the values out, or fewer of them"
    ]


def test_nesting_is_bounded(read_text: ReadText) -> None:
    for text in ("- " * 3000, "[" * 3000):  # newer libyaml refuses these by itself, in its own words
        (problem,) = read_text(text)[1]
        assert problem.startswith("s.yaml:")
    assert read_text("[" * 200 + "]" * 200)[1] == ["s.yaml:1:102: is nested too deeply; at most 100 levels"]
    assert read_text("[" * 200 + "]" * 200, name="s.json")[1] == ["s.json:1:1: is nested too deeply; at most 100 levels"]
    assert read_text("[" * 300_000, name="s.json")[1] == ["s.json:1:1: is nested too deeply"]


def test_encodings(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    found = []
    for source in (
        "\ufeff- {id: a, prompt: x}\r\n- {id: b, prompt: x}\r\n".encode(),
        "- {id: a, prompt: x}".encode("utf-16"),
        "- id: a\n  prompt: größer".encode("latin-1"),
    ):
        path.write_bytes(source)
        suite, problems = read(path, shown="s.yaml")
        found.append((len(suite.cases), [str(problem) for problem in problems]))

    assert found == [
        (2, []),
        (0, ["s.yaml:1:1: is not UTF-8 text (UTF-16, UTF-32 or binary); save it as UTF-8"]),
        (0, ["s.yaml:2:13: byte 0xf6 is not UTF-8; save the file as UTF-8"]),
    ]


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    assert [str(problem) for problem in read(tmp_path / "s.yaml", shown="s.yaml")[1]] == ["s.yaml: there is no such file; check the path"]
    assert [str(problem) for problem in read(tmp_path, shown="suites")[1]] == ["suites: is a folder, not a file; name a file in it"]


def test_included_cases_come_behind_and_inherit_from_both_files(write: Write, read_text: ReadText) -> None:
    write("more/b.yaml", "defaults: {tags: [fragment]}\nmodel: m2\ncases: [{id: b, prompt: x, tags: [own]}]\n")

    suite, problems = read_text("include: [more/b.yaml]\ndefaults: {tags: [root]}\ncases: [{id: a, prompt: x}]\n")

    assert problems == []
    assert [(case.id, case.tags, case.model, case.path) for case in suite.cases] == [
        ("a", ("root",), None, "cases[0]"),
        ("b", ("root", "fragment", "own"), "m2", "cases[1]"),
    ]
    assert suite.locate("cases[1].tags") == (1, "more/b.yaml", 3, 28)


def test_problems_of_all_files_come_at_once(write: Write, read_text: ReadText) -> None:
    write("b.yaml", "- {id: a, prompt: x}\n- {id: c, prompt: 3}\n")
    write("c.yaml", "include: [s.yaml]\ncases: [{id: d, promt: x}]\n")
    write("d.yaml", "include: [e.yaml]\nnam: x\ncases: [{id: e, prompt: x}, {id: e, prompt: x}]\n")

    assert read_text("include: [b.yaml, c.yaml, d.yaml, b.yaml, /etc/hosts, ../nope.yaml]\ncases: [{id: a, prompt: x}]\n")[1] == [
        "s.yaml:1:35: include[3]: 'b.yaml' is read already, as b.yaml; include each file once, and none that includes this one",
        "s.yaml:1:43: include[4]: '/etc/hosts' is no relative path; write it relative to this file",
        "s.yaml:1:55: include[5]: there is no file '../nope.yaml'; write its path relative to this file",
        "b.yaml:1:4: cases[1].id: duplicate id 'a', first at s.yaml:2:10; give each case its own",
        'b.yaml:2:11: cases[2].prompt: must be text, not the number 3; quote it: "3"',
        "c.yaml:1:11: include[1].include[0]: 's.yaml' is read already, as s.yaml; include each file once, and none that includes this one",
        "c.yaml:2:9: cases[3]: prompt is required; add it, or the turns of a conversation",
        "c.yaml:2:17: cases[3].promt: unknown key 'promt'; did you mean 'prompt'?",
        "d.yaml:1:11: include[2].include[0]: there is no file 'e.yaml'; write its path relative to this file",
        "d.yaml:2:1: include[2].nam: unknown key 'nam'; did you mean 'name'?",
        "d.yaml:3:30: cases[5].id: duplicate id 'e', first at d.yaml:3:10; give each case its own",
    ]


CSV = """
    id,prompt,ground_truth,expects.correctness_type,must_call_tools,tags,critical,metadata.row
    a,"How many,
    please?",30,numeric,sql; api,"x, y",TRUE,1
    b,Capital?,42,,,,,
    """


def test_a_csv_dataset(write: Write, read_text: ReadText) -> None:
    write("d/cases.csv", CSV)

    suite, problems = read_text("cases: d/cases.csv\n")

    assert problems == []
    first, second = suite.cases
    assert first.prompt == "How many,\nplease?"
    assert first.expects == {"ground_truth": 30, "correctness_type": "numeric", "must_call_tools": ["sql", "api"]}
    assert (first.tags, first.critical, first.metadata) == (("x", "y"), True, {"row": "1"})
    assert second.expects == {"ground_truth": "42"}
    assert suite.locate("cases[1].id") == (1, "d/cases.csv", 4, 1)


def test_problems_of_csv_rows_name_their_lines(write: Write, read_text: ReadText) -> None:
    write("c.csv", 'id,prompt,promt,tags\n"a\nb",x,,\nc\n\nd,,,\nd,y,,\n')

    assert read_text("cases: c.csv\n")[1] == [
        "c.csv:1:1: unknown column 'promt'; did you mean 'prompt'?",
        "c.csv:2:1: cases[0].id: holds a control or invisible character: 'a\\nb'",
        "c.csv:4:1: has 1 cells, the header has 4; quote cells that hold a comma",
        "c.csv:6:1: cases[1]: prompt is required; add it, or the turns of a conversation",
        "c.csv:7:1: cases[2].id: duplicate id 'd', first at c.csv:6:1; give each case its own",
    ]


def test_problems_of_json_lines_name_line_and_column(write: Write, read_text: ReadText) -> None:
    write(
        "c.jsonl",
        '{"id": "a", "prompt": "x"}\n\n{"id": "b",}\n{"id": "c", "prompt": "x", "id": "d"}\n{"id": "e", '
        '"prompt": 5}\n{"id": "f", "prompt": "\\ud83d"}\n',
    )

    suite, problems = read_text("cases: c.jsonl\n")

    assert [case.id for case in suite.cases] == ["a"]
    assert [problem for problem in problems if ":3:" not in problem] == [
        "c.jsonl:4:28: duplicate key 'id', first on line 4; remove one of them",
        'c.jsonl:5:13: cases[1].prompt: must be text, not the number 5; quote it: "5"',
        "c.jsonl:6:24: half a surrogate pair is no character; write the character itself",
    ]
    assert len(problems) == 4


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.json", '[{"id": "a", "prompt": "\\ud83d\\ude00"}]'),
        ("c.jsonl", '{"id": "a", "prompt": "\\ud83d\\ude00"}'),
        ("c.yml", "- id: a\n  prompt: 😀\n"),
        ("c.yaml", '- id: a\n  prompt: "\\U0001F600"\n'),
        ("c.csv", "id,prompt\na,😀\n"),
    ],
)
def test_every_kind_of_dataset_gives_the_same_suite(write: Write, read_text: ReadText, name: str, text: str) -> None:
    write(name, text)

    suite, problems = read_text(f"cases: {name}\n")

    assert problems == []
    assert [(case.id, case.prompt) for case in suite.cases] == [("a", "😀")]
    assert suite.hash == read_text("- {id: a, prompt: 😀}\n")[0].hash


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ("c.txt", "s.yaml:1:1: cases: 'c.txt' is no dataset; name a file ending in .yaml, .yml, .json, .jsonl, .csv"),
        ("nope.csv", "s.yaml:1:1: cases: there is no file 'nope.csv'; write its path relative to this file"),
        ("map.yaml", "map.yaml:1:1: must hold a list of cases; to add a whole suite, name it under include"),
        ("none.jsonl", "none.jsonl:1:1: is empty; write at least one case"),
    ],
)
def test_what_is_no_dataset(write: Write, read_text: ReadText, cases: str, expected: str) -> None:
    write("map.yaml", "cases: []\n")
    write("none.jsonl", "\n")

    assert read_text(f"cases: {cases}\n")[1] == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "name: x\ncases:\n- {id: a, input: hi}\n",
            "s.yaml:3:3: cases[0]: is a suite in the AgentLens dialect ('input'), which is not read yet; write "
            "its cases with 'prompt' and 'expects'",
        ),
        (
            "cases:\n- {id: a, turns: [{input: hi}]}\n",
            "s.yaml:2:3: cases[0]: is a suite in the Cognite dialect (turns with 'input'), which is not read "
            "yet; write its cases with 'prompt' and 'expects'",
        ),
        (
            "appContext: x\ninclude: [f.yaml]\n",
            "s.yaml:1:1: is a suite in the Cognite dialect (turns with 'input'), which is not read yet; write "
            "its cases with 'prompt' and 'expects'",
        ),
        (
            "- {id: a, prompt: hi}\n- {id: b, input: hi}\n",
            "s.yaml:2:3: cases[1]: mixes dialects: this case has 'input' (AgentLens), cases[0] has 'prompt' "
            "(native); keep one dialect a suite",
        ),
    ],
)
def test_other_dialects_are_named_and_refused(read_text: ReadText, text: str, expected: str) -> None:
    assert read_text(text)[1] == [expected]


def test_the_dialect_option_decides(read_text: ReadText) -> None:
    assert read_text("- {id: a, input: hi}\n", dialect="native")[1] == [
        "s.yaml:1:3: cases[0]: prompt is required; add it, or the turns of a conversation",
        "s.yaml:1:11: cases[0].input: unknown key 'input'; write it as prompt",
    ]


def test_hashes_change_with_what_decides(read_text: ReadText) -> None:
    def hashes(text: str) -> tuple[str, str]:
        suite, problems = read_text(text)
        assert problems == []
        return suite.hash, suite.cases[0].definition

    plain = hashes("cases: [{id: a, prompt: x, expects: {ground_truth: 1}}]\n")
    same = hashes("description: d\nconcurrency: 4\ncases:\n  - expects: {ground_truth: 1}\n    prompt: 'x'\n    id: a\n")
    inherited = hashes("defaults: {expects: {ground_truth: 1}}\ncases: [{id: a, prompt: x}]\n")
    tagged = hashes("cases: [{id: a, prompt: x, tags: [t], expects: {ground_truth: 1}}]\n")
    changed = hashes("cases: [{id: a, prompt: x, expects: {ground_truth: 2}}]\n")

    assert plain == same == inherited
    assert (tagged[0] == plain[0], tagged[1] == plain[1]) == (False, True)
    assert (changed[0] == plain[0], changed[1] == plain[1]) == (False, False)
    assert (len(plain[0]), len(plain[1])) == (64, 16)


@pytest.mark.parametrize(("parts", "count"), [(("golden", "analyst_cases.yaml"), 21), (("samples", "cases.yaml"), 10)])
def test_suites_of_agenteval_0_3_load(parts: tuple[str, str], count: int) -> None:
    suite, problems = read(shared_data("data", "predecessor", *parts))

    assert (problems, len(suite.cases)) == ([], count)
