"""What surrounds every page: sidebar with navigation and choices, messages about unknown ids, empty and broken states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import streamlit as st

from agenteval._format import count
from agenteval._links import PARAMETERS
from agenteval.compare.robustness import holds_adversarial
from agenteval.errors import AgentEvalError
from parts import stored
from parts.judge import calibrations
from parts.places import hand_over
from parts.progress import unfinished
from parts.project import broken_registries
from parts.selection import LATEST, NONE, PINNED, Selection, Unknown
from parts.uploads import uploaded
from parts.view import View, open_view
from parts.words import ago, code, escaped, moment, run_labels, when

PAGES = (
    ("overview", "Overview", ":material/fact_check:"),
    ("trends", "Trends", ":material/show_chart:"),
    ("compare", "Compare", ":material/compare_arrows:"),
    ("runs", "Runs", ":material/folder_open:"),
    ("case", "Case", ":material/description:"),
    ("flakiness", "Flakiness", ":material/casino:"),
    ("models", "Models", ":material/leaderboard:"),
)
OPTIONAL = (
    ("judge", "Judge", ":material/gavel:"),
    ("robustness", "Robustness", ":material/shield:"),
)
"""Listed where there is something to show: a judge was calibrated (it needs no run), an agent's run holds adversarial cases."""
_MOST_RUNS = 200
"""Runs in the list to choose from; older ones are reached by link, Trends and Compare."""

_STYLE = """<style>
[data-testid="stMainBlockContainer"] {padding-top: 2.6rem; padding-bottom: 3rem; max-width: 1400px;}
[data-testid="stMain"] {scrollbar-gutter: stable;}
[class*="st-key-verdict-"] {border-left: 6px solid #8a8f98; padding: 0.7rem 1rem 0.8rem 1.1rem; border-radius: 0.3rem;
  background: rgba(138, 143, 152, 0.07);}
[class*="st-key-verdict-"] h4 {font-size: 1.2rem; line-height: 1.4; padding: 0;}
[class*="st-key-verdict-"] h4 .stMarkdownBadge {font-size: 1rem;}
.st-key-verdict-pass {border-left-color: #009e73;}
.st-key-verdict-fail {border-left-color: #d55e00;}
.st-key-verdict-inconclusive {border-left-color: #d99000;}
[data-testid="stMetricValue"] {font-size: 1.85rem; line-height: 1.2;}
[data-testid="stMetricValue"] > div {overflow: visible; text-overflow: clip;}
[data-testid="stMetricDelta"], [data-testid="stMetricDelta"] * {height: auto !important; overflow: visible !important;
  white-space: normal !important;}
[class*="st-key-rows-"] {gap: 0.15rem;}
[data-testid="stMarkdownContainer"] code {font-size: 0.88em;}
[data-testid="stMarkdownContainer"] p, [data-testid="stText"] {overflow-wrap: anywhere;}
@media (max-width: 640px) {
  [data-testid="stMarkdownContainer"] :is(td, th) {overflow-wrap: anywhere; padding: 0.3rem 0.4rem;}
  [data-testid="stMarkdownContainer"] td .stMarkdownColoredText {white-space: nowrap;}
  [data-testid="stMainBlockContainer"] {padding: 3.6rem 0.9rem 2rem;}
  .st-key-cards [data-testid="stColumn"] {min-width: calc(50% - 0.5rem) !important; flex: 1 1 calc(50% - 0.5rem) !important;}
  [class*="st-key-rows-"] [data-testid="stHorizontalBlock"] {gap: 0; padding: 0.35rem 0; border-bottom: 1px solid #8a8f9840;}
}
</style>"""
"""Our own words only; nothing stored is ever put into HTML."""


def page_file(name: str) -> str:
    """The script of a page, as Streamlit names it."""
    return f"views/{name}.py"


def link(page: str, label: str, selection: Selection, *, help_text: str | None = None, icon: str = "") -> None:
    """A link to a page with a selection; ``label`` is Markdown."""
    st.page_link(page_file(page), label=label, query_params=selection.query(), help=help_text, icon=icon)


def view() -> View:
    """The view that ``frame`` opened for this run of the script."""
    opened: View = st.session_state["_view"]
    return opened


def opened_view() -> View | None:
    """As ``view``; None where no run is stored."""
    return st.session_state.get("_view")


@contextmanager
def guarded() -> Iterator[None]:
    """Whatever goes wrong below becomes a sentence on the page, never a trace."""
    try:
        yield
    except AgentEvalError as error:
        trouble(str(error))
    except Exception as error:  # A page must never show a trace; the server's log has it.
        import logging

        logging.getLogger("agenteval.dashboard").exception("the page failed")
        trouble(f"This part could not be drawn ({type(error).__name__}: {error}). The stored files are untouched.")


def trouble(message: str) -> None:
    """A problem, as text, with the command that looks closer."""
    with st.container(border=True):
        st.markdown(":orange-badge[? cannot be shown]")
        st.text(message)
        st.caption("Check the stored files:")
        st.code("agenteval runs verify", language=None)


def frame(page: Any) -> bool:
    """Draw the sidebar and the messages; False where there is nothing to show a page of."""
    st.html(_STYLE)
    asked = Selection.read(st.query_params.to_dict())
    opened = open_view(asked)
    if opened is None:
        st.session_state.pop("_view", None)
        _navigation(Selection(), _listed(None))
        if page.url_path == "judge" and calibrations.exist():
            return True
        _empty()
        return False
    st.session_state["_view"] = opened
    _announce(page)
    _navigation(opened.selection, _listed(opened))
    with st.sidebar:
        _choices(opened)
        _unreadable()
        if asked != opened.selection:
            # Writing the address while loading would push a step into the history that the back button could never pass.
            query = {**st.query_params.to_dict(), **opened.selection.query()}
            st.page_link(page, label=":gray[link to exactly this view]", icon=":material/link:", query_params=query)
    for problem in opened.unknown:
        _unknown(problem, opened)
    _unreadable_project(opened)
    return True


def _announce(page: Any) -> None:
    """Tell the browser the address again: after a link to the page that is already open Streamlit leaves the old one standing.

    Where the address is right already, the browser does nothing. Any one name will do: the whole address is sent. After a link to
    another page Streamlit tells it itself; told twice, the browser would take two steps, and one back would lead nowhere.
    """
    before, st.session_state["_page"] = st.session_state.get("_page"), page.url_path
    if before != page.url_path:
        return
    name = next((name for name in PARAMETERS if name in st.query_params), None)
    if name is not None:
        st.query_params[name] = st.query_params[name]


def _unreadable_project(opened: View) -> None:
    """A pinned baseline or an ``agents.yaml`` that can't be read: the verdict below stands without it."""
    if opened.pin is not None and opened.pin.head is None:
        with st.container(border=True, gap="small"):
            st.markdown(f":orange-badge[? baseline can't be read] {code(str(opened.pin.path))}")
            st.text(opened.pin.problem)
            st.caption("Runs are not compared with it. Restore the file from version control, or pin another run:")
            st.code("agenteval baseline set RUN --force", language="bash")
    for problem in broken_registries():
        with st.container(border=True, gap="small"):
            st.markdown(":orange-badge[? agents.yaml can't be read] Its gates and baselines are not used here.")
            st.text(problem)


def _listed(opened: View | None) -> tuple[tuple[str, str, str], ...]:
    """The pages that the navigation names."""
    found = {"judge": calibrations.exist(), "robustness": opened is not None and any(holds_adversarial(h) for h, _ in opened.runs.values())}
    return (*PAGES, *(page for page in OPTIONAL if found[page[0]]))


def _navigation(selection: Selection, pages: Sequence[tuple[str, str, str]]) -> None:
    with st.sidebar:
        st.markdown("### AgentEval")
        with st.container(gap="xxsmall"):
            for name, title, icon in pages:
                chosen = selection if name == "case" else selection.without_case()
                query = {} if selection == Selection() else chosen.query()
                st.page_link(page_file(name), label=title, icon=icon, query_params=query, width="stretch")


def _choices(opened: View) -> None:
    selection = opened.selection
    agents = sorted(opened.agents)
    _select("Agent", agents, selection.agent, str, lambda agent: Selection(agent=agent), "agent")
    runs = list(opened.runs)[::-1]
    shown = runs[:_MOST_RUNS] + [run_id for run_id in runs[_MOST_RUNS:] if run_id in (selection.run, selection.baseline)]
    labels = run_labels([opened.runs[run_id][0] for run_id in shown])
    _select("Run", shown, selection.run, lambda run: labels.get(run, run), lambda run: replace(selection, run=run), "run")
    others = [run_id for run_id in shown if run_id != selection.run and opened.runs[run_id][0].suite.name == opened.head.suite.name]
    options = ([PINNED] if opened.pinned else []) + [NONE] + others
    chosen = selection.baseline or NONE
    if chosen not in options:
        options.append(chosen)

    def named(baseline: str) -> str:
        if baseline == PINNED:
            started = moment(opened.pinned.started_at) if opened.pinned else None
            return f"pinned · {started:%m-%d %H:%M}" if started else "pinned"
        if baseline == NONE:
            return "none: judge the run alone"
        return labels.get(baseline, baseline)

    _select("Compared with", options, chosen, named, lambda baseline: replace(selection, baseline=baseline), "baseline")
    if opened.pinned and opened.pinned.run_id == opened.head.run_id:
        st.caption("★ this run is the pinned baseline")
    if opened.baseline and chosen == PINNED:
        st.caption(f"baseline of {escaped(when(opened.baseline[1]))}, {escaped(ago(opened.baseline[1]))}")


def _select(label: str, options: Sequence[str], chosen: str | None, named: Any, selected: Any, name: str) -> None:
    """A select box whose value is the URL's: its key changes with the URL, and a change writes the URL."""
    key = f"choose-{name}-{chosen}-{len(options)}"

    def write() -> None:
        query = selected(st.session_state[key]).query()
        if all(name in PARAMETERS for name in st.query_params):
            st.query_params.from_dict(query)
        else:
            # What a page's own filters wrote stays; emptied words are defaults, and one change of the address is one step back.
            st.query_params.update({name: query.get(name, "") for name in PARAMETERS if name in query or name in st.query_params})

    index = options.index(chosen) if chosen in options else 0
    st.selectbox(label, options, index=index, format_func=named, key=key, on_change=write)


def _unknown(problem: Unknown, opened: View) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":orange-badge[? unknown {escaped(problem.kind)}] {escaped(str(problem))}")
        if problem.nearest is not None:
            st.markdown("Nearest:")
            selection = opened.selection.without_case()
            if problem.kind == "agent":
                nearest = Selection(agent=problem.nearest)
            elif problem.kind == "run":
                nearest = replace(selection, run=problem.nearest)
            else:
                nearest = replace(selection, baseline=problem.nearest)
            link("overview", code(problem.nearest), nearest)


def _unreadable() -> None:
    found = stored.listing()
    if found.unreadable:
        with st.expander(f":material/warning: {count(len(found.unreadable), 'file')} can't be read"):
            unreadable_list(found.unreadable)


def unreadable_list(files: Sequence[Any]) -> None:
    """Names and reasons of files that can't be read."""
    st.code("\n".join(f"{item.path}: {item.reason}" for item in files[:50]), language=None, wrap_lines=True)
    if len(files) > 50:
        st.caption(f"and {len(files) - 50} more")
    st.caption("The rest is shown. Look closer with `agenteval runs verify`.")


def _empty() -> None:
    found = stored.listing()
    st.markdown("## No runs yet" if not found.running else "## No finished run yet")
    unfinished()
    st.markdown("Nothing is stored in")
    st.code("\n".join(str(root) for root in stored.given_roots()), language=None)
    st.markdown("Run a suite; its result is shown here as soon as it is written:")
    st.code("agenteval run suite.yaml --agent my_project.agent:answer", language="bash")
    st.markdown("Or open another folder, or artifacts downloaded from CI (zip files too):")
    st.code("agenteval dashboard path/to/runs", language="bash")
    st.markdown("Or hand files over here, to look at them in this browser tab alone:")
    hand_over()
    if uploaded():
        st.caption(f"{count(len(uploaded()), 'uploaded file')}: no run in it that can be read.")
    if found.unreadable:
        st.markdown(f"#### {count(len(found.unreadable), 'file')} can't be read")
        unreadable_list(found.unreadable)


__all__ = ["LATEST", "frame", "guarded", "link", "page_file", "trouble", "view"]
