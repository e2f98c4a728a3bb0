"""``agenteval dashboard`` starts the pages on the named folders and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agenteval.cli.dashboard import app_file, arguments, command
from agenteval.errors import InputError


def test_it_serves_this_machine_alone_without_telemetry(tmp_path: Path) -> None:
    words = arguments(Path("app.py"), (tmp_path,), port=9000, host="localhost", headless=True)

    assert words[:5] == [sys.executable, "-m", "streamlit", "run", "app.py"]
    assert {"--server.address=localhost", "--server.port=9000", "--server.headless=true", "--browser.gatherUsageStats=false"} <= set(words)
    assert words[words.index("--") + 1 :] == [str(tmp_path)]


def test_the_pages_are_found() -> None:
    assert (app_file().parent / "views" / "overview.py").is_file()


def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="DIR: no such directory: 'nowhere'; name a folder of runs"):
        CliRunner().invoke(command, ["nowhere"], catch_exceptions=False)
