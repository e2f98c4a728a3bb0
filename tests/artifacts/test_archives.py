"""Stored runs inside zip archives, as CI systems hand them out."""

import zipfile
from pathlib import Path

from agenteval.artifacts.history import append_entry, read_ledger
from agenteval.artifacts.reading import load_head
from agenteval.artifacts.store import Store
from tests.artifacts.stored import run_id, store
from tests.builders import an_attempt


def archived(archive: Path, folder: Path) -> None:
    """Everything below a folder, as it is."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as target:
        for path in sorted(folder.rglob("*.json")):
            target.write(path, path.relative_to(folder))


def test_a_list_reads_the_first_line_of_a_member_and_not_its_cases(tmp_path: Path) -> None:
    store(tmp_path / "runs", 1, attempts=[an_attempt("a", output="x" * 200_000)])
    archived(tmp_path / "a.zip", tmp_path / "runs")
    archive = tmp_path / "a.zip"
    archive.write_bytes(archive.read_bytes().replace(b"x" * 1_000, b"y" * 1_000, 50))  # A damage that reading the whole would meet.

    listing = Store([archive]).heads()

    assert [item.head.run_id for item in listing.runs] == [run_id(1)]
    assert listing.unreadable == ()


def test_a_list_made_again_sees_an_archive_that_was_replaced(tmp_path: Path) -> None:
    store(tmp_path / "first", 1)
    store(tmp_path / "second", 2)
    archived(tmp_path / "a.zip", tmp_path / "first")
    listed = Store([tmp_path / "a.zip"])
    before = [item.head.run_id for item in listed.heads().runs]

    archived(tmp_path / "a.zip", tmp_path / "second")

    assert before == [run_id(1)]
    assert [item.head.run_id for item in listed.heads().runs] == [run_id(2)]


def test_a_ledger_inside_an_archive_is_read(tmp_path: Path) -> None:
    path = store(tmp_path / "runs", 1)
    append_entry(path.parent / "history.json", load_head(path), path.name)
    archived(tmp_path / "a.zip", tmp_path / "runs")

    entries = read_ledger(tmp_path / "a.zip" / path.parent.name / "history.json")

    assert [entry.head.run_id for entry in entries] == [run_id(1)]
    assert [head.run_id for head in Store([tmp_path / "a.zip"]).trend(load_head(path).agent)] == [run_id(1)]


def test_a_member_packed_to_swell_is_refused_unopened(tmp_path: Path) -> None:
    packed = tmp_path / "runs" / "bomb.zip"
    packed.parent.mkdir()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("runs/bot/bomb.json", b" " * (32 << 20))

    (found,) = Store([tmp_path / "runs"]).heads().unreadable

    assert found.path.name == "bomb.json"
    assert found.reason.endswith("to 1, as no run is")
