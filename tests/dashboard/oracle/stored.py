"""The stored files as they are: runs, ledgers, journals, pins; and what one record says."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DECIDED = ("passed", "failed")
STATUSES = ("passed", "failed", "agent_error", "evaluator_error", "skipped", "unscored")
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """One stored run: its head and its cases' records, and the further attempts of repeated cases."""

    head: Mapping[str, Any]
    cases: Sequence[Record]
    again: Mapping[str, Sequence[Record]]

    @property
    def id(self) -> str:
        return str(self.head["run_id"])

    def counted(self) -> list[Record]:
        """Candidates and quarantined cases are in no rate."""
        return [case for case in self.cases if not case.get("role")]

    def case(self, case_id: str) -> Record:
        return next(case for case in self.cases if case["case_id"] == case_id)

    def attempts(self, case_id: str) -> list[Record]:
        return [self.case(case_id), *self.again.get(case_id, ())]

    @property
    def repeated(self) -> dict[str, list[Record]]:
        return {case["case_id"]: self.attempts(case["case_id"]) for case in self.cases if case["case_id"] in self.again}


@dataclass(frozen=True)
class Folder:
    """Everything stored below one folder. ``ledger`` holds heads by agent, oldest first; ``open`` journals: head and attempts done."""

    runs: Sequence[Run]
    ledger: Mapping[str, Sequence[Mapping[str, Any]]]
    open: Sequence[tuple[Mapping[str, Any], int]]
    pinned: Mapping[tuple[str, str], str]

    def of(self, agent: str) -> list[Run]:
        return [run for run in self.runs if run.head["agent"] == agent]

    def run(self, run_id: str) -> Run:
        return next(run for run in self.runs if run.id == run_id)

    def siblings(self, run: Run) -> list[Run]:
        """Same agent, suite and selection, oldest first."""
        return [other for other in self.of(run.head["agent"]) if kin(other.head) == kin(run.head)]

    def baseline(self, run: Run) -> Run | None:
        """The pinned run of the agent's suite; of the pinned run itself none, since nothing changes against itself."""
        pinned = self.pinned.get((run.head["agent"], run.head["suite"]["name"]))
        return self.run(pinned) if pinned and pinned != run.id else None

    def names(self) -> list[str]:
        """Names that hold digits: cases, agents, models, labels, metadata, commits. Their digits are no numbers."""
        found: set[str] = set()
        for run in self.runs:
            head = run.head
            found |= {case["case_id"] for case in run.cases} | {head["agent"], head.get("label") or "", head["parameters"]["model"]}
            found |= {head["git"]["commit"][:7], head["suite"]["hash"][:7], *head["meta"].values()}
        return sorted(name for name in found if any(letter.isdigit() for letter in name))


def kin(head: Mapping[str, Any]) -> tuple[str, str]:
    return head["suite"]["name"], json.dumps(head["selection"]["filter"], sort_keys=True)


def read(root: Path) -> Folder:
    """The stored files below ``root/runs`` and ``root/baselines``."""
    found, ledger, going = [], {}, []
    for folder in sorted((root / "runs").iterdir()):
        for path in folder.glob("2*.json"):
            stored = json.loads(path.read_text())
            found.append(Run(stored["head"], stored["cases"], _again(folder / "flakiness" / path.name)))
        ledger[folder.name] = json.loads((folder / "history.json").read_text())["entries"]
        for path in folder.glob("journal/*.jsonl"):
            lines = path.read_text().splitlines()
            going.append((json.loads(lines[0])["head"], len(lines) - 1))
    pins = [json.loads(path.read_text())["head"] for path in (root / "baselines").glob("*.json") if "flakiness" not in path.name]
    pinned = {(head["agent"], head["suite"]["name"]): head["run_id"] for head in pins}
    return Folder(sorted(found, key=lambda run: (run.head["started_at"], run.id)), ledger, going, pinned)


def _again(path: Path) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    if path.exists():
        for attempt in json.loads(path.read_text())["attempts"]:
            found.setdefault(attempt["case_id"], []).append(attempt)
    return found


def status(case: Record) -> str:
    return str(case["status"])


def decided(case: Record) -> bool:
    return status(case) in DECIDED


def tokens(case: Record) -> int | None:
    usage = case.get("usage")
    return None if not usage else usage["prompt_tokens"] + usage["completion_tokens"]


def fed(case: Record, what: str) -> Record | None:
    """The check that feeds a measure."""
    return next((check for check in case.get("scores", ()) if check.get("feeds") == what), None)


def score(case: Record) -> float | None:
    """Mean of the required checks' values."""
    values = [check["value"] for check in case.get("scores", ()) if check.get("required", True) and check.get("value") is not None]
    return statistics.fmean(values) if values else None


def latency(case: Record) -> float | None:
    """Of finished calls; a timeout counts at its deadline."""
    error = case.get("error")
    return None if error and error["kind"] != "timeout" else case.get("latency_ms")


def number_read(case: Record) -> float | None:
    check = fed(case, "correctness")
    return check["evidence"].get("value") if check and check.get("evidence") else None
