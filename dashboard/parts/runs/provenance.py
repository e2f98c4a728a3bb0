"""Where a run came from: everything its file records, grouped, as text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import streamlit as st

from agenteval.model.run import Run
from parts.words import as_text, escaped, text_block

_GROUPS = (
    ("What was tested", ("git", "adapter", "model", "packages")),
    ("Suite and configuration", ("suite", "registry", "parameters", "seeds", "judge", "prices", "plugins")),
    ("Where and how it ran", ("command", "ci_url", "python", "platform", "meta")),
)


def provenance(run: Run) -> None:
    """Groups side by side; what no group knows stands in the last."""
    st.markdown("##### Where it came from")
    record = dict(run.provenance)
    head = run.head
    known = {name for _, names in _GROUPS for name in names}
    rest = {name: value for name, value in record.items() if name not in known}
    columns = st.columns(len(_GROUPS), gap="medium")
    for place, (column, (title, names)) in enumerate(zip(columns, _GROUPS, strict=True)):
        found = {name: record[name] for name in names if name in record}
        if place == 1:
            found = {"selection": {**head.selection.filter, "left_out": head.selection.left_out}, **found}
            if head.parent:
                found["retried_from"] = head.parent
            if head.resumed:
                found["resumed"] = head.resumed
        if place == len(_GROUPS) - 1:
            found |= rest
        with column:
            st.markdown(f"**{escaped(title)}**")
            text_block("\n".join(_lines(found)) or "(not recorded)", most=6_000)


def _lines(found: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """``git commit: 3649260`` a line; what is null was not recorded."""
    for name, value in found.items():
        if isinstance(value, Mapping) and value:
            yield from _lines(value, f"{before}{name} ")
        elif name == "command" and isinstance(value, (list, tuple)):
            yield f"{before}{name}: {shlex.join(map(str, value))}"
        else:
            yield f"{before}{name}: {'not recorded' if value is None else 'none' if value in ({}, [], '') else as_text(value)}"
