"""pydantic-evals with its own equality evaluator; it stores nothing."""

from __future__ import annotations

import time

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected
from workload import Workload, report

workload = Workload.from_arguments()
cases = [Case(name=f"c{number}", inputs=f"v{number}", expected_output=f"v{number}") for number in range(workload.cases)]
dataset: Dataset = Dataset(name="bench", cases=cases, evaluators=[EqualsExpected()])
began = time.perf_counter()
result = dataset.evaluate_sync(workload.agent, max_concurrency=workload.concurrency, progress=False)
seconds = time.perf_counter() - began
assert all(assertion.value for case in result.cases for assertion in case.assertions.values())
report(seconds, None)
