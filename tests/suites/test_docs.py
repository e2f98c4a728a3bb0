"""The examples of the user's pages are what they say they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agenteval.suites import read, read_registry
from agenteval.suites.agent_keys import AgentKeys
from agenteval.suites.gate_keys import GateKeys
from agenteval.suites.keys import CaseKeys, Expects, SuiteKeys
from agenteval.suites.shape import fields_of

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", blocks("suites.md", "yaml"))
def test_every_suite_shown_is_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(text, encoding="utf-8")

    suite, problems = read(tmp_path / "s.yaml")

    assert problems == []
    assert suite.cases


def test_the_dataset_shown_is_read(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(blocks("suites.md", "csv")[0], encoding="utf-8")

    suite, problems = read(tmp_path / "s.csv")

    assert problems == []
    assert [(case.id, case.expects["ground_truth"], case.tags) for case in suite.cases] == [
        ("customers", 30, ("smoke", "sql")),
        ("capital", "Tokyo", ("geo",)),
    ]


@pytest.mark.parametrize("text", blocks("agents-yaml.md", "yaml"))
def test_every_registry_shown_is_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text(text, encoding="utf-8")

    assert len(read_registry(None, start=tmp_path).agents) == 1


@pytest.mark.parametrize(
    ("page", "cls"),
    [
        ("suites.md", SuiteKeys),
        ("suites.md", CaseKeys),
        ("suites.md", Expects),
        ("agents-yaml.md", AgentKeys),
        ("agents-yaml.md", GateKeys),
    ],
)
def test_every_key_is_on_its_page(page: str, cls: type) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")

    assert [key for key in fields_of(cls) if f"`{key}`" not in text] == []
