"""Where stored runs lie: folders and archives as one history, files handed over in the browser, and files that can't be read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import streamlit as st

from agenteval import _format
from agenteval.artifacts.paths import safe_name
from agenteval.artifacts.store import Unreadable
from parts.uploads import forget, take, uploaded
from parts.words import code, escaped

_MOST = 6


def place_names(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The folder or archive that holds each file, in as few words as tell it from the others.

    Args:
        files: Paths of runs as text, each with its agent, whose own folder is no place.
    """
    handed = {str(path): f"upload: {path.name}" for path in uploaded()}
    held: dict[str, str] = {}
    known: dict[tuple[str, str], str] = {}
    for file, agent in files:
        key = (file if file in handed else os.path.dirname(file), agent)  # noqa: PTH120 - thousands of paths as text
        if key not in known:
            known[key] = _holder(*key, handed)
        held[file] = known[key]
    short = _shortest({folder for folder in held.values() if folder not in handed}) | handed
    return {file: short[folder] for file, folder in held.items()}


def _holder(folder: str, agent: str, handed: Collection[str]) -> str:
    """The uploaded file, the archive, or the folder that holds the agents' folders."""
    for upload in handed:
        if folder == upload or folder.startswith(upload + os.sep):
            return upload
    archive, dot, _ = f"{folder}{os.sep}".partition(f".zip{os.sep}")
    if dot:
        return f"{archive}.zip"
    above, last = os.path.split(folder)
    return above if last == safe_name(agent) else folder


def _shortest(folders: Collection[str]) -> dict[str, str]:
    """Each path by its last parts, as many as no other path ends with."""
    found = {}
    for folder in folders:
        parts = Path(folder).parts
        for size in range(1, len(parts) + 1):
            tail = parts[-size:]
            if size == len(parts) or sum(Path(other).parts[-size:] == tail for other in folders) == 1:
                found[folder] = str(Path(*tail))
                break
    return found


def places(counts: Counter[str]) -> None:
    """The places with their runs, and a button to hand over more files."""
    names = [name for name, _ in counts.most_common()]
    words = [f"{code(name)} {_format.count(counts[name], 'run')}" for name in names[:_MOST]]
    rest = sum(counts[name] for name in names[_MOST:])
    if rest:
        words.append(f"and {_format.count(rest, 'run')} in {_format.count(len(names) - _MOST, 'more place')}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(":gray[Places:] " + " · ".join(words), width="content")
        with st.popover("Add files", icon=":material/upload_file:"):
            hand_over()
    if uploaded():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":blue-badge[+ uploaded] {escaped(_format.count(len(uploaded()), 'file'))}: seen in this browser tab alone, and gone when "
                "it is reloaded or closed; a link to their runs opens nowhere else."
            )
            if st.button("Remove them", key="forget-uploads"):
                forget()
                st.rerun()
        for path in uploaded():
            name = f"upload: {path.name}"
            if not counts[name]:
                st.caption(f"{code(name)} holds no run that is not stored elsewhere, or none that can be read.")


def hand_over() -> None:
    """A field that takes run files and archives for this session."""
    turn = st.session_state.get("_upload-turn", 0)
    st.markdown("Run files (`.json`) or archives of them as CI hands them out (`.zip`).")
    handed = st.file_uploader("Files", type=["zip", "json"], accept_multiple_files=True, key=f"upload-{turn}", label_visibility="collapsed")
    st.caption(
        "They join the history in this browser tab alone, until it is reloaded or closed. They lie in a temporary folder of the server, "
        "never among your runs."
    )
    if handed:
        take(list(handed))
        st.session_state["_upload-turn"] = turn + 1  # An emptied field: what was taken stands in the list of places.
        st.rerun()


def unreadable(files: Sequence[Unreadable]) -> None:
    """Files that can't be read, with the reasons and what to do; nothing where there are none."""
    if not files:
        return
    with st.expander(f":orange[**?**] {_format.count(len(files), 'file')} can't be read, with reasons", key="unreadable"):
        text = "\n".join(f"{_shown(item.path)}: {item.reason}" for item in files[:100])
        st.code(text, language=None, wrap_lines=True)
        if len(files) > 100:
            st.caption(f"and {len(files) - 100:,} more")
        st.caption(
            "Their runs are missing above and in every other page. A file that was cut off or changed: fetch it again from where it came "
            "(CI artifact, version control). A newer schema: upgrade agenteval. No run at all: move it out of the folder. To look closer:"
        )
        st.code("agenteval runs verify", language="bash")


def _shown(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
