"""Writing files, locks and JSON."""

import os
import subprocess
import threading

import pytest

from agenteval._files import atomic_file, atomic_write, dumps, loads, locked
from agenteval.errors import HarnessError


def test_json_is_compact_strict_and_survives_lone_surrogates():
    assert dumps({"a": ["é", None]}) == '{"a":["é",null]}'.encode()
    assert loads(dumps("\ud800")) == "\ud800"
    with pytest.raises(ValueError, match="Out of range"):
        dumps(float("nan"))


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a":-Infinity}'])
def test_nan_and_infinity_are_refused_when_read(text):
    with pytest.raises(ValueError, match="which is not JSON"):
        loads(text)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "x"
    atomic_write(path, [b"old"])

    with pytest.raises(KeyError), atomic_file(path) as file:
        file.write(b"half")
        raise KeyError

    assert path.read_bytes() == b"old"
    assert [item.name for item in path.parent.iterdir()] == ["x"]


def test_an_exclusive_write_never_replaces(tmp_path):
    path = tmp_path / "x"
    atomic_write(path, [b"first"], exclusive=True)

    with pytest.raises(FileExistsError):
        atomic_write(path, [b"second"], exclusive=True)

    assert path.read_bytes() == b"first"
    assert [item.name for item in tmp_path.iterdir()] == ["x"]


def test_new_files_have_the_permissions_that_the_user_gives_new_files(tmp_path):
    before = os.umask(0o027)
    try:
        atomic_write(tmp_path / "x", [b""])
    finally:
        os.umask(before)

    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640


@pytest.fixture
def read_only(tmp_path):
    """A real file system that refuses writes, with one file on it."""
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True, check=False).returncode:
        pytest.skip("a file system cannot be mounted here: root is needed")
    (place / "x").write_bytes(b"old")
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=False)


def test_a_read_only_disk_is_a_harness_error_with_the_file_intact(read_only):
    for attempt in (lambda: atomic_write(read_only / "x", [b"new"]), lambda: locked(read_only / "x").__enter__()):
        with pytest.raises(HarnessError, match="Read-only file system"):
            attempt()

    assert (read_only / "x").read_bytes() == b"old"
    assert [item.name for item in read_only.iterdir()] == ["x"]


def test_a_lock_is_held_against_threads_and_told_when_it_stays(tmp_path):
    path = tmp_path / "x"
    with locked(path), pytest.raises(HarnessError, match="locked by another process for over 0 s"), locked(path, timeout_s=0):
        pass

    inside = []

    def work(number):
        with locked(path):
            inside.append(number)
            inside.remove(number)
            assert not inside

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inside == []


def test_what_is_there_and_no_regular_file_is_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(HarnessError, match="not a regular file"):
        atomic_write(pipe, [b"x"])

    assert pipe.is_fifo()
