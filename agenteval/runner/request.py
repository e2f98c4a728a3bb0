"""What was asked of a run, before any file is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenteval.adapters.pricing import Price
from agenteval.llm.settings import ModelSettings
from agenteval.model.gates import GateLimits
from agenteval.model.run import Run
from agenteval.runner.preparing import PreparedSuite
from agenteval.suites.suite import Suite

DEFAULT_TIMEOUT_S = 300.0
DEFAULT_CONCURRENCY = 4
DEFAULT_HISTORY = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """Which cases, how often, and how.

    ``None`` takes the suite's or the registry's value, ``judge_repeat`` that of ``judge.votes``. ``repeat`` applies to ``repeat_cases``
    or, with ``repeat_all``, to every case.
    """

    case_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    smoke: bool = False
    last_failed: bool = False
    include_candidates: bool = False
    repeat: int | None = None
    repeat_cases: tuple[str, ...] = ()
    repeat_all: bool = False
    concurrency: int | None = None
    timeout_s: float | None = None
    model: str | None = None
    fail_fast: bool = False
    max_cost_usd: float | None = None
    skip_judges: bool = False
    no_score: bool = False
    judge_repeat: int | None = None


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Everything one run needs to be told.

    Attributes:
        prepared: The suite, read and compiled.
        agent: ``module:attribute``, or the agent object itself.
        agent_name: Names the artifacts' folder.
        root: The tested project's root; paths in files are relative to it.
        runs_dir, baselines_dir: Roots of the artifacts.
        baseline: Where the baseline would lie; None compares with nothing.
        where: What named the agent, for errors.
        fallback: The registry's values, used where neither choice nor suite says anything.
        resume: Run name to resume, ``""`` the newest unfinished one, None a new run.
        rescore: Stored run whose evidence is judged again in a new run; ``agent`` is then not used.
        retry_errors: Run name whose errors are retried in a new run; ``""`` the latest.
    """

    prepared: PreparedSuite
    agent: Any
    agent_name: str
    root: Path
    runs_dir: Path
    baseline: Path | None = None
    limits: GateLimits = field(default_factory=GateLimits)
    choice: Choice = field(default_factory=Choice)
    fallback: Choice = field(default_factory=Choice)
    adapter_options: Mapping[str, Any] = field(default_factory=dict)
    repo_path: Path | None = None
    where: str = "--agent"
    smoke_case_ids: tuple[str, ...] = ()
    prices: Mapping[str, Price] = field(default_factory=dict)
    judge: ModelSettings | None = None
    registry_hash: str | None = None
    label: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    command_line: tuple[str, ...] = ()
    record_to: Path | None = None
    resume: str | None = None
    retry_errors: str | None = None
    rescore: Run | None = None
    history_limit: int = DEFAULT_HISTORY
    keep_history: bool = True

    @property
    def suite(self) -> Suite:
        """The suite itself."""
        return self.prepared.suite
