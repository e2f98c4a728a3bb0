"""A project in a folder of its own, for runs through the same door as the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenteval.model.run import Run
from agenteval.runner.configure import Wanted, run_requests
from agenteval.runner.events import Observer
from agenteval.runner.request import Choice
from agenteval.runner.session import RunResult, run_suite


@dataclass
class Project:
    """Writes suites, runs them, and looks at what is left on disk."""

    root: Path
    agent: str = "tests.runner.agents:echo"

    def suite(self, *prompts: str, name: str = "suite.yaml", head: dict[str, Any] | None = None, **expects: Any) -> Path:
        """A suite with one exact case a prompt, which an echoing agent passes."""
        cases = [
            {"id": prompt.replace(" ", "_"), "prompt": prompt, "expects": {"correctness_type": "exact", "ground_truth": prompt, **expects}}
            for prompt in prompts
        ]
        path = self.root / name
        path.write_text(json.dumps({"cases": cases, **(head or {})}))
        return path

    def run(self, suite: str = "suite.yaml", *, agent: str | None = None, observer: Observer | None = None, **options: Any) -> RunResult:
        """One run; options are fields of ``Wanted`` or ``Choice``."""
        choice = Choice(**{name: options.pop(name) for name in list(options) if name in Choice.__dataclass_fields__})
        wanted = Wanted(cwd=self.root, suite=suite, agent=agent or self.agent, choice=choice, **options)
        (request,) = run_requests(wanted)
        return run_suite(request, observer)

    @property
    def folder(self) -> Path:
        """Where the runs of the latest agent lie."""
        return max((path for path in (self.root / "runs").iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime_ns)

    def stored(self) -> list[Path]:
        """Run files, oldest first."""
        return sorted(path for path in self.folder.glob("*.json") if path.name != "history.json")


def statuses(run: Run) -> dict[str, str]:
    """Status by case id."""
    return {outcome.case_id: outcome.status.value for outcome in run.outcomes}
