"""The rich folder read twice: as pages that show it, and by the oracle."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dashboard import oracle
from tests.dashboard.conftest import APP
from tests.dashboard.folders import written
from tests.dashboard.oracle import Folder, Run
from tests.dashboard.oracle.said import Seen
from tests.dashboard.rich_folder import NEWEST, PINNED, STOPPED, run_id

Open = Callable[..., Any]
SMOKE, RETURNS, MINI = "20261129T120000Z-f93d2b8-000508", "20261128T150000Z-f93d2b8-000608", "20261130T070000Z-ff60109-000709"
PAIRS = [
    (run_id(NEWEST), run_id(PINNED)),
    (run_id(NEWEST), run_id(6)),
    (run_id(STOPPED), run_id(PINNED)),
    (run_id(6), run_id(PINNED)),
    (SMOKE, run_id(PINNED)),
    (RETURNS, "20261125T150000Z-e6b4c31-000606"),
    (MINI, "20261124T070000Z-d0719f2-000705"),
    (MINI, run_id(NEWEST)),
]
"""A run and what it is compared with: repeated in both, in one, in none; stopped; a part; another suite; another agent."""

ATTACKED = [
    (run_id(NEWEST), ""),
    (run_id(NEWEST), "none"),
    (run_id(8), run_id(PINNED)),
    (run_id(STOPPED), ""),
    (MINI, ""),
    ("20261125T070000Z-e6b4c31-000706", ""),
    (MINI, "20261125T070000Z-e6b4c31-000706"),
]
"""A run with adversarial cases and what it is compared with: another one broken, one that holds again."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("numbers")
    with written("rich", root):
        yield root


@pytest.fixture(scope="module")
def known(folder: Path) -> Folder:
    return oracle.read(folder)


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[Open]:
    """A page of the folder after its script ran; what it cached stays for the next one."""
    streamlit = pytest.importorskip("streamlit")
    from streamlit.testing.v1 import AppTest

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(APP.parent))
        patch.setattr(sys, "argv", ["app.py"])
        patch.setenv("AGENTEVAL_RUNS", str(folder / "runs"))
        streamlit.cache_resource.clear()

        def page(name: str, **parameters: str) -> Any:
            test = AppTest.from_file(str(APP), default_timeout=60)
            test.query_params.update(parameters)
            test.run()
            if name != "overview":
                test.switch_page(f"views/{name}.py")
                test.query_params.update(parameters)
                test.run()
            assert not test.exception
            return test

        yield page
        streamlit.cache_resource.clear()


def seen(known: Folder, run: str, baseline: str = "") -> Seen:
    chosen = known.run(run)
    then: Run | None = known.baseline(chosen) if not baseline else None if baseline == "none" else known.run(baseline)
    return Seen(known, chosen, then)
