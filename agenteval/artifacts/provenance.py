"""Where a run came from: the tested project's commit, its suite and configuration, versions, platform, CI run.

Paths are relative to the project; host and user names never enter; of the environment only the CI run's address is read.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenteval._version import __version__

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class GitState:
    """The tested project's commit and whether tracked files differ from it; None where unknown (no git, no commit)."""

    commit: str | None = None
    dirty: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """As heads and provenance hold it."""
        return {"commit": self.commit, "dirty": self.dirty}


class GitProbe:
    """Asks git in the background: start it first thing, take the answer when it is needed."""

    def __init__(self, root: Path) -> None:
        self._folder = _git_folder(root)
        self._commit = _head_commit(self._folder) if self._folder else None
        self._status: subprocess.Popen[bytes] | None = None
        if self._folder is not None:
            self._status = _start_git(root, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=none")
        self._root = root

    def finish(self, timeout_s: float = 10.0) -> GitState:
        """Commit and dirtiness; what git can't say in time is None."""
        if self._folder is None:
            return GitState()
        commit = self._commit or _ask_git(self._root, timeout_s, "rev-parse", "--verify", "-q", "HEAD")
        output = _output(self._status, timeout_s)
        return GitState(commit, None if output is None else bool(output.strip()))


def project_provenance(
    root: Path,
    *,
    git: GitState,
    suite: Mapping[str, Any],
    adapter: str | None,
    registry: Mapping[str, Any] | None = None,
    model: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    seeds: Mapping[str, Any] | None = None,
    meta: Mapping[str, str] | None = None,
    argv: Sequence[str] | None = None,
    environ: Mapping[str, str] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The provenance of a run, JSON-safe.

    Args:
        root: The project's folder; absolute paths below it become relative.
        suite, registry: ``path`` and ``hash`` (and more) of each.
        adapter: ``module:callable``; its top-level package's version is recorded where it is installed.
        argv: The command line (default: ``sys.argv``), recorded redacted.
        environ: For the CI run's address (default: ``os.environ``).
        extra: Further keys: judge, price table.
    """
    record: dict[str, Any] = {
        "git": git.to_json(),
        "suite": {key: _relative_text(value, root) for key, value in suite.items()},
        "registry": None if registry is None else {key: _relative_text(value, root) for key, value in registry.items()},
        "adapter": adapter,
        "model": model,
        "parameters": dict(parameters or {}),
        "seeds": dict(seeds or {}),
        "packages": package_versions(adapter, root),
        "python": ".".join(str(part) for part in sys.version_info[:3]),
        "platform": _platform(),
        "ci_url": ci_url(os.environ if environ is None else environ),
        "command": command_line(sys.argv if argv is None else argv, root),
        "meta": dict(meta or {}),
    }
    record.update(extra or {})
    return record


def package_versions(adapter: str | None, root: Path | None = None) -> dict[str, str]:
    """Versions of agenteval and of the adapter's top-level package, where it has one; a package of the project itself has the commit."""
    found = {"agenteval": __version__}
    name = (adapter or "").partition(":")[0].partition(".")[0]
    if name and name != "agenteval":
        version = _version_of(name, root)
        if version is not None:
            found[name] = version
    return found


def _version_of(name: str, root: Path | None) -> str | None:
    module = sys.modules.get(name)
    stated = vars(module).get("__version__") if module is not None else None
    if isinstance(stated, str):
        return stated
    file = getattr(module, "__file__", None)
    if root is not None and file is not None and Path(file).is_relative_to(root) and "site-packages" not in file:
        return None
    from importlib import metadata  # a twentieth of a whole run, for packages that keep their version there alone

    try:
        return metadata.version(name)
    except (metadata.PackageNotFoundError, ValueError):
        return None


def ci_url(environ: Mapping[str, str]) -> str | None:
    """Address of the CI run: GitHub Actions, GitLab, Jenkins, CircleCI, Buildkite or Azure Pipelines; None elsewhere.

    >>> ci_url({"CI_JOB_URL": "https://user:token@gitlab.example/jobs/1"})
    'https://gitlab.example/jobs/1'
    """
    get = environ.get
    if get("GITHUB_RUN_ID") and get("GITHUB_REPOSITORY"):
        url = f"{get('GITHUB_SERVER_URL', 'https://github.com')}/{get('GITHUB_REPOSITORY')}/actions/runs/{get('GITHUB_RUN_ID')}"
    elif get("SYSTEM_TEAMFOUNDATIONCOLLECTIONURI") and get("BUILD_BUILDID"):
        url = f"{get('SYSTEM_TEAMFOUNDATIONCOLLECTIONURI')}{get('SYSTEM_TEAMPROJECT', '')}/_build/results?buildId={get('BUILD_BUILDID')}"
    else:
        names = ("CI_JOB_URL", "CIRCLE_BUILD_URL", "BUILDKITE_BUILD_URL", "BUILD_URL")
        url = next((environ[name] for name in names if get(name)), "")
    url = re.sub(r"(?<=://)[^/@]*@", "", url)
    return url if url.startswith(("https://", "http://")) else None


def command_line(argv: Sequence[str], root: Path) -> list[str]:
    """The command as typed, the program by its name alone, paths below the project relative, the home folder as ``~``, secrets redacted."""
    if not argv:
        return []
    return [_program(argv[0]), *(redacted(_relative_text(argument, root)) for argument in argv[1:])]


def redacted(text: str) -> str:
    """The text without secrets."""
    from agenteval._redact import redact

    return redact(text)


def relative_path(path: Path, root: Path) -> str:
    """The path below the project, with forward slashes; only the name of a file that lies elsewhere.

    >>> relative_path(Path("/p/suites/a.yaml"), Path("/p"))
    'suites/a.yaml'
    >>> relative_path(Path("/elsewhere/a.yaml"), Path("/p"))
    'a.yaml'
    """
    absolute = path if path.is_absolute() else root / path
    try:
        return absolute.relative_to(root).as_posix()
    except ValueError:
        return path.name if path.is_absolute() else path.as_posix()


def _relative_text(value: Any, root: Path) -> Any:
    if isinstance(value, Path):
        return relative_path(value, root)
    if not isinstance(value, str):
        return value
    text = value.replace(f"{root}{os.sep}", "")
    home = str(Path("~").expanduser())
    return text.replace(home, "~") if len(home) > 1 and home in text else text


def _program(argument: str) -> str:
    name = Path(argument).name
    return "agenteval" if name == "__main__.py" else name


def _platform() -> str:
    machine = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "")
    return f"{sys.platform} {machine}".strip()


def _git_folder(root: Path) -> Path | None:
    """The git folder of the work tree that holds ``root``."""
    for folder in (root, *root.parents):
        place = folder / ".git"
        if place.is_dir():
            return place
        if place.is_file():
            text = _read(place).strip()
            if text.startswith("gitdir:"):
                return folder / text.removeprefix("gitdir:").strip()
    return None


def _head_commit(folder: Path) -> str | None:
    """HEAD's commit read from git's own files; None where they don't tell (other storage formats, no commit yet)."""
    head = _read(folder / "HEAD").strip()
    if not head.startswith("ref:"):
        return head if _COMMIT.fullmatch(head) else None
    reference = head.removeprefix("ref:").strip()
    common = folder / (_read(folder / "commondir").strip() or ".")
    for place in (folder / reference, common / reference):
        value = _read(place).strip()
        if _COMMIT.fullmatch(value):
            return value
    for line in _read(common / "packed-refs").splitlines():
        commit, _, name = line.partition(" ")
        if name == reference and _COMMIT.fullmatch(commit):
            return commit
    return None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _start_git(root: Path, *arguments: str) -> subprocess.Popen[bytes] | None:
    environ = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        return subprocess.Popen(
            ["git", "-C", str(root), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environ,
        )
    except OSError:
        return None


def _output(process: subprocess.Popen[bytes] | None, timeout_s: float) -> bytes | None:
    """What the process printed, or None where it failed or took too long."""
    if process is None:
        return None
    try:
        output, _ = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    return output if process.returncode == 0 else None


def _ask_git(root: Path, timeout_s: float, *arguments: str) -> str | None:
    output = _output(_start_git(root, *arguments), timeout_s)
    text = (output or b"").decode("ascii", "replace").strip()
    return text if _COMMIT.fullmatch(text) else None
