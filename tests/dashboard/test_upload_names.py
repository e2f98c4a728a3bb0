"""Names of uploaded files that no disk takes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest


@dataclass
class Handed:
    name: str

    def getvalue(self) -> bytes:
        return b"{}"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a" * 300 + ".json", "a" * 180 + ".json"),
        ("é" * 200 + ".json", "é" * 90 + ".json"),
        ("run\x00\n.json", "run.json"),
        ("../../etc/run.json", "run.json"),
    ],
)
def test_an_uploaded_file_is_kept_whatever_it_is_called(pages_on_path: None, name: str, kept: str) -> None:
    from parts.uploads import Uploads

    uploads = Uploads()
    uploads.take(Handed(name))
    uploads.take(Handed(name))
    assert [path.name for path in uploads.files] == [kept, kept.replace(".json", "-2.json")]
    assert all(path.parent == uploads.folder for path in uploads.files)
