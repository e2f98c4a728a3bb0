"""Every key of ``agents.yaml``: its type, its limits, and the words that the JSON Schema shows for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath
from typing import Annotated, Any, Literal

from agenteval._text import clip
from agenteval.suites.custom import Keys
from agenteval.suites.gate_keys import GateKeys
from agenteval.suites.judge_keys import JudgeKeys
from agenteval.suites.keys import Reference, Seconds, Times
from agenteval.suites.price_keys import AgentPriceKeys
from agenteval.suites.shape import Pattern, Range, Word

AGENT_NAME = Pattern(r"[a-z][a-z0-9_-]*", "lower-case letters, digits, _ and -, beginning with a letter")
_VARIABLE = Pattern(r"[A-Z_][A-Z0-9_]*", "the name of an environment variable, such as MY_AGENT_PATH")


@dataclass(frozen=True, slots=True)
class Inside:
    """A path inside the folder of ``agents.yaml``."""

    def problem(self, value: str) -> str | None:
        """What is wrong with the path, or None."""
        if PurePosixPath(value).is_absolute() or PureWindowsPath(value).is_absolute() or "\x00" in value:
            return f"{clip(value, 80)!r} is absolute; write it relative to the folder of agents.yaml"
        if ".." in PurePosixPath(value.replace("\\", "/")).parts:
            return f"{clip(value, 80)!r} leaves the folder of agents.yaml; write a path inside it"
        return None if value.strip() else "must not be empty"


InsidePath = Annotated[str, Inside()]


@dataclass(frozen=True)
class Repository:
    """Where the agent's code lies, where that is not beside agents.yaml.

    Attributes:
        env_var: Environment variable that may hold the path.
        default_path: Path used where the variable is not set; relative to the folder of agents.yaml.
        required_paths: Files or folders that must be in it.
        ci_repository: owner/name of the repository that CI checks out.
        ci_checkout_path: Folder that CI checks it out to.
    """

    env_var: Annotated[str, _VARIABLE] | None = None
    default_path: Word | None = None
    required_paths: list[InsidePath] = field(default_factory=list)
    ci_repository: Word | None = None
    ci_checkout_path: Word | None = None

    def __post_init__(self) -> None:
        if self.env_var is None and self.default_path is None:
            raise ValueError("needs env_var or default_path; add one")


@dataclass(frozen=True)
class Alerting:
    """A message to a chat when a gate fails.

    Attributes:
        enabled: Whether messages are sent.
        webhook_url_env: Environment variable that holds the webhook's URL; never the URL itself.
        kind: Which chat.
    """

    enabled: bool = False
    webhook_url_env: Annotated[str, _VARIABLE] | None = None
    kind: Literal["slack", "discord"] = "slack"

    def __post_init__(self) -> None:
        if self.enabled and self.webhook_url_env is None:
            raise ValueError("is enabled without webhook_url_env; name the environment variable that holds the URL")


@dataclass(frozen=True)
class Audit:
    """A line a command in an audit log.

    Attributes:
        enabled: Whether the log is kept.
        log_path: The log's file; runs/<agent>/audit.jsonl where not given.
    """

    enabled: bool = False
    log_path: InsidePath | None = None


@dataclass(frozen=True)
class AgentKeys:
    """One agent.

    Attributes:
        adapter: The agent's class or function, as module:name; imported only when the agent runs.
        display_name: Name shown to people; the agent's own name where not given.
        enabled: false keeps the agent out of every command.
        adapter_options: Arguments of the class; ${AGENT_REPO} in a text stands for the repository's path.
        repository: Where the agent's code lies.
        golden_suite: The suite that runs where none is named.
        baseline: The pinned run of the golden suite.
        runs_dir: Folder of the runs; the agent's name is appended.
        smoke_case_ids: Cases of --smoke.
        gates: Limits that a run must keep.
        alerting: A message to a chat when a gate fails.
        audit: A line a command in an audit log.
        judge: Settings of the LLM judge.
        pricing: Prices by model name; they go before the table that comes with the product.
        model: Model that the agent is to use.
        repeat: How often each case is executed in a run.
        concurrency: How many attempts may execute at a time.
        timeout_s: Deadline of one call of the agent, in seconds.
    """

    adapter: Reference
    display_name: Word | None = None
    enabled: bool = True
    adapter_options: dict[str, Any] = field(default_factory=dict)
    repository: Repository | None = None
    golden_suite: InsidePath | None = None
    baseline: InsidePath | None = None
    runs_dir: InsidePath | None = None
    smoke_case_ids: list[Word] = field(default_factory=list)
    gates: Annotated[Mapping[str, Any], Keys(GateKeys)] = field(default_factory=dict)
    alerting: Alerting = field(default_factory=Alerting)
    audit: Audit = field(default_factory=Audit)
    judge: Annotated[Mapping[str, Any], Keys(JudgeKeys)] = field(default_factory=dict)
    pricing: dict[str, AgentPriceKeys] = field(default_factory=dict)
    model: Word | None = None
    repeat: Times | None = None
    concurrency: Times | None = None
    timeout_s: Seconds | None = None


@dataclass(frozen=True)
class RegistryKeys:
    """The agents of a project.

    Attributes:
        version: Version of the format; 1.
        agents: The agents by name.
    """

    version: Annotated[int, Range(ge=1, le=1)]
    agents: dict[str, Any]
