"""Suites written in the test that reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from agenteval.suites import read
from agenteval.suites.suite import Suite

Write = Callable[[str, str], Path]
ReadText = Callable[..., tuple[Suite, list[str]]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file, its common indentation removed, and return its path."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def read_text(write: Write) -> ReadText:
    """Read a suite given as text; problems come as text, the file named ``s.yaml``."""

    def read_suite(text: str, name: str = "s.yaml", dialect: str | None = None) -> tuple[Suite, list[str]]:
        suite, problems = read(write(name, text), dialect=dialect, shown=name)
        return suite, [str(problem) for problem in problems]

    return read_suite
