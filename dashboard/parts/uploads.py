"""Files handed over in the browser: kept in a folder of the session's own, seen by it alone, and removed with it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Protocol

import streamlit as st

_KEY = "_uploads"
_LONGEST_STEM = 180
"""Bytes; a longer name is refused by the disk."""
_SIDECAR = b'{"schema":"agenteval.flakiness/'


class Handed(Protocol):
    """A file as Streamlit hands it over."""

    @property
    def name(self) -> str: ...
    def getvalue(self) -> bytes: ...


class Uploads:
    """The uploaded files of one session; their folder goes when the session does, or the server."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="agenteval-uploads-"))
        self.files: tuple[Path, ...] = ()
        weakref.finalize(self, shutil.rmtree, str(self.folder), ignore_errors=True)

    def take(self, handed: Handed) -> None:
        """Keep a file under its own name; a run's sidecar goes where the run looks for it."""
        data = handed.getvalue()
        name = Path(handed.name.replace("\\", "/")).name.lstrip(".") or "upload"
        name = "".join(letter for letter in name if letter.isprintable())
        place = Path(name)
        place = Path(place.stem.encode()[:_LONGEST_STEM].decode(errors="ignore") + place.suffix[:20])
        name = place.name
        if data.startswith(_SIDECAR):
            folder = self.folder / "flakiness"
            folder.mkdir(exist_ok=True)
            (folder / name).write_bytes(data)
            return
        path = self.folder / f"{place.stem}{place.suffix.lower()}"
        number = 2
        while path.exists():
            path = self.folder / f"{place.stem}-{number}{place.suffix.lower()}"
            number += 1
        path.write_bytes(data)
        self.files += (path,)


def uploaded() -> tuple[Path, ...]:
    """This session's files, the first taken first."""
    kept: Uploads | None = st.session_state.get(_KEY)
    return kept.files if kept is not None else ()


def take(files: list[Handed]) -> None:
    """Add files to this session's."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Uploads()
    kept: Uploads = st.session_state[_KEY]
    for handed in files:
        kept.take(handed)


def forget() -> None:
    """Remove this session's files."""
    kept: Uploads | None = st.session_state.pop(_KEY, None)
    if kept is not None:
        shutil.rmtree(kept.folder, ignore_errors=True)
