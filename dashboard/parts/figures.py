"""Figures whose marks can be clicked, and where a click leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from parts.chrome import page_file
from parts.view import View


def clicked(figure: Any, file: str, *, key: str, alt: str, theme: Literal["streamlit"] | None = None) -> Sequence[Any]:
    """Draw a figure. Returns what the chosen mark carries (its ``customdata``), empty where none is chosen.

    Args:
        file: Name of the PNG that its camera saves.
    """
    from agenteval.charts.layout import config

    event = st.plotly_chart(figure, config=config(file), key=key, theme=theme, on_select="rerun", selection_mode="points", alt=alt)
    points = getattr(getattr(event, "selection", None), "points", None) or []
    data = points[0].get("customdata") if points else None
    return [data] if isinstance(data, str) else list(data or ())


def follow(view: View, data: Sequence[Any], files: Mapping[str, object]) -> None:
    """Open the run, or the case of a run, that a chosen mark carries: ``[case, run]`` or ``[…, run]``."""
    if not data:
        return
    run = data[-1]
    if run not in files:
        st.caption("That run's file is gone; only its line in the ledger is left.")
    elif len(data) == 2:
        st.switch_page(page_file("case"), query_params=replace(view.selection, run=run, case=data[0], attempt=None).query())
    else:
        st.switch_page(page_file("overview"), query_params=replace(view.selection, run=run).without_case().query())
