"""What a page shows, to take along: every table as CSV and JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    import pandas as pd

    Table = pd.DataFrame | Callable[[], pd.DataFrame]


def offer(stem: str, tables: Mapping[str, Table]) -> None:
    """A folded list of buttons, two a table; a table given as a function is made when its button is pressed.

    Args:
        stem: How the files begin, such as ``support_agent-20261128T090000Z``.
        tables: What each holds, in a word or two.
    """
    with st.popover("Download", icon=":material/download:"):
        for name, table in tables.items():
            st.markdown(f"**{name}**")
            file = f"{stem}-{name.replace(' ', '-')}"
            with st.container(horizontal=True):
                for word, mime, encode in (("CSV", "text/csv", _csv), ("JSON", "application/json", _json)):
                    st.download_button(
                        word,
                        _lazily(table, encode),
                        file_name=f"{file}.{word.lower()}",
                        mime=mime,
                        key=f"download-{file}-{word}",
                        on_click="ignore",
                    )
        st.caption("A figure is saved as PNG by the camera that appears on it.")


def _lazily(table: Table, encode: Callable[[pd.DataFrame], bytes]) -> Callable[[], bytes]:
    return lambda: encode(table() if callable(table) else table)


def _csv(table: pd.DataFrame) -> bytes:
    # A spreadsheet runs a cell that begins like a formula: agents' words must not.
    guarded = table.map(lambda cell: f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell)
    return guarded.to_csv(index=False).encode("utf-8")


def _json(table: pd.DataFrame) -> bytes:
    return table.to_json(orient="records", date_format="iso", force_ascii=False, indent=1).encode("utf-8")
