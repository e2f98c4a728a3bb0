"""A rescore that was cut short, and stored files that hold no evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agenteval._files import loads
from agenteval.artifacts.reading import load_run
from agenteval.errors import InputError
from agenteval.model.run import Run
from agenteval.reports.console import next_lines
from agenteval.runner.rescoring import Rescore, rescore_request
from agenteval.runner.session import run_suite
from tests.runner.project import Project


@pytest.fixture
def cut_short(project: Project) -> tuple[Run, Run]:
    """A run, and the rescore of it that was interrupted."""
    project.suite("one", "two")
    parent = project.run().run
    path = Path(str(run_suite(rescore_request(Rescore(project.root, "latest"))).run.path))
    document = loads(path.read_bytes())
    document["head"].update(status="interrupted", digest=None)
    path.write_text(json.dumps(document))
    return parent, load_run(path)


def test_resume_calls_no_agent_for_a_rescore_that_was_cut_short(project: Project, cut_short: tuple[Run, Run]) -> None:
    with pytest.raises(InputError, match="there is no unfinished run"):
        project.run(resume="")


def test_resuming_it_by_name_says_how_to_judge_again(project: Project, cut_short: tuple[Run, Run]) -> None:
    parent, again = cut_short
    with pytest.raises(InputError, match=f"calls no agent; judge it once more: agenteval rescore {parent.head.run_id}"):
        project.run(resume=again.head.run_id)


def test_what_to_do_next_is_to_judge_the_same_run_again(cut_short: tuple[Run, Run]) -> None:
    from agenteval.compare import compare_runs

    parent, again = cut_short
    assert next_lines(again, compare_runs(again, None)) == [f"next: agenteval rescore {parent.head.run_id}"]


def test_verdicts_without_answers_are_not_judged_again(project: Project) -> None:
    project.suite("one")
    older = {
        "run_id": "baseline_20260714T201812Z_04052cd",
        "timestamp": "2026-07-14T20:18:12+00:00",
        "adapter": "analyst",
        "correctness_rate": 1.0,
        "case_results": [{"case_id": "one", "correctness_pass": True}],
    }
    (project.root / "older.json").write_text(json.dumps(older))
    with pytest.raises(InputError, match="holds no evidence to judge"):
        rescore_request(Rescore(project.root, "older.json", suite="suite.yaml"))
