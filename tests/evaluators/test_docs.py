"""The page of evaluators names every evaluator and parameter, and its examples compile."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from agenteval.evaluators import compile_case
from agenteval.evaluators.table import BUILT_IN, find
from agenteval.suites import shape
from agenteval.suites.custom import EvaluatorList
from tests.evaluators.judging import a_case

PAGE = (Path(__file__).parents[2] / "docs/evaluators.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE))


def test_every_evaluator_has_a_section_and_no_other() -> None:
    assert sorted(SECTIONS) == sorted(BUILT_IN)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_parameter_is_documented(name: str) -> None:
    rows = re.findall(r"^\| (`.*?) \|", SECTIONS[name], re.MULTILINE)

    assert [parameter for row in rows for parameter in re.findall(r"`(\w+)`", row)] == list(shape.fields_of(find(name)))


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_example_compiles(name: str) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", SECTIONS[name], re.DOTALL)
    problems: list[object] = []

    specs = EvaluatorList().check(yaml.safe_load(example), "cases[0].evaluators", problems)  # type: ignore[arg-type]
    compiled, found = compile_case(a_case(evaluators=specs))

    assert [*problems, *found] == []
    assert [check.name for check in compiled.checks] == [name]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_parameter_is_described_where_editors_look(name: str) -> None:
    described = re.findall(r"^\s+(\w+): ", (find(name).__doc__ or "").partition("Attributes:")[2], re.MULTILINE)

    assert described == list(shape.fields_of(find(name)))
