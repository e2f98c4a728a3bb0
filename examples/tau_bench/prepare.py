"""Turns recorded tau-bench trials into a suite and a recording, so that they can be judged again without a model.

    python examples/tau_bench/prepare.py tau_bench_gpt4o_airline.jsonl --out examples/tau_bench/data
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

WRITING_TOOLS = (
    "book_reservation",
    "cancel_reservation",
    "send_certificate",
    "update_reservation_baggages",
    "update_reservation_flights",
    "update_reservation_passengers",
)
"""The tools of the airline that change its database: what they were called with decides the final state."""


def read_trials(path: Path) -> list[dict[str, Any]]:
    """The recorded trials, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def suite_of(trials: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A suite with one case a task: the benchmark's reward decides, the writing calls are observed beside it."""
    tasks = {trial["case_id"]: trial for trial in trials}
    return {
        "name": "tau_bench_airline",
        "repeat": 1 + max(trial["repetition"] for trial in trials),
        "cases": [_case(task) for _, task in sorted(tasks.items())],
    }


def _case(task: dict[str, Any]) -> dict[str, Any]:
    calls = task["expected"]["tool_calls"]
    gold = [{"name": call["name"], "arguments": call["arguments"]} for call in calls if call["name"] in WRITING_TOOLS]
    return {
        "id": task["case_id"],
        "prompt": task["prompt"],
        "evaluators": [
            {"field": {"path": "raw.reward", "equals": 1.0}},
            {"tool_calls": {"expected": gold, "only": list(WRITING_TOOLS), "ordered": False}, "required": False},
        ],
    }


def recording_of(trials: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The trials as recorded attempts. The benchmark kept neither the agent's tokens nor its time, so neither is given."""
    return [
        {
            "case_id": trial["case_id"],
            "repetition": trial["repetition"],
            "output": trial["output"],
            "tool_calls": [call for step in steps for call in [step_call(step)] if call],
            "steps": steps,
            "model": trial["model"],
            "raw": {"reward": trial["reward"]},
        }
        for trial in trials
        for steps in [steps_of(trial["steps"])]
    ]


def steps_of(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages as steps: what was said, and each tool call with its result."""
    steps: list[dict[str, Any]] = []
    open_calls: dict[str, dict[str, Any]] = {}
    for message in messages:
        for call in message.get("tool_calls") or ():
            step = {"kind": "tool_call", "name": call["name"], "input": call["arguments"], "id": call["id"]}
            open_calls[call["id"]] = step
            steps.append(step)
        if message["role"] == "tool":
            open_calls[message["tool_call_id"]]["output"] = message["content"]
        elif message.get("content"):
            steps.append({"kind": "message", "name": message["role"], "output": message["content"]})
    return steps


def step_call(step: dict[str, Any]) -> dict[str, Any] | None:
    """The tool call of a step, None for words."""
    if step["kind"] != "tool_call":
        return None
    return {"name": step["name"], "arguments": step["input"], "result": step.get("output"), "id": step["id"]}


def registry_of(folder: Path) -> dict[str, Any]:
    """agents.yaml of the recorded agent."""
    return {
        "version": 1,
        "agents": {
            "tau_bench_gpt4o": {
                "display_name": "gpt-4o on tau-bench airline",
                "adapter": "agenteval.adapters.replay:Replay",
                "adapter_options": {"recording": str((folder / "recording.jsonl").resolve())},
                "golden_suite": "suite.yaml",
            }
        }
    }


def prepare(trials: Sequence[dict[str, Any]], folder: Path) -> None:
    """Write suite.yaml, recording.jsonl and agents.yaml into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in (("suite.yaml", suite_of(trials)), ("agents.yaml", registry_of(folder))):
        (folder / name).write_text(yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=120), encoding="utf-8")
    with (folder / "recording.jsonl").open("w", encoding="utf-8") as recording:
        for attempt in recording_of(trials):
            recording.write(json.dumps(attempt, ensure_ascii=False) + "\n")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("trials", type=Path, help="recorded trials, JSONL")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data", help="folder to write (default: data/ here)")
    options = parser.parse_args()
    trials = read_trials(options.trials)
    prepare(trials, options.out)
    print(f"{len(trials)} trials -> {options.out}/suite.yaml, recording.jsonl, agents.yaml")


if __name__ == "__main__":
    main()
