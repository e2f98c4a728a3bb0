"""Packages with evaluators, written as an installer leaves them: modules beside a ``.dist-info`` folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from agenteval.evaluators import plugins


class Site:
    """A folder on the import path that packages are put into."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def install(self, package: str, points: dict[str, str], *, version: str = "1.0", **modules: str) -> None:
        """A package that registers ``points`` (name -> module:attribute); each module by its name and source."""
        for name, source in modules.items():
            (self.folder / f"{name}.py").write_text(dedent(source), "utf-8")
        info = self.folder / f"{package.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\nSummary: What {package} judges\n")
        lines = "".join(f"{name} = {reference}\n" for name, reference in points.items())
        (info / "entry_points.txt").write_text(f"[agenteval.evaluators]\n{lines}")
        plugins.registered.cache_clear()

    def imported(self) -> set[str]:
        """The modules of this folder that were imported."""
        return {path.stem for path in self.folder.glob("*.py")} & set(sys.modules)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """An empty folder on the import path; afterwards nothing of it is known any more."""
    table = sys.modules["agenteval.evaluators.table"]
    monkeypatch.setattr(table, "_plugged", {})
    monkeypatch.setattr(table, "_defined", {})
    made = Site(tmp_path / "site")
    monkeypatch.syspath_prepend(str(made.folder))
    before = set(sys.modules)
    plugins.registered.cache_clear()
    yield made
    for name in set(sys.modules) - before:
        if (made.folder / f"{name}.py").exists():
            del sys.modules[name]
    plugins.registered.cache_clear()
