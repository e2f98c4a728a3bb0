"""What a run came from is compared with what was last recorded of it."""

from __future__ import annotations

from agenteval.compare.provenance_changes import ProvenanceChange, provenance_changes, telling
from agenteval.model.run import RunHead, SuiteRef
from tests.builders import a_run, an_attempt


def a_head(model: str | None = None, suite: str | None = None, commit: str | None = None, **meta: str) -> RunHead:
    parameters = {} if model is None else {"model": model}
    git = {} if commit is None else {"commit": commit}
    return a_run([an_attempt()], parameters=parameters, suite=SuiteRef("s", hash=suite), git=git, meta=meta).head


def test_each_kind_is_told_with_both_values() -> None:
    heads = [a_head("small", "aa", "1", prompt="v1"), a_head("large", "bb", "2", prompt="v2")]

    assert provenance_changes(heads) == [
        ProvenanceChange(1, "suite", "suite", "aa", "bb"),
        ProvenanceChange(1, "model", "model", "small", "large"),
        ProvenanceChange(1, "metadata", "prompt", "v1", "v2"),
        ProvenanceChange(1, "commit", "commit", "1", "2"),
    ]


def test_a_run_that_does_not_record_is_passed_over() -> None:
    heads = [a_head("small"), a_head(), a_head("small"), a_head(), a_head("large")]

    assert provenance_changes(heads) == [ProvenanceChange(4, "model", "model", "small", "large")]


def test_commits_and_build_numbers_are_no_marks() -> None:
    heads = [a_head("small" if place < 4 else "large", commit=str(place), build=str(place), prompt="v1") for place in range(8)]

    assert telling(provenance_changes(heads), 8) == [ProvenanceChange(4, "model", "model", "small", "large")]


def test_a_change_in_the_second_of_two_runs_is_a_mark() -> None:
    assert len(telling(provenance_changes([a_head("small"), a_head("large")]), 2)) == 1
