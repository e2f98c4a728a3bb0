"""What holds for the whole suite: under ``AGENTEVAL_REQUIRE_ALL=1`` nothing that CI can provide may be skipped."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

DATA_ABSENT = "real data absent"


def must_run(item: pytest.Item, reason: str) -> bool:
    """Whether CI must not accept this skip: it installs the browser, and the data files where they lie beside the project."""
    if item.get_closest_marker("browser"):
        return True
    data = Path(os.environ.get("AGENTEVAL_DATA") or Path(__file__).parents[2] / "shared")
    wants_data = item.get_closest_marker("data") is not None or DATA_ABSENT in reason
    return wants_data and data.is_dir()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip that CI must not accept into a failure that names its reason."""
    report = yield
    if os.environ.get("AGENTEVAL_REQUIRE_ALL") == "1" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if must_run(item, reason):
            report.outcome = "failed"
            report.longrepr = f"skipped where AGENTEVAL_REQUIRE_ALL=1 wants it run: {reason}"
    return report
