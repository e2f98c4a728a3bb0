"""The project's own rules: lint, types, layers, light imports, honest text, links that resolve."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ("pandas", "plotly", "streamlit", "openai", "numpy", "pydantic", "sqlglot")
TEXT_SUFFIXES = {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".jsonl", ".sql", ".sh", ".cfg", ".txt", ".csv", ".html", ".css", ""}
LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\(([^)\s]+)\)")
FORBIDDEN = re.compile(
    r"/work/|/root/|/opt/|pythonhosted|\bpypi\.(?:org|python)|npmjs\.|registry\.npm|index-url"
    r"|\b(?:claude|anthropic|copilot|chatgpt[- ]written|ai[- ]generated|subagent|co-authored-by)\b"
    r"|\bphase \d|\btier[- ]\d|\bsession \d",
    re.IGNORECASE,
)


def tracked() -> list[Path]:
    """Every text file of the project that git knows, this one left out."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.suffix in TEXT_SUFFIXES and path.is_file() and path != Path(__file__)]


def run(*command: str, folder: Path = ROOT) -> str:
    """The output of a module run as a program; fails the test, showing it, where the program fails."""
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_lint_is_clean() -> None:
    run("-m", "ruff", "check", ".")


def test_types_are_strict() -> None:
    run("-m", "mypy")
    pages = [str(path.relative_to(ROOT / "dashboard")) for path in sorted((ROOT / "dashboard").rglob("*.py"))]
    run("-m", "mypy", "--strict", "--config-file", "../pyproject.toml", *pages, folder=ROOT / "dashboard")


def test_imports_go_down_only() -> None:
    run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")


def test_the_architecture_page_draws_the_checked_layers() -> None:
    declared = re.search(r"^layers = \[\n(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE)
    assert declared is not None
    layers = re.findall(r'"([^"]+)"', declared.group(1))

    assert "```\n" + "\n".join(layers) + "\n```" in (ROOT / "docs/architecture.md").read_text()


def test_help_imports_nothing_heavy() -> None:
    script = f"""
import sys
from agenteval.cli.main import main
try:
    main(["--help"])
except SystemExit as end:
    assert not end.code, end.code
heavy = [name for name in {HEAVY!r} if name in sys.modules]
assert not heavy, heavy
"""
    assert "Usage:" in run("-c", script)


def test_the_tree_names_no_machine_registry_or_author_tool() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match.group()}"
        for path in tracked()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in FORBIDDEN.finditer(line)
    ]

    assert found == []


def anchors(page: str) -> set[str]:
    """The fragment ids that a Markdown page's headings get."""
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_links_between_pages_resolve() -> None:
    broken = []
    for path in (path for path in tracked() if path.suffix == ".md"):
        for link in LINK.findall(path.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, fragment = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists() or (fragment and target.suffix == ".md" and fragment not in anchors(target.read_text(encoding="utf-8"))):
                broken.append(f"{path.relative_to(ROOT)}: {link}")

    assert broken == []
