"""Results as one JSON object, for programs: strict JSON, the same names as in the stored files."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agenteval._files import dumps
from agenteval.artifacts.codec import head_to_json, verdict_to_json
from agenteval.compare.variance import VarianceSplit
from agenteval.model.comparison import Comparison
from agenteval.model.run import Run


def run_json(run: Run, comparison: Comparison, exit_code: int, **more: Any) -> str:
    """The head, where the file lies, the outcomes, the comparison, the exit code, and what else a command adds."""
    document = {
        "exit_code": exit_code,
        "path": None if run.path is None else str(run.path),
        "head": head_to_json(run.head),
        "outcomes": [
            {"case_id": row.case_id, "status": row.status.value, "correct": row.correct, "score": row.score} for row in run.outcomes
        ],
        "comparison": comparison_document(comparison),
        **more,
    }
    return dumps(document).decode()


def variance_document(found: VarianceSplit | None) -> dict[str, Any]:
    """``judged_variance`` with a split of variance, in squared score units; empty where there is none."""
    return {} if found is None else {"judged_variance": {**asdict(found), "judge_share": found.judge_share}}


def comparison_json(comparison: Comparison) -> str:
    """The comparison as one JSON object."""
    return dumps(comparison_document(comparison)).decode()


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """JSON-safe mapping of a comparison: verdict with gates, metrics, test, transitions, matrix, notes."""
    return {
        "schema": "agenteval.comparison/1",
        "passed": comparison.verdict.passed,
        "verdict": verdict_to_json(comparison.verdict),
        "current": comparison.current.run_id,
        "baseline": None if comparison.baseline is None else comparison.baseline.run_id,
        "metrics": [asdict(metric) for metric in comparison.metrics],
        "test": None if comparison.test is None else asdict(comparison.test),
        "transitions": [asdict(transition) for transition in comparison.transitions],
        "matrix": {before: dict(after) for before, after in comparison.matrix.items()},
        "notes": list(comparison.notes),
    }
