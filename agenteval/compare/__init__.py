"""What changed, how sure that is, and whether it may pass."""

from agenteval.compare.diff import compare_runs

__all__ = ["compare_runs"]
