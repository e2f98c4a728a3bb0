"""The table of stored runs: filters, rows to choose from, and whether the files are as they were written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from agenteval import _format
from agenteval.artifacts.verify import Checked
from agenteval.charts.palette import look
from parts import stored
from parts.downloads import offer
from parts.selection import PINNED, Selection
from parts.view import View
from parts.words import code, escaped

if TYPE_CHECKING:
    import pandas as pd

    from agenteval.charts.run_list import ListedRun

_VERDICTS = ("pass", "fail", "inconclusive", "not evaluated", "no verdict")
_ALL = "all"
_HEIGHT = 380
"""Of the table, in pixels: ten rows, their header and the bar below."""
_VERIFIED = "_verified"


def filtered(listed: Sequence[ListedRun]) -> list[ListedRun]:
    """The runs that the filters leave; what they ask for stands in the address."""
    from agenteval.charts.run_list import searched, verdict_of

    agents = sorted({item.head.agent for item in listed})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Filter",
            key="q",
            bind="query-params",
            placeholder="id, suite, label, commit or metadata",
            label_visibility="collapsed",
            icon=":material/search:",
            type="search",
            width=380,
        )
        of = st.selectbox(
            "Agents", [_ALL, *agents], key="of", bind="query-params", format_func=_agent, label_visibility="collapsed", width=260
        )
        verdict = st.selectbox(
            "Verdicts",
            [_ALL, *_VERDICTS],
            key="verdict",
            bind="query-params",
            format_func=_verdict,
            label_visibility="collapsed",
            width=200,
        )
    wanted = (text or "").lower().split()
    return [
        item
        for item in listed
        if of in (_ALL, item.head.agent)
        and verdict in (_ALL, verdict_of(item.head).replace("_", " "))
        and (not wanted or all(word in searched(item.head) for word in wanted))
    ]


def _agent(name: str) -> str:
    return "all agents" if name == _ALL else name


def _verdict(name: str) -> str:
    return "all verdicts" if name == _ALL else name


def run_table(view: View, shown: Sequence[ListedRun], total: int) -> None:
    from agenteval.charts.run_list import run_rows

    if not shown:
        st.markdown(f"No run fits: none of {_format.count(total, 'run')} has these words, this agent and this verdict.")
        return
    results = _results(shown)
    frame = run_rows(shown, {path: _word(result) for path, result in results.items()})
    rows = {item.head.run_id: row for row, item in enumerate(shown) if item.path is not None and item.head.agent == view.head.agent}
    key = _table_key(view, shown, rows)
    chosen = rows.get(view.head.run_id)

    def choose() -> None:
        picked = st.session_state[key].selection.rows
        if picked and picked[0] < len(shown) and shown[picked[0]].path is not None:
            head = shown[picked[0]].head
            # One change of the address is one step back; a baseline of another agent's gives way to the pinned one.
            other = "baseline" in st.query_params and head.agent != view.head.agent
            st.query_params.update(Selection(agent=head.agent, run=head.run_id, baseline=PINNED if other else None).query())

    default: Any = {"selection": {"rows": [chosen] if chosen is not None else [], "columns": [], "cells": []}}
    event = st.dataframe(
        frame,
        hide_index=True,
        height=min(_HEIGHT, 35 * (len(frame) + 1) + 10),
        on_select=choose,
        selection_mode="single-row",
        selection_default=default,
        key=key,
        column_config=_columns(),
        placeholder="",
        alt="Stored runs",
    )
    picked = event.selection.rows
    if picked and picked[0] < len(shown) and shown[picked[0]].path is None:
        st.caption(f"{code(shown[picked[0]].head.run_id)}: {escaped(shown[picked[0]].state)}; there is no run file to open.")
    _under_table(shown, total, results, frame)


def _table_key(view: View, shown: Sequence[ListedRun], rows: Mapping[str, int]) -> str:
    """Stays while rows are chosen in the table, so that it does not jump; a run chosen elsewhere gets a new table that shows it."""
    content = hash(tuple((item.head.run_id, item.state) for item in shown))
    known: tuple[int, str, int] = st.session_state.get("_runs-table", (0, "", 0))
    generation = known[0]
    state = st.session_state.get(f"runs-{generation}-{known[2]}")
    picked = state.selection.rows if state is not None else []
    row = rows.get(view.head.run_id)
    moved = known[1] != view.head.run_id and (not picked or picked[0] != row)
    if moved or known[2] != content:
        generation += 1
    st.session_state["_runs-table"] = (generation, view.head.run_id, content)
    return f"runs-{generation}-{content}"


def _columns() -> dict[str, Any]:
    config = st.column_config
    return {
        "run": config.TextColumn("run", width=285, pinned=True),
        "agent": config.TextColumn("agent", width=145),
        "started": config.DatetimeColumn("started (UTC)", format="YYYY-MM-DD HH:mm", timezone="UTC", width=140),
        "verdict": config.TextColumn("verdict", help="The gate as recorded when the run ended", width=95),
        "correctness": config.TextColumn("correctness", help="Rate, and correct of judged cases", width=125),
        "label": config.TextColumn("label", width=120),
        "baseline": config.TextColumn("baseline", width=75),
        "record": config.TextColumn("record", help="Whether the file is as it was written", width=115),
        "duration_s": config.NumberColumn("duration", format="%.1f s"),
        "cost_usd": config.NumberColumn("cost", format="$%.4f"),
        "place": config.TextColumn("where", help="The folder or archive that holds the file"),
    }


def _under_table(shown: Sequence[ListedRun], total: int, results: Mapping[str, Checked], frame: pd.DataFrame) -> None:
    """How many rows there are, a button that verifies them, and what verifying found."""
    paths = [item.path for item in shown if item.path is not None]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{_format.of(len(shown), total, 'run')} shown, newest first; choose a row to see it below.", width="content")
        asked = st.button(
            f"Verify the {_format.count(len(paths), 'file')} shown",
            icon=":material/verified:",
            key="verify-shown",
            disabled=not paths,
            help="Holds each file, its sidecar and its ledger entry against the digests, and computes the measures again",
        )
        offer("runs", {"runs": frame})
    if asked:
        _verify(paths)
        st.rerun()
    if results:
        bad = [finding for result in results.values() for finding in result.findings]
        changed = sum(bool(result.findings) for result in results.values())
        bare = sum(not result.recorded and not result.findings for result in results.values())
        words = [f"✓ {_format.of(len(results) - changed - bare, len(results), 'verified file')} as written"]
        if changed:
            words.append(f"✕ {changed:,} not as written")
        if bare:
            words.append(f"○ {bare:,} record no digest to verify against")
        st.markdown(escaped(" · ".join(words)))
        if bad:
            st.code("\n".join(bad[:50]), language=None, wrap_lines=True)
            if len(bad) > 50:
                st.caption(f"and {len(bad) - 50:,} more findings; `agenteval runs verify` lists them all")


def _verify(paths: Sequence[str]) -> None:
    """Verify files one after the other; those verified before and not touched since cost nothing."""
    done: dict[str, tuple[stored.Fingerprint, Checked]] = st.session_state.setdefault(_VERIFIED, {})
    step = max(1, len(paths) // 100)
    with st.empty():
        for number, path in enumerate(paths):
            if number % step == 0:
                st.progress(number / len(paths), f"verified {_format.of(number, len(paths), 'file')}")
            done[path] = (stored.fingerprint(Path(path)), stored.checked(Path(path)))


def _results(shown: Sequence[ListedRun]) -> dict[str, Checked]:
    """What this session verified of these files, as far as they were not touched since."""
    done: dict[str, tuple[stored.Fingerprint, Checked]] = st.session_state.get(_VERIFIED, {})
    known = [(item.path, done[item.path]) for item in shown if item.path in done]
    return {path: result for path, (identity, result) in known if path is not None and stored.fingerprint(Path(path)) == identity}


def _word(result: Checked) -> str:
    if result.findings:
        return f"{look('failed').symbol} not as written"
    return f"{look('passed').symbol} as written" if result.recorded else "no digest: older format"
