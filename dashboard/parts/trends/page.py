"""Every measure over the stored runs of one suite and selection, and every case over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from agenteval import _format
from agenteval.charts.palette import look, metric_title
from agenteval.compare.case_history import CaseHistory
from agenteval.compare.movement import Movement
from agenteval.compare.provenance_changes import COMMIT, METADATA, SUITE, ProvenanceChange, provenance_changes, recorded, telling
from agenteval.model.run import Measure
from parts import project
from parts.chrome import link
from parts.downloads import offer
from parts.trends.grid import grid, stored_part
from parts.trends.history import MOST_READ, TAGGED, History, history, movements, part_of, tags
from parts.trends.panels import key_measures, panels
from parts.trends.sentences import LETTERS, headline, origin_words, state
from parts.view import View
from parts.words import badge, code, escaped, tally, when

if TYPE_CHECKING:
    import pandas as pd

WINDOWS = {"last 30": 30, "last 100": 100, "all": 1_000_000}
KEY, ALL = "key measures", "all measures"
_LISTED = 100


def show(view: View) -> None:
    """The whole page."""
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        window = st.segmented_control("Runs", list(WINDOWS), default="last 30", required=True, key="window", bind="query-params")
        which = st.segmented_control("Measures", [KEY, ALL], default=KEY, required=True, key="measures", bind="query-params")
        tag = _tag(view)
    runs = history(view, WINDOWS[window or "last 30"], tag)
    found = movements(runs)
    units = {name: known.unit for name in found if (known := runs.newest(name))}
    with top:
        st.markdown(f"#### {headline(found, units, runs.labels)}", anchors=False)
        _about(view, runs)
    limits, _ = project.limits(view.head)
    changes = provenance_changes(runs.heads)
    origins = telling(changes, len(runs.heads))
    shown = key_measures(found, limits) if which == KEY else list(found)
    panels(view, shown, runs, found, _before(view, tag), limits, origins)
    rest = [name for name in found if name not in shown]
    if rest:
        st.caption("Not drawn: " + " · ".join(f"{escaped(metric_title(name))} {state(found[name], runs.labels)}" for name in rest))
    _legend(runs, origins)
    _chosen(view)
    cases = grid(view, runs)
    _listed(view, runs, changes)
    heads = stored_part(runs)
    offer(
        f"{view.head.agent}-trends",
        {
            "points": lambda: _points(runs, list(found)),
            "changes of level": lambda: _changes(runs, found),
            "cases over runs": lambda: _cases_table(cases, [head.run_id for head in heads]),
        },
    )


def _tag(view: View) -> str | None:
    """The chosen tag, None for all cases; one that no case carries is said, because the widget would drop it without a word."""
    known = tags(view.path)
    asked = st.query_params.get("tag")
    chosen = None
    if known:
        chosen = st.selectbox("Cases", known, index=None, placeholder="all cases", key="tag", bind="query-params", width=220)
    if asked and asked not in known:
        st.caption(f":orange[No case of the chosen run carries the tag {code(asked)}: all cases are shown.]")
    return chosen


def _about(view: View, runs: History) -> None:
    suite = f"suite {code(view.head.suite.name)}" if view.head.suite.name else "a suite that is not recorded"
    drawn = len(runs.heads)
    number = _format.count(drawn, "run") if drawn == runs.known else f"the newest {drawn:,} of {_format.count(runs.known, 'run')}"
    words = [f"{number} of {suite}", "same selection as the chosen run"]
    gone = sum(head.run_id not in runs.files for head in runs.heads)
    if gone:
        words.append(f"{gone} known from the ledger only")
    st.caption(" · ".join(words))
    if runs.tag is not None:
        missing = [name for name in view.head.metrics if name not in TAGGED and view.head.metrics[name].value is not None]
        left = f" Not told for a tag: {escaped(_format.joined([metric_title(name) for name in missing], 6))}." if missing else ""
        st.caption(
            f"Only cases tagged {code(runs.tag)}: their measures are made again from each run's outcomes, latency without errors."
            f" Gates judge all cases and are not drawn.{left} A tag reads the newest {MOST_READ} runs at most."
        )
    if runs.known == 1:
        st.markdown("One run is stored: a trend needs five. Run the suite again and it grows:")
        st.code("agenteval run", language="bash")


def _before(view: View, tag: str | None) -> Mapping[str, Measure]:
    """The baseline's measures, of the tagged cases where a tag is chosen."""
    if view.baseline is None:
        return {}
    path, head = view.baseline
    return head.metrics if tag is None else part_of(path, tag)


def _legend(runs: History, origins: Sequence[ProvenanceChange]) -> None:
    gates = "" if runs.tag else "● gate passed  ✕ failed  ◆ inconclusive  ○ no verdict · "
    kinds = {origin.kind for origin in origins}
    keys = list(dict.fromkeys(origin.name for origin in origins if origin.kind == METADATA))
    named = {"metadata": f"metadata changed ({escaped(_format.joined(keys))})"}
    marks = [f"{escaped(LETTERS[kind])} {named.get(kind, kind + ' changed')}" for kind in LETTERS if kind in kinds]
    parts = ["grey band: 95% interval", "dotted: baseline", *([] if runs.tag else ["dashed: gate"])]
    parts += ["upright line with levels: the level changed", *marks, "commits on hover"]
    st.caption(gates + " · ".join(parts))


def _chosen(view: View) -> None:
    """Where the chosen run comes from."""
    known = recorded(view.head)
    if not known:
        return
    said = []
    for (kind, name), text in known.items():
        shown = text[:7] if kind in (COMMIT, SUITE) else _format.short_id(text, 40)
        said.append(f"{escaped(name)} {code(shown)}")
    st.caption(f"Chosen run (ringed), {escaped(when(view.head))}: " + " · ".join(said))


def _listed(view: View, runs: History, changes: Sequence[ProvenanceChange]) -> None:
    """The runs drawn as links, for who has no mouse; what changed with each."""
    places = list(reversed(range(len(runs.heads))))[:_LISTED]
    title = f"{'' if len(places) == len(runs.heads) else 'the newest '}{_format.count(len(places), 'run')} as a list"
    title = title[:1].upper() + title[1:]
    with st.expander(title, on_change="rerun", key="runs-as-list") as opened, st.container(key="rows-runs"):
        for place in places if opened.open else ():
            head = runs.heads[place]
            gate = badge(head.gate.outcome.value) if head.gate else f":gray[{look(None).symbol} no verdict]"
            changed = [origin_words(change) for change in changes if change.at == place and change.kind != COMMIT]
            facts = [when(head), tally(head), *changed]
            cells = st.columns([4, 9], vertical_alignment="center")
            with cells[0]:
                if head.run_id in runs.files:
                    link("overview", code(head.run_id), replace(view.selection, run=head.run_id).without_case())
                else:
                    st.markdown(code(head.run_id))
                    facts.append("known from the ledger only")
            cells[1].markdown(f"{gate} :small[{escaped(' · '.join(facts))}]")


def _points(runs: History, names: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    from agenteval.charts.history import metric_points

    tables = [metric_points(runs.heads, name, stored=runs.files, measured=runs.of_part).assign(metric=name) for name in names]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _changes(runs: History, found: Mapping[str, Movement]) -> pd.DataFrame:
    from agenteval.charts.history import change_rows

    return change_rows(runs.heads, found)


def _cases_table(cases: Sequence[CaseHistory], run_ids: Sequence[str]) -> pd.DataFrame:
    from agenteval.charts.history import case_rows

    return case_rows(cases, run_ids)
