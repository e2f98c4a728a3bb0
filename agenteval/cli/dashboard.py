"""``agenteval dashboard``: the pages over stored runs, served on this machine alone."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
from pathlib import Path

import click

import agenteval
from agenteval.errors import InputError, Problem


@click.command()
@click.argument("folders", metavar="[DIR]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(1, 65535), default=None, help="Port to serve on; 8501, or the next free one.")
@click.option("--host", default="localhost", show_default=True, help="Address to serve on; anything else opens the pages to the network.")
@click.option("--no-browser", is_flag=True, help="Serve without opening a browser.")
def command(folders: tuple[Path, ...], port: int | None, host: str, no_browser: bool) -> int:
    """Open the dashboard on stored runs: DIRs of runs, AGENTEVAL_RUNS, or runs/.

    Directories may hold artifacts downloaded from CI, zip archives included; several are read together, the same run once.
    """
    problems = [
        Problem(f"no such directory: {str(folder)!r}", "name a folder of runs", file="DIR") for folder in folders if not folder.exists()
    ]
    if problems:
        raise InputError(problems)
    if importlib.util.find_spec("streamlit") is None:
        raise InputError(Problem("the dashboard needs Streamlit", "pip install 'agenteval[dashboard]'", file="dashboard"))
    with subprocess.Popen(arguments(app_file(), folders, port=port, host=host, headless=no_browser)) as served:
        # Whoever ends this command ends the server with it.
        signal.signal(signal.SIGTERM, lambda *_: served.terminate())
        try:
            return max(served.wait(), 0)
        except KeyboardInterrupt:
            served.terminate()
            return 0


def app_file() -> Path:
    """The app's entry: in the installed package, else in the checkout.

    Raises:
        InputError: Neither is there.
    """
    package = Path(agenteval.__file__).parent
    for path in (package / "_dashboard" / "app.py", package.parent / "dashboard" / "app.py"):
        if path.is_file():
            return path
    raise InputError(Problem("the dashboard's pages are not installed", "reinstall agenteval", file="dashboard"))


def arguments(app: Path, folders: tuple[Path, ...], *, port: int | None, host: str, headless: bool) -> list[str]:
    """The command line that serves the app."""
    words = [sys.executable, "-m", "streamlit", "run", str(app), f"--server.address={host}", f"--server.headless={str(headless).lower()}"]
    if port is not None:
        words.append(f"--server.port={port}")
    words += ["--browser.gatherUsageStats=false", "--server.showEmailPrompt=false"]
    return [*words, "--", *(str(folder.absolute()) for folder in folders)]
