"""Inspect with a solver that calls no model and its default log."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, scorer
from inspect_ai.solver import Generate, TaskState, solver
from workload import Workload, report

workload = Workload.from_arguments()


@solver
def echo():  # type: ignore[no-untyped-def]
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output.completion = await workload.agent(state.input_text)
        return state

    return solve


@scorer(metrics=[accuracy()])
def equal():  # type: ignore[no-untyped-def]
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=CORRECT if state.output.completion == target.text else INCORRECT)

    return score


samples = [Sample(id=number + 1, input=f"v{number}", target=f"v{number}") for number in range(workload.cases)]
task = Task(dataset=MemoryDataset(samples), solver=echo(), scorer=equal(), name="bench")
with tempfile.TemporaryDirectory() as folder:
    began = time.perf_counter()
    (log,) = evaluate(task, model="mockllm/model", log_dir=folder, max_samples=workload.concurrency, display="none")
    seconds = time.perf_counter() - began
    assert log.results is not None
    assert log.results.scores[0].metrics["accuracy"].value == 1.0
    report(seconds, sum(path.stat().st_size for path in Path(folder).iterdir()) / workload.cases)
