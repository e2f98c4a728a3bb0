"""Stored calibrations of judges behind Streamlit's caches."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from agenteval.artifacts.calibrations import Calibrations, calibration_files, list_calibrations
from parts.stored import roots


@st.cache_resource(max_entries=8, ttl=10, show_spinner=False)
def _any(folders: tuple[Path, ...]) -> bool:
    return any(True for folder in folders for _ in calibration_files(folder))


def exist() -> bool:
    """Whether there is a file of a calibration, readable or not."""
    return _any(roots())


@st.cache_resource(max_entries=8, ttl=5, show_spinner=False)
def _listed(folders: tuple[Path, ...]) -> Calibrations:
    return list_calibrations(folders)


def calibrations() -> Calibrations:
    """Every stored calibration, oldest first, and the files that can't be read."""
    return _listed(roots())
