"""The page Runs: all stored runs of all places, verified on request, files handed over, and one run in detail."""

from __future__ import annotations

import gc
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agenteval._files import dumps
from agenteval.artifacts.codec import head_to_json
from agenteval.artifacts.history import append_entry
from agenteval.artifacts.journal import JournalWriter
from agenteval.artifacts.paths import run_path
from agenteval.model.record import to_record
from agenteval.model.run import Run, Selection, SuiteRef
from agenteval.model.score import Score
from agenteval.model.status import Role
from tests.builders import a_run, an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"
OTHER = "20261127T090000Z-ccccccc-000003"
GONE = "20261101T090000Z-ddddddd-000004"


@pytest.fixture
def runs(tmp_path: Path) -> Run:
    """Two runs of one agent, the first pinned, and one of another."""
    attempts = [an_attempt("refund", tags=("money",), cost_usd=0.02), an_attempt("greet", tags=("talk",))]
    first = store(tmp_path, attempts, FIRST, pin=True, label="release", git={"commit": "f00dfeed", "dirty": True})
    store(tmp_path, [an_attempt("hello", False)], OTHER, agent="clerk", meta={"branch": "Nightly"})
    failed = an_attempt("refund", False, scores=(Score("contains", 0.0, False, "no refund named"),), tags=("money",), cost_usd=0.06)
    return store(tmp_path, [failed, an_attempt("greet", tags=("talk",))], SECOND, baseline=first)


def table(page: Any) -> Any:
    """The table of runs with the run's id as index."""
    return next(frame.value for frame in page.dataframe if "record" in frame.value.columns).set_index("run")


def crash(folder: Path, run_id: str) -> None:
    """The journal of a run that died after one case."""
    record = head_to_json(replace(a_run([], run_id=run_id).head, suite=SuiteRef("support", cases=3)))
    writer = JournalWriter.create(folder / "runs" / "bot" / "journal" / f"{run_id}.jsonl", record)
    writer.append(dumps(to_record(an_attempt("a"))))
    writer.close()


def test_the_first_line_counts_runs_agents_places_and_what_cannot_be_read(open_page: Open, tmp_path: Path, runs: Run) -> None:
    (tmp_path / "runs" / "bot" / "cut.json").write_text('{"schema":')

    page = open_page("runs")

    text = words(page)
    assert not page.exception
    assert "#### 3 runs of 2 agents in 1 place; 1 file can't be read." in text
    assert "Newest: :red-badge[✕ FAIL] `bot`" in text
    assert "cut.json: is cut off" in text
    assert "agenteval runs verify" in text


def test_the_table_holds_every_run_of_every_agent_newest_first(open_page: Open, runs: Run) -> None:
    found = table(open_page("runs"))

    assert list(found.index) == [SECOND, FIRST, OTHER]
    assert list(found["agent"]) == ["bot", "bot", "clerk"]
    assert list(found["verdict"]) == ["✕ FAIL", "✓ PASS", "✕ FAIL"]
    assert list(found["baseline"]) == ["", "★ pinned", ""]
    assert list(found["correctness"]) == ["50% · 1 of 2", "100% · 2 of 2", "0% · 0 of 1"]
    assert found.loc[FIRST, "commit"] == "f00dfee changed"
    assert set(found["place"]) == {"runs"}
    assert set(found["record"]) == {"not verified"}


def test_runs_known_from_the_ledger_or_a_journal_alone_stand_in_the_table(open_page: Open, tmp_path: Path, runs: Run) -> None:
    gone = replace(runs.head, run_id=GONE, started_at="2026-11-01T09:00:00.000Z")
    append_entry(tmp_path / "runs" / "bot" / "history.json", gone, f"{GONE}.json")
    crash(tmp_path, "20261130T090000Z-eeeeeee-000005")

    page = open_page("runs")

    found = table(page)
    assert found.loc[GONE, "record"] == "file gone, ledger only"
    assert found.loc["20261130T090000Z-eeeeeee-000005", "record"] == "! crashed, 1 attempt done"
    assert found.loc["20261130T090000Z-eeeeeee-000005", "status"] == "crashed"
    assert "1 run crashed before the end · 1 older run known from the ledger only" in words(page)
    assert "3 runs of 2 agents" in words(page)


@pytest.mark.parametrize(
    ("address", "left"),
    [
        ({"q": "RELEASE"}, [FIRST]),
        ({"q": "branch=night"}, [OTHER]),
        ({"q": "F00D bot"}, [FIRST]),
        ({"of": "clerk"}, [OTHER]),
        ({"verdict": "pass"}, [FIRST]),
        ({"verdict": "fail", "of": "bot"}, [SECOND]),
    ],
    ids=["label", "metadata", "commit and agent", "agent", "verdict", "both"],
)
def test_the_address_holds_the_filters(open_page: Open, runs: Run, address: dict[str, str], left: list[str]) -> None:
    assert list(table(open_page("runs", **address)).index) == left


def test_a_filter_that_nothing_fits_says_so(open_page: Open, runs: Run) -> None:
    page = open_page("runs", q="nowhere")

    assert not page.exception
    assert "No run fits: none of 3 runs has these words, this agent and this verdict." in words(page)


def test_verifying_tells_the_changed_file_from_the_others(open_page: Open, tmp_path: Path, runs: Run) -> None:
    path = run_path(tmp_path / "runs" / "bot", SECOND)
    path.write_bytes(path.read_bytes().replace(b"no refund named", b"no refund at al"))
    page = open_page("runs")

    page.button(key="verify-shown").click().run()

    found = table(page)
    assert found.loc[SECOND, "record"] == "✕ not as written"
    assert found.loc[FIRST, "record"] == "✓ as written"
    assert "✓ 2 of 3 verified files as written · ✕ 1 not as written" in words(page)
    assert f"{SECOND}.json:5: the record of case 'refund' was altered" in words(page)


def test_a_file_changed_after_it_was_verified_is_no_longer_called_verified(open_page: Open, tmp_path: Path, runs: Run) -> None:
    page = open_page("runs")
    page.button(key="verify-shown").click().run()
    path = run_path(tmp_path / "runs" / "bot", FIRST)
    path.write_bytes(path.read_bytes() + b"\n")

    page.run()

    assert table(page).loc[FIRST, "record"] == "not verified"
    assert table(page).loc[OTHER, "record"] == "✓ as written"


def handed_over(folder: Path) -> bytes:
    """An archive as CI hands it out, with a run of an agent that is not stored here."""
    store(folder, [an_attempt("night")], "20261126T090000Z-fffffff-000006", agent="night_bot")
    archive = folder / "nightly.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for path in (folder / "runs").rglob("*.json"):
            target.write(path, path.relative_to(folder))
    return archive.read_bytes()


def test_uploaded_files_join_this_session_s_history_and_no_other(
    open_page: Open, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, runs: Run
) -> None:
    archive = handed_over(tmp_path_factory.mktemp("ci"))
    stored_before = sorted((tmp_path / "runs").rglob("*"))
    mine = open_page("runs")
    mine.file_uploader[0].upload("nightly.zip", archive, "application/zip").run()

    theirs = open_page("runs")

    assert not mine.exception
    assert "4 runs of 3 agents in 2 places" in words(mine)
    assert table(mine).loc["20261126T090000Z-fffffff-000006", "place"] == "upload: nightly.zip"
    assert "seen in this browser tab alone" in words(mine)
    assert "3 runs of 2 agents in 1 place" in words(theirs)
    assert "upload:" not in words(theirs)
    assert sorted((tmp_path / "runs").rglob("*")) == stored_before


def test_uploaded_files_can_be_removed_again(open_page: Open, tmp_path_factory: pytest.TempPathFactory, runs: Run) -> None:
    page = open_page("runs")
    page.file_uploader[0].upload("nightly.zip", handed_over(tmp_path_factory.mktemp("ci")), "application/zip").run()

    page.button(key="forget-uploads").click().run()

    assert "3 runs of 2 agents in 1 place" in words(page)
    assert "upload:" not in words(page)


def test_a_file_without_a_run_says_so(open_page: Open, runs: Run) -> None:
    page = open_page("runs")

    page.file_uploader[0].upload("notes.json", b'{"notes": []}', "application/json").run()

    assert not page.exception
    assert "`upload: notes.json` holds no run that is not stored elsewhere, or none that can be read." in words(page)


def test_files_can_be_handed_over_where_nothing_is_stored(
    open_page: Open, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = open_page("runs")
    assert "No runs yet" in words(page)

    page.file_uploader[0].upload("nightly.zip", handed_over(tmp_path_factory.mktemp("ci")), "application/zip").run()

    assert not page.exception
    assert "night_bot" in words(page)


class Handed:
    """A file as Streamlit hands it over."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self._data = data

    def getvalue(self) -> bytes:
        return self._data


def test_uploads_go_with_their_session_and_never_leave_its_folder(pages_on_path: None) -> None:
    from parts.uploads import Uploads

    kept = Uploads()
    folder = kept.folder
    for name in ("../../evil.json", "C:\\x\\evil.JSON", ".hidden.json"):
        kept.take(Handed(name, b"{}"))

    assert [path.relative_to(folder).as_posix() for path in kept.files] == ["evil.json", "evil-2.json", "hidden.json"]
    del kept
    gc.collect()
    assert not folder.exists()


def test_a_sidecar_handed_over_goes_where_its_run_looks_for_it(pages_on_path: None, tmp_path: Path) -> None:
    from agenteval.artifacts.reading import load_run
    from parts.uploads import Uploads

    store(tmp_path, [an_attempt("a")], FIRST, repetitions=[an_attempt("a", False, repetition=1)])
    kept = Uploads()
    for path in (tmp_path / "runs/bot/flakiness" / f"{FIRST}.json", run_path(tmp_path / "runs/bot", FIRST)):
        kept.take(Handed(path.name, path.read_bytes()))

    (run,) = kept.files
    assert [attempt.repetition for attempt in load_run(run).repetitions] == [1]


def test_places_are_named_in_as_few_words_as_tell_them_apart(pages_on_path: None) -> None:
    from parts.places import place_names

    names = {
        "/ci/main/runs/bot/a.json": "main/runs",
        "/ci/pr/runs/bot/a.json": "pr/runs",
        "/ci/pr/runs/bot/b.json": "pr/runs",
        "/ci/night.zip/runs/bot/a.json": "night.zip",
        "/ci/flat/a.json": "flat",
    }
    assert place_names([(file, "bot") for file in names]) == names


def test_one_run_tells_what_it_was_and_where_it_came_from(open_page: Open, runs: Run) -> None:
    page = open_page("runs", agent="bot", run=SECOND)

    text = words(page)
    assert not page.exception
    assert f"#### Run `{SECOND}`" in text
    assert runs.head.gate is not None
    assert runs.head.gate.sentence[1:40] in text
    assert f"The baseline is `{FIRST}`. To pin this run:" in text
    assert f"agenteval baseline set {SECOND} --agent bot" in text
    assert "python: 3.12" in text
    assert "Every check of every case" in text
    assert "$0.06 in all, n 1, 1 case unpriced" in text


def test_the_pinned_run_says_so_and_a_partial_one_asks_for_force(open_page: Open, tmp_path: Path, runs: Run) -> None:
    store(tmp_path, [an_attempt("refund")], "20261130T090000Z-eeeeeee-000007", selection=Selection({"tags": ["money"]}, 1))

    assert "This run is the pinned baseline of its suite." in words(open_page("runs", agent="bot", run=FIRST))
    text = words(open_page("runs", agent="bot", run="20261130T090000Z-eeeeeee-000007"))
    assert "agenteval baseline set 20261130T090000Z-eeeeeee-000007 --force --agent bot" in text


def test_the_table_of_tags_counts_and_bounds(open_page: Open, runs: Run) -> None:
    page = open_page("runs", agent="bot", run=SECOND)

    tags = next(frame.value for frame in page.dataframe if "tag" in frame.value.columns)
    # Wilson's interval of 0 in 1 is 0 to 79%, of 1 in 1 it is 21 to 100%.
    assert list(tags["passed"]) == ["0% · 0 of 1 · 0–79%", "100% · 1 of 1 · 21–100%"]
    assert list(tags["cost_usd"]) == ["$0.06", "n/a"]


def test_a_run_without_latencies_costs_or_tags_says_what_is_missing(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a", None, latency_ms=None)], FIRST)

    text = words(open_page("runs"))

    assert "No finished call: none of 1 case has a latency." in text
    assert "No case has a cost: n 0, 1 case unpriced." in text
    assert "No case carries a tag." in text


def test_the_worst_cases_come_first(pages_on_path: None) -> None:
    from parts.runs.one_run import worst

    outcomes = a_run(
        [
            an_attempt("good"),
            an_attempt("bad", False),
            an_attempt("broken", None),
            an_attempt("half", False, scores=(Score("x", 0.5, False),)),
            an_attempt("aside", False, role=Role.CANDIDATE),
        ]
    ).outcomes

    assert [outcomes[row].case_id for row in worst(outcomes, 4)] == ["broken", "bad", "aside", "half"]


def test_hostile_names_stay_text_and_commands_stay_one_command(open_page: Open, tmp_path: Path) -> None:
    agent = "x; rm -rf ~ ![p](http://127.0.0.1:9/leak.png)"
    store(tmp_path, [an_attempt("a", tags=("<img src=x>",))], FIRST, agent=agent, label="# GATE PASSED :red[x]")

    page = open_page("runs")

    assert not page.exception
    commands = [str(block.value) for block in page.code]
    assert f"agenteval baseline set {FIRST} --agent '{agent}'" in commands
    assert not [part for part in page.markdown if str(part.value).startswith("# GATE")]
