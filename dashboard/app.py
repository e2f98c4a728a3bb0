"""The dashboard's entry: page, navigation and the choice of agent, run and baseline; everything else is a view."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from parts.chrome import frame, guarded

# A file of our own: the browser would fetch a Material icon's picture from the network.
ICON = str(Path(__file__).with_name("icon.svg"))

st.set_page_config(page_title="AgentEval", page_icon=ICON, layout="wide", initial_sidebar_state=300)

page = st.navigation(
    [
        st.Page("views/overview.py", title="Overview", icon=":material/fact_check:", default=True),
        st.Page("views/trends.py", title="Trends", icon=":material/show_chart:", url_path="trends"),
        st.Page("views/compare.py", title="Compare", icon=":material/compare_arrows:", url_path="compare"),
        st.Page("views/runs.py", title="Runs", icon=":material/folder_open:", url_path="runs"),
        st.Page("views/case.py", title="Case", icon=":material/description:", url_path="case"),
        st.Page("views/flakiness.py", title="Flakiness", icon=":material/casino:", url_path="flakiness"),
        st.Page("views/models.py", title="Models", icon=":material/leaderboard:", url_path="models"),
        st.Page("views/judge.py", title="Judge", icon=":material/gavel:", url_path="judge"),
        st.Page("views/robustness.py", title="Robustness", icon=":material/shield:", url_path="robustness"),
    ],
    position="hidden",
)

with guarded():
    if frame(page):
        page.run()
