"""deepeval with a metric that compares text; its cache is off."""

from __future__ import annotations

import os
import time
from typing import Any

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_NO_INSPECT_PROMPT": "1"}

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
from workload import Workload, report

workload = Workload.from_arguments()


class Equal(BaseMetric):
    """Its agent is called inside the metric: deepeval takes answers, not agents."""

    async_mode = True
    include_reason = False
    evaluation_model = None
    strict_mode = False
    threshold = 1.0

    def measure(self, case: LLMTestCase, *_: Any, **__: Any) -> float:
        self.score = float(case.actual_output == case.expected_output)
        self.success = self.score == 1
        return self.score

    async def a_measure(self, case: LLMTestCase, *_: Any, **__: Any) -> float:
        await workload.agent(case.input)
        return self.measure(case)

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "Equal"


cases = [LLMTestCase(input=f"v{number}", actual_output=f"v{number}", expected_output=f"v{number}") for number in range(workload.cases)]
began = time.perf_counter()
result = evaluate(
    cases,
    [Equal()],
    async_config=AsyncConfig(run_async=True, max_concurrent=workload.concurrency, throttle_value=0),
    display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
    cache_config=CacheConfig(write_cache=False, use_cache=False),
)
seconds = time.perf_counter() - began
assert all(test.success for test in result.test_results)
report(seconds, None)
