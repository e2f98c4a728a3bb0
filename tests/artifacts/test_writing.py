"""Run files and sidecars on disk."""

import hashlib
import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from agenteval.artifacts.reading import load_head, load_run, load_sidecar
from agenteval.artifacts.writing import line_hash, write_run
from agenteval.errors import HarnessError
from agenteval.model.status import RunStatus
from tests.artifacts.stored import run_id, store
from tests.builders import a_run, an_attempt


def test_a_run_file_is_json_with_one_record_a_line_head_first(tmp_path):
    path = store(tmp_path)

    lines = path.read_text().split("\n")
    document = json.loads(path.read_text())

    assert lines[0].startswith('{"schema":"agenteval.run/1","head":{"run_id":"20261130T120001Z-abc1234-000001","agent":"bot",')
    assert [line[:14] for line in lines[1:4]] == ['"provenance":{', '"outcomes":{"c', '"cases":[']
    assert [json.loads(line.rstrip(","))["case_id"] for line in lines[4:6]] == ["a", "b"]
    assert lines[6:] == ["]}", ""]
    assert [case["case_id"] for case in document["cases"]] == ["a", "b"]
    assert document["outcomes"]["left_out"] == ["left"]


def test_the_digest_is_the_hash_of_the_file_with_its_own_value_blanked(tmp_path):
    path = store(tmp_path)

    digest = json.loads(path.read_text())["head"]["digest"]

    assert digest == hashlib.sha256(path.read_bytes().replace(digest.encode(), b"0" * 64)).hexdigest()


def test_line_hash_is_the_beginning_of_the_lines_sha256():
    assert line_hash(b'{"case_id":"a"}') == hashlib.sha256(b'{"case_id":"a"}').hexdigest()[:12]


def test_a_run_without_cases_is_written_and_read(tmp_path):
    path = store(tmp_path, attempts=[])

    run = load_run(path)

    assert list(run.cases) == []
    assert json.loads(path.read_text())["cases"] == []


def test_a_run_is_never_overwritten(tmp_path):
    path = store(tmp_path)
    before = path.read_bytes()

    with pytest.raises(HarnessError, match="exists already; runs are never overwritten"):
        store(tmp_path)

    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("stored", "resumed", "replaced"),
    [(RunStatus.INTERRUPTED, 1, True), (RunStatus.STOPPED, 1, True), (RunStatus.COMPLETED, 1, False), (RunStatus.INTERRUPTED, 0, False)],
)
def test_only_an_unfinished_run_gives_way_to_its_resumed_self(tmp_path, stored, resumed, replaced):
    path = store(tmp_path, status=stored)

    if replaced:
        store(tmp_path, resumed=resumed)
    else:
        with pytest.raises(HarnessError):
            store(tmp_path, resumed=resumed)

    assert load_head(path).resumed == (1 if replaced else 0)


def test_a_count_that_does_not_match_the_outcomes_writes_nothing(tmp_path):
    run = a_run([an_attempt("a")])

    with pytest.raises(HarnessError, match="0 case records for 1 outcomes"):
        write_run(tmp_path / "r.json", run.head, {}, run.outcomes, [], [])

    assert list(tmp_path.iterdir()) == []


def test_lines_that_fail_to_arrive_leave_nothing_behind(tmp_path):
    run = a_run([an_attempt("a")])

    def broken():
        yield b'{"case_id":"a"}'
        raise RuntimeError("reader died")

    with pytest.raises(RuntimeError):
        write_run(tmp_path / "r.json", run.head, {}, run.outcomes, [], broken())

    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path):
    """A real file system of 64 KB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = os.name == "posix" and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here: root is needed")
    yield place
    subprocess.run(["umount", str(place)], check=False)


def test_a_full_disk_is_a_harness_error_and_leaves_the_old_file(small_disk):
    big = a_run([an_attempt("a")])
    path = small_disk / "r.json"
    write_run(path, replace(big.head, status=RunStatus.INTERRUPTED), {}, big.outcomes, [], [b'{"case_id":"a"}'])
    before = path.read_bytes()

    with pytest.raises(HarnessError, match="No space left on device; the old content is untouched"):
        write_run(path, replace(big.head, resumed=1), {}, big.outcomes, [], [b'{"output":"' + b"x" * 100_000 + b'"}'])

    assert path.read_bytes() == before
    assert [item.name for item in small_disk.iterdir()] == ["r.json"]


def test_a_path_below_a_file_is_a_harness_error(tmp_path):
    (tmp_path / "file").write_text("x")
    run = a_run([])

    with pytest.raises(HarnessError, match="cannot be written"):
        write_run(tmp_path / "file" / "r.json", run.head, {}, [], [], [])


def test_a_sidecar_keeps_classes_and_whole_attempts(tmp_path):
    again = [an_attempt("a", False, repetition=1), an_attempt("a", repetition=2)]
    path = store(tmp_path, attempts=[an_attempt("a")], repetitions=again)

    sidecar = load_sidecar(path.parent / "flakiness" / path.name)
    run = load_run(path)

    assert (sidecar.run_id, sidecar.agent, sidecar.k) == (run_id(1), "bot", 2)
    assert [(case.case_id, case.classification, case.consistent, case.total) for case in sidecar.cases] == [("a", "unstable", 2, 3)]
    assert list(run.repetitions) == again
    assert json.loads(Path(path.parent / "flakiness" / path.name).read_text())["schema"] == "agenteval.flakiness/1"
