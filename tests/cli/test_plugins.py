"""``agenteval plugins`` as a user types it, with packages as an installer leaves them, and the packages and pages that we ship."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agenteval.cli.main import invoke
from agenteval.evaluators.table import BUILT_IN
from tests.evaluators.plugged import Site, site

__all__ = ["site"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "plugins.md").read_text("utf-8")
AT_MOST = "def at_most(context, words: int = 3): return len(context.output.split()) <= words"
Capture = pytest.CaptureFixture[str]


def test_without_packages_the_list_says_so(site: Site, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["agenteval.evaluators.plugins"], "distributions", list)

    assert invoke(["plugins", "list"]) == 0

    assert capsys.readouterr().out == (
        "no installed package offers evaluators (entry-point group agenteval.evaluators); docs/plugins.md says how to write one\n"
        f"{len(BUILT_IN)} names of built-in evaluators are reserved\n"
    )


def test_list_and_inspect_tell_metadata_and_import_nothing(site: Site, capsys: Capture) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, version="2.1", words_pack="raise SystemExit('imported')")

    assert invoke(["plugins", "list"]) == 0
    assert capsys.readouterr().out == (
        f"NAME     PACKAGE     VERSION  STATUS  REFERENCE           WHERE\n"
        f"at_most  words-pack  2.1      usable  words_pack:at_most  {site.folder}\n"
        f"{len(BUILT_IN)} names of built-in evaluators are reserved\n"
    )

    assert invoke(["plugins", "inspect", "at_most"]) == 0
    assert capsys.readouterr().out == (
        "evaluator: at_most\n"
        "package: words-pack 2.1\n"
        "summary: What words-pack judges\n"
        "reference: words_pack:at_most\n"
        f"where: {site.folder}\n"
        "status: usable, as far as metadata says\n"
    )
    assert site.imported() == set()


def test_conflicts_and_reserved_names_end_with_1(site: Site, capsys: Capture) -> None:
    site.install("a-pack", {"at_most": "a_pack:at_most", "exact": "a_pack:at_most"}, a_pack=AT_MOST)
    site.install("b-pack", {"at_most": "b_pack:at_most"}, b_pack=AT_MOST)
    both = "is offered by a-pack 1.0 (a_pack:at_most) and by b-pack 1.0 (b_pack:at_most)"

    assert invoke(["plugins", "list"]) == 1
    assert capsys.readouterr().out.splitlines()[4:6] == [
        f"at_most: {both}",
        "exact: is never used: the name is reserved, it is one of a built-in evaluator",
    ]

    assert invoke(["plugins", "inspect", "at_most"]) == 1
    assert capsys.readouterr().out.count(f"status: unusable: it {both}\n") == 2

    assert invoke(["plugins", "inspect", "exact"]) == 1
    assert capsys.readouterr().out.startswith("exact: built in (Exact); the name is reserved, no package can take it\n\nevaluator: exact\n")

    assert invoke(["plugins", "validate", "at_most"]) == 1
    assert f"wrong: evaluator 'at_most' {both}; uninstall all but one\n1 finding\n" in capsys.readouterr().out

    assert invoke(["plugins", "validate", "exact", "--params", "Paris", "--answer", "paris"]) == 1
    out = capsys.readouterr().out
    assert "on the sample: passes; " in out
    assert "wrong: evaluator 'exact' of a-pack 1.0 is never used: the name is reserved, it is one of a built-in evaluator" in out
    assert site.imported() == set()


@pytest.mark.parametrize("verb", ["inspect", "validate"])
def test_an_unknown_name_ends_with_2_and_the_nearest(site: Site, capsys: Capture, verb: str) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, words_pack=AT_MOST)

    assert invoke(["plugins", verb, "at_mots"]) == 2
    assert capsys.readouterr().err == "Error: NAME: no evaluator 'at_mots' is installed; did you mean 'at_most'?\n"

    assert invoke(["plugins", verb, "zzz"]) == 2
    assert capsys.readouterr().err.endswith("no evaluator 'zzz' is installed; `agenteval plugins list` shows what is installed\n")


def test_validate_lets_the_plugin_judge_the_sample(site: Site, capsys: Capture) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, words_pack=AT_MOST)

    assert invoke(["plugins", "validate", "at_most"]) == 0
    assert capsys.readouterr().out == (
        "at_most: words-pack 1.0 (words_pack:at_most)\n"
        "loaded, keeps the contract\n"
        "parameters: words (optional)\n"
        "on the sample: fails; does not hold\n"
        "ok\n"
    )

    assert invoke(["plugins", "validate", "at_most", "--params", "{words: 2}", "--answer", "one two"]) == 0
    assert "on the sample: passes; holds\n" in capsys.readouterr().out


def test_validate_without_needed_parameters_tries_nothing_and_finds_nothing(site: Site, capsys: Capture) -> None:
    site.install("p-pack", {"says": "p:says"}, p="def says(context, word): return word in context.output")

    assert invoke(["plugins", "validate", "says"]) == 0
    assert "not tried: word is required; add it; give --params to let it judge the sample\nok\n" in capsys.readouterr().out

    assert invoke(["plugins", "validate", "says", "--params", "{wort: x}"]) == 1
    assert "wrong: wort: unknown key 'wort'; did you mean 'word'?\n" in capsys.readouterr().out

    assert invoke(["plugins", "validate", "says", "--params", "{"]) == 2
    assert capsys.readouterr().err == "Error: --params: is not YAML; write for example --params '{key: value}'\n"


def test_validate_hands_over_a_ground_truth(site: Site, capsys: Capture) -> None:
    source = """
        from agenteval.evaluators import EvaluationResult

        def evaluate(context):
            return EvaluationResult(context.case.expects.ground_truth["city"] in context.result.final_answer, "looked")
    """
    site.install("older", {"older": "older:evaluate"}, older=source)

    assert invoke(["plugins", "validate", "older", "--ground-truth", "{city: Paris}"]) == 0
    assert "on the sample: passes; looked\n" in capsys.readouterr().out

    assert invoke(["plugins", "validate", "older"]) == 1
    assert "wrong: it fails on the sample: plugin older 1.0: TypeError: string indices must be integers" in capsys.readouterr().out


@pytest.mark.parametrize(
    "source,told",
    [
        ("import no_such_module_here", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module_here'"),
        (
            "def x(context): print('noise'); return 3.5",
            "p-pack 1.0: ValueError: value 3.5 is not between 0 and 1",
        ),
        ("def x(context): print('noise'); raise SystemExit", "SystemExit: the evaluator ended the process (None)"),
    ],
    ids=["import", "range", "exit"],
)
def test_findings_end_with_1_and_json_stays_json(site: Site, capsys: Capture, source: str, told: str) -> None:
    site.install("p-pack", {"x": "p:x"}, p=source)

    assert invoke(["plugins", "validate", "x", "--json"]) == 1

    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is False
    (finding,) = found["findings"]
    assert told in finding
    assert "Traceback" not in finding


def test_json_says_what_the_text_says(site: Site, capsys: Capture) -> None:
    site.install("words-pack", {"at_most": "words_pack:at_most"}, words_pack=AT_MOST)
    entry = {
        "name": "at_most",
        "reference": "words_pack:at_most",
        "package": "words-pack",
        "version": "1.0",
        "summary": "What words-pack judges",
        "folder": str(site.folder),
        "problem": None,
        "status": "usable",
    }

    def printed(*arguments: str) -> Any:
        assert invoke(["plugins", *arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    assert printed("list") == {"plugins": [entry], "reserved": list(BUILT_IN)}
    assert printed("inspect", "at_most") == {"name": "at_most", "ok": True, "reserved": False, "registrations": [entry]}
    assert printed("validate", "at_most", "--params", "9") == {
        "name": "at_most",
        "ok": True,
        "registrations": [entry],
        "parameters": [{"name": "words", "required": False}],
        "score": {"value": 1.0, "passed": True, "reason": "holds", "evidence": {}, "error": None, "skipped": False},
        "not_tried": None,
        "findings": [],
    }


def test_hostile_metadata_and_reasons_are_text(site: Site, capsys: Capture) -> None:
    site.install(
        "p-pack", {"x": "p:x"}, p="from agenteval.evaluators import EvaluationResult as R\ndef x(c): return R(True, 'a\\x1b]8;;b')"
    )
    info = site.folder / "p_pack-1.0.dist-info" / "METADATA"
    info.write_text(info.read_text().replace("What p-pack judges", "red \x1b[31m"))

    assert invoke(["plugins", "inspect", "x"]) == 0
    assert invoke(["plugins", "validate", "x"]) == 0

    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "summary: red \\x1b[31m" in out and "a\\x1b]8;;b" in out


def blocks(language: str) -> list[str]:
    """The page's code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip, offline, installed both example packages and the page's skeleton."""
    folder = tmp_path_factory.mktemp("plugins")
    module = folder / "my-evaluator" / "src" / "my_evaluator" / "__init__.py"
    module.parent.mkdir(parents=True)
    module.write_text(blocks("python")[0])
    (folder / "my-evaluator" / "pyproject.toml").write_text(blocks("toml")[0])
    (folder / "my-evaluator" / "suite.yaml").write_text(blocks("yaml")[0])
    target = folder / "site"
    packages = [*sorted((ROOT / "examples" / "plugins").glob("agenteval-*")), folder / "my-evaluator"]
    pip = ("-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check")
    done = subprocess.run([sys.executable, *pip, "--target", target, *packages], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def agenteval(installed: Path, *arguments: str, code: int = 0) -> str:
    """What the command line prints in a process that sees the installed packages."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed / "site"), str(ROOT)])}
    command = [sys.executable, "-m", "agenteval", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environ, cwd=installed)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stdout + done.stderr
    return done.stdout + done.stderr


def test_installed_packages_are_listed(installed: Path) -> None:
    listed = json.loads(agenteval(installed, "plugins", "list", "--json"))["plugins"]

    assert [(plugin["name"], plugin["package"], plugin["version"]) for plugin in listed] == [
        ("json_schema", "agenteval-json-schema", "0.1.0"),
        ("keyword_contains", "agenteval-pattern-presence", "0.1.0"),
        ("pattern_presence", "agenteval-pattern-presence", "0.1.0"),
        ("polite", "my-evaluator", "0.1.0"),
        ("short_enough", "my-evaluator", "0.1.0"),
    ]


ANSWERS = """
import sys

ANSWERS = {
    "Return the order's status as JSON.": '{"status": "lost"}',
    "Describe our refund policy.": "A REFUND takes five days.",
    "Greet the customer.": "Welcome!",
    "Answer the customer's thanks.": "You are most welcome.",
}


def answer(prompt):
    return ANSWERS[prompt]
"""


def test_the_examples_and_the_skeleton_judge_a_run(installed: Path) -> None:
    (installed / "answers.py").write_text(ANSWERS)

    def run(suite: Path | str, code: int) -> dict[str, Any]:
        agenteval(installed, "run", str(suite), "--agent", "answers:answer", "--quiet", code=code)
        shown = json.loads(agenteval(installed, "runs", "show", "--json"))
        return {
            "cases": {row[0]: row[1] for row in shown["outcomes"]["rows"]},
            "plugins": [f"{name} {plugin['package']} {plugin['version']}" for name, plugin in shown["provenance"]["plugins"].items()],
        }

    assert run(ROOT / "examples" / "plugins" / "suite.yaml", 1) == {
        "cases": {"payload": "failed", "refunds": "passed", "greeting": "passed"},
        "plugins": [
            "json_schema agenteval-json-schema 0.1.0",
            "keyword_contains agenteval-pattern-presence 0.1.0",
            "pattern_presence agenteval-pattern-presence 0.1.0",
        ],
    }
    assert run("my-evaluator/suite.yaml", 0) == {
        "cases": {"thanks": "passed"},
        "plugins": ["polite my-evaluator 0.1.0", "short_enough my-evaluator 0.1.0"],
    }


def test_the_commands_of_the_pages_work(installed: Path) -> None:
    import shlex

    readmes = [path.read_text("utf-8") for path in (ROOT / "examples" / "plugins").rglob("README.md")]
    shell = [line for page in (PAGE, *readmes) for block in re.findall(r"^```bash\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
             for line in block.splitlines()]  # fmt: skip
    tried = [shlex.split(line)[1:] for line in shell if line.startswith("agenteval plugins")]
    assert len(tried) == 7

    for arguments in tried:
        out = agenteval(installed, *arguments)
        assert "wrong:" not in out and "not tried" not in out and "on the sample: fails" not in out, out
