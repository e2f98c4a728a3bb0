"""What a run that was judged again says beside every other run."""

from __future__ import annotations

from collections.abc import Mapping

from agenteval._format import count, joined


def lacking_text(lacking: Mapping[str, int], *, allowed: bool) -> str:
    """Checks whose evidence the stored run lacks, and what that means for the exit code."""
    checks = joined([f"{name} ({count(number, 'attempt')})" for name, number in lacking.items()])
    means = "allowed by request" if allowed else "not a pass; execute the suite again, or add --allow-not-applicable"
    return f"Not applicable for lack of evidence: {checks}: {means}."
