"""The journal of a running suite."""

import json
import multiprocessing
import threading

import pytest

from agenteval._files import dumps
from agenteval.artifacts.codec import head_to_json
from agenteval.artifacts.journal import JournalWriter, read_journal, read_journal_head
from agenteval.errors import HarnessError, InputError
from agenteval.model.record import to_record
from tests.builders import a_run, an_attempt

HEAD = head_to_json(a_run([]).head)


def line(case_id, repetition=0):
    return dumps(to_record(an_attempt(case_id, repetition=repetition)))


def test_records_are_on_disk_when_append_returns(tmp_path):
    path = tmp_path / "journal" / "r.jsonl"
    writer = JournalWriter.create(path, HEAD)

    offset, length = writer.append(line("a"))

    lines = path.read_bytes().split(b"\n")
    assert json.loads(lines[0])["schema"] == "agenteval.journal/1"
    assert lines[1:] == [line("a"), b""]
    assert writer.read(offset, length) == line("a")
    writer.close()


def test_a_lock_tells_running_from_crashed(tmp_path):
    writer = JournalWriter.create(tmp_path / "r.jsonl", HEAD)
    while_running = read_journal(tmp_path / "r.jsonl").running

    writer.close()

    assert while_running is True
    assert read_journal(tmp_path / "r.jsonl").running is False


def test_a_half_last_line_is_named_and_the_rest_is_read(tmp_path):
    path = tmp_path / "r.jsonl"
    with JournalWriter.create(path, HEAD) as writer:
        writer.append(line("a"))
        writer.append(line("b", 1))
    path.write_bytes(path.read_bytes()[:-5])

    journal = read_journal(path)

    assert [(entry.case_id, entry.repetition) for entry in journal.entries] == [("a", 0)]
    assert journal.problems == ("line 3: cut off",)
    assert [attempt.case_id for attempt in journal.attempts()] == ["a"]


def test_resuming_cuts_the_half_line_off_and_goes_on(tmp_path):
    path = tmp_path / "r.jsonl"
    with JournalWriter.create(path, HEAD) as writer:
        writer.append(line("a"))
        writer.append(line("b"))
    path.write_bytes(path.read_bytes()[:-5])

    with JournalWriter.open_resumed(path) as writer:
        place = writer.append(line("c"))
        again = writer.read(*place)

    journal = read_journal(path)
    assert again == line("c")
    assert [entry.case_id for entry in journal.entries] == ["a", "c"]
    assert journal.problems == ()


def test_damaged_lines_in_the_middle_cost_only_themselves(tmp_path):
    path = tmp_path / "r.jsonl"
    with JournalWriter.create(path, HEAD) as writer:
        writer.append(b"\xff\x00garbage")
        writer.append(b"[1]")
        writer.append(line("b"))

    journal = read_journal(path)

    assert [entry.case_id for entry in journal.entries] == ["b"]
    assert len(journal.problems) == 2


def test_two_writers_of_one_run_are_refused(tmp_path):
    path = tmp_path / "r.jsonl"
    with JournalWriter.create(path, HEAD):
        with pytest.raises(HarnessError, match="another process is writing this run"):
            JournalWriter.open_resumed(path)
        with pytest.raises(HarnessError, match="cannot be created"):
            JournalWriter.create(path, HEAD)


def test_threads_append_whole_lines(tmp_path):
    path = tmp_path / "r.jsonl"
    with JournalWriter.create(path, HEAD) as writer:

        def work(number):
            for count in range(200):
                place = writer.append(line(f"{number}-{count}"))
                assert writer.read(*place) == line(f"{number}-{count}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len(read_journal(path).latest()) == 1600


def _dies_while_writing(path):
    import os

    writer = JournalWriter.create(path, HEAD)
    writer.append(line("a"))
    os._exit(9)


def test_a_killed_process_leaves_a_crashed_journal(tmp_path):
    path = tmp_path / "r.jsonl"
    process = multiprocessing.get_context("spawn").Process(target=_dies_while_writing, args=(path,))
    process.start()
    process.join()

    head, done, running = read_journal_head(path)

    assert (head["run_id"], done, running) == ("20261130T120000Z-abc1234-000001", 1, False)


@pytest.mark.parametrize("content", [b"", b"{}", b"[1,2]\n", b'{"schema":"agenteval.run/1","head":{}}\n', b"\xff\xfe"])
def test_other_files_are_no_journals(tmp_path, content):
    (tmp_path / "r.jsonl").write_bytes(content)

    with pytest.raises(InputError):
        read_journal(tmp_path / "r.jsonl")


def test_a_newer_journal_is_refused_with_the_way_out(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"schema":"agenteval.journal/2","head":{}}\n')

    with pytest.raises(InputError) as caught:
        read_journal(path)

    assert str(caught.value) == f"{path}: written with schema 2, this version reads up to 1; upgrade agenteval"


def test_a_closed_descriptor_is_told_and_not_a_crash(tmp_path):
    import os

    writer = JournalWriter.create(tmp_path / "r.jsonl", HEAD)
    os.close(writer._descriptor)

    with pytest.raises(HarnessError, match="closed the journal's file"):
        writer.append(line("a"))
    writer._descriptor = -1
