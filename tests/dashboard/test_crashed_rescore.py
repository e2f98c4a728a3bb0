"""A rescore that crashed is judged again, on the page and in the list alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agenteval.artifacts.codec import head_to_json
from agenteval.artifacts.journal import JournalWriter
from agenteval.artifacts.store import Store
from agenteval.reports.listing import _open_line
from tests.builders import a_run
from tests.dashboard.conftest import Open, words


def test_a_crashed_rescore_says_how_to_judge_again(open_page: Open, tmp_path: Path) -> None:
    head = replace(a_run([], run_id="20261130T090000Z-ccccccc-000003").head, parent="20261129T090000Z-ccccccc-000002")
    head = replace(head, parameters={"rescored": True})
    path = tmp_path / "runs" / "bot" / "journal" / f"{head.run_id}.jsonl"
    JournalWriter.create(path, head_to_json(head)).close()

    text = words(open_page())
    (listed,) = Store([tmp_path / "runs"]).heads().running

    assert "agenteval rescore 20261129T090000Z-ccccccc-000002" in text
    assert "--resume" not in text
    assert _open_line(listed).endswith("; `agenteval rescore 20261129T090000Z-ccccccc-000002` judges again")
