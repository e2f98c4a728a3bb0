"""Pages opened on a folder of stored runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

APP = Path(__file__).parents[2] / "dashboard" / "app.py"

Open = Callable[..., Any]


@pytest.fixture
def pages_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``streamlit run`` does: the script's folder is importable, and the arguments are the script's."""
    monkeypatch.syspath_prepend(str(APP.parent))
    monkeypatch.setattr(sys, "argv", ["app.py"])


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pages_on_path: None) -> Iterator[Open]:
    """``open_page("case", case="a")``: the page after its script ran, on the runs below ``tmp_path/runs``."""
    streamlit = pytest.importorskip("streamlit")
    from streamlit.testing.v1 import AppTest

    monkeypatch.setenv("AGENTEVAL_RUNS", str(tmp_path / "runs"))
    streamlit.cache_resource.clear()

    def opened(page: str = "overview", **parameters: str) -> Any:
        test = AppTest.from_file(str(APP), default_timeout=60)
        for name, value in parameters.items():
            test.query_params[name] = value
        if page == "overview":
            return test.run()
        # The page can only be switched to once the app has declared it; the switch drops the parameters.
        test.run()
        test.switch_page(f"views/{page}.py")
        for name, value in parameters.items():
            test.query_params[name] = value
        return test.run()

    yield opened
    streamlit.cache_resource.clear()


def words(page: Any) -> str:
    """Every text on a page, Markdown's backslashes taken out."""
    parts = [*page.markdown, *page.text, *page.caption, *page.code]
    return "\n".join(str(part.value) for part in parts).replace("\\", "").replace("\u2060", "")
