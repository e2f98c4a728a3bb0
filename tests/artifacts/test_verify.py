"""Verifying stored evidence, and pruning it."""

from datetime import UTC, datetime

import pytest

from agenteval.artifacts.pruning import plan_pruning, prune
from agenteval.artifacts.store import Store
from agenteval.artifacts.verify import verify
from agenteval.compare.measures import measures
from agenteval.model.facts import facts_of
from tests.artifacts.stored import run_id, store
from tests.builders import an_attempt


def recompute(attempts):
    return measures(facts_of(attempt) for attempt in attempts)


@pytest.fixture
def path(tmp_path):
    again = [an_attempt("a", repetition=1), an_attempt("a", False, repetition=2)]
    return store(tmp_path, attempts=[an_attempt("a"), an_attempt("b", False)], repetitions=again, history=True)


def altered(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))


def test_what_was_written_holds(path):
    assert verify(path, recompute) == []


def test_an_altered_case_is_found_by_its_line(path):
    altered(path, b'{"case_id":"b","status":"failed"', b'{"case_id":"b","status":"passed"')

    findings = verify(path, recompute)

    assert findings[0] == f"{path}:6: the record of case 'b' was altered"
    assert findings[1].startswith(f"{path}: the file was altered: its digest is ")


def test_a_removed_case_is_found(path):
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:4], lines[4].rstrip(b","), *lines[6:]]))

    assert f"{path}:6: the record of case 'b' is missing" in verify(path, recompute)


def test_an_altered_measure_is_found_though_no_case_was_touched(path):
    altered(path, b'"correctness_rate":{"value":0.5', b'"correctness_rate":{"value":0.9')

    assert [finding.partition(": its digest")[0] for finding in verify(path, recompute)] == [f"{path}: the file was altered"]


def test_measures_that_the_cases_do_not_give_are_found_in_a_consistent_file(tmp_path):
    wrong = {**recompute([an_attempt("a")])}
    path = store(tmp_path, attempts=[an_attempt("a", False)], metrics=wrong)

    assert f"{path}:1: correctness_rate is recorded as 1.0 over 1, its cases give 0.0 over 1" in verify(path, recompute)


def test_an_altered_attempt_of_the_sidecar_is_found_by_its_line(path):
    sidecar = path.parent / "flakiness" / path.name
    altered(sidecar, b'"repetition":2', b'"repetition":3')

    findings = verify(path, recompute)

    assert findings[0] == f"{sidecar}:4: the attempt was altered"


def test_a_sidecar_of_another_run_is_found(path, tmp_path):
    other = store(tmp_path / "other", 2, attempts=[an_attempt("a")], repetitions=[an_attempt("a", repetition=1)])
    sidecar = path.parent / "flakiness" / path.name
    sidecar.write_bytes((other.parent / "flakiness" / other.name).read_bytes())

    assert verify(path, recompute) == [f"{sidecar}: belongs to run {run_id(2)}, not to {run_id(1)}"]


def test_an_altered_figure_of_a_ledger_entry_is_found(path):
    ledger = path.parent / "history.json"
    altered(ledger, b'"value":', b'"value":9')

    assert verify(path, recompute) == [f"{ledger}: its entry of run {run_id(1)} differs from the file in metrics"]


def test_a_ledger_entry_of_another_content_is_found(path):
    ledger = path.parent / "history.json"
    altered(ledger, b'"digest":"', b'"digest":"0')

    findings = verify(path, recompute)

    assert len(findings) == 1
    assert findings[0].startswith(f"{ledger}: its entry of run {run_id(1)} has digest 0")


def test_an_unreadable_file_is_a_finding(tmp_path):
    (tmp_path / "x.json").write_text("")

    assert verify(tmp_path / "x.json") == [f"{tmp_path / 'x.json'}: is empty"]


def days(number):
    return datetime(2026, 11, 30 - number, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("keep", "older", "now", "removed"),
    [
        (1, None, days(0), [1, 2]),
        (0, None, days(0), [1, 2, 3]),
        (5, None, days(0), []),
        (None, 1, days(0), []),
        (None, 0, days(0), [1, 2, 3]),
        (1, 1, days(0), []),
    ],
)
def test_what_is_pruned(tmp_path, keep, older, now, removed):
    for number in (1, 2, 3):
        store(tmp_path, number)

    plan = plan_pruning(Store([tmp_path]).heads().runs, keep=keep, older_than_days=older, pinned=(), now=now)

    assert [item.head.run_id for item in plan.removed] == [run_id(number) for number in removed]


def test_pinned_runs_stay_and_sidecars_go_with_their_runs(tmp_path):
    first = store(tmp_path, 1, attempts=[an_attempt("a")], repetitions=[an_attempt("a", repetition=1)])
    second = store(tmp_path, 2)

    plan = plan_pruning(Store([tmp_path]).heads().runs, keep=0, older_than_days=None, pinned={run_id(2)}, now=days(0))
    prune(plan.removed)

    assert [reason for _, reason in plan.protected] == ["it is a baseline"]
    assert not first.exists()
    assert not (first.parent / "flakiness" / first.name).exists()
    assert second.exists()
