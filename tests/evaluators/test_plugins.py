"""Evaluators of installed packages: discovery without imports, conflicts, the contract of 0.3, and failures that cost no answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agenteval.evaluators import compile_case, decide
from agenteval.evaluators.plugins import find, registered
from agenteval.evaluators.table import UnknownEvaluatorError, UnusableEvaluatorError, names, table
from agenteval.model.response import Step, ToolCall
from agenteval.model.score import Feeds, Score
from tests.evaluators.judging import a_case, problems_of, score, scores_of, spec
from tests.evaluators.plugged import Site, site
from tests.runner.project import Project

__all__ = ["site"]

WORDS = """
    from agenteval.evaluators import Context

    def at_most(context: Context, words: int = 3) -> bool:
        return len(context.output.split()) <= words
"""


def test_metadata_tells_what_is_offered_and_nothing_is_imported(site: Site) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, version="2.1", words_pack="raise SystemExit('imported')")

    (plugin,) = registered()

    assert (plugin.name, plugin.reference, plugin.origin, plugin.summary) == (
        "at_most",
        "words_pack:at_most",
        "words-pack 2.1",
        "What words-pack judges",
    )
    assert (plugin.folder, plugin.status) == (str(site.folder), "usable")
    assert "at_most" in names()
    assert site.imported() == set()


def test_only_the_plugin_that_a_suite_names_is_imported(site: Site) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most", "other": "other_pack:x"}, words_pack=WORDS, other_pack="raise SystemExit")

    assert score("at_most", 2, output="one two").passed is True
    assert score("at_most", {"words": 2}, output="one two three").passed is False
    assert site.imported() == {"words_pack"}


def test_built_ins_ask_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted() -> None:
        raise AssertionError("metadata was read")

    monkeypatch.setattr(sys.modules["agenteval.evaluators.plugins"], "distributions", unwanted)

    assert compile_case(a_case({"ground_truth": "x"}, evaluators=(spec("no_error"),)))[1] == []


def test_a_name_that_two_packages_offer_is_used_by_neither(site: Site) -> None:
    site.install("b-pack", {"at_most": "b_pack:at_most"}, b_pack=WORDS)
    site.install("a-pack", {"at_most": "a_pack:at_most"}, a_pack=WORDS)

    assert [plugin.status for plugin in registered()] == ["unusable", "unusable"]
    assert problems_of(a_case(evaluators=(spec("at_most"),))) == [
        "cases[0].evaluators[0]: evaluator 'at_most' is offered by a-pack 1.0 (a_pack:at_most) and by b-pack 1.0 (b_pack:at_most); "
        "uninstall all but one"
    ]
    assert site.imported() == set()


def test_a_hidden_copy_of_a_package_is_no_conflict(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, words_pack=WORDS)
    first = Site(tmp_path / "first")
    monkeypatch.syspath_prepend(str(first.folder))
    first.install("Words_Pack", {"at_most": "words_pack:at_most"}, version="2.0", words_pack=WORDS)

    assert [(plugin.version, plugin.problem) for plugin in registered()] == [("2.0", "")]


def test_no_package_takes_the_name_of_a_built_in(site: Site) -> None:
    site.install("greedy", {"exact": "greedy:always", "not": "greedy:always"}, greedy="always = lambda context: True")

    assert [(plugin.name, plugin.problem) for plugin in registered()] == [
        ("exact", "is never used: the name is reserved, it is one of a built-in evaluator"),
        ("not", "is never used: the name is reserved, it is one suites use themselves"),
    ]
    assert score("exact", "x", output="y").passed is False
    assert site.imported() == set()


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ({"Polite": "p:q"}, "cannot be named in suites: write lower-case letters, digits, _, . and -, beginning with a letter"),
        ({"polite": "p"}, "cannot be loaded: 'p' is not of the form module:attribute"),
        ({"polite": "p q:r"}, "cannot be loaded: 'p q:r' is not of the form module:attribute"),
    ],
    ids=["name", "no attribute", "no module"],
)
def test_malformed_registrations_are_told(site: Site, points: dict[str, str], told: str) -> None:
    site.install("odd", points)

    (plugin,) = registered()

    assert plugin.problem == told
    with pytest.raises(UnusableEvaluatorError, match=r"of odd 1\.0 cannot be"):
        find(plugin.name)


def test_one_unreadable_package_hides_no_other(site: Site) -> None:
    site.install("broken", {})
    (site.folder / "broken-1.0.dist-info" / "entry_points.txt").write_text("[agenteval.evaluators]\nno equals sign\n")
    site.install("words-pack", {"at_most": "words_pack:at_most"}, words_pack=WORDS)

    found = {plugin.package: plugin.problem for plugin in registered()}

    assert found["words-pack"] == ""
    assert found["broken"].startswith("cannot be read: entry_points.txt is malformed (")


def test_an_unknown_name_is_unknown(site: Site) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, words_pack=WORDS)

    with pytest.raises(UnknownEvaluatorError):
        find("at_least")
    assert problems_of(a_case(evaluators=(spec("at_mots"),))) == [
        "cases[0].evaluators[0]: unknown evaluator 'at_mots'; did you mean 'at_most'?"
    ]


BROKEN = {
    "missing import": ("import no_such_module_here", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module_here'"),
    "no attribute": ("", "cannot be loaded: AttributeError: module 'p' has no attribute 'x'"),
    "ends the process": ("import sys; sys.exit(3)", "cannot be loaded: SystemExit: 3"),
    "syntax": ("def x(:", "cannot be loaded: SyntaxError: invalid syntax (p.py, line 1)"),
    "endless": ("def f(): f()\nf()", "cannot be loaded: RecursionError: maximum recursion depth exceeded"),
    "number": ("x = 3", "cannot be used: int is neither a function nor a class"),
    "async": ("async def x(context): ...", "cannot be used: x is asynchronous; an evaluator is a plain function"),
    "no context": ("def x(): ...", "cannot be used: x takes no context; its first parameter is the context to judge"),
    "empty class": ("class x: ...", "cannot be used: x has no method evaluate(context)"),
    "class with arguments": (
        "class x:\n def __init__(self, a): ...\n def evaluate(self, context): ...",
        "cannot be used: x is no dataclass; its fields are its parameters",
    ),
    "method without context": (
        "from dataclasses import dataclass\n@dataclass\nclass x:\n def evaluate(self): ...",
        "cannot be used: x.evaluate(self) does not take one context",
    ),
    "async method": (
        "from dataclasses import dataclass\n@dataclass\nclass x:\n async def evaluate(self, context): ...",
        "cannot be used: x.evaluate is asynchronous; an evaluator is a plain function",
    ),
    "unknown type": (
        "from dataclasses import dataclass\n@dataclass\nclass x:\n a: 'Nowhere'\n def evaluate(self, context): ...",
        "cannot be used: NameError: name 'Nowhere' is not defined",
    ),
    "class that ends the process": (
        "class x:\n def __init__(self): raise SystemExit\n def evaluate(self, context): ...",
        "cannot be used: SystemExit",
    ),
    "class that raises": (
        "class x:\n def __init__(self): raise OSError('no model')\n def evaluate(self, context): ...",
        "cannot be used: OSError: no model",
    ),
}


@pytest.mark.parametrize("source,told", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_loaded_is_a_problem_of_the_suite(site: Site, source: str, told: str) -> None:
    site.install("p-pack", {"x": "p:x"}, p=source)

    (problem,) = problems_of(a_case(evaluators=(spec("x"),)))

    assert problem.startswith(f"cases[0].evaluators[0]: evaluator 'x' of p-pack 1.0 (p:x) {told}")
    assert problem.endswith("; mend or uninstall the package")
    assert "x" not in table()


def test_what_a_class_raises_as_it_is_made_is_a_problem_too(site: Site) -> None:
    source = """
        from dataclasses import dataclass

        @dataclass(frozen=True)
        class x:
            a: int = 1

            def __post_init__(self):
                if self.a > 1:
                    raise ValueError("a is too large")
                if self.a < 0:
                    raise SystemExit
                raise KeyError("vocabulary")

            def evaluate(self, context):
                return True
    """
    site.install("p-pack", {"x": "p:x"}, p=source)

    assert problems_of(a_case(evaluators=(spec("x", 2),))) == ["cases[0].evaluators[0].x: a is too large"]
    assert problems_of(a_case(evaluators=(spec("x", -1),))) == [
        "cases[0].evaluators[0].x: cannot be built: SystemExit:; mend the evaluator or its parameters"
    ]
    assert problems_of(a_case({"evaluator": "x"})) == [
        "cases[0].expects.evaluator: cannot be built: KeyError: 'vocabulary'; mend the evaluator or its parameters"
    ]


NO_TEXT = "TypeError: a score's reason must be text and its evidence a mapping"
FAILS = {
    "raises": ("raise KeyError('a')", "KeyError: 'a'"),
    "ends the process": ("raise SystemExit(0)", "SystemExit: the evaluator ended the process (0)"),
    "raises what nobody catches": ("raise BaseException('stop')", "BaseException: stop"),
    "wrong type": ("return 'yes'", "TypeError: an evaluator returns a Score, a bool or a number in [0, 1], not str"),
    "nothing": ("return None", "TypeError: an evaluator returns a Score, a bool or a number in [0, 1], not NoneType"),
    "out of range": ("return 1.5", "ValueError: value 1.5 is not between 0 and 1"),
    "not a number": ("return float('nan')", "ValueError: value nan is not between 0 and 1"),
    "score out of range": ("return Score('x', -1, True)", "ValueError: value -1 is not between 0 and 1"),
    "verdict that is none": ("return Score('x', 1, 'yes')", "TypeError: passed must be true, false or null, not 'yes'"),
    "reason that is none": ("return Score('x', 1, True, 7)", NO_TEXT),
    "evidence that is none": (
        "return Score('x', 1, True, 'r', [1])",
        NO_TEXT,
    ),
    "coroutine": ("return later()", "TypeError: the evaluator is asynchronous; it must be a plain function"),
    "older result without verdict": ("return EvaluationResult(1, 'r')", "TypeError: passed must be true or false, not 1"),
    "older result without words": (
        "return EvaluationResult(True, 7)",
        NO_TEXT,
    ),
}


@pytest.mark.parametrize("line,told", FAILS.values(), ids=FAILS)
def test_a_plugin_that_fails_is_an_evaluator_error_with_its_version_and_the_answer_is_kept(site: Site, line: str, told: str) -> None:
    site.install(
        "p-pack",
        {"x": "p:x"},
        p=f"""
        from agenteval.evaluators import EvaluationResult
        from agenteval.model.score import Score

        async def later(): ...

        def x(context):
            context.attempt.output = "overwritten"
            {line}
        """,
    )

    found, kept = scores_of(a_case(evaluators=(spec("x"), spec("contains", "answer"))), "the answer")

    assert (found.passed, found.value, found.error) == (None, None, f"plugin p-pack 1.0: {told}")
    assert kept.passed is True
    assert decide((found, kept)) == ("evaluator_error", None)


def test_expects_evaluator_decides_correctness_and_nothing_else(site: Site) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, words_pack=WORDS)
    expects = {"evaluator": "at_most", "ground_truth": {"words": 4}, "must_call_tools": ["search"], "must_not_hallucinate": True}

    scores = scores_of(a_case(expects), "there are 731 of", tool_calls=(ToolCall("other"),))

    assert [(item.name, item.feeds, item.passed) for item in scores] == [
        ("at_most", Feeds.CORRECTNESS, True),
        ("must_call_tools", Feeds.TOOLS, False),
        ("must_not_hallucinate", Feeds.HALLUCINATION, False),
    ]
    assert decide(scores) == ("failed", True)


def test_the_ground_truth_gives_the_parameters(site: Site) -> None:
    site.install(
        "p-pack",
        {"says": "p:says", "reads": "p:reads"},
        p="""
        def says(context, word, loud: bool = False):
            return (word.upper() if loud else word) in context.output

        def reads(context, times: int = 1):
            return context.output.count(context.expects["ground_truth"]) == times
        """,
    )

    def correct(expects: dict[str, Any], output: str) -> bool | None:
        return scores_of(a_case(expects), output)[0].passed

    assert correct({"evaluator": "says", "ground_truth": "yes"}, "yes") is True
    assert correct({"evaluator": "says", "ground_truth": {"word": "yes", "loud": True}}, "yes") is False
    assert correct({"evaluator": "reads", "ground_truth": "a"}, "banana") is False
    assert correct({"evaluator": "reads", "ground_truth": "n"}, "nan") is False
    assert problems_of(a_case({"evaluator": "says", "ground_truth": {"word": "yes", "loud": 3}})) == [
        "cases[0].expects.evaluator.loud: must be true or false, not the number 3; write true or false"
    ]
    assert problems_of(a_case({"evaluator": "says", "ground_truth": {"word": "yes", "lout": True}})) == [
        "cases[0].expects.evaluator.lout: unknown key 'lout'; did you mean 'loud'?"
    ]
    assert problems_of(a_case({"evaluator": "says"})) == ["cases[0].expects.evaluator: word is required; add it"]


PREDECESSOR = """
    from __future__ import annotations

    from typing import TYPE_CHECKING

    from agenteval.evaluators import EvaluationContext, EvaluationResult, Evaluator

    if TYPE_CHECKING:
        from somewhere_else import Anything


    def keyword(context: EvaluationContext) -> EvaluationResult:
        truth = context.case.expects.ground_truth
        if not isinstance(truth, str):
            return EvaluationResult(passed=False, reason="needs text")
        return EvaluationResult(passed=truth.casefold() in context.result.final_answer.casefold(), reason=f"looked for {truth!r}")


    def way(context: EvaluationContext, /) -> Anything:
        result = context.result
        expected = context.case.expects.expected_trajectory
        steps = [step.input["city"] for step in result.trace_steps if step.kind == "tool_call" and step.name == "search"]
        return EvaluationResult(
            result.trajectory.actual == expected and result.tools_called == ["search"] and steps == ["Paris"],
        )


    class Checker(Evaluator):
        def __call__(self, context):
            context.result.raw.clear()
            context.case.tags.append("seen")
            return EvaluationResult(passed=context.case.id == "a" and context.case.prompt == "q" and context.result.status == "unscored")


    checker = Checker()
"""


@pytest.fixture
def older(site: Site) -> Site:
    points = {"keyword": "older:keyword", "way": "older:way", "a_class": "older:Checker", "an_object": "older:checker"}
    site.install("older-pack", points, version="0.2", older=PREDECESSOR)
    return site


def test_a_plugin_of_0_3_works_unchanged(older: Site) -> None:
    (found,) = scores_of(a_case({"evaluator": "keyword", "ground_truth": "PARIS"}), "It is Paris.")
    assert found == Score("keyword", 1.0, True, "looked for 'PARIS'", feeds=Feeds.CORRECTNESS)

    (found,) = scores_of(a_case({"evaluator": "keyword", "ground_truth": {"a": 1}}), "It is Paris.")
    assert (found.passed, found.reason) == (False, "needs text")


def test_a_plugin_of_0_3_sees_the_way_to_the_answer(older: Site) -> None:
    evidence = {
        "tool_calls": (ToolCall("search", {"city": "Paris"}),),
        "nodes_fired": ("search", "write"),
        "steps": (Step("tool_call", "search", {"city": "Paris"}), Step("node", "write")),
    }

    first, *_ = scores_of(a_case({"evaluator": "way", "expected_trajectory": ["search", "write"]}), "x", **evidence)
    assert (first.passed, first.reason) == (True, "holds")

    first, *_ = scores_of(a_case({"evaluator": "way", "expected_trajectory": ["write"]}), "x", **evidence)
    assert (first.passed, first.reason) == (False, "does not hold")


@pytest.mark.parametrize("name", ["a_class", "an_object"])
def test_a_class_or_object_of_0_3_is_called(older: Site, name: str) -> None:
    raw = {"kept": True}

    assert score(name, raw=raw, tags=("t",)).passed is True
    assert raw == {"kept": True}


def test_a_decorated_plugin_is_called_with_its_context(site: Site) -> None:
    source = """
        def logged(function):
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        @logged
        def x(context):
            return context.output == "y"
    """
    site.install("p-pack", {"x": "p:x"}, p=source)

    assert score("x", output="y").passed is True


def test_what_a_plugins_module_prints_stays_out_of_the_output(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.install("p-pack", {"x": "p:x"}, p="print('loading')\ndef x(context): return True")

    find("x")

    assert capsys.readouterr() == ("", "loading\n")


def test_a_suites_own_function_goes_before_a_package(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from agenteval.evaluators import evaluator

    site.install("p-pack", {"x": "p:x"}, p="def x(context): return False")
    evaluator(name="x")(lambda context: True)

    assert score("x").passed is True
    assert site.imported() == set()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


def test_a_run_records_the_plugins_it_used(older: Site, project: Project) -> None:
    older.install("p-pack", {"x": "p:x", "unused": "p:x"}, p="def x(context): raise OSError('disk')")
    turn = {"prompt": "Paris", "expects": {"evaluator": "keyword", "ground_truth": "paris"}}
    cases = [
        {"id": "a", "prompt": "Paris", "expects": {"evaluator": "keyword", "ground_truth": "paris"}},
        {"id": "b", "turns": [turn]},
        {"id": "c", "prompt": "hi", "evaluators": ["x"]},
    ]
    (project.root / "suite.yaml").write_text(json.dumps({"cases": cases}))

    run = project.run().run

    assert run.provenance["plugins"] == {
        "keyword": {"package": "older-pack", "version": "0.2", "reference": "older:keyword"},
        "x": {"package": "p-pack", "version": "1.0", "reference": "p:x"},
    }
    assert {outcome.case_id: outcome.status.value for outcome in run.outcomes} == {"a": "passed", "b": "passed", "c": "evaluator_error"}
    failed = run.case("c")
    assert failed is not None and failed.output == "hi"
    assert failed.scores[0].error == "plugin p-pack 1.0: OSError: disk"


def test_a_run_without_plugins_says_nothing_of_them(project: Project) -> None:
    project.suite("a")

    assert "plugins" not in project.run().run.provenance
