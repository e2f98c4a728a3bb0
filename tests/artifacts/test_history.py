"""The ledger."""

import json
import multiprocessing
from dataclasses import replace

import pytest

from agenteval.artifacts.history import append_entry, read_ledger, rebuild
from agenteval.artifacts.reading import load_head
from agenteval.errors import HarnessError, InputError
from tests.artifacts.stored import run_id, store
from tests.builders import a_run, shared_data

HEAD = a_run([]).head


def head(number):
    return replace(HEAD, run_id=run_id(number), started_at=f"2026-11-30T12:00:{number:02d}.000Z", digest="d" * 64)


def ids(path):
    return [entry.head.run_id for entry in read_ledger(path)]


def test_entries_are_kept_oldest_first_with_their_digest(tmp_path):
    path = tmp_path / "history.json"

    append_entry(path, head(2), "two.json", 20)
    append_entry(path, head(1), "one.json", 20)

    document = json.loads(path.read_text())
    assert document["schema"] == "agenteval.history/1"
    assert [(entry["run_id"], entry["file"], entry["digest"]) for entry in document["entries"]] == [
        (run_id(1), "one.json", "d" * 64),
        (run_id(2), "two.json", "d" * 64),
    ]
    assert read_ledger(path)[0].head == head(1)


def test_only_the_newest_stay(tmp_path):
    path = tmp_path / "history.json"
    for number in range(1, 6):
        append_entry(path, head(number), "x.json", 3)

    assert ids(path) == [run_id(3), run_id(4), run_id(5)]


def test_a_resumed_run_replaces_its_entry(tmp_path):
    path = tmp_path / "history.json"
    append_entry(path, head(1), "x.json", 20)

    append_entry(path, replace(head(1), resumed=1), "x.json", 20)

    assert [entry.head.resumed for entry in read_ledger(path)] == [1]


@pytest.mark.parametrize("content", [b"", b'{"schema":"agenteval.history/1","entries":[{"run_', b"[1,2]", b'{"entries":1}', b"\xff\x00"])
def test_a_corrupt_ledger_is_kept_told_and_rebuilt_from_the_runs(tmp_path, content):
    first, second = store(tmp_path, 1), store(tmp_path, 2)
    path = first.parent / "history.json"
    path.write_bytes(content)

    warnings = append_entry(path, load_head(second), second.name, 20)

    assert ids(path) == [run_id(1), run_id(2)]
    copies = list(first.parent.glob("history.corrupt-*.bak"))
    assert [copy.read_bytes() for copy in copies] == [content]
    assert len(warnings) == 1
    assert f"kept as {copies[0].name} and rebuilt from 2 run files" in warnings[0]


def test_a_newer_ledger_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "history.json"
    path.write_text('{"schema":"agenteval.history/2","entries":[]}')

    with pytest.raises(InputError) as caught:
        append_entry(path, head(1), "x.json", 20)

    assert str(caught.value) == f"{path}: written with schema 2, this version reads up to 1; upgrade agenteval"
    assert path.read_text() == '{"schema":"agenteval.history/2","entries":[]}'


def test_the_predecessors_ledger_is_kept_and_carried_over(tmp_path):
    path = tmp_path / "history.json"
    old = shared_data("data", "predecessor", "samples", "history.json").read_bytes()
    path.write_bytes(old)

    warnings = append_entry(path, head(1), "x.json", 20)

    assert len(ids(path)) == 8
    assert [copy.read_bytes() for copy in tmp_path.glob("history.before-1-*.bak")] == [old]
    assert "its 7 entries were carried over" in warnings[0]


def test_rebuilding_reads_the_runs_and_nothing_else(tmp_path):
    path = store(tmp_path, 1)
    store(tmp_path, 2)
    (path.parent / "notes.json").write_text("{}")
    (path.parent / "broken.json").write_text("{")

    entries = rebuild(path.parent / "history.json")

    assert [entry.head.run_id for entry in entries] == [run_id(1), run_id(2)]
    assert ids(path.parent / "history.json") == [run_id(1), run_id(2)]


def test_a_missing_ledger_is_empty_and_an_entry_may_be_all_there_is(tmp_path):
    assert read_ledger(tmp_path / "history.json") == []
    append_entry(tmp_path / "history.json", head(1), "x.json", 0)
    assert read_ledger(tmp_path / "history.json") == []


def _append(path, number):
    append_entry(path, head(number), f"{number}.json", 20)


def test_sixteen_processes_keep_sixteen_entries(tmp_path):
    path = tmp_path / "history.json"
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_append, args=(path, number)) for number in range(16)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert ids(path) == [run_id(number) for number in range(16)]
    assert [process.exitcode for process in processes] == [0] * 16


def test_a_folder_that_cannot_be_made_is_a_harness_error(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(HarnessError, match="cannot be locked"):
        append_entry(tmp_path / "file" / "history.json", head(1), "x.json", 20)
