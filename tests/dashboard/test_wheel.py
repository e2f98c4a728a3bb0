"""The dashboard as it is installed: from the wheel, on any folder, with its own settings."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.builders import an_attempt
from tests.dashboard.stored import store

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]


def test_the_wheel_serves_the_pages_from_another_folder(tmp_path: Path) -> None:
    pytest.importorskip("streamlit")
    pytest.importorskip("hatchling", reason="builds the wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=ROOT, check=True, capture_output=True
    )
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site")
    settings = tmp_path / "site" / "agenteval" / "_dashboard" / ".streamlit" / "config.toml"
    assert "gatherUsageStats = false" in settings.read_text()
    store(tmp_path, [an_attempt("a")], "20261128T090000Z-aaaaaaa-000001")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    command = [sys.executable, "-m", "agenteval", "dashboard", str(tmp_path / "runs"), "--no-browser", f"--port={port}", "--host=127.0.0.1"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    with (tmp_path / "log").open("wb") as log:
        served = subprocess.Popen(command, cwd=elsewhere, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        assert _answers(f"http://127.0.0.1:{port}/_stcore/health") == b"ok", (tmp_path / "log").read_text()
        lines = Path(f"/proc/{served.pid}/task/{served.pid}/children")
        children = lines.read_text().split() if lines.exists() else []
        for child in children:
            assert str(tmp_path / "site" / "agenteval" / "_dashboard" / "app.py") in Path(f"/proc/{child}/cmdline").read_text()
        served.terminate()
        served.wait(timeout=20)
        assert not any(Path(f"/proc/{child}/cmdline").exists() for child in children)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(served.pid, 9)


def _answers(address: str, patience_s: float = 60) -> bytes:
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        try:
            with urlopen(address, timeout=2) as answer:
                return bytes(answer.read())
        except OSError:
            time.sleep(0.1)
    return b""
