"""One run in detail: what it was, every check of its worst cases, its latencies, its bill, its tags, where it came from."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval.model.run import Outcome, Run
from agenteval.model.status import Status
from parts import stored
from parts.chrome import link
from parts.costs import cost_by_tool
from parts.downloads import offer
from parts.figures import clicked, follow
from parts.runs.breakdown import bill, latency, tag_table, tags
from parts.runs.provenance import provenance
from parts.stored import Fingerprint, fingerprint
from parts.view import View
from parts.words import ago, badge, code, escaped, sentence, tally, when

WORST = 25
"""Cases in the heatmap; they alone are read."""
_ORDER = (Status.AGENT_ERROR, Status.EVALUATOR_ERROR, Status.FAILED, Status.SKIPPED, Status.UNSCORED, Status.PASSED)


def one_run(view: View) -> None:
    """The whole section."""
    run = stored.run_at(view.path)
    st.divider()
    _head(view)
    _checks(view, run)
    left, right = st.columns(2, gap="large")
    with left:
        latency(view)
    with right:
        bill(view)
    cost_by_tool(view)
    tags(view)
    provenance(run)
    _downloads(view, run)


def _head(view: View) -> None:
    head = view.head
    verdict = badge(head.gate.outcome.value) if head.gate else ":gray-badge[· no verdict recorded]"
    st.markdown(f"#### Run {code(head.run_id)} &nbsp; {verdict}", anchors=False)
    if head.gate is not None:
        st.markdown(sentence(head.gate.sentence))
    facts = [code(head.agent), f"{escaped(when(head))}, {escaped(ago(head))}", f"{head.status.value} in {_format.seconds(head.duration_s)}"]
    if head.duration_s is None:
        facts[-1] = f"{head.status.value}, duration not recorded"
    facts.append(f"suite {code(head.suite.name)}" if head.suite.name else "suite not recorded")
    facts.append(escaped(tally(head)))
    if head.label:
        facts.append(f"label {code(head.label)}")
    if head.legacy:
        facts.append(escaped(head.legacy))
    st.caption(" · ".join(facts))
    _links(view)
    _pin(view)


def _links(view: View) -> None:
    chosen = view.selection.without_case()
    with st.container(horizontal=True, gap="medium"):
        link("overview", "Overview of this run", chosen, icon=":material/fact_check:")
        if view.baseline is not None and view.baseline[1].run_id != view.head.run_id:
            link("compare", "Compare with the baseline", chosen, icon=":material/compare_arrows:")
        if view.head.repeats is not None:
            link("flakiness", f"Flakiness of {_format.count(view.head.repeats.cases, 'repeated case')}", chosen, icon=":material/casino:")
        link("case", "Its cases", chosen, icon=":material/description:")
        if view.head.parent:
            link("runs", f"Retried from {code(view.head.parent)}", replace(chosen, run=view.head.parent))


def _pin(view: View) -> None:
    if view.pinned is not None and view.pinned.run_id == view.head.run_id:
        st.markdown("★ This run is the pinned baseline of its suite.")
        return
    doubtful = view.head.selection.partial or view.head.status != "completed"
    told = f"The baseline is {code(view.pinned.run_id)}." if view.pinned is not None else "No baseline is pinned for this suite."
    if doubtful:
        told += " This run is partial or was not completed: only `--force` pins it."
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"{told} To pin this run:", width="content")
        force = " --force" if doubtful else ""
        command = f"agenteval baseline set {shlex.quote(view.head.run_id)}{force} --agent {shlex.quote(view.head.agent)}"
        st.code(command, language="bash", width="content", wrap_lines=True)


def worst(outcomes: Sequence[Outcome], most: int) -> list[int]:
    """Rows of the worst cases, the worst first: errors, failures, what was not decided, then the lowest scores."""
    rank = {status: place for place, status in enumerate(_ORDER)}
    rows = sorted(
        range(len(outcomes)),
        key=lambda row: (rank[outcomes[row].status], 1.0 if (score := outcomes[row].score) is None else score, row),
    )
    return rows[:most]


def _checks(view: View, run: Run) -> None:

    st.markdown("##### Every check of every case" if len(run.outcomes) <= WORST else f"##### Every check of the {WORST} worst cases")
    if not run.outcomes:
        st.markdown("This run holds no case.")
        return
    rest = len(run.outcomes) - WORST
    roles = sum(outcome.role is not None for outcome in run.outcomes)
    words = ["The worst stand on top"]
    if rest > 0:
        words.append(f"{_format.count(rest, 'better one')} {'is' if rest == 1 else 'are'} not drawn")
    if roles:
        words.append(f"‖ quarantined and ◇ candidates ({roles:,}) are in no rate")
    st.caption(
        f"{', '.join(words)}. ✓ held, ✕ did not, ? could not decide, ! agent error, · not applicable; a number is a score between 0 and 1. "
        "A click opens the case."
    )
    figure, _ = _grid(view.path, fingerprint(view.path))
    data = clicked(
        figure,
        "checks",
        key=f"checks-{view.head.run_id}",
        alt="Every check of the worst cases",
    )
    follow(view, data, view.runs)


@st.cache_resource(max_entries=16, show_spinner=False)
def _grid(path: Path, identity: Fingerprint) -> tuple[Any, Any]:
    """The heatmap and its table."""
    from agenteval.charts.one_run import score_grid, score_heatmap

    run = stored.run_at(path)
    frame = score_grid(run.cases[row] for row in worst(run.outcomes, WORST))
    return score_heatmap(frame, run.head.run_id), frame


def _stored(path: Path) -> bytes:
    """The bytes of a file as they are, out of its archive too."""
    from agenteval.artifacts.source import open_source

    return open_source(path).whole()


def _downloads(view: View, run: Run) -> None:
    """The file as it is stored, what it records of its origin, and the tables above."""
    import json

    from agenteval.artifacts.reading import find_sidecar

    head = view.head
    st.markdown("##### Take it along")

    def origin() -> bytes:
        return json.dumps(dict(run.provenance), indent=1, ensure_ascii=False, default=str).encode("utf-8")

    def outcomes() -> Any:
        from agenteval.charts.run_list import outcome_rows

        return outcome_rows(run.outcomes)

    with st.container(horizontal=True):
        files = [("Run file as stored", view.path, f"{head.run_id}.json")]
        sidecar = find_sidecar(view.path)
        if sidecar is not None:
            files.append(("Its repeated attempts", sidecar, f"{head.run_id}.flakiness.json"))
        for label, path, name in files:
            st.download_button(
                label,
                partial(_stored, path),
                file_name=name,
                mime="application/json",
                key=f"file-{name}",
                on_click="ignore",
                icon=":material/download:",
            )
        st.download_button(
            "Provenance JSON",
            origin,
            file_name=f"{head.run_id}-provenance.json",
            mime="application/json",
            key="file-origin",
            on_click="ignore",
        )
        identity = fingerprint(view.path)
        offer(
            head.run_id,
            {
                "outcomes": outcomes,
                "checks": lambda: _grid(view.path, identity)[1],
                "tags": lambda: tag_table(view.path, identity)[1],
            },
        )
    st.caption(f"File: {code(str(view.path))}")
