"""The budgets of speed and size, measured beside other tools in one sitting, so that ratios hold on any machine.

    make bench                    # everything; other tools go to .venv-bench
    make bench BENCH='--json'     # the same as JSON
    make bench BENCH='--alone'    # AgentEval and the floor only

Times are the best of a few runs. No test asserts them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ours import CASES, write_suite

HERE = Path(__file__).parent
VENV = HERE.parent / ".venv-bench"
RIVALS = {"pydantic-evals": "pydantic_evals_", "Inspect": "inspect_", "deepeval": "deepeval_", "promptfoo": "promptfoo_"}
SLOW = {"Inspect": 2000, "deepeval": 2000}
"""Fewer trivial cases for tools that take milliseconds each, enough to make their start-up small beside them."""


@dataclass
class Row:
    """One budget, what was measured, and the same work elsewhere (in the same unit)."""

    what: str
    unit: str
    budget: float
    measured: float
    others: dict[str, float] = field(default_factory=dict)
    then: dict[str, float] = field(default_factory=dict)
    """What the others took on the machine for which the budget was set: a slower machine slows everyone."""

    @property
    def ok(self) -> bool:
        """Whether the budget is kept: as it stands, or as a share of what another tool takes here and took there."""
        shares = [self.budget / took * self.others[name] for name, took in self.then.items() if name in self.others]
        return self.measured <= max([self.budget, *shares])


def last_line(command: list[str], **options: Any) -> dict[str, Any]:
    """The JSON that a measurement prints last."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr[-1500:]}")
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def ours(name: str, repeats: int) -> dict[str, float]:
    """The best of some fresh processes."""
    results = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            results.append(last_line([sys.executable, str(HERE / "ours.py"), name, folder]))
    return min(results, key=lambda result: result["value"])


def rival(python: Path, name: str, cases: int, concurrency: int, sleep_ms: float = 0) -> dict[str, float] | None:
    """Another tool on the same work; None, with a note, where it cannot run."""
    script = HERE / "rivals" / f"{RIVALS.get(name, name)}.py"
    with tempfile.TemporaryDirectory() as folder:
        command = [str(python), str(script), str(cases), str(concurrency), str(sleep_ms)]
        environment = os.environ | {"PYTHONPATH": str(HERE / "rivals"), "PROMPTFOO": str(HERE / "out/npm/node_modules/.bin/promptfoo")}
        try:
            return last_line(command, cwd=folder, env=environment)
        except (RuntimeError, OSError, ValueError, IndexError) as problem:
            print(f"{name} left out: {str(problem).strip().splitlines()[-1]}", file=sys.stderr)
            return None


def succeeds(command: list[str]) -> bool:
    """Whether a command ends with 0."""
    return subprocess.run(command, capture_output=True).returncode == 0


def install_rivals() -> list[str]:
    """Names of the other tools that are there after trying to install them."""
    python = VENV / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    present = []
    for name, package in (("pydantic-evals", "pydantic-evals"), ("Inspect", "inspect-ai"), ("deepeval", "deepeval")):
        if succeeds([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]):
            present.append(name)
        else:
            print(f"{name} left out: it cannot be installed", file=sys.stderr)
    npm = shutil.which("npm")
    if npm and succeeds([npm, "install", "--silent", "--prefix", str(HERE / "out/npm"), "promptfoo"]):
        present.append("promptfoo")
    return present


def process(arguments: list[str], folder: Path, repeats: int) -> tuple[float, float]:
    """Best seconds and peak MB of a whole process."""
    times, peaks = [], []
    for _ in range(repeats):
        began = time.perf_counter()
        child = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(time.perf_counter() - began)
        peaks.append(usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024))
        if os.waitstatus_to_exitcode(status) != 0:
            raise RuntimeError(f"{' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return min(times), min(peaks)


def whole_run(repeats: int) -> tuple[float, float]:
    """Best seconds and peak MB of `agenteval run` with 5,000 trivial cases."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_suite(folder / "suite.yaml", CASES)
        shutil.copy(HERE / "ours.py", folder / "bench_agent.py")
        command = [str(Path(sys.executable).with_name("agenteval")), "run", "suite.yaml", "--agent", "bench_agent:answer", "--quiet"]
        return process(command, folder, repeats)


def measure(rivals: list[str], repeats: int) -> list[Row]:
    """Every row, tool after tool."""
    python = VENV / "bin/python"
    floors = [rival(Path(sys.executable), "floor", 5000, 10) for _ in range(repeats)]
    floor = min(found["seconds"] for found in floors if found) / 5000 * 1e6
    trivial, waiting, size, listing = {"floor": floor}, {}, {}, {}
    for name in rivals:
        cases = SLOW.get(name, 5000)
        found = rival(python, name, cases, 10)
        if found:
            trivial[name] = found["seconds"] / cases * 1e6
            if found["bytes_per_case"]:
                size[name] = found["bytes_per_case"]
        if name != "promptfoo":  # its echo provider cannot wait
            slept = rival(python, name, 500, 10, 20)
            if slept:
                waiting[name] = slept["seconds"]
    headers = rival(python, "inspect_headers", 0, 0) if "Inspect" in rivals else None
    if headers:
        listing["Inspect headers"] = headers["seconds"] * 1000
    in_async = ours("overhead_async", repeats)
    seconds, peak = whole_run(repeats)
    command = str(Path(sys.executable).with_name("agenteval"))
    judged = ours("judged", 2)
    return [
        Row("overhead per trivial case, async agent", "µs", 30, in_async["value"], trivial, {"floor": 11}),
        Row(
            "overhead per trivial case, blocking agent",
            "µs",
            30,
            ours("overhead_blocking", repeats)["value"],
            {"floor": floor},
            {"floor": 11},
        ),
        Row("agenteval run, 5,000 trivial cases, whole process", "s", 0.8, seconds),
        Row("  its peak memory", "MB", 90, peak),
        Row("500 cases of 20 ms at concurrency 10", "s", 1.05, ours("concurrency", repeats)["value"], waiting, {"pydantic-evals": 1.06}),
        Row("agenteval --help", "ms", 80, process([command, "--help"], HERE, 2 * repeats)[0] * 1000),
        Row("list 500 runs", "ms", 30, ours("list_runs", repeats)["value"], listing, {"Inspect headers": 340}),
        Row("compare two runs of 5,000 cases", "s", 0.5, ours("compare", repeats)["value"]),
        Row("judging, beyond the bare client, 1,000 at concurrency 20", "ms", 1, judged["value"], {"bare client": judged["bare"]}),
        Row("artifact size, trivial case", "B", 600, in_async["bytes"], size),
    ]


def dashboard() -> list[Row]:
    """The dashboard's rows, the empty Streamlit page beside the verdict; none, with a note, where there is no browser."""
    try:
        found = last_line([sys.executable, str(HERE / "dashboard.py"), "--runs", "500", "--json"])
    except RuntimeError as problem:
        print(f"dashboard left out: {str(problem).strip().splitlines()[-1]}", file=sys.stderr)
        return []
    return [Row(row["what"], row["unit"], round(row["budget"], 2), row["measured"], row["others"]) for row in found["rows"]]


def table(rows: list[Row]) -> str:
    """Rows as text: budget, measured, and what it is elsewhere."""
    lines = [f"{'what':<58}{'budget':>9}{'measured':>11}       elsewhere (as a multiple of AgentEval)"]
    for row in rows:
        others = ", ".join(f"{name} {value:.3g} (×{value / row.measured:.2g})" for name, value in row.others.items())
        figures = f"{row.budget:>6g} {row.unit:<2}{row.measured:>8.3g} {row.unit:<2}"
        lines.append(f"{row.what:<58}{figures}  {'ok  ' if row.ok else 'OVER'} {others}")
    return "\n".join(lines)


def main() -> int:
    """The command; exits 1 where a budget is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--alone", action="store_true", help="leave the other tools out")
    parser.add_argument("--repeats", type=int, default=5, help="best of so many (default 5)")
    options = parser.parse_args()
    rows = measure([] if options.alone else install_rivals(), options.repeats) + dashboard()
    print(json.dumps([asdict(row) | {"ok": row.ok} for row in rows], indent=2) if options.json else table(rows))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
