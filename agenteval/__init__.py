"""CI for LLM agents: run a suite, judge every answer, compare with a baseline, keep the evidence as plain files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agenteval._version import __version__ as __version__
    from agenteval.adapters.contract import AgentAdapter as AgentAdapter
    from agenteval.compare import compare_runs as compare_runs
    from agenteval.evaluators import evaluator as evaluator
    from agenteval.model.response import AgentResponse as AgentResponse
    from agenteval.model.response import Step as Step
    from agenteval.model.score import Score as Score
    from agenteval.runner.api import arun_suite as arun_suite
    from agenteval.runner.api import load_run as load_run
    from agenteval.runner.api import load_suite as load_suite
    from agenteval.runner.api import run_suite as run_suite

_HOMES = {
    "__version__": "agenteval._version",
    "AgentAdapter": "agenteval.adapters.contract",
    "AgentResponse": "agenteval.model.response",
    "Score": "agenteval.model.score",
    "Step": "agenteval.model.response",
    "arun_suite": "agenteval.runner.api",
    "compare_runs": "agenteval.compare",
    "evaluator": "agenteval.evaluators",
    "load_run": "agenteval.runner.api",
    "load_suite": "agenteval.runner.api",
    "run_suite": "agenteval.runner.api",
}
__all__ = sorted(name for name in _HOMES if not name.startswith("_"))


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: importing the package stays cheap."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'agenteval' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
