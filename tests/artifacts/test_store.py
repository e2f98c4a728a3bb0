"""Stores over several roots, and the names of runs."""

import json
import shutil
import zipfile

import pytest

from agenteval.artifacts.codec import head_to_json
from agenteval.artifacts.journal import JournalWriter
from agenteval.artifacts.naming import resolve
from agenteval.artifacts.paths import journal_path
from agenteval.artifacts.reading import load_run
from agenteval.artifacts.store import Store
from agenteval.errors import InputError
from agenteval.model.status import RunStatus
from tests.artifacts.stored import run_id, store
from tests.builders import a_run, an_attempt


def listed(*roots):
    return [item.head.run_id for item in Store(roots).heads().runs]


def zipped(archive, *files):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files:
            target.writestr(name, content)


def test_runs_are_listed_oldest_first_by_their_own_start(tmp_path):
    for number in (3, 1, 2):
        store(tmp_path, number, agent="bot" if number < 3 else "other")

    assert listed(tmp_path) == [run_id(1), run_id(2), run_id(3)]
    assert Store([tmp_path]).agents() == ["bot", "other"]
    assert [item.head.run_id for item in Store([tmp_path]).heads("other").runs] == [run_id(3)]


def test_downloads_nested_in_folders_and_archives_are_read_each_run_once(tmp_path):
    path = store(tmp_path / "runs", 1)
    downloads = tmp_path / "downloads" / "artifact-linux" / "deep"
    downloads.mkdir(parents=True)
    shutil.copy(path, downloads / "renamed.json")
    second = store(tmp_path / "elsewhere", 2)
    zipped(tmp_path / "downloads" / "artifact.zip", ("some/bot/x.json", path.read_bytes()), ("y.json", second.read_bytes()))

    store_ = Store([tmp_path / "runs", tmp_path / "downloads", tmp_path / "downloads" / "artifact.zip"])
    listing = store_.heads()

    assert [item.head.run_id for item in listing.runs] == [run_id(1), run_id(2)]
    assert listing.unreadable == ()
    assert listing.runs[0].path == path
    assert [attempt.case_id for attempt in load_run(listing.runs[1].path).cases] == ["a", "b"]


def test_a_sidecar_inside_an_archive_is_found(tmp_path):
    path = store(tmp_path, attempts=[an_attempt("a")], repetitions=[an_attempt("a", repetition=1)])
    sidecar = path.parent / "flakiness" / path.name
    zipped(tmp_path / "a.zip", ("bot/x.json", path.read_bytes()), ("bot/flakiness/x.json", sidecar.read_bytes()))

    run = load_run(tmp_path / "a.zip" / "bot" / "x.json")

    assert [attempt.repetition for attempt in run.repetitions] == [1]


def test_of_two_copies_the_more_resumed_counts(tmp_path):
    store(tmp_path / "one", status=RunStatus.INTERRUPTED)
    resumed = store(tmp_path / "two", resumed=1)

    for roots in ([tmp_path / "one", tmp_path / "two"], [tmp_path / "two", tmp_path / "one"]):
        listing = Store(roots).heads()
        assert [item.path for item in listing.runs] == [resumed]
        assert listing.unreadable == ()


def test_a_copy_with_other_content_is_named(tmp_path):
    kept = store(tmp_path / "one")
    other = store(tmp_path / "two", label="changed")

    listing = Store([tmp_path / "one", tmp_path / "two"]).heads()

    assert [item.path for item in listing.runs] == [kept]
    assert [(item.path, item.reason) for item in listing.unreadable] == [
        (other, f"says it is run {run_id(1)}, as {kept} does, with other content")
    ]


def test_what_cannot_be_read_is_named_and_the_rest_is_listed(tmp_path):
    path = store(tmp_path)
    for name, content in {
        "list.json": b"[1,2]",
        "cut.json": path.read_bytes()[:500],
        "binary.json": b"\x89PNG\xff",
        "empty.json": b"",
        "nan.json": b'{"run_id":"x","case_results":[{"latency_ms":NaN}]}',
        "comparison.json": b'{"case_transitions":[]}',
        "package.json": b'{"name":"x"}',
        "newer.json": b'{"schema":"agenteval.run/9","head":{},',
        "broken.zip": b"PK\x03\x04 no archive",
    }.items():
        (tmp_path / name).write_bytes(content)

    listing = Store([tmp_path]).heads()

    assert [item.head.run_id for item in listing.runs] == [run_id(1)]
    assert {item.path.name: item.reason.partition(":")[0] for item in listing.unreadable} == {
        "list.json": "is not a run but a JSON list",
        "cut.json": "is cut off",
        "binary.json": "is not text",
        "empty.json": "is empty",
        "nan.json": "holds NaN, which is not JSON",
        "newer.json": "written with schema 9, this version reads up to 1; upgrade agenteval",
        "broken.zip": "is no readable archive",
    }


def test_hostile_archives_are_refused_by_name_and_read_otherwise(tmp_path):
    path = store(tmp_path / "runs")
    zipped(tmp_path / "a.zip", ("../../evil.json", b"{}"), ("/abs.json", b"{}"), ("ok/x.json", path.read_bytes()), ("inner.zip", b"PK"))

    listing = Store([tmp_path / "a.zip"]).heads()

    assert [item.head.run_id for item in listing.runs] == [run_id(1)]
    assert {(item.path.name, item.reason) for item in listing.unreadable} == {
        ("evil.json", "a path that leads out of the archive"),
        ("abs.json", "a path that leads out of the archive"),
        ("inner.zip", "an archive inside an archive; unpack it"),
    }


def test_an_archive_that_explodes_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive, archive.open("x.json", "w") as file:
        for _ in range(513):
            file.write(b" " * (1 << 20))

    listing = Store([tmp_path]).heads()

    assert [item.reason for item in listing.unreadable] == ["larger than 512 MB when unpacked"]


def test_links_that_go_round_end(tmp_path):
    store(tmp_path)
    (tmp_path / "bot" / "loop").symlink_to(tmp_path)

    assert listed(tmp_path) == [run_id(1)]


def test_unfinished_runs_are_running_or_crashed(tmp_path):
    folder = store(tmp_path, 1).parent
    heads = {number: a_run([], run_id=run_id(number)).head for number in (1, 2, 3)}
    writers = {number: JournalWriter.create(journal_path(folder, head.run_id), head_to_json(head)) for number, head in heads.items()}
    writers[1].close()
    writers[2].append(b'{"case_id":"a","status":"passed"}')
    writers[2].close()

    listing = Store([tmp_path]).heads()
    writers[3].close()

    assert [(item.head.run_id, item.head.status, item.done) for item in listing.running] == [
        (run_id(2), RunStatus.CRASHED, 1),
        (run_id(3), RunStatus.RUNNING, 0),
    ]


def test_a_changed_file_is_read_again(tmp_path):
    path = store(tmp_path)
    store_ = Store([tmp_path])
    store_.heads()

    path.write_text("{")

    assert [item.path for item in store_.heads().unreadable] == [path]


def test_trends_use_the_ledger_where_files_are_gone(tmp_path):
    gone = store(tmp_path, 1, history=True)
    store(tmp_path, 2, history=True)
    gone.unlink()

    assert [head.run_id for head in Store([tmp_path]).trend("bot")] == [run_id(1), run_id(2)]


def test_names_of_runs(tmp_path):
    paths = [store(tmp_path, number) for number in (1, 2, 70)]
    found = Store([tmp_path])

    assert resolve("latest", found).head.run_id == run_id(70)
    assert resolve("latest~2", found).head.run_id == run_id(1)
    assert resolve("20261130T1201", found).head.run_id == run_id(70)
    assert resolve(run_id(2), found).head.run_id == run_id(2)
    assert resolve(str(paths[0]), found).head.run_id == run_id(1)
    assert resolve("baseline", found, baseline=lambda: load_run(paths[1])).head.run_id == run_id(2)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("20261130T1200", f"RUN: '20261130T1200' fits 2 runs; name one of {run_id(2)}, {run_id(1)}"),
        ("latest~3", "RUN: there are only 3 runs in {root}"),
        ("20261130T120102Z-abc1234", "RUN: no run '20261130T120102Z-abc1234' in {root}; did you mean '" + run_id(70) + "'?"),
        ("zzz", "RUN: no run 'zzz' in {root}; `agenteval runs list` shows them"),
        ("", "RUN: no run '' in {root}; `agenteval runs list` shows them"),
        ("baseline", "RUN: there is no baseline; pin a run with `agenteval baseline set latest`"),
        ("nowhere/x.json", "nowhere/x.json: cannot be read: No such file or directory"),
    ],
)
def test_a_name_that_fits_no_run_or_several_says_what_to_write(tmp_path, name, message):
    for number in (1, 2, 70):
        store(tmp_path, number)

    with pytest.raises(InputError) as caught:
        resolve(name, Store([tmp_path]))

    assert str(caught.value) == message.replace("{root}", str(tmp_path))


def test_an_empty_store_says_so(tmp_path):
    with pytest.raises(InputError) as caught:
        resolve("latest", Store([tmp_path / "runs"]), agent="bot")

    assert str(caught.value) == f"RUN: there is no run of agent 'bot' in {tmp_path / 'runs'}; run a suite first"


def test_listing_reads_no_case(tmp_path):
    path = store(tmp_path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], b"anything", b"]}", b""]))

    assert json.loads(json.dumps(listed(tmp_path))) == [run_id(1)]


def test_links_that_lead_round_in_a_circle_are_passed_over(tmp_path):
    for name in ("loop", "loop.json", "loop.zip"):
        (tmp_path / name).symlink_to(name)

    listing = Store([tmp_path]).heads()

    assert [item.path.name for item in listing.unreadable] == ["loop.json"]


def test_an_archive_that_cannot_be_read_hides_no_ledger(tmp_path):
    (tmp_path / "broken.zip").write_bytes(b"PK")

    assert Store([tmp_path]).ledgers() == []
