"""Directories of stored runs for pages to open: rich, single, empty, broken, newer and hostile.

``python -m tests.dashboard.folders FOLDER`` writes all of them, to look at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from agenteval.artifacts.journal import JournalWriter
from agenteval.artifacts.paths import agent_dir, baseline_path, journal_path, ledger_path, run_path, sidecar_path
from tests.builders import an_attempt
from tests.dashboard.hostile_folder import HOSTILE_AGENT, HOSTILE_CASE, HOSTILE_RUN, write_hostile
from tests.dashboard.judged_folder import calibration_files, write_calibrations
from tests.dashboard.rich_folder import AGENT, NEWEST, run_id, write_rich
from tests.dashboard.stored import store

NOWHERE = "http://127.0.0.1:9"
"""An address at which nobody listens."""
FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"


@dataclass(frozen=True, slots=True)
class Folder:
    """A written folder and the view of it that shows most.

    Attributes:
        runs: What ``AGENTEVAL_RUNS`` names.
        selection: ``agent``, ``run`` and ``case`` as the URL holds them; empty where nothing is stored.
    """

    name: str
    runs: Path
    selection: Mapping[str, str]


def single(folder: Path) -> tuple[JournalWriter, ...]:
    """One run, no baseline, one case of each verdict."""
    store(folder, [an_attempt("refund"), an_attempt("greet", False), an_attempt("track", None)], FIRST)
    return ()


def empty(folder: Path) -> tuple[JournalWriter, ...]:
    """A folder in which nothing is stored."""
    (folder / "runs").mkdir()
    return ()


def broken(folder: Path) -> tuple[JournalWriter, ...]:
    """A run that can be read among files that can't: cut off, binary, wrong types; sidecar, ledger, baseline, calibration too."""
    again = [an_attempt("refund", False, repetition=1), an_attempt("refund", repetition=2)]
    first = store(folder, [an_attempt("refund"), an_attempt("greet")], FIRST, pin=True)
    store(folder, [an_attempt("refund", False), an_attempt("greet")], SECOND, repetitions=again, baseline=first)
    place = agent_dir(folder / "runs", "bot")
    whole = run_path(place, FIRST).read_bytes()
    typed = whole.replace(FIRST.encode(), b"20261127T120000Z-ccccccc-000006").replace(
        b'"outcomes":{"columns"', b'"outcomes":{"rows":7,"was"'
    )
    run_path(place, "20261127T090000Z-ccccccc-000003").write_bytes(whole[: len(whole) // 2])
    run_path(place, "20261127T100000Z-ccccccc-000004").write_bytes(bytes(range(256)) * 8)
    run_path(place, "20261127T110000Z-ccccccc-000005").write_text("the build log, by mistake\n")
    run_path(place, "20261127T120000Z-ccccccc-000006").write_bytes(typed)
    run_path(place, "20261127T130000Z-ccccccc-000007").write_bytes(whole.replace(b'"run_id":"' + FIRST.encode(), b'"run_id":["x"],"was":"'))
    run_path(place, "20261127T140000Z-ccccccc-000008").write_bytes(b"")
    run_path(place, "20261127T150000Z-ccccccc-000009").write_text("[1, 2, 3]")
    beside = sidecar_path(place, SECOND)
    beside.write_bytes(beside.read_bytes()[:200])
    ledger_path(place).write_text('{"schema":"agenteval.history/1","entries":[{"run_id":')
    journal = journal_path(place, "20261130T090000Z-ddddddd-00000a")
    journal.parent.mkdir()
    journal.write_text('{"schema":"agenteval.journal/1","head":{"run_id":7}}\n')
    pinned = baseline_path(folder / "baselines", "bot", "suite", True)
    pinned.write_bytes(pinned.read_bytes()[:300])
    write_calibrations(folder, "bot")
    legacy, first_judged, _ = calibration_files(folder, "bot")
    legacy.write_text(legacy.read_text().replace('"kappa":', '"kappa": "high", "was":'))
    first_judged.write_bytes(first_judged.read_bytes()[:200])
    (folder / "runs" / "artifacts.zip").write_bytes(b"PK\x03\x04 and then nothing")
    return ()


def newer(folder: Path) -> tuple[JournalWriter, ...]:
    """A run and a calibration that a later version wrote beside ones that this version reads."""
    store(folder, [an_attempt("refund"), an_attempt("greet", False)], FIRST)
    place = agent_dir(folder / "runs", "bot")
    later = run_path(place, FIRST).read_bytes().replace(b"agenteval.run/1", b"agenteval.run/2").replace(FIRST.encode(), SECOND.encode())
    run_path(place, SECOND).write_bytes(later)
    write_calibrations(folder, "bot")
    newest = calibration_files(folder, "bot")[-1]
    newest.write_bytes(newest.read_bytes().replace(b"agenteval.calibration/1", b"agenteval.calibration/2"))
    return ()


Write = Callable[[Path], tuple[JournalWriter, ...]]
WRITERS: Mapping[str, Write] = {"rich": write_rich, "single": single, "empty": empty, "broken": broken, "newer": newer}
NAMES = (*WRITERS, "hostile")
_SELECTIONS = {
    "rich": {"agent": AGENT, "run": run_id(NEWEST), "case": "refund_after_30_days"},
    "single": {"agent": "bot", "run": FIRST, "case": "greet"},
    "empty": {},
    "broken": {"agent": "bot", "run": SECOND, "case": "refund"},
    "newer": {"agent": "bot", "run": FIRST, "case": "greet"},
    "hostile": {"agent": HOSTILE_AGENT, "run": HOSTILE_RUN, "case": HOSTILE_CASE},
}


@contextmanager
def written(name: str, folder: Path, trap: str = NOWHERE) -> Iterator[Folder]:
    """Write a folder; what runs in it is running until the block ends. Hostile text asks the address ``trap`` for things."""
    journals = write_hostile(folder, trap) if name == "hostile" else WRITERS[name](folder)
    try:
        yield Folder(name, folder / "runs", _SELECTIONS[name])
    finally:
        for journal in journals:
            journal.close()


if __name__ == "__main__":
    for chosen in NAMES:
        (Path(sys.argv[1]) / chosen).mkdir(parents=True)
        with written(chosen, Path(sys.argv[1]) / chosen) as made:
            print(made.runs)
