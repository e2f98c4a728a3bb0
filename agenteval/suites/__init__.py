"""Reading suites and ``agents.yaml`` with positions; never knows an evaluator by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agenteval.suites.agent_config import AgentConfig as AgentConfig
from agenteval.suites.reading import read as read
from agenteval.suites.registry import Registry as Registry
from agenteval.suites.registry import project_root as project_root
from agenteval.suites.registry import read_registry as read_registry
from agenteval.suites.selection import Selector as Selector
from agenteval.suites.selection import select as select


def schema(evaluators: Mapping[str, type]) -> dict[str, Any]:
    """The JSON Schema of native suites, given the known evaluators (dataclasses) by name."""
    from agenteval.suites.json_schema import schema as make

    return make(evaluators)
